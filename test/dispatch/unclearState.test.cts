import { addDispatches, addStarted, firstNew } from '../partner/table/dispatches.cts';
import { byId, useSandbox } from '../support/sandbox.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

const bench = useSandbox();

describe.each([
	['start', addDispatches],
	['stop', addStarted],
] as const)('Dispatch: %s, lost on the way', (move, seed) => {
	test.each([
		['no status', {}, 'without a status'],
		['a status that is not in the contract', { status: 'PAUSED' }, 'as PAUSED'],
	])(
		'the dispatch is shown with %s: that proves nothing, so not sent again',
		async (_, shown, words) => {
			await seed(bench.sandbox, 1);
			const path = `/dispatches/${firstNew}/${move}`;
			bench.forget();
			bench.fault('reset', 'POST', `*${path}`);
			bench.sandbox.faults.add({
				kind: 'status',
				status: 200,
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ id: firstNew, ...shown }),
				match: { method: 'GET' },
				times: 100,
			});
			const { error } = await bench.run(`dispatch.${move}`, { id: byId(firstNew) });
			expect(error?.message).toBe('The connection to the service was lost');
			const did = move === 'start' ? 'started' : 'stopped';
			expect(error?.description).toContain(
				`It is not known whether dispatch ${firstNew} was ${did}.`,
			);
			expect(error?.description).toContain(`The service shows dispatch ${firstNew} ${words}.`);
			expect(bench.sent('POST', path)).toBe(1);
		},
	);

	test('the dispatch cannot be read: nothing is said about its status', async () => {
		await seed(bench.sandbox, 1);
		bench.fault('reset', 'POST', `*/dispatches/${firstNew}/${move}`);
		bench.fault('status', 'GET', `*/dispatches/${firstNew}`, { status: 403, times: 100 });
		const { error } = await bench.run(`dispatch.${move}`, { id: byId(firstNew) });
		const did = move === 'start' ? 'started' : 'stopped';
		expect(error?.description).toContain(
			`It is not known whether dispatch ${firstNew} was ${did}. Check it in your account on the provider's website before you run this again. If it happens often, check the network`,
		);
	});

	test('no connection is made: it is not left open whether it was sent', async () => {
		const credentials = bench.credentials({ baseUrl: 'http://127.0.0.1:1' });
		const { error } = await bench.run(`dispatch.${move}`, { id: byId(1) }, { credentials });
		expect(error?.message).toBe("The service can't be reached");
		expect(error?.description).not.toContain('It is not known');
	});
});
