import type { INodeParameters } from 'n8n-workflow';
import type { NodeResult } from '../support/n8n.cts';
import { jsonOf } from '../support/sandbox.cts';
import { dispatchView } from '../../sandbox/stored/views.cts';
import { tempo } from '../support/tempo.cts';
import { firstNew, plain, senderIds } from './recipients.cts';
import { failing, replying, sorted, useDispatches, usePausesOfService } from './useDispatches.cts';

const minute = 60_000;

/** What somebody presses who changes nothing else. */
const defaults: INodeParameters = { ...plain, channelType: 'SMS', senderIds, recipients: 'items' };

/** `at 14:02 (Europe/Moscow)`: how long it is until then. */
const msUntil = (time: string, zone: string, now: number): number => {
	const shown = new Intl.DateTimeFormat('en-GB', {
		hour: '2-digit',
		minute: '2-digit',
		timeZone: zone,
	});
	let at = Math.ceil(now / minute) * minute;
	while (shown.format(at) !== time) at += minute;
	return at - now;
};

/** People who press, again and again, and follow what errors say to the letter. */
export const usePresses = () => {
	const dispatches = useDispatches({ ...defaults, priceLimit: 1_000_000 });
	usePausesOfService(dispatches);
	const { bench, run, created, started, destinations, numbers, onRequest } = dispatches;
	let processes = 0;

	/** Time passes for everybody. */
	const pass = (ms: number): void => {
		tempo.pausedMs += ms;
		bench.sandbox.tick(ms);
	};

	type Items = Parameters<typeof run>[2];
	const press = async (more: INodeParameters = {}, items: Items = 5, options: object = {}) =>
		await run('send', more, items, options);
	/** In a process that knows nothing of what others did: here, one of another account with the same data. */
	const newProcess = () => ({
		credentials: bench.credentials({ accessToken: `process ${++processes}` }),
	});
	const pressElsewhere = async (more: INodeParameters = {}, items: Items = 5) =>
		await press(more, items, newProcess());

	/** Waits as long as the error says. */
	const waitAsTold = ({ error }: Pick<NodeResult, 'error'>): void => {
		const words = error?.description ?? '';
		const [, time, zone] = /\b[Rr]un it again at (\d\d:\d\d) \((\S+)\)/.exec(words) ?? [];
		if (time !== undefined && zone !== undefined)
			return pass(msUntil(time, zone, bench.sandbox.now));
		if (/\b[Rr]un it again in a few minutes\b/.test(words)) return pass(5 * minute);
		if (/\b[Rr]un it again\b/.test(words)) return undefined;
		throw new Error(`no advice to run it again: ${error?.message} ${words}`);
	};

	/** Presses until it is green, each time when the error says. Returns the last result and how often it was. */
	const pressUntilGreen = async (first: NodeResult, again: () => Promise<NodeResult>) => {
		let result = first;
		let presses = 0;
		while (result.error !== undefined && presses < 6) {
			waitAsTold(result);
			presses++;
			result = await again();
		}
		expect(result.error).toBeUndefined();
		return { result, presses };
	};

	/** Fails all such requests from this one on, as if the process were killed then: nothing else is carried out. */
	const kill = (after: number) => {
		let posts = 0;
		onRequest(({ method, path }) =>
			method === 'POST' && path.includes('/dispatches') && ++posts > after
				? failing(400)
				: undefined,
		);
	};

	return {
		...dispatches,
		pass,
		press,
		newProcess,
		pressElsewhere,
		waitAsTold,
		pressUntilGreen,
		/** Everybody in the list has got it, and nobody twice. */
		expectOnce: (count: number) =>
			expect(sorted(started().flatMap((id) => destinations(id)))).toEqual(sorted(numbers(count))),
		/** A process that sends to 120 people in requests of 10, and is killed after so many of them. */
		leaveBehind: async (after = 7) => {
			kill(after);
			const { error } = await pressElsewhere({ batchSize: 10 }, 120);
			jest.restoreAllMocks();
			expect(error).toBeDefined();
			expect([created(), started()]).toEqual([[firstNew], []]);
		},
		/** So many reads of a dispatch show something else than it has. */
		showing: (id: number, more: object, times = 1_000) => {
			let reads = 0;
			onRequest(({ method, path }) => {
				const dispatch = bench.store.dispatches.get(id);
				if (method !== 'GET' || !path.endsWith(`/dispatches/${id}`) || dispatch === undefined)
					return undefined;
				return ++reads > times ? undefined : replying({ ...dispatchView(dispatch), ...more });
			});
		},
		/** Every answer comes after the other run's request, so the runs go side by side. */
		sideBySide: () => {
			bench.flight.beforeAnswer = async () => await new Promise((resolve) => setImmediate(resolve));
		},
		summaryOf: ({ items }: NodeResult) => String(jsonOf(items)[0]?.summary),
	};
};
