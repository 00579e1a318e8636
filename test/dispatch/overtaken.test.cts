import type { NodeResult } from '../support/n8n.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import { tempo } from '../support/tempo.cts';
import type * as Tempo from '../support/tempo.cts';
import { firstNew, fromItems, itemsUpTo } from './recipients.cts';
import { useDispatches, usePausesOfService } from './useDispatches.cts';

// Pauses take no time for us, and their time for the service.
jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof Tempo>('../support/tempo.cts').workflowAtTempo(),
);

/** Something happens between two steps, in another run or by a person: nobody gets it twice, and nothing untrue is said. */

const dispatches = useDispatches();
usePausesOfService(dispatches);
const { bench, run, statusOf, created, destinations, answer } = dispatches;
const started = () => created().filter((id) => statusOf(id) !== 'CREATED');
const minute = 60_000;

const shown = (id: number, total: number, priceEstimate: number, status = 'CREATED') => ({
	id,
	name: 'Spring sale',
	status,
	priceEstimate,
	createdAt: '2026-03-02T07:00:00.000Z',
	messages: { total, delivered: 0, failed: 0, pending: 0 },
});

const failing = (status: number, headers: Record<string, string> = {}) => ({
	kind: 'status' as const,
	status,
	ms: 0,
	headers,
});

type Strike = typeof bench.sandbox.faults.strike;
/** Sees every request, and may answer it instead of the sandbox. */
const intercept = (see: (request: Parameters<Strike>[0]) => ReturnType<Strike> | undefined) => {
	const strike = bench.sandbox.faults.strike.bind(bench.sandbox.faults);
	return jest
		.spyOn(bench.sandbox.faults, 'strike')
		.mockImplementation((request) => see(request) ?? strike(request));
};

test('a lost start is not sent again when the half hour of its claim is over', async () => {
	const begun = tempo.pausedMs;
	const minutes = () => (tempo.pausedMs - begun) / minute;
	let reads = 0;
	let startRequests = 0;
	let other: NodeResult | undefined;
	let isOther = false;
	intercept(({ method, path }) => {
		if (isOther) return undefined;
		if (path.endsWith(`/dispatches/${firstNew}/start`) && ++startRequests === 1) {
			return failing(504);
		}
		if (method === 'GET' && path.endsWith(`/dispatches/${firstNew}`)) {
			// Filling took long.
			if (++reads === 1) {
				tempo.pausedMs += 24 * minute;
				bench.sandbox.tick(24 * minute);
			}
			if (startRequests === 1 && minutes() < 30.5) {
				return failing(503, { 'retry-after': '30' });
			}
		}
		return undefined;
	});
	bench.flight.beforeAnswer = async () => {
		if (isOther || other !== undefined || startRequests !== 1 || minutes() < 30.5) return;
		isOther = true;
		const anew = { ...fromItems, nameExists: 'anew' };
		const credentials = bench.credentials({ accessToken: 'another process' });
		other = await bench.run('dispatch.send', anew, { items: itemsUpTo(3), credentials });
		isOther = false;
	};
	const { error } = await run('send', { nameExists: 'stop' }, 3);
	jest.restoreAllMocks();
	expect(other?.error).toBeUndefined();
	expect(error?.message).toBe(`It is not known whether dispatch ${firstNew} was started`);
	expect(startRequests).toBe(1);
	expect(started()).toEqual([firstNew + 1]);
});

test('a dispatch that was left is started with Start, and the list does not show it yet: Begin Anew stops', async () => {
	await run('send', { nameExists: 'stop', priceLimit: 0.01 }, 3);
	await bench.run('dispatch.start', { id: byId(firstNew) });
	intercept(({ method, path }) => {
		if (method !== 'GET' || !path.endsWith('/dispatches')) return undefined;
		const items = created().map((id) => shown(id, 3, 1));
		const body = JSON.stringify({ total: items.length, items });
		return { ...failing(200), body };
	});
	const { error } = await run('send', { nameExists: 'anew' }, 3);
	jest.restoreAllMocks();
	expect(error?.description).toContain('Nobody got a message from this run.');
	expect(started()).toEqual([firstNew]);
});

test('several requests, and the price that is read lags: their estimates are added up', async () => {
	answer(`*/dispatches/${firstNew}`, shown(firstNew, 6, 5));
	const { error } = await run('send', { priceLimit: 10, options: { batchSize: 2 } }, 6);
	expect(error?.message).toMatch(
		/^The price estimate is 15\.\d+ RUB, but 'Price Limit' is 10 RUB$/,
	);
	expect(started()).toEqual([]);
});

test('the check of a later dispatch stops the run: the names of the earlier ones are free again', async () => {
	await run('send', { name: 'B' }, 2);
	const two = { ...fromItems, nameExists: 'stop', name: '={{ $itemIndex < 2 ? "A" : "B" }}' };
	const { error } = await bench.run('dispatch.send', two, { items: itemsUpTo(4) });
	expect(error?.message).toContain('"B" was already sent');
	const again = await run('send', { nameExists: 'stop', name: 'A' }, 2);
	expect(again.error).toBeUndefined();
});

test('Retry On Fail after a start: a company that was disabled meanwhile does not hide the start', async () => {
	bench.sandbox.faults.add({
		kind: 'status',
		status: 403,
		match: { method: 'GET', path: `*/dispatches/${firstNew}` },
		after: 1,
		times: 1_000,
	});
	let isStarted = false;
	intercept(({ path }) => {
		if (isStarted) {
			for (const company of bench.store.companies.values()) company.status = 'DISABLED';
		}
		isStarted ||= path.endsWith('/start');
		return undefined;
	});
	const { error } = await run('send', { nameExists: 'stop', waitUntilDelivered: true }, 5, 2);
	jest.restoreAllMocks();
	expect(error?.description).toContain(`Dispatch ${firstNew} was started`);
	expect(error?.description).not.toContain('Nothing was sent');
});

describe('Add Messages', () => {
	const add = async (tries?: number) =>
		await run('addMessages', { id: byId(firstNew), text: 'T' }, 3, tries);

	test('twice at the same moment: one adds, the other says why not', async () => {
		await run('create', { text: 'T' }, 1);
		bench.flight.beforeAnswer = async () => await new Promise((resolve) => setImmediate(resolve));
		const results = await Promise.all([add(), add()]);
		const errors = results.flatMap(({ error }) => error?.message ?? []);
		expect(errors).toEqual([`Another run is adding recipients to dispatch ${firstNew}`]);
		expect(destinations(firstNew)).toHaveLength(3);
	});

	test('Retry On Fail does not send a request again that may have been carried out', async () => {
		await run('create', { text: 'T' }, 1);
		bench.sandbox.faults.add({
			kind: 'status',
			status: 504,
			match: { method: 'POST', path: '*/messages' },
		});
		const { error } = await add(2);
		expect(error?.message).toBe(`Not all recipients were added to dispatch ${firstNew}`);
		expect(bench.sent('POST', `/dispatches/${firstNew}/messages`)).toBe(1);
	});

	test('a row shows the text that the service stores', async () => {
		await run('create', { text: 'OLD' }, 2);
		const more = { id: byId(firstNew), text: 'NEW', output: 'recipients' };
		const { items } = await run('addMessages', more, 2);
		expect(jsonOf(items).map(({ text }) => text)).toEqual(['OLD', 'OLD']);
	});
});
