import type { INodeParameters } from 'n8n-workflow';
import { useSandbox } from '../support/sandbox.cts';
import { tempo } from '../support/tempo.cts';
import { firstNew, fromItems, itemsUpTo, messagesOf, numberOf } from './recipients.cts';

interface Turns {
	/** How many requests it lets pass first. */
	after?: number;
	times?: number;
}

/** The partner node and the sandbox, and what tests of dispatches ask of them. */
export const useDispatches = () => {
	const bench = useSandbox();
	const run = async (operation: string, more: INodeParameters = {}, count = 5, tries?: number) =>
		await bench.run(
			`dispatch.${operation}`,
			{ ...fromItems, ...more },
			{ items: itemsUpTo(count), tries },
		);
	return {
		bench,
		/** The first items of the list, with `fromItems`. */
		run,
		statusOf: (id: number) => bench.store.dispatches.get(id)?.status,
		created: () => [...bench.store.dispatches.keys()].filter((id) => id >= firstNew),
		destinations: (id: number) =>
			messagesOf(bench.sandbox, id).map(({ destination }) => destination),
		numbers: (count: number) => itemsUpTo(count).map((_, index) => numberOf(index)),
		creates: () => bench.sent('POST', '/dispatches'),
		appends: () => bench.sent('POST', `/dispatches/${firstNew}/messages`),
		starts: () => bench.sent('POST', `/dispatches/${firstNew}/start`),
		/** The answer to some requests, whatever the service holds. */
		answer: (path: string, body: unknown, { after = 0, times = 1_000 }: Turns = {}) =>
			bench.sandbox.faults.add({
				kind: 'status',
				status: 200,
				body: JSON.stringify(body),
				match: { method: 'GET', path },
				after,
				times,
			}),
		/** Sends with Retry On Fail. The first try ends at a start that fails; from then on the expression gives other names. */
		sendRenamed: async (
			before: string,
			after: string,
			count: number,
			{ passes = 0, status = 400 } = {},
		) => {
			let starts = 0;
			const threshold = Date.now() + 500_000;
			const strike = bench.sandbox.faults.strike.bind(bench.sandbox.faults);
			const spy = jest.spyOn(bench.sandbox.faults, 'strike').mockImplementation((request) => {
				if (!request.path.endsWith('/start') || ++starts <= passes) return strike(request);
				tempo.pausedMs += 1_000_000;
				return { kind: 'status', status, ms: 0, headers: {} };
			});
			const name = `={{ Date.now() < ${threshold} ? ${before} : ${after} }}`;
			const { error } = await run('send', { name }, count, 2);
			spy.mockRestore();
			return error;
		},
	};
};

/** Pauses take no time for the node, and their time for the service. */
export const usePausesOfService = ({ bench }: ReturnType<typeof useDispatches>): void => {
	beforeEach(() => {
		tempo.onPause = (ms) => bench.sandbox.tick(ms);
	});
	afterAll(() => {
		tempo.onPause = undefined;
	});
};
