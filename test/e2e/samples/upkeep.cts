import { demo } from '../../../sandbox/demo.cts';
import { toUnits } from '../../../sandbox/stored/money.cts';
import { jsonOf, type Check } from './sample.cts';

const { flowers } = demo.companies;

const blacklistSync: Check = async (sample) => {
	const { blacklists } = sample.sandbox.store;
	const blocked = new Map([['79279000003', 'was blocked before']]);
	blacklists.set(flowers, blocked);
	const execution = await sample.execute();
	expect([...blocked]).toEqual([
		['79179000001', 'Asked by phone'],
		['79059000002', 'Replied STOP'],
	]);
	expect(await sample.table('Samples: opt-outs')).toMatchObject([
		{ phone: '8 (917) 900-00-01', status: 'blocked' },
		{ phone: '+7 905 900-00-02', status: 'blocked' },
		{ phone: '9279000003', status: 'unblocked' },
		{ phone: '12-34', status: 'rejected', detail: expect.stringContaining('too short') },
	]);
	expect(jsonOf(execution, 'Summary')).toEqual([
		{ summary: '2 numbers blocked, 1 unblocked, 1 rejected (see the table)' },
	]);
};

const senderName: Check = async (sample) => {
	const { senders, documents } = sample.sandbox.store;
	await sample.sandbox.control('PUT', '/settings', { reviewStepMs: 30_000 });
	const execution = await sample.execute();
	const [letter] = [...documents.values()].filter(({ companyId }) => companyId === flowers);
	expect(letter).toMatchObject({
		filename: 'letter-of-guarantee.pdf',
		contentType: 'application/pdf',
	});
	const names = [...senders.values()].filter((sender) => sender.senderName === 'CAMOMILE');
	expect(names).toMatchObject(
		['MTS', 'BEELINE', 'MEGAFON', 'TELE2'].map((brand) => ({
			brand,
			companyId: flowers,
			status: 'APPROVED',
			documentIds: [letter.id],
		})),
	);
	expect(jsonOf(execution, 'Approved').map((item) => item.senderId)).toEqual(
		names.map(({ id }) => id),
	);
};

/** Both limits are passed: two alerts, and none when it runs again on the same day. */
const watch: Check = async (sample) => {
	const { store } = sample.sandbox;
	const spent = [...store.dispatches.values()].filter(({ startedAt }) => startedAt !== null);
	expect(spent.length).toBeGreaterThan(0);
	const alerts = [
		{ subject: 'Balance RUB', alert: expect.stringContaining('below your limit of 20000') },
		{
			subject: 'Budget of Camomile Flowers LLC',
			alert: expect.stringMatching(/up to [\d.]+ of 50000 RUB/),
		},
	];
	const first = await sample.execute();
	expect(jsonOf(first, 'Save alert')).toMatchObject(alerts);
	expect(await sample.table('Samples: alerts')).toMatchObject(alerts);
	const second = await sample.execute();
	expect(jsonOf(second, 'All alerts')).toHaveLength(2);
	expect(jsonOf(second, 'Save alert')).toEqual([]);
	expect(await sample.table('Samples: alerts')).toHaveLength(2);

	// Enough money and little spent: nothing to tell.
	const [low, high] = [store.funds, toUnits(1_000_000)];
	store.funds = high;
	const budget = store.companies.get(flowers);
	Object.assign(budget ?? {}, { budget: high });
	const third = await sample.execute();
	store.funds = low;
	Object.assign(budget ?? {}, { budget: toUnits(50_000) });
	expect(jsonOf(third, 'All alerts')).toEqual([]);
};

export const upkeepChecks: Record<string, Check> = {
	'09-nightly-blacklist-sync.json': blacklistSync,
	'11-balance-and-budget-watch.json': watch,
	'12-register-sender-name.json': senderName,
};
