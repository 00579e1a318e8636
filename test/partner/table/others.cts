import { demo } from '../../../sandbox/demo.cts';
import { byId } from '../../support/sandbox.cts';
import { fromItem, invalid, notFound, get, put, type Row } from '../../nodes/row.cts';

const { flowers, bakery } = demo.companies;
const { mts } = demo.numbers;

const noCompany = {
	parameters: { companyId: fromItem() },
	items: [{ id: flowers }, { id: 999 }, { id: bakery }],
	...notFound,
} satisfies Row['refused'];

const tariffQuery: Array<[string, string]> = [
	['brand', 'MTS'],
	['pricingModel', 'SCALED'],
	['senderType', 'PRO'],
	['trafficType', 'PROMO'],
];
const tariffFilters = Object.fromEntries(tariffQuery);

export const otherRows: Row[] = [
	{
		operation: 'blacklist.add',
		title: 'with a comment',
		parameters: { companyId: byId(flowers), msisdn: `+${mts}`, comment: 'Answered STOP' },
		wire: [
			put('/recipients', {
				companyId: flowers,
				msisdn: mts,
				blacklist: true,
				comment: 'Answered STOP',
			}),
		],
		output: (json) => expect(json).toEqual([{ msisdn: mts, companyId: flowers, blacklist: true }]),
		state: ({ store }) => {
			expect([...(store.blacklists.get(flowers) ?? [])]).toEqual([[mts, 'Answered STOP']]);
			expect(store.blacklists.size).toBe(1);
		},
		refused: { ...noCompany, carriesOn: true },
	},
	{
		operation: 'blacklist.remove',
		title: 'one of two',
		seed: ({ world: { store } }) =>
			store.blacklists.set(
				flowers,
				new Map([
					[mts, ''],
					[demo.numbers.tele2, ''],
				]),
			),
		parameters: { companyId: byId(flowers), msisdn: `+${mts}` },
		wire: [put('/recipients', { companyId: flowers, msisdn: mts, blacklist: false })],
		output: (json) => expect(json).toEqual([{ msisdn: mts, companyId: flowers, blacklist: false }]),
		state: ({ store }) =>
			expect([...(store.blacklists.get(flowers)?.keys() ?? [])]).toEqual([demo.numbers.tele2]),
		refused: { ...noCompany, carriesOn: true },
	},
	{
		operation: 'price.getTariffs',
		title: 'with every filter',
		parameters: { filters: tariffFilters },
		wire: [{ method: 'GET', path: '/price/tariffs', query: tariffQuery }],
		output: (json) =>
			expect(json).toEqual([
				{
					senderType: 'PRO',
					brand: 'MTS',
					trafficType: 'PROMO',
					pricingModel: 'SCALED',
					currency: 'RUB',
					prices: [
						{ from: 0, price: 3.4 },
						{ from: 10_000, price: 2.85 },
						{ from: 100_000, price: 2.25 },
					],
				},
			]),
		refused: { fault: get('/price/tariffs'), ...invalid },
	},
	{
		operation: 'price.getSenderFees',
		title: 'one item per operator',
		parameters: {},
		wire: [get('/price/senders')],
		output: (json) =>
			expect(json.map(({ brand, value }) => [brand, value])).toEqual([
				['MTS', 2500],
				['BEELINE', 2000],
				['MEGAFON', 2300],
				['TELE2', 1500],
			]),
		refused: { fault: get('/price/senders'), ...invalid },
	},
	{
		operation: 'price.estimateCost',
		title: 'with every filter',
		parameters: { text: 'Hello', recipients: 3, filters: tariffFilters },
		wire: [{ method: 'GET', path: '/price/tariffs', query: tariffQuery }],
		output: (json) => expect(json).toMatchObject([{ total: 10.2, currency: 'RUB', messages: 3 }]),
		refused: { fault: get('/price/tariffs'), ...invalid },
	},
];
