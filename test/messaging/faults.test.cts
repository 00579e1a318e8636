import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import type { SendOptions } from '../../core/transport/send';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { demo } from '../../sandbox/demo';
import type { FaultKind } from '../../sandbox/faults';
import { startSandbox, type RunningSandbox } from '../../sandbox/server.cts';
import { runNode, type NodeResult } from '../support/n8n.cts';
import {
	blacklist,
	destinationsOf,
	fromItems,
	fund,
	itemsUpTo,
	numberOf,
	withOwnIds,
} from './messages.cts';

// Pauses are n8n's sleep, and not what is tested here.
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async () => await Promise.resolve(),
}));

// A service that never answers is given up after 70 seconds: here after half a second.
jest.mock('../../core/transport/send', () => {
	const actual = jest.requireActual<typeof import('../../core/transport/send')>(
		'../../core/transport/send',
	);
	const send = async (...[caller, endpoint, request, options]: Parameters<typeof actual.send>) =>
		await actual.send(caller, endpoint, request, {
			timeoutMs: 500,
			...options,
		} satisfies SendOptions);
	return { ...actual, send };
});

const batchSize = 25;
// Small requests, so that many of them meet a fault.
jest.mock('../../core/contract/messaging', () => {
	const actual = jest.requireActual<typeof import('../../core/contract/messaging')>(
		'../../core/contract/messaging',
	);
	return { ...actual, messageLimits: { ...actual.messageLimits, perRequest: 25 } };
});

const messageCount = 200;
const items = itemsUpTo(messageCount);

let running: RunningSandbox;
beforeAll(async () => {
	running = await startSandbox({ port: 0, speed: 0, now: Date.UTC(2026, 2, 2, 7) });
});
afterAll(async () => await running.close());

const totals = {
	runs: 0,
	completed: 0,
	stopped: 0,
	requests: 0,
	faults: 0,
	messages: 0,
	unknown: 0,
	sentTwice: 0,
	lost: 0,
	falseReports: 0,
};
afterAll(() => console.log(JSON.stringify(totals)));

const statuses = [500, 502, 503, 504, 429] as const;
const withoutHangs: FaultKind[] = [
	'status',
	'reset',
	'delay',
	'commit-then-reset',
	'commit-then-status',
];
const withHangs: FaultKind[] = [...withoutHangs, 'hang', 'commit-then-hang'];

interface Plan {
	rate: number;
	kinds: readonly FaultKind[];
	parameters: INodeParameters;
	onError?: OnError;
	tries?: number;
}

const run = async ({ parameters, onError, tries }: Plan): Promise<NodeResult> =>
	await runNode({
		node: new BulkMessaging(),
		parameters: { resource: 'message', operation: 'send', ...parameters },
		items,
		onError,
		tries,
		credentials: {
			bulkMessagingApi: {
				baseUrl: running.messagingUrl,
				apiKey: demo.apiKey,
				scheme: 'Bearer',
			},
		},
	});

/** Runs with faults at the service, all of them by the seed. */
const runFaulty = async (seed: number, plan: Plan): Promise<NodeResult> => {
	const { sandbox } = running;
	const status = statuses[seed % statuses.length] ?? 500;
	sandbox.faults.setRandom({
		rate: plan.rate,
		seed,
		// A service that carries out what it answers with "too many requests" would lie.
		kinds: plan.kinds.filter((kind) => status !== 429 || kind !== 'commit-then-status'),
		status,
		ms: 1,
	});
	const strike = sandbox.faults.strike.bind(sandbox.faults);
	const spy = jest.spyOn(sandbox.faults, 'strike').mockImplementation((request) => {
		const struck = strike(request);
		totals.requests++;
		if (struck !== undefined) totals.faults++;
		return struck;
	});
	const result = await run(plan);
	spy.mockRestore();
	sandbox.faults.clear();
	return result;
};

/** How often each item's message is there. */
const countsNow = () => {
	const counts = new Map<string, number>();
	for (const number of destinationsOf(running.sandbox)) {
		counts.set(number, (counts.get(number) ?? 0) + 1);
	}
	return items.map((_, index) => counts.get(numberOf(index)) ?? 0);
};

interface Told {
	/** Items the node says are accepted, certainly not sent, or not known. */
	accepted: number[];
	notSent: number[];
	unknown: number[];
}

const all = items.map((_, index) => index);

/** What the node says about each item: by its output, or by the error that stopped it. */
const toldBy = ({ error, items: output }: NodeResult): Told => {
	if (error === undefined) {
		const texts = output.map(({ json }) => String(json.error ?? ''));
		const isUnknown = (index: number) => texts[index]?.startsWith('It is not known') === true;
		return {
			accepted: all.filter((index) => texts[index] === ''),
			unknown: all.filter(isUnknown),
			notSent: all.filter((index) => texts[index] !== '' && !isUnknown(index)),
		};
	}
	const context = error.context as IDataObject & { failedItems: number[]; unknownOwnIds: string[] };
	const { failedItems, unknownOwnIds, accepted, firstItemNotAccepted } = context;
	const notAccepted = new Set(failedItems);
	// Own ids end with the number of their item, made up or not.
	const unknown = new Set(unknownOwnIds.map((id) => Number(id.split('-').at(-1))));
	expect(accepted).toBe(messageCount - failedItems.length);
	expect(firstItemNotAccepted).toBe(Math.min(...failedItems));
	expect(unknown.size).toBeLessThanOrEqual(batchSize);
	return {
		accepted: all.filter((index) => !notAccepted.has(index)),
		unknown: all.filter((index) => unknown.has(index)),
		notSent: failedItems.filter((index) => !unknown.has(index)),
	};
};

/** Holds what the node says against what the service has. */
const compare = (told: Told) => {
	const counts = countsNow();
	const twice = counts.filter((count) => count > 1).length;
	const lies =
		told.accepted.filter((index) => counts[index] !== 1).length +
		told.notSent.filter((index) => counts[index] !== 0).length;
	totals.sentTwice += twice;
	totals.falseReports += lies;
	totals.unknown += told.unknown.length;
	totals.messages += counts.filter((count) => count > 0).length;
	expect({ twice, lies }).toEqual({ twice: 0, lies: 0 });
};

const begin = () => {
	running.sandbox.reset('demo');
	fund(running.sandbox);
};

const tryOnce = async (seed: number, plan: Plan) => {
	begin();
	const result = await runFaulty(seed, plan);
	totals.runs++;
	const told = toldBy(result);
	compare(told);
	if (result.error === undefined) totals.completed++;
	else totals.stopped++;
	return { result, told };
};

const seeds = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

describe(`${messageCount} messages in requests of ${batchSize}`, () => {
	test.each([1, 31, 61, 91])(
		'30 runs from seed %i on, 25 %% of all requests fail: every message once, or an exact report',
		async (from) => {
			for (const seed of seeds(from, 30)) {
				const { result } = await tryOnce(seed, {
					rate: 0.25,
					kinds: withoutHangs,
					parameters: fromItems,
				});
				if (result.error !== undefined) continue;
				const missing = countsNow().filter((count) => count === 0).length;
				totals.lost += missing;
				expect(missing).toBe(0);
			}
		},
		300_000,
	);

	test('40 runs with Own IDs, half of all requests fail: the same run without faults completes it', async () => {
		for (const seed of seeds(121, 40)) {
			const plan = { rate: 0.5, kinds: withoutHangs, parameters: withOwnIds };
			const { told } = await tryOnce(seed, plan);
			const resumed = await run(plan);
			expect(resumed.error).toBeUndefined();
			const missing = countsNow().filter((count) => count === 0).length;
			totals.lost += missing;
			expect(missing).toBe(0);
			compare(toldBy(resumed));
			const before = resumed.items.filter(({ json }) => json.alreadySent === true).length;
			expect(before).toBeGreaterThanOrEqual(told.accepted.length);
		}
	}, 300_000);

	test('30 runs with Continue and numbers that are refused: the others once, the refused never', async () => {
		const refused = all.filter((index) => index % 20 === 7);
		for (const seed of seeds(161, 30)) {
			begin();
			blacklist(running.sandbox, refused.map(numberOf));
			const plan = {
				rate: 0.25,
				kinds: withoutHangs,
				parameters: fromItems,
				onError: 'continueRegularOutput',
			} as const;
			const result = await runFaulty(seed, plan);
			totals.runs++;
			expect(result.error).toBeUndefined();
			totals.completed++;
			const told = toldBy(result);
			compare(told);
			expect(told.accepted.filter((index) => refused.includes(index))).toEqual([]);
			if (told.unknown.length > 0) continue;
			expect(told.notSent).toEqual(expect.arrayContaining(refused));
		}
	}, 300_000);

	test('10 runs with Retry On Fail: no try sends again what another has sent', async () => {
		for (const seed of seeds(191, 10)) {
			await tryOnce(seed, {
				rate: 0.6,
				kinds: withoutHangs,
				parameters: fromItems,
				tries: 4,
			});
		}
	}, 300_000);

	test('4 runs in which the service sometimes does not answer at all', async () => {
		for (const seed of seeds(1_001, 4)) {
			await tryOnce(seed, { rate: 0.2, kinds: withHangs, parameters: fromItems });
		}
	}, 300_000);
});
