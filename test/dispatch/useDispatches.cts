import type { INodeParameters } from 'n8n-workflow';
import type { Strike } from '../../sandbox/api/faults.cts';
import { useSandbox, type Bench } from '../support/sandbox.cts';
import { tempo } from '../support/tempo.cts';
import { firstNew, fromItems, itemsUpTo, messagesOf, numberOf } from './recipients.cts';

interface Turns {
	/** How many requests it lets pass first. */
	after?: number;
	times?: number;
}
type Request = Parameters<Bench['sandbox']['faults']['strike']>[0];
type RunOptions = NonNullable<Parameters<Bench['run']>[2]>;

/** What a list of messages to these recipients looks like, each with an ID of its own. */
export const listOf = (indexes: readonly number[], more: object = {}) => ({
	total: indexes.length,
	items: indexes.map((index, place) => ({
		destination: numberOf(index),
		messageUuid: `u-${place}`,
		...more,
	})),
});

/** What the service shows of a dispatch that isn't started. */
const dispatchOf = (id: number, total?: number, more: object = {}) => ({
	id,
	name: 'Spring sale',
	status: 'CREATED',
	priceEstimate: 1,
	messages: { total },
	...more,
});

export const failing = (status: number, more: object = {}): Strike => ({
	kind: 'status',
	status,
	ms: 0,
	headers: {},
	...more,
});

/** A response instead of the service's. */
export const replying = (body: unknown): Strike => failing(200, { body: JSON.stringify(body) });

export const sorted = (texts: readonly string[]) => [...texts].sort();

/** An expression that gives another value in the next try: see `retryChanged`. */
export const changing = (before: string, after: string) =>
	`={{ Date.now() < ${Date.now() + 500_000} ? ${before} : ${after} }}`;

interface FailingPosts {
	/** How many requests pass before. */
	passes?: number;
	times?: number;
	status?: number;
}

/** The partner node and the sandbox, and what tests of dispatches ask of them. */
export const useDispatches = (base = fromItems) => {
	const bench = useSandbox();
	afterEach(() => {
		jest.restoreAllMocks();
		tempo.onPause = undefined;
	});
	/** With the first items of the list, or with these; with so many tries, or with these options. */
	const run = async (
		operation: string,
		more: INodeParameters = {},
		items: number | RunOptions['items'] = 5,
		options: number | RunOptions = {},
	) =>
		await bench.run(
			`dispatch.${operation}`,
			{ ...base, ...more },
			{
				items: typeof items === 'number' ? itemsUpTo(items) : items,
				...(typeof options === 'number' ? { tries: options } : options),
			},
		);
	const statusOf = (id = firstNew) => bench.store.dispatches.get(id)?.status;
	const created = () => [...bench.store.dispatches.keys()].filter((id) => id >= firstNew);
	/** The answer to some requests, whatever the service holds. */
	const answer = (path: string, body: unknown, turns: Turns = {}) =>
		bench.respond('status', 'GET', path, body, turns);
	/** Sees every request before the service does, and may answer it. */
	const onRequest = (see: (request: Request) => Strike | undefined | void) => {
		const { faults } = bench.sandbox;
		const strike = faults.strike.bind(faults);
		jest.spyOn(faults, 'strike').mockImplementation((request) => see(request) ?? strike(request));
	};
	/** The same for requests of one kind. */
	const intercept = (method: string, path: string, see: () => Strike | undefined | void) =>
		onRequest((request) =>
			request.method === method && request.path.endsWith(path) ? see() : undefined,
		);
	/** With Retry On Fail: the first try ends at a start (or a request to create) that fails; from then on expressions change. */
	const retryChanged = async (
		operation: 'send' | 'create',
		more: INodeParameters,
		count: number,
		{ passes = 0, times = Infinity, status = 400 }: FailingPosts = {},
	) => {
		let posts = 0;
		intercept('POST', operation === 'send' ? '/start' : '/dispatches', () => {
			if (++posts <= passes || posts > passes + times) return undefined;
			tempo.pausedMs += 1_000_000;
			return failing(status);
		});
		const result = await run(operation, more, count, 2);
		jest.restoreAllMocks();
		return result;
	};
	return {
		bench,
		run,
		statusOf,
		created,
		statuses: () => created().map(statusOf),
		started: () => created().filter((id) => statusOf(id) !== 'CREATED'),
		destinations: (id = firstNew) =>
			messagesOf(bench.sandbox, id).map(({ destination }) => destination),
		textsOf: (id = firstNew) => messagesOf(bench.sandbox, id).map(({ text }) => text),
		numbers: (count: number) => itemsUpTo(count).map((_, index) => numberOf(index)),
		creates: () => bench.sent('POST', '/dispatches'),
		appends: (id = firstNew) => bench.sent('POST', `/dispatches/${id}/messages`),
		starts: (id = firstNew) => bench.sent('POST', `/dispatches/${id}/start`),
		answer,
		/** What the service shows of a dispatch, whatever it holds; under its real name, if it is there by then. */
		show: (id: number, total?: number, more: object = {}, turns: Turns = {}) => {
			const planned = bench.sandbox.faults.add({
				kind: 'status',
				status: 200,
				match: { method: 'GET', path: `*/dispatches/${id}` },
				headers: { 'content-type': 'application/json' },
				times: 1_000,
				...turns,
			});
			const body = () => {
				const { name } = bench.store.dispatches.get(id) ?? {};
				return JSON.stringify(dispatchOf(id, total, { ...(name && { name }), ...more }));
			};
			Object.defineProperty(planned, 'body', { get: body });
		},
		onRequest,
		intercept,
		/** The answer to one such request, which is carried out. */
		reply: (
			path: string,
			body: unknown,
			kind: 'status' | 'commit-then-status' = 'commit-then-status',
		) => bench.respond(kind, 'POST', path, body, { times: 1 }),
		retryChanged,
		/** Sends with Retry On Fail. The first try ends at a start that fails; from then on the expression gives other names. */
		sendRenamed: async (before: string, after: string, count: number, more?: FailingPosts) =>
			(await retryChanged('send', { name: changing(before, after) }, count, more)).error,
	};
};

/** Pauses take no time for the node, and their time for the service. */
export const usePausesOfService = ({ bench }: ReturnType<typeof useDispatches>): void => {
	beforeEach(() => {
		tempo.onPause = (ms) => bench.sandbox.tick(ms);
	});
};
