import type { INodeParameters } from 'n8n-workflow';
import { hintsOf, type NodeResult } from '../support/n8n.cts';
import { jsonOf } from '../support/sandbox.cts';
import { firstNew, itemsUpTo } from './recipients.cts';
import { sorted, useDispatches, usePausesOfService } from './useDispatches.cts';

// Pauses take no time for us, and their time for the service.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** The same workflow twice at the same moment, or right after another: exactly one dispatch is started. */

const dispatches = useDispatches();
usePausesOfService(dispatches);
const { bench, run, created, destinations, reply, started } = dispatches;

/** Another process has other claims: here, those of another account with the same data. */
let processes = 0;
const runElsewhere = async (more: INodeParameters, count: number) =>
	await run('send', more, count, {
		credentials: bench.credentials({ accessToken: `process ${++processes}` }),
	});

/** Every answer comes after the other run's request, so the runs go side by side. */
const sideBySide = () => {
	bench.flight.beforeAnswer = async () => await new Promise((resolve) => setImmediate(resolve));
};

describe.each(['stop', 'anew'])('two runs at the same moment, %s', (nameExists) => {
	test.each([
		[3, 1_000],
		[8, 2],
		[40, 20],
	])(
		'in one process, %d recipients by %d: one is started, the other says why not',
		async (count, batchSize) => {
			sideBySide();
			const parameters = { nameExists, options: { batchSize } };
			const results = await Promise.all([
				run('send', parameters, count),
				run('send', parameters, count),
			]);
			expect(results.filter(({ error }) => error === undefined)).toHaveLength(1);
			const error = results.map((one) => one.error).find((one) => one !== undefined);
			expect(error?.message).toContain('"Spring sale"');
			expect(started().map((id) => sorted(destinations(id)))).toEqual([
				sorted(dispatches.numbers(count)),
			]);
			// The second one has not even created one: this process knows of the first.
			expect(created()).toHaveLength(1);
		},
	);

	test.each([
		[3, 1_000],
		[8, 2],
		[40, 20],
	])(
		'in two processes, %d recipients by %d: at most the older one is started',
		async (count, batchSize) => {
			sideBySide();
			const parameters = { nameExists, options: { batchSize } };
			const results = await Promise.all([
				runElsewhere(parameters, count),
				runElsewhere(parameters, count),
			]);
			const done = results.filter(({ error }) => error === undefined);
			expect(done).toHaveLength(1);
			expect(started()).toEqual(jsonOf(done[0]?.items ?? []).map(({ dispatchId }) => dispatchId));
			expect(started().map((id) => sorted(destinations(id)))).toEqual([
				sorted(dispatches.numbers(count)),
			]);
		},
	);

	test('in two processes, and the list shows new ones after half a minute: one is started', async () => {
		sideBySide();
		bench.store.settings.dialect.indexLagMs = 30_000;
		const results = await Promise.all([
			runElsewhere({ nameExists }, 5),
			runElsewhere({ nameExists }, 5),
		]);
		expect(started()).toHaveLength(1);
		expect(results.filter(({ error }) => error === undefined)).toHaveLength(1);
	});

	test('right after another, and the list does not show it yet: nothing is created', async () => {
		bench.store.settings.dialect.indexLagMs = 30_000;
		const first = await run('send', { nameExists });
		expect(first.error).toBeUndefined();
		bench.store.settings.dialect.indexLagMs = 3_600_000;
		const { error } = await run('send', { nameExists });
		expect(error?.message).toMatch(/^"Spring sale" was already sent as dispatch \d+$/);
		expect(error?.description).toContain('Nothing was sent.');
		expect(created()).toHaveLength(1);
	});
});

test('the list never shows our own dispatch: not started, and the error says so', async () => {
	bench.store.settings.dialect.indexLagMs = 3_600_000;
	const result = await run('send', { nameExists: 'stop' });
	expect(result.error?.message).toContain("The service doesn't list dispatch");
	expect(result.error?.description).toContain('Nobody got a message from this dispatch.');
	expect(started()).toEqual([]);
	expect(hintsOf(result)).toEqual([]);
});

test('the response to a creation names a new dispatch of another run: nothing is added to that one', async () => {
	await run('create', {}, itemsUpTo(4).slice(2));
	const [other = 0] = created();
	const before = destinations(other);
	// The list doesn't show it yet.
	const nothing = { page: 1, perPage: 1_000, total: 0, items: [] };
	bench.respond('status', 'GET', '*/dispatches', nothing, { times: 1 });
	reply('*/dispatches', { id: other, status: 'CREATED', total: 1, success: 1, failed: 0 });
	const parameters = { nameExists: 'another', options: { batchSize: 1 } };
	const { error } = await run('send', parameters, 2);
	expect(error?.description).toContain('Nobody got a message from this dispatch.');
	expect(destinations(other)).toEqual(before);
	expect(started()).toEqual([]);
});

describe('a start that was rejected is tried again, while another run begins anew', () => {
	const failStart = (status: number) =>
		bench.fault('status', 'POST', `*/dispatches/${firstNew}/start`, { status, code: 4000 });
	const anew = async () => await run('send', { nameExists: 'anew' }, 3);
	const taken = `"Spring sale" is already taken: dispatch ${firstNew} with this name was created first`;
	afterEach(() => jest.restoreAllMocks());

	test('it begins between the two tries: it stops, and the first one sends', async () => {
		failStart(400);
		let other: NodeResult | undefined;
		// The only timer between the tries is n8n's wait for the next one.
		const wait = setTimeout;
		jest.spyOn(globalThis, 'setTimeout').mockImplementation(((next: () => void, ms: number) => {
			if (ms !== 1 || other !== undefined || dispatches.starts() === 0) return wait(next, ms);
			return void anew().then((result) => {
				other = result;
				next();
			});
		}) as typeof setTimeout);
		const { error } = await run('send', { nameExists: 'stop' }, 3, 2);
		expect(error).toBeUndefined();
		expect(other?.error?.message).toBe(taken);
		expect(started()).toEqual([firstNew]);
	});

	test('it begins during the second try: it stops, and the first one sends', async () => {
		failStart(400);
		failStart(504);
		let other: Promise<NodeResult> | undefined;
		bench.flight.beforeAnswer = async () => {
			if (other !== undefined || dispatches.starts() < 2) return;
			other = anew();
			await other;
		};
		const { error } = await run('send', { nameExists: 'stop' }, 3, 2);
		expect(error).toBeUndefined();
		expect((await other)?.error?.message).toBe(taken);
		expect(started()).toEqual([firstNew]);
	});

	test('without Retry On Fail nobody starts it any more: another run may begin anew at once', async () => {
		failStart(400);
		const first = await run('send', { nameExists: 'stop' }, 3);
		expect(first.error).toBeDefined();
		expect((await anew()).error).toBeUndefined();
		expect(started()).toEqual([firstNew + 1]);
	});
});
