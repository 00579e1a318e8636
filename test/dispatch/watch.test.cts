import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { hintsOf, runNode } from '../support/n8n.cts';
import { json } from '../support/server.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import { tempo } from '../support/tempo.cts';
import { partnerCredential, serve } from '../transport/service.cts';
import { firstNew } from './recipients.cts';
import { useDispatches } from './useDispatches.cts';

// Time passes only in pauses.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

const dispatches = useDispatches();
const { bench, run, intercept } = dispatches;

/** A dispatch is looked at until it is completed. */

test('right after a start: reads that lag are waited for', async () => {
	tempo.onPause = (ms) => bench.sandbox.tick(ms);
	const { show } = dispatches;
	intercept('POST', '/start', () => {
		show(firstNew, 5, { status: 'CREATED' }, { times: 3 });
		show(firstNew, 0, { status: 'COMPLETED' }, { times: 1 });
	});
	const { items, error } = await run('send', { waitUntilDelivered: true }, 5);
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toMatchObject([
		{ started: true, completed: true, recipients: 5, reached: 5, onTheWay: 0 },
	]);
});

describe('Wait for Completion', () => {
	test('limit 0: returns what is still pending', async () => {
		await run('send', {}, 4);
		bench.forget();
		const { items, error } = await bench.run('dispatch.waitForCompletion', {
			id: byId(firstNew),
			limitMinutes: 0,
		});
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([
			{ dispatchId: firstNew, status: 'STARTED', completed: false, stillPending: 4 },
		]);
		expect(bench.sent('GET', `/dispatches/${firstNew}`)).toBe(1);
	});

	test('no messages in it: a hint says so', async () => {
		await run('send', {}, 1);
		bench.respond(
			'status',
			'GET',
			`*/dispatches/${firstNew}`,
			{
				id: firstNew,
				status: 'COMPLETED',
				messages: { total: 0, delivered: 0, failed: 0, pending: 0 },
			},
			{ times: 1 },
		);
		const result = await bench.run('dispatch.waitForCompletion', { id: byId(firstNew) });
		expect(hintsOf(result)).toEqual([
			`Dispatch ${firstNew} has no messages, so there was nothing to wait for.`,
		]);
	});

	test('a limit below 0 is refused', async () => {
		const { error } = await bench.run('dispatch.waitForCompletion', {
			id: byId(firstNew),
			limitMinutes: -1,
		});
		expect(error?.message).toContain("'Wait at Most (Minutes)' must be at least 0");
	});

	describe('answers that the contract does not know', () => {
		const waitAt = async (reply: unknown, limitMinutes: number) => {
			const server = await serve(({ url }) =>
				json(200, url === '/auth/token' ? { token: 'token' } : reply),
			);
			const result = await runNode({
				node: new BulkMessagingPartner(),
				parameters: {
					resource: 'dispatch',
					operation: 'waitForCompletion',
					id: byId(firstNew),
					limitMinutes,
				},
				credentials: partnerCredential(server.url),
			});
			return { ...result, asked: server.receivedAt('GET', `/dispatches/${firstNew}`).length };
		};

		test.each([
			['a status nobody knows', { id: firstNew, status: 'PAUSED' }, '"PAUSED"'],
			['no status', { id: firstNew }, 'missing'],
		])('%s: the time limit ends it, and the error says so', async (_, reply, last) => {
			const { error } = await waitAt(reply, 0);
			expect(error?.message).toBe(
				`The service doesn't report a known status for dispatch ${firstNew}`,
			);
			expect(error?.description).toContain(`The last status was ${last}.`);
			expect(error?.description).toContain("The time in 'Wait at Most (Minutes)' is over.");
		});

		test('never started: the error says so after a minute, because a read may lag behind a start', async () => {
			const { error, asked } = await waitAt({ id: firstNew, status: 'CREATED' }, 60);
			expect(error?.message).toBe(`Dispatch ${firstNew} isn't started, so it can't complete`);
			expect(error?.description).toContain("for example with the operation 'Start'");
			expect(asked).toBeGreaterThan(5);
			expect(asked).toBeLessThan(60);
		});

		test.each([
			[0, ''],
			[1, ' 1 message has no result.'],
			[2, ' 2 messages have no result.'],
		])('stopped with %d pending: a hint says how many have no result', async (pending, words) => {
			const reply = { id: firstNew, status: 'STOPPED', messages: { total: 3, pending } };
			const result = await waitAt(reply, 60);
			expect(hintsOf(result)).toEqual([
				`Dispatch ${firstNew} was stopped, so there was nothing to wait for.${words}`,
			]);
			expect(result.asked).toBe(1);
		});

		test.each([
			['without counters', {}],
			['with counters of another shape', { messages: { pending: 'many' } }],
			['with counters that are none', { messages: null }],
		])('%s: what is pending is not known', async (_, more) => {
			const { items, error } = await waitAt({ id: firstNew, status: 'STARTED', ...more }, 0);
			expect(error).toBeUndefined();
			expect(jsonOf(items)).toMatchObject([{ completed: false }]);
			expect(items[0]?.json).not.toHaveProperty('stillPending');
		});

		test.each([
			[0.000_01, 1, 0],
			[0.01, 1, 0],
			[0.02, 2, 1_200],
		])('a limit of %d minutes asks %d times in %d ms', async (limitMinutes, times, ms) => {
			const before = tempo.pausedMs;
			const { asked, items } = await waitAt({ id: firstNew, status: 'STARTED' }, limitMinutes);
			expect(jsonOf(items)).toMatchObject([{ completed: false }]);
			expect(asked).toBe(times);
			expect(tempo.pausedMs - before).toBeCloseTo(ms);
		});
	});

	test('waits until nothing is pending', async () => {
		tempo.onPause = (ms) => bench.sandbox.tick(ms);
		const sent = await run('send', {}, 4);
		expect(sent.error).toBeUndefined();
		expect(bench.store.dispatches.get(firstNew)?.status).toBe('STARTED');
		const { items, error } = await bench.run('dispatch.waitForCompletion', {
			id: byId(firstNew),
			limitMinutes: 1,
		});
		tempo.onPause = undefined;
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([
			{ status: 'COMPLETED', completed: true, stillPending: 0, messages: { delivered: 4 } },
		]);
		expect(bench.sent('GET', `/dispatches/${firstNew}`)).toBeGreaterThan(1);
	});
});
