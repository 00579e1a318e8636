import { demo } from '../../../sandbox/demo.cts';
import type { Bench } from '../../support/sandbox.cts';
import { byId } from '../../support/sandbox.cts';
import { fromItem, notFound, get, post, put, type Row } from '../../nodes/row.cts';

const { flowers } = demo.companies;
const { mts, beeline, draft, suspended, general } = demo.senders;
const newId = general + 1;
/** Those that don't apply are left out. */
const simpleFields = [
	'brand',
	'channelType',
	'dateFrom',
	'id',
	'senderName',
	'status',
	'suspended',
];

const noSender = (good: number, other: number) =>
	({
		parameters: { id: fromItem() },
		items: [{ id: good }, { id: 9999 }, { id: other }],
		...notFound,
	}) satisfies Row['refused'];

const senderIn = ({ store }: Pick<Bench, 'store'>, id: number) => store.senders.get(id);

/** A document that is there already. */
const documentId = '0b0e7a3e-0000-4000-8000-000000000001';
const chosenDocument = {
	document: [{ documentId: { __rl: true, mode: 'id', value: documentId } }],
};
const seedDocument: Row['seed'] = ({ world: { store, timeline } }) =>
	store.documents.set(documentId, {
		id: documentId,
		companyId: flowers,
		filename: 'letter.pdf',
		contentType: 'application/pdf',
		size: 1,
		createdAt: timeline.now,
	});

const tulips = {
	senderName: 'TULIPS!',
	channelType: 'SMS',
	brand: 'MEGAFON',
	commonType: 'PROMO',
	dateFrom: '2026-04-01T00:00:00+03:00',
};
const changes = {
	senderName: 'TULIPS',
	commonType: 'COMMON',
	dateFrom: '2026-04-01T00:00:00Z',
	dateTo: '2026-12-31T23:59:59Z',
};
const dateTo = '2026-03-31T23:59:59+03:00';
const closing = put(`/senders/${mts}`, { dateTo });

export const senderRows: Row[] = [
	{
		operation: 'sender.create',
		title: 'with everything',
		seed: seedDocument,
		parameters: {
			...tulips,
			companyId: byId(flowers),
			additionalFields: { description: 'Spring', countryId: 1, documentIds: chosenDocument },
		},
		wire: [
			post('/senders', {
				...tulips,
				companyId: flowers,
				description: 'Spring',
				countryId: 1,
				documentIds: [documentId],
			}),
		],
		output: ([sender, ...more]) => {
			expect(more).toEqual([]);
			expect(Object.keys(sender ?? {}).sort()).toEqual(simpleFields);
			expect(sender).toMatchObject({ id: newId, senderName: 'TULIPS!', status: 'DRAFT' });
		},
		state: (bench) =>
			expect(senderIn(bench, newId)).toMatchObject({
				companyId: flowers,
				senderName: 'TULIPS!',
				brand: 'MEGAFON',
				commonType: 'PROMO',
				description: 'Spring',
				documentIds: [documentId],
				dateFrom: Date.UTC(2026, 2, 31, 21),
			}),
		refused: {
			parameters: { companyId: fromItem() },
			items: [{ id: flowers }, { id: 999 }, { id: flowers }],
			...notFound,
		},
	},
	{
		operation: 'sender.get',
		title: 'simplified',
		parameters: { companyId: byId(flowers), id: byId(mts) },
		wire: [get(`/senders/${mts}`, { companyId: flowers })],
		output: ([sender, ...more]) => {
			expect(more).toEqual([]);
			expect(Object.keys(sender ?? {}).sort()).toEqual(simpleFields);
			expect(sender).toMatchObject({ id: mts, senderName: 'FLOWERS', status: 'APPROVED' });
		},
		refused: noSender(mts, beeline),
	},
	{
		operation: 'sender.get',
		title: 'as the service gives it',
		parameters: { companyId: byId(flowers), id: byId(mts), simplify: false },
		wire: [get(`/senders/${mts}`, { companyId: flowers })],
		output: ([sender]) =>
			expect(sender).toMatchObject({ fee: 2500, counteragentInn: '7701234567', rejectedAt: null }),
	},
	{
		operation: 'sender.getAll',
		title: 'with all five filters, each repeated',
		parameters: {
			companyId: byId(flowers),
			filters: {
				brand: ['MTS', 'TELE2'],
				channelType: ['SMS', 'VIBER'],
				commonType: ['COMMON', 'PROMO'],
				countryCode: 'RU, KZ',
				status: ['APPROVED', 'CLOSED'],
			},
		},
		wire: [
			{
				method: 'GET',
				path: '/senders',
				query: [
					['brand', 'MTS'],
					['brand', 'TELE2'],
					['channelType', 'SMS'],
					['channelType', 'VIBER'],
					['commonType', 'COMMON'],
					['commonType', 'PROMO'],
					['companyId', String(flowers)],
					['countryCode', 'RU'],
					['countryCode', 'KZ'],
					['status', 'APPROVED'],
					['status', 'CLOSED'],
				],
			},
		],
		output: (json) =>
			expect(json.map(({ id }) => id)).toEqual([
				mts,
				demo.senders.tele2,
				demo.senders.viber,
				demo.senders.closed,
				suspended,
			]),
		refused: {
			parameters: { companyId: fromItem(), filters: {} },
			items: [{ id: flowers }, { id: 999 }, { id: demo.companies.bakery }],
			...notFound,
		},
	},
	{
		operation: 'sender.update',
		title: 'everything that can be changed',
		seed: seedDocument,
		parameters: { id: byId(draft), updateFields: { ...changes, documentIds: chosenDocument } },
		wire: [put(`/senders/${draft}`, { ...changes, documentIds: [documentId] })],
		output: (json) => expect(json).toMatchObject([{ id: draft, senderName: 'TULIPS' }]),
		state: (bench) =>
			expect(senderIn(bench, draft)).toMatchObject({
				senderName: 'TULIPS',
				commonType: 'COMMON',
				documentIds: [documentId],
				dateFrom: Date.UTC(2026, 3, 1),
				dateTo: Date.UTC(2026, 11, 31, 23, 59, 59),
			}),
		refused: {
			carriesOn: true,
			...noSender(mts, beeline),
			parameters: { id: fromItem(), updateFields: { dateTo: '2026-12-31T23:59:59Z' } },
		},
	},
	{
		operation: 'sender.suspend',
		title: 'with a reason',
		parameters: { id: byId(mts), reason: 'Complaints' },
		wire: [post(`/senders/${mts}/suspend`, { reason: 'Complaints' })],
		output: (json) =>
			expect(json).toMatchObject([{ id: mts, suspended: true, suspendReason: 'Complaints' }]),
		state: (bench) => {
			expect(senderIn(bench, mts)).toMatchObject({ suspended: true, suspendReason: 'Complaints' });
			expect(senderIn(bench, beeline)?.suspended).toBe(false);
		},
		refused: { ...noSender(mts, beeline), carriesOn: true },
	},
	{
		operation: 'sender.suspend',
		title: 'without a reason',
		parameters: { id: byId(mts) },
		wire: [post(`/senders/${mts}/suspend`, {})],
		output: (json) => expect(json).toMatchObject([{ id: mts, suspended: true }]),
		state: (bench) => {
			expect(senderIn(bench, mts)?.suspended).toBe(true);
			expect(senderIn(bench, mts)?.suspendReason).toBeUndefined();
		},
	},
	{
		operation: 'sender.unsuspend',
		title: 'a suspended one',
		parameters: { id: byId(suspended) },
		wire: [post(`/senders/${suspended}/unsuspend`)],
		output: (json) => expect(json).toMatchObject([{ id: suspended, suspended: false }]),
		state: (bench) => expect(senderIn(bench, suspended)?.suspended).toBe(false),
		refused: { ...noSender(suspended, mts), carriesOn: true },
	},
	{
		operation: 'sender.close',
		title: 'the date, and suspended at once',
		parameters: { id: byId(mts), dateTo, suspend: true, reason: 'Contract ended' },
		wire: [closing, post(`/senders/${mts}/suspend`, { reason: 'Contract ended' })],
		output: (json) =>
			expect(json).toMatchObject([
				{ id: mts, suspended: true, dateTo: '2026-03-31T20:59:59.000Z' },
			]),
		state: (bench) =>
			expect(senderIn(bench, mts)).toMatchObject({
				suspended: true,
				suspendReason: 'Contract ended',
				dateTo: Date.UTC(2026, 2, 31, 20, 59, 59),
			}),
		refused: { ...noSender(mts, beeline), carriesOn: true },
	},
	{
		operation: 'sender.close',
		title: 'only the date',
		parameters: { id: byId(mts), dateTo, suspend: false },
		wire: [closing],
		output: (json) => expect(json).toMatchObject([{ id: mts, suspended: false }]),
		state: (bench) =>
			expect(senderIn(bench, mts)).toMatchObject({
				suspended: false,
				dateTo: Date.UTC(2026, 2, 31, 20, 59, 59),
			}),
	},
];
