import { sleep } from 'n8n-workflow';
import { partner } from '../../core/contract/partner';
import { list } from '../../core/transport/list';
import type { ServiceError } from '../../core/transport/outcome';
import * as retry from '../../core/transport/outcome';
import { send, type SendOptions } from '../../core/transport/send';
import { hang, json, text, type Behaviour } from '../support/server.cts';
import { attempt, type Call } from '../support/transportNode.cts';
import { company, getDispatch, quick } from './calls.cts';
import { partnerCredential, servePartner } from './service.cts';

const withToken = { token: 'still-valid' };
/** A pause far beyond the time a test may take: a call that doesn't end in it fails the test. */
const hour = 3_600_000;
const slow = { ...quick, firstPauseMs: hour, longestPauseMs: hour };

/** Until the next pause of the transport has begun. */
const nextPause = async () =>
	await new Promise<void>((resolve) => {
		const { pause: real } = jest.requireActual<typeof retry>('../../core/transport/outcome');
		jest.spyOn(retry, 'pause').mockImplementationOnce(async (...given) => {
			resolve();
			await real(...given);
		});
	});

interface CancelOptions {
	credential?: Record<string, string>;
	ready?: Promise<void>;
}

/** Cancels the execution when this many requests are there and `ready` says so, and sees that no more arrive. */
const cancelAfter = async (
	count: number,
	url: string,
	received: readonly unknown[],
	call: Call,
	{ credential = withToken, ready = Promise.resolve() }: CancelOptions = {},
) => {
	let cancel: () => void = () => undefined;
	let failure: ServiceError | undefined;
	let hasEnded: () => void = () => undefined;
	// n8n doesn't wait for a node that it has canceled.
	const ended = new Promise<void>((resolve) => (hasEnded = resolve));
	const observed: Call = async (context) => {
		try {
			return await call(context);
		} catch (error) {
			failure = error as ServiceError;
			throw error;
		} finally {
			hasEnded();
		}
	};
	const execution = attempt(partnerCredential(url, credential), observed, (stop) => {
		cancel = stop;
	});
	while (received.length < count) await sleep(5);
	await ready;
	expect(received).toHaveLength(count);
	cancel();
	await Promise.all([execution, ended]);
	// Too short a wait could only miss a fault, never report one that isn't there.
	await sleep(100);
	expect(received).toHaveLength(count);
	return { failure };
};

const get =
	(options: SendOptions): Call =>
	async (context) =>
		await send(context, partner.dispatchGet, { path: { id: 5 } }, options);
const start =
	(options: SendOptions): Call =>
	async (context) =>
		await send(context, partner.dispatchStart, { path: { id: 5 } }, options);

describe.each([
	['a call that may be repeated', get],
	['a call that may not', start],
])('%s', (_, call) => {
	it('ends at once while it waits for the answer, and its outcome is unknown', async () => {
		const service = await servePartner(() => hang);

		const attempted = await cancelAfter(1, service.url, service.received, call({ retry: quick }));

		expect(attempted.failure).toMatchObject({
			outcome: 'unknown',
			message: 'The execution was canceled during a request to the service',
		});
		expect(service.received).toHaveLength(1);
	});

	it('ends at once in a pause, and nothing more is sent', async () => {
		const service = await servePartner(() => text(429, ''));

		const attempted = await cancelAfter(1, service.url, service.received, call({ retry: slow }), {
			ready: nextPause(),
		});

		expect(attempted.failure?.name).toBe('CancelledError');
		expect(service.received).toHaveLength(1);
	});

	it('is not sent at all after the execution was cancelled', async () => {
		const service = await servePartner(() => json(200, getDispatch.reply));
		let isRunning: () => void = () => undefined;
		const ready = new Promise<void>((resolve) => (isRunning = resolve));
		const untilCancelled: Call = async (context) => {
			isRunning();
			while (context.getExecutionCancelSignal()?.aborted !== true) await sleep(5);
			return await call({ retry: quick })(context);
		};

		const attempted = await cancelAfter(0, service.url, service.received, untilCancelled, {
			ready,
		});

		expect(attempted.failure?.name).toBe('CancelledError');
		expect(service.received).toHaveLength(0);
	});
});

it('a list ends at once while several pages are asked for', async () => {
	const items = Array.from({ length: 100 }, (_, index) => ({ ...company, companyId: index + 1 }));
	const service = await servePartner(({ url }) =>
		url.includes('page=1&') ? json(200, { page: 1, perPage: 100, total: 5_000, items }) : hang,
	);

	// The first page, and four at a time.
	const attempted = await cancelAfter(
		5,
		service.url,
		service.received,
		async (context) => await list(context, partner.companyList, {}, { retry: quick }),
	);

	expect(attempted.failure?.message).toBe(
		'The execution was canceled during a request to the service',
	);
});

describe('during the log-in', () => {
	const cancelLogIn = async (trouble: Behaviour, policy = quick, ready?: Promise<void>) => {
		const service = await servePartner(
			() => json(200, getDispatch.reply),
			() => trouble,
		);
		return await cancelAfter(1, service.url, service.received, get({ retry: policy }), {
			credential: {},
			ready,
		});
	};

	it('a call ends at once while the log-in waits for its answer', async () => {
		expect((await cancelLogIn(hang)).failure).toBeDefined();
	});

	it('a call ends at once in a pause of the log-in, and there is no other log-in', async () => {
		const attempted = await cancelLogIn(text(429, ''), slow, nextPause());
		expect(attempted.failure?.name).toBe('CancelledError');
	});
});

it('a pause that is cancelled ends at once and leaves at most a short nap behind', async () => {
	const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
	const before = timers();
	const cancelled = new AbortController();
	const longPause = 60 * 60_000;
	const paused = retry.pause(longPause, cancelled.signal);
	cancelled.abort();
	await paused;
	// n8n's sleep cannot be ended; the nap it is in must.
	while (timers() > before) await sleep(50);
});
