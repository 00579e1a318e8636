import { sleep } from 'n8n-workflow';
import { partner } from '../../core/contract/partner';
import { list } from '../../core/transport/list';
import { pause } from '../../core/transport/retry';
import { send, type SendOptions } from '../../core/transport/send';
import { hang, json, text, type Behaviour } from '../support/server.cts';
import { attempt, type Call } from '../support/transportNode.cts';
import { company, getDispatch, quick } from './calls.cts';
import { partnerCredential, servePartner } from './service.cts';

const withToken = { token: 'still-valid' };
/** A pause far beyond the time a test may take. */
const slow = { ...quick, firstPauseMs: 8_000, longestPauseMs: 8_000 };

/** Cancels the execution when this many requests are there, and sees that no more arrive. */
const cancelAfter = async (
	count: number,
	url: string,
	received: readonly unknown[],
	call: Call,
	credential: Record<string, string> = withToken,
) => {
	let cancel: () => void = () => undefined;
	const execution = attempt(partnerCredential(url, credential), call, (stop) => {
		cancel = stop;
	});
	while (received.length < count) await sleep(5);
	await sleep(50);
	const receivedBefore = received.length;
	cancel();
	const attempted = await Promise.race([execution, sleep(2_000)]);
	await sleep(100);
	expect(received).toHaveLength(receivedBefore);
	return attempted;
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

		expect(attempted?.failure).toMatchObject({
			outcome: 'unknown',
			message: 'The execution was canceled during a request to the service',
		});
		expect(service.received).toHaveLength(1);
	});

	it('ends at once in a pause, and nothing more is sent', async () => {
		const service = await servePartner(() => text(429, ''));

		const attempted = await cancelAfter(1, service.url, service.received, call({ retry: slow }));

		expect(attempted?.failure?.name).toBe('CancelledError');
		expect(service.received).toHaveLength(1);
	});

	it('is not sent at all after the execution was cancelled', async () => {
		const service = await servePartner(() => json(200, getDispatch.reply));
		const untilCancelled: Call = async (context) => {
			while (context.getExecutionCancelSignal()?.aborted !== true) await sleep(5);
			return await call({ retry: quick })(context);
		};

		const attempted = await cancelAfter(0, service.url, service.received, untilCancelled);

		expect(attempted?.failure?.name).toBe('CancelledError');
		expect(service.received).toHaveLength(0);
	});
});

it('a list ends at once while several pages are asked for', async () => {
	const items = Array.from({ length: 100 }, (_, index) => ({ ...company, companyId: index + 1 }));
	const service = await servePartner(({ url }) =>
		url.includes('page=1&') ? json(200, { page: 1, perPage: 100, total: 5_000, items }) : hang,
	);

	const attempted = await cancelAfter(
		3,
		service.url,
		service.received,
		async (context) => await list(context, partner.companyList, {}, { retry: quick }),
	);

	expect(attempted?.failure?.message).toBe(
		'The execution was canceled during a request to the service',
	);
});

describe('during the log-in', () => {
	const cancelLogIn = async (trouble: Behaviour, retry = quick) => {
		const service = await servePartner(
			() => json(200, getDispatch.reply),
			() => trouble,
		);
		return await cancelAfter(1, service.url, service.received, get({ retry }), {});
	};

	it('a call ends at once while the log-in waits for its answer', async () => {
		expect((await cancelLogIn(hang))?.failure).toBeDefined();
	});

	it('a call ends at once in a pause of the log-in, and there is no other log-in', async () => {
		const attempted = await cancelLogIn(text(429, ''), slow);
		expect(attempted?.failure?.name).toBe('CancelledError');
	});
});

it('a pause that is cancelled ends at once and leaves at most a short nap behind', async () => {
	const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
	const before = timers();
	const cancelled = new AbortController();
	const longPause = 60 * 60_000;

	const paused = pause(longPause, cancelled.signal);
	cancelled.abort();
	await paused;

	// n8n's sleep cannot be ended; the nap it is in must.
	while (timers() > before) await sleep(50);
});
