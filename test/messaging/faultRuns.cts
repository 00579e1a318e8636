import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { demo } from '../../sandbox/demo.cts';
import type { FaultKind } from '../../sandbox/api/faults.cts';
import { startSandbox, type RunningSandbox } from '../../sandbox/server.cts';
import { giveUpLate } from '../support/giveUp.cts';
import { runNode, type NodeResult } from '../support/n8n.cts';
import { accountOf } from '../support/sandbox.cts';
import { beginStorm, type Counts } from '../support/storm.cts';
import { tempo } from '../support/tempo.cts';
import {
	blacklist,
	destinationsOf,
	fromItems,
	fund,
	itemsUpTo,
	numberOf,
	withOwnIds,
} from './messages.cts';
import { batchSize } from './smallRequests.cts';

const statuses = [500, 502, 503, 504, 429];
const messageCount = 200;
const items = itemsUpTo(messageCount);
const all = items.map((_, index) => index);

interface Weather {
	seed: number;
	/** Every kind, when left out. */
	kinds?: readonly FaultKind[];
}

interface Plan {
	rate: number;
	parameters: INodeParameters;
	onError?: OnError;
	tries?: number;
}

/** Items the node says are accepted, certainly not sent, or not known. */
interface Told {
	accepted: number[];
	notSent: number[];
	unknown: number[];
}

/** What the node says about each item: by its output, or by the error that stopped it. */
const toldBy = ({ error, items: output }: NodeResult, tries = 1): Told => {
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
	// Each try stops at the first request whose outcome isn't known; five more may be sent beside it.
	expect(unknown.size).toBeLessThanOrEqual(batchSize * 6 * tries);
	return {
		accepted: all.filter((index) => !notAccepted.has(index)),
		unknown: all.filter((index) => unknown.has(index)),
		notSent: failedItems.filter((index) => !unknown.has(index)),
	};
};

/** 200 messages in requests of 25 while requests fail, each run held against what the service has in the end. */
export const useFaultRuns = (counts: Counts, { jumpMs }: { jumpMs?: number } = {}) => {
	let running: RunningSandbox;
	beforeAll(async () => {
		running = await startSandbox({
			port: 0,
			speed: 0,
			now: Date.UTC(2026, 2, 2, 7),
			onSilence: giveUpLate,
		});
	});
	afterAll(async () => await running.close());

	const run = async (
		{ parameters, onError, tries }: Pick<Plan, 'parameters' | 'onError' | 'tries'>,
		some = items,
	): Promise<NodeResult> =>
		await runNode({
			node: new BulkMessaging(),
			parameters: { resource: 'message', operation: 'send', ...parameters },
			items: some,
			onError,
			tries,
			credentials: {
				bulkMessagingApi: {
					baseUrl: running.messagingUrl,
					apiKey: demo.apiKey,
					scheme: 'Bearer',
					...accountOf(running.sandbox),
				},
			},
		});

	/** How often each item's message is there. */
	const countsNow = () => {
		const found = new Map<string, number>();
		for (const number of destinationsOf(running.sandbox)) {
			found.set(number, (found.get(number) ?? 0) + 1);
		}
		return items.map((_, index) => found.get(numberOf(index)) ?? 0);
	};

	/** Holds what the node says against what the service has. */
	const compare = (told: Told) => {
		const found = countsNow();
		const twice = found.filter((count) => count > 1).length;
		const lies =
			told.accepted.filter((index) => found[index] !== 1).length +
			told.notSent.filter((index) => found[index] !== 0).length;
		counts.duplicated += twice;
		counts.untrue += lies;
		expect({ twice, lies }).toEqual({ twice: 0, lies: 0 });
	};

	const expectAll = () => {
		const lost = countsNow().filter((count) => count === 0).length;
		counts.lost += lost;
		expect(lost).toBe(0);
	};

	/** Runs with faults at the service, all of them by the seed. */
	const runInStorm = async (
		{ seed, kinds }: Weather,
		{ rate, ...plan }: Plan,
		prepare?: () => unknown,
	) => {
		const { sandbox } = running;
		sandbox.reset('demo');
		// Long enough for the messages of other runs to be gone.
		tempo.pausedMs += 7_200_000;
		fund(sandbox);
		prepare?.();
		const status = statuses[seed % statuses.length];
		const weather = { seed, rate, status, kinds: kinds && [...kinds], jumpMs };
		const end = beginStorm(sandbox, weather, counts);
		const result = await run(plan);
		end();
		counts.runs++;
		counts[result.error === undefined ? 'completed' : 'stopped']++;
		const told = toldBy(result, plan.tries);
		compare(told);
		return { result, told };
	};

	return {
		/** Every message once, or an exact report. */
		send: async (weather: Weather, rate = 0.2) => {
			const { result } = await runInStorm(weather, { rate, parameters: fromItems });
			if (result.error === undefined) expectAll();
		},

		/**
		 * With Custom Message IDs, the same run without faults sends whatever certainly wasn't sent. What is still not known after
		 * that is not there: the user has it sent, and only that.
		 */
		sendAndResume: async (weather: Weather, rate = 0.5) => {
			const { told } = await runInStorm(weather, { rate, parameters: withOwnIds });
			const resumed = await run({ parameters: withOwnIds });
			const toldThen = toldBy(resumed);
			compare(toldThen);
			expect(toldThen.notSent).toEqual([]);
			expect(told.unknown).toEqual(expect.arrayContaining(toldThen.unknown));
			const parameters = { ...withOwnIds, options: { usedBefore: 'sendAnyway' } };
			const unknown = items.filter((_, index) => toldThen.unknown.includes(index));
			if (unknown.length > 0) expect((await run({ parameters }, unknown)).error).toBeUndefined();
			expectAll();
			compare({ accepted: all, notSent: [], unknown: [] });
		},

		/** With Continue and numbers that are refused: the others once, the refused never. */
		sendAndGoOn: async (weather: Weather, rate = 0.2) => {
			const refused = all.filter((index) => index % 20 === 7);
			const { result, told } = await runInStorm(
				weather,
				{ rate, parameters: fromItems, onError: 'continueRegularOutput' },
				() => blacklist(running.sandbox, refused.map(numberOf)),
			);
			expect(result.error).toBeUndefined();
			expect(told.accepted.filter((index) => refused.includes(index))).toEqual([]);
			if (told.unknown.length > 0) return;
			expect(told.notSent).toEqual(expect.arrayContaining(refused));
		},

		/** With Retry On Fail, no try sends again what another has sent. */
		sendAgain: async (weather: Weather, rate = 0.6) => {
			await runInStorm(weather, { rate, parameters: fromItems, tries: 4 });
		},
	};
};
