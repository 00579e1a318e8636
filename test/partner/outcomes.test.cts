import { demo } from '../../sandbox/demo.cts';
import { byId, jsonOf, useSandbox } from '../support/sandbox.cts';
import { addDispatches, addStarted, firstNew } from './table/dispatches.cts';
import { plainRow } from './table/plain.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));

const bench = useSandbox();
const { mts } = demo.senders;
/** How often a node looks for the effect of a request. */
const looks = 6;
const unknown = 'It is not known whether the service carried this out';

describe.each([
	['start', 'STARTED', addDispatches, 2],
	['stop', 'STOPPED', addStarted, 0],
] as const)('Dispatch: %s', (move, status, seed, before) => {
	const path = `/dispatches/${firstNew}/${move}`;
	const notKnown = `It is not known whether dispatch ${firstNew} was ${status.toLowerCase()}`;
	const run = async (kind: 'commit-then-reset' | 'reset', times = 1) => {
		await seed(bench.sandbox, 1);
		bench.forget();
		bench.sandbox.faults.add({ kind, match: { method: 'POST', path: `*${path}` }, times });
		return await bench.run(`dispatch.${move}`, { id: byId(firstNew) });
	};

	test('carried out, then the connection dropped: looked up, not sent again', async () => {
		const { items, error } = await run('commit-then-reset');
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual([{ dispatchId: firstNew, status }]);
		expect(bench.sent('POST', path)).toBe(1);
		expect(bench.sent('GET', `/dispatches/${firstNew}`)).toBe(before + 1);
		expect(bench.store.dispatches.get(firstNew)).toMatchObject({ status, run: 1 });
	});

	test('dropped before it was carried out: looked up, sent again, done once', async () => {
		const { items, error } = await run('reset');
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toEqual([{ dispatchId: firstNew, status }]);
		expect(bench.sent('POST', path)).toBe(2);
		expect(bench.sent('GET', `/dispatches/${firstNew}`)).toBe(before + looks);
		expect(bench.store.dispatches.get(firstNew)).toMatchObject({ status, run: 1 });
	});

	test('carried out, then dropped, and the look fails: says that it is not known', async () => {
		await seed(bench.sandbox, 1);
		// Longer than anybody waits: no second look.
		const headers = { 'retry-after': '3600' };
		const times = looks;
		const match = { method: 'GET', path: `*/dispatches/${firstNew}` };
		bench.sandbox.faults.add({ kind: 'status', headers, match, times, after: before });
		const post = { method: 'POST', path: `*${path}` };
		bench.sandbox.faults.add({ kind: 'commit-then-reset', match: post });
		const { error } = await bench.run(`dispatch.${move}`, { id: byId(firstNew) });
		expect(error?.message).toBe(notKnown);
	});

	test('dropped every time: ends with an error after a bounded number of attempts', async () => {
		const { error } = await run('reset', 100);
		expect(error?.message).toBe(notKnown);
		expect(error?.description).toMatch(/Run it again.*The connection to the service was lost\./);
		expect(error?.context?.item).toBe(1);
		expect(bench.sent('POST', path)).toBeLessThanOrEqual(5);
	});
});

test.each<[string, Parameters<typeof bench.fault>[0], object]>([
	['500', 'status', { status: 500 }],
	['504', 'status', { status: 504 }],
	['a web page', 'commit-then-status', { status: 200, body: '<html></html>' }],
	['a lost connection', 'reset', {}],
	['408', 'status', { status: 408 }],
	['an invalid value and 500', 'status', { status: 500, body: '{"error": {"code": 4000}}' }],
])(
	'company.create, answered with %s: unknown, and no advice to try again',
	async (_, kind, more) => {
		bench.fault(kind, 'POST', '*/company', { ...more, times: 100 });
		const { error } = await bench.run('company.create', plainRow('company.create').parameters);
		expect(error?.description).toContain(unknown);
		expect(`${error?.message} ${error?.description}`).not.toMatch(/try again|rejected/i);
		expect(bench.sent('POST', '/company')).toBe(1);
	},
);

describe.each([
	['dispatch.create', '/dispatches', 2],
	['dispatch.send', '/dispatches', 2],
] as const)('%s, of unknown outcome', (operation, path, expected) => {
	test.each([
		['carried out and then dropped: found, not sent again', 'commit-then-reset', 1],
		['dropped before it was carried out: looked for, sent again', 'reset', 2],
	] as const)('%s', async (_, kind, attempts) => {
		const { parameters, seed } = plainRow(operation);
		await seed?.(bench.sandbox);
		const id = firstNew;
		bench.forget();
		const match = { method: 'POST', path: `*${path}` };
		bench.sandbox.faults.add({ kind, match });
		const { error, items } = await bench.run(operation, parameters);
		expect(error).toBeUndefined();
		const group = operation === 'dispatch.send' ? 'onTheWay' : 'notStarted';
		expect(jsonOf(items)).toMatchObject([{ dispatchId: id, [group]: 2, failed: 0 }]);
		expect(bench.sent('POST', path)).toBe(attempts);
		expect(bench.store.dispatches.get(id)?.messages).toHaveLength(expected);
	});
});

describe('dispatch.addMessages, of unknown outcome', () => {
	const path = `/dispatches/${firstNew}/messages`;
	test.each([
		// Somebody else was in it before.
		['carried out and then dropped: found, not sent again', 'commit-then-reset', undefined, 3],
		[
			'dropped before it was carried out: it may still arrive, so not sent again',
			'reset',
			`Not all recipients were added to dispatch ${firstNew}`,
			1,
		],
	] as const)('%s', async (_, kind, message, expected) => {
		const { parameters, seed } = plainRow('dispatch.addMessages');
		await seed?.(bench.sandbox);
		bench.forget();
		bench.sandbox.faults.add({ kind, match: { method: 'POST', path: `*${path}` } });
		const { error } = await bench.run('dispatch.addMessages', parameters);
		expect(error?.message).toBe(message);
		expect(bench.sent('POST', path)).toBe(1);
		expect(bench.store.dispatches.get(firstNew)?.messages).toHaveLength(expected);
	});
});

describe('what can be repeated without harm is repeated', () => {
	test.each(['company.update', 'sender.suspend', 'blacklist.add', 'sender.get'])(
		'%s succeeds after a dropped connection',
		async (operation) => {
			const { parameters, wire } = plainRow(operation);
			const { method = '', path = '' } = wire[0] ?? {};
			bench.sandbox.faults.add({ kind: 'commit-then-reset', match: { method, path: `*${path}` } });
			const { error } = await bench.run(operation, parameters);
			expect(error).toBeUndefined();
			expect(bench.sent(method, path)).toBe(2);
		},
	);
});

describe('what only reads never says that something may have been done twice', () => {
	test.each(['company.get', 'price.estimateCost', 'price.getTariffs', 'dispatch.get'])(
		'%s',
		async (operation) => {
			const { parameters } = plainRow(operation);
			// Longer than anybody waits: no second attempt.
			const headers = { 'retry-after': '3600' };
			bench.sandbox.faults.add({ kind: 'status', status: 503, headers, match: { method: 'GET' } });
			const { error } = await bench.run(operation, parameters);
			expect(error?.message).toBe("Something went wrong on the service's side");
			expect(error?.description).not.toContain(unknown);
		},
	);
});

test('what the account may not do is said without an API key: this credential has none', async () => {
	bench.sandbox.faults.add({
		kind: 'status',
		status: 403,
		match: { method: 'GET', path: '*/company' },
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ error: { code: 4030, msg: 'Access Denied' } }),
	});
	const { error } = await bench.run('company.getAll', {});
	expect(error?.message).toBe("This account isn't allowed to use this operation");
	expect(error?.description).toContain('Ask your provider to allow it for this login');
	expect(error?.description).toContain('The service says: Access Denied');
	expect(error?.description).not.toMatch(/key/i);
});

describe('Sender Name: Close', () => {
	const parameters = { id: byId(mts), dateTo: '2026-03-31T23:59:59+03:00', suspend: true };
	const refuse = (method: string) =>
		bench.sandbox.faults.add({
			kind: 'status',
			status: 400,
			match: { method, path: '*/senders/*' },
		});

	test('when the second step fails, it says that the first is done', async () => {
		refuse('POST');
		const { error } = await bench.run('sender.close', parameters);
		expect(error?.message).toBe('The service rejected the request as invalid');
		expect(error?.description).toContain(
			"The closing date was set, but the sender name couldn't be suspended. To stop its messages now, use 'Suspend'.",
		);
		expect(error?.context?.item).toBe(1);
		expect(bench.store.senders.get(mts)).toMatchObject({
			suspended: false,
			dateTo: Date.UTC(2026, 2, 31, 20, 59, 59),
		});
	});

	test('when the first step fails, the second is not tried', async () => {
		refuse('PUT');
		const before = bench.contents();
		const { error } = await bench.run('sender.close', parameters);
		expect(error?.description).not.toContain('The closing date was set');
		expect(bench.sent('POST', `/senders/${mts}/suspend`)).toBe(0);
		expect(bench.contents()).toBe(before);
	});
});
