import { partner } from '../../../core/contract/partner';
import { demo } from '../../../sandbox/demo.cts';
import { fromUnits } from '../../../sandbox/stored/money.cts';
import { byId, fileOnWire } from '../../support/sandbox.cts';
import { inMemory, itemWith, pdf } from './files.cts';
import { fromItem, invalid, notFound, get, post, put, type Row } from '../../nodes/row.cts';

const { flowers, travel, bakery } = demo.companies;
const noCompany = {
	parameters: { companyId: fromItem() },
	items: [{ id: flowers }, { id: 999 }, { id: bakery }],
	...notFound,
} satisfies Row['refused'];

const upload = {
	path: { id: flowers },
	body: { file: { filename: 'letter.pdf', contentType: 'application/pdf', bytes: pdf } },
};

export const companyRows: Row[] = [
	{
		operation: 'company.create',
		title: 'with everything',
		parameters: {
			name: 'Northwind',
			counteragentType: 'INDIVIDUAL',
			counteragentInn: '7707083893',
			additionalFields: {
				budget: 1500.5,
				counteragentAddress: 'Moscow, Tverskaya 1',
				counteragentKpp: '773601001',
			},
		},
		wire: [
			post('/company', {
				company: {
					name: 'Northwind',
					counteragentType: 'INDIVIDUAL',
					counteragentInn: '7707083893',
					counteragentAddress: 'Moscow, Tverskaya 1',
					counteragentKpp: '773601001',
				},
				budget: 1500.5,
			}),
		],
		output: (json) => expect(json).toEqual([{ companyId: bakery + 1 }]),
		state: ({ store }) => {
			const { budget, ...company } = store.companies.get(bakery + 1) ?? { budget: null };
			expect(company).toMatchObject({
				name: 'Northwind',
				counteragentType: 'INDIVIDUAL',
				counteragentInn: '7707083893',
				counteragentAddress: 'Moscow, Tverskaya 1',
				counteragentKpp: '773601001',
			});
			expect(fromUnits(budget ?? 0)).toBe(1500.5);
			expect(store.companies.size).toBe(4);
		},
		refused: { fault: { method: 'POST', path: '/company' }, ...invalid },
	},
	{
		operation: 'company.create',
		title: 'without a budget: unlimited',
		parameters: { name: 'Plain', counteragentType: 'LEGAL', counteragentInn: '7707083893' },
		wire: [
			post('/company', {
				company: { name: 'Plain', counteragentType: 'LEGAL', counteragentInn: '7707083893' },
			}),
		],
		output: (json) => expect(json).toEqual([{ companyId: bakery + 1 }]),
		state: ({ store }) => expect(store.companies.get(bakery + 1)?.budget).toBeNull(),
	},
	{
		operation: 'company.get',
		title: 'by ID, from the list',
		parameters: { companyId: byId(travel) },
		wire: [get('/company', { page: 1, per_page: 100 })],
		output: (json) =>
			expect(json).toEqual([
				{
					companyId: travel,
					name: 'Northwind Travel LLC',
					counteragentName: 'Northwind Travel LLC',
					counteragentInn: '7802345678',
					status: 'DISABLED',
					budget: { value: 20_000, currency: 'RUB' },
				},
			]),
		// A page that is refused is asked for again with fewer entries.
		refused: { fault: get('/company'), times: 2, ...invalid },
	},
	{
		operation: 'company.getAll',
		title: 'up to the limit',
		parameters: { limit: 2 },
		wire: [get('/company', { page: 1, per_page: 2 })],
		output: (json) => expect(json.map(({ companyId }) => companyId)).toEqual([flowers, travel]),
		refused: { fault: get('/company'), ...invalid },
	},
	{
		operation: 'company.update',
		title: 'everything that can be changed',
		parameters: {
			companyId: byId(flowers),
			updateFields: { actualAddress: 'Kazan', budget: 0, name: 'Camomile', status: 'DISABLED' },
		},
		wire: [
			put(`/company/${flowers}`, {
				actualAddress: 'Kazan',
				budget: 0,
				name: 'Camomile',
				status: 'DISABLED',
			}),
		],
		output: (json) =>
			expect(json).toEqual([{ companyId: flowers, updatedAt: expect.any(String) as string }]),
		state: ({ store }) => {
			expect(store.companies.get(flowers)).toMatchObject({
				name: 'Camomile',
				status: 'DISABLED',
				budget: 0,
				actualAddress: 'Kazan',
			});
			expect(store.companies.get(bakery)?.status).toBe('ACTIVE');
		},
		refused: { ...noCompany, carriesOn: true },
	},
	{
		operation: 'document.upload',
		title: 'under the name the file has',
		parameters: { companyId: byId(flowers), binaryPropertyName: 'data' },
		input: itemWith(inMemory(pdf, 'power of attorney.pdf')),
		wire: [
			post(`/company/${flowers}/documents`, {
				file: fileOnWire('power of attorney.pdf', 'application/pdf', pdf),
			}),
		],
		output: (json) =>
			expect(json).toMatchObject([{ companyId: flowers, filename: 'power of attorney.pdf' }]),
		state: ({ store }) =>
			expect([...store.documents.values()]).toMatchObject([
				{
					companyId: flowers,
					filename: 'power of attorney.pdf',
					contentType: 'application/pdf',
					size: pdf.byteLength,
				},
			]),
		refused: noCompany,
	},
	{
		operation: 'document.getAll',
		title: 'of one company',
		seed: async (sandbox) => await sandbox.client().call(partner.documentUpload, upload),
		parameters: { companyId: byId(flowers) },
		wire: [get(`/company/${flowers}/documents`)],
		output: (json) => expect(json).toMatchObject([{ companyId: flowers, filename: 'letter.pdf' }]),
		refused: { ...noCompany, items: [{ id: flowers }, { id: 999 }, { id: flowers }] },
	},
];
