import { byId, jsonOf } from '../support/sandbox.cts';
import { firstNew } from './recipients.cts';
import { useDispatches, usePausesOfService } from './useDispatches.cts';

// Pauses take no time for us, and their time for the service.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** What must be certain before a dispatch is started, and what may be said afterwards. */

const dispatches = useDispatches();
usePausesOfService(dispatches);
const { bench, run, statusOf, created, starts, answer, started } = dispatches;

const shown = (id: number, total: number, priceEstimate: number, status = 'CREATED') => ({
	id,
	name: 'Spring sale',
	status,
	priceEstimate,
	messages: { total, delivered: 0, failed: 0, pending: 0 },
});
const show = (total: number, priceEstimate: number) => {
	for (const id of [firstNew, firstNew + 1])
		answer(`*/dispatches/${id}`, shown(id, total, priceEstimate));
};
const noneStarted = () => expect(started()).toEqual([]);

describe('the dispatch is read before its start', () => {
	test('and shows a part of what was accepted, within the price limit: not started', async () => {
		show(3, 8);
		const { items, error } = await run('send', { priceLimit: 10 }, 6);
		expect(items).toEqual([]);
		expect(error?.description).toContain('Nobody got a message from this dispatch.');
		noneStarted();
	});

	test('and costs nothing, although its creation had a price: not started', async () => {
		const created8 = await run('create', { name: 'Another' }, 5);
		const { total } = jsonOf(created8.items)[0]?.priceEstimate as { total: number };
		expect(total).toBeGreaterThan(1);
		answer(`*/dispatches/${firstNew + 1}`, shown(firstNew + 1, 5, 0));
		const { error } = await run('send', { priceLimit: 1 }, 5);
		expect(error?.message).toContain("but 'Price Limit' is 1 RUB");
		noneStarted();
	});

	test('and holds fewer than were accepted and than Minimum Accepted: not started', async () => {
		show(2, 1);
		const { error } = await run('send', { options: { minimumPeople: 3 } }, 3);
		expect(error?.description).toContain('Nobody got a message from this dispatch.');
		noneStarted();
	});
});

describe('the start', () => {
	const denies = /not sent|nothing was sent|not started|nobody got|not carried out|Nothing was/i;
	const fault = (status: number, times = 1) =>
		bench.fault('commit-then-status', 'POST', '*/start', {
			status,
			headers: { location: 'https://elsewhere.example/', 'retry-after': '3600' },
			body: '{"message": "No money"}',
			times,
		});

	test.each([500, 302, 413, 429])(
		'is answered %d although it was carried out, and the dispatch is shown as CREATED: nothing denies that it was sent',
		async (status) => {
			fault(status, 1_000);
			answer(`*/dispatches/${firstNew}`, shown(firstNew, 5, 1));
			for (const tries of [1, 2]) {
				const { items, error } = await run('send', { nameExists: 'another' }, 5, tries);
				expect(items).toEqual([]);
				expect(error?.message).toMatch(/^It is not known whether dispatch \d+ was started$/);
				expect(`${error?.message} ${error?.description}`).not.toMatch(denies);
				expect(error?.description).toContain('All its recipients may get the message.');
				expect(error?.description).toMatch(/The service says: .*No money/);
				if (tries === 1) answer(`*/dispatches/${firstNew + 1}`, shown(firstNew + 1, 5, 1));
			}
			// No try has made another one.
			expect(created()).toEqual([firstNew, firstNew + 1]);
			const said = await bench.run('dispatch.start', { id: byId(firstNew) }, { tries: 2 });
			expect(said.error?.description).toContain(
				`It is not known whether dispatch ${firstNew} was started.`,
			);
			expect(`${said.error?.message} ${said.error?.description}`).not.toMatch(denies);
		},
	);

	test('is answered about another dispatch: not taken for started', async () => {
		bench.respond('status', 'POST', '*/start', { id: 9999, status: 'STARTED' }, { times: 2 });
		const { items, error } = await run('send');
		expect(items).toEqual([]);
		expect(error?.message).toBe(`It is not known whether dispatch ${firstNew} was started`);
		expect(starts()).toBe(2);
		expect(statusOf(firstNew)).toBe('CREATED');
	});

	test('is lost, and a read shows another dispatch as started: not taken for started', async () => {
		bench.fault('reset', 'POST', '*/start', { times: 1_000 });
		answer(`*/dispatches/${firstNew}`, shown(9999, 5, 1, 'STARTED'), { after: 1 });
		const { items, error } = await run('send');
		expect(items).toEqual([]);
		expect(error?.message).toBe(`It is not known whether dispatch ${firstNew} was started`);
		expect(starts()).toBe(1);
	});

	test('is lost and never seen: Retry On Fail neither starts nor creates again, and keeps the warning', async () => {
		bench.fault('commit-then-reset', 'POST', '*/start');
		bench.fault('status', 'GET', `*/dispatches/${firstNew}`, {
			status: 403,
			after: 1,
			times: 1_000,
		});
		const { error } = await run('send', { nameExists: 'stop' }, 5, 3);
		expect(error?.message).toBe(`It is not known whether dispatch ${firstNew} was started`);
		expect(error?.description).toContain("Don't send it under another name.");
		expect([created(), starts()]).toEqual([[firstNew], 1]);
	});
});

test('Wait Until Delivered: a read that lags behind the start is waited for', async () => {
	// Two reads from before the start, and one that shows nobody.
	answer(`*/dispatches/${firstNew}`, shown(firstNew, 5, 1, 'CREATED'), { times: 3 });
	answer(`*/dispatches/${firstNew}`, shown(firstNew, 0, 1, 'COMPLETED'), { times: 1 });
	const { items, error } = await run('send', { waitUntilDelivered: true }, 5);
	expect(error).toBeUndefined();
	expect(jsonOf(items)).toMatchObject([
		{ started: true, completed: true, recipients: 5, reached: 5, onTheWay: 0 },
	]);
});
