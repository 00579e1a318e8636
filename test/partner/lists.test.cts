import { demo } from '../../sandbox/demo.cts';
import { useSandbox } from '../support/sandbox.cts';
import { unusedAddress } from '../transport/service.cts';
import { fill, load, search, type Opened, type Search } from './editor.cts';
import { addDispatches, firstNew } from './table/dispatches.cts';

const bench = useSandbox();
const { flowers, bakery } = demo.companies;

const open = async (name: Search, opened?: Opened) =>
	await search(bench.credentials(), name, opened);
const openAll = async (name: Search, opened?: Opened) =>
	(await search(bench.credentials(), name, opened)).results;

const lists: Array<[Search, number | undefined]> = [
	['searchCompanies', undefined],
	['searchDispatches', flowers],
	['searchSenders', flowers],
	['searchDocuments', flowers],
];

describe.each(lists)('%s', (name, company) => {
	test.each([0, 1, 1000])('%i entries', async (count) => {
		await fill[name](bench.sandbox, count);
		const entries = await openAll(name, { company });
		expect(entries).toHaveLength(count);
		expect(new Set(entries.map(({ value }) => value)).size).toBe(count);
	});

	test('by name and by ID, also behind the first page', async () => {
		await fill[name](bench.sandbox, 140);
		const byName = await openAll(name, { company, filter: 'entry 133.' });
		expect(byName).toHaveLength(1);
		expect(byName[0]?.name).toContain('Entry 133.');
		const id = String(byName[0]?.value);
		expect(await openAll(name, { company, filter: id })).toEqual(byName);
		expect(await openAll(name, { company, filter: 'no such thing' })).toEqual([]);
	});
});

describe('paging', () => {
	test.each(['searchCompanies', 'searchDispatches'] as const)(
		'%s: nothing is lost when the service allows only smaller pages',
		async (name) => {
			bench.store.settings.dialect.pageSize.most = 40;
			await fill[name](bench.sandbox, 130);
			expect(await openAll(name, { company: flowers })).toHaveLength(130);
		},
	);
});

describe('what an entry shows', () => {
	test('companies: a disabled one says so', async () => {
		expect((await open('searchCompanies')).results.map(({ name }) => name)).toEqual([
			'Camomile Flowers LLC',
			'Northwind Travel LLC (disabled)',
			'Warm Bread Bakery',
		]);
	});

	test('only the sender names of the chosen company, with channel, operator and status', async () => {
		const { results } = await open('searchSenders', { company: bakery });
		expect(results).toEqual([
			{ name: 'BAKERY · SMS · MTS · Approved', value: demo.senders.bakeryMts },
			{ name: 'BAKERY · SMS · Tele2 · Approved', value: demo.senders.bakeryTele2 },
		]);
		const suspended = await open('searchSenders', { company: flowers, filter: 'suspended' });
		expect(suspended.results.map(({ value }) => value)).toEqual([demo.senders.suspended]);
	});

	test('dispatches with ID, date and status, the newest first', async () => {
		await addDispatches(bench.sandbox, 1);
		const { results } = await open('searchDispatches', { company: flowers });
		const { spring, reminder } = demo.dispatches;
		expect(results).toEqual([
			{ name: `Seeded 1 (${firstNew}, 2026-03-02, created)`, value: firstNew },
			{ name: `Order reminder (${reminder}, 2026-02-28, completed)`, value: reminder },
			{ name: `Spring bouquets (${spring}, 2026-02-25, completed)`, value: spring },
		]);
	});

	test('very many dispatches: the newest first over all pages, each once', async () => {
		await fill.searchDispatches(bench.sandbox, 250);
		const entries = await openAll('searchDispatches', { company: flowers });
		expect(entries.map(({ value }) => value)).toEqual(
			[...bench.store.dispatches.keys()].sort((a, b) => b - a),
		);
	});
});

describe('lists of several choices', () => {
	test('sender names of the chosen company', async () => {
		const entries = await load(bench.credentials(), 'getSenders', bakery);
		expect(entries.map(({ value }) => value)).toEqual([
			demo.senders.bakeryMts,
			demo.senders.bakeryTele2,
		]);
	});

	test('documents, with the day they were uploaded', async () => {
		await fill.searchDocuments(bench.sandbox, 1);
		const entries = await openAll('searchDocuments', { company: flowers });
		expect(entries.map(({ name }) => name)).toEqual(['Entry 1. (2026-03-02)']);
	});

	test('no sender names, but a word of advice, as long as there is no company', async () => {
		expect(await load(bench.credentials(), 'getSenders')).toEqual([
			{ name: 'Choose a company first', value: '' },
		]);
		expect(await bench.everything()).toEqual([]);
	});
});

describe('a list that cannot load says why', () => {
	test.each(['searchDispatches', 'searchSenders', 'searchDocuments'] as const)(
		'%s: no company is chosen',
		async (name) => {
			await expect(open(name)).rejects.toMatchObject({
				message: 'Choose a company first',
				description: 'This list shows entries that belong to the company chosen above.',
			});
			expect(await bench.everything()).toEqual([]);
		},
	);

	test('a company that does not exist', async () => {
		await expect(open('searchSenders', { company: 999 })).rejects.toMatchObject({
			message: "The service didn't find the requested entry",
		});
	});

	test('a wrong password', async () => {
		const credentials = bench.credentials({ password: 'wrong' });
		await expect(search(credentials, 'searchCompanies')).rejects.toMatchObject({
			message: 'The service rejected the login in the credential',
		});
	});

	test('a service that cannot be reached', async () => {
		const credentials = bench.credentials({ baseUrl: unusedAddress });
		await expect(search(credentials, 'searchCompanies')).rejects.toMatchObject({
			message: "The service can't be reached",
		});
	});

	test('an address that is none', async () => {
		const credentials = bench.credentials({ baseUrl: 'partner' });
		await expect(search(credentials, 'searchCompanies')).rejects.toThrow(
			"'Base URL' in the credential isn't a valid URL",
		);
	});
});
