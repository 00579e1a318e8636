import type { IDataObject } from 'n8n-workflow';
import { partner } from '../../../core/contract/partner';
import { demo } from '../../../sandbox/demo.cts';
import type { Sandbox } from '../../../sandbox/sandbox.cts';
import { byId, type Wire } from '../../support/sandbox.cts';
import { fromItem, notFound, get, post, type Row } from '../../nodes/row.cts';

const { flowers } = demo.companies;
const { numbers } = demo;
const { spring, reminder } = demo.dispatches;
const senderIds = [demo.senders.mts, demo.senders.beeline];

/** The ids of dispatches that a test adds to the demo data. */
export const firstNew = reminder + 1;
const secondNew = reminder + 2;

/** Dispatches of one message that have not been started. */
export const addDispatches = async (sandbox: Sandbox, count: number) => {
	const { call } = sandbox.client();
	for (let added = 1; added <= count; added++) {
		await call(partner.dispatchCreate, {
			body: {
				companyId: flowers,
				name: `Seeded ${added}`,
				senderIds,
				channelType: 'SMS',
				text: 'Hello',
				messages: [{ destination: '79162000000' }],
			},
		});
	}
};

export const addStarted = async (sandbox: Sandbox, count: number) => {
	await addDispatches(sandbox, count);
	const { call } = sandbox.client();
	for (let id = firstNew; id < firstNew + count; id++) {
		await call(partner.dispatchStart, { path: { id } });
	}
};

const noCompany = {
	message: "Company 999 doesn't exist in this partner account",
	says: 'Nothing was sent.',
};
const noDispatch = (items: [number, number] = [firstNew, secondNew]) =>
	({
		parameters: { id: fromItem() },
		items: [{ id: items[0] }, { id: 9999 }, { id: items[1] }],
		...notFound,
	}) satisfies Row['refused'];

const pageOf = (path: string, query: Array<[string, string]>, size = 1000): Wire => ({
	method: 'GET',
	path,
	query: [...query, ['page', '1'], ['perPage', String(size)]],
});
const ofFlowers: [string, string] = ['companyId', String(flowers)];
const listed = (): Wire => pageOf('/dispatches', [ofFlowers]);
const company: Wire = get('/company', { page: 1, per_page: 100 });
/** What a create asks before: the company, the sender names, and whether the name was used before. */
const asked: Wire[] = [company, { method: 'GET', path: '/senders', query: [ofFlowers] }, listed()];
const lookAt = (id: number): Wire => get(`/dispatches/${id}`);
/** What it asks behind it: the name, how many messages are in the dispatch, and whether another one of that name is older. */
const compared = (id: number): Wire[] => [lookAt(id), lookAt(id), listed()];
const listedMessages = (id: number, size?: number): Wire =>
	pageOf('/messages', [['dispatchId', String(id)]], size);
/** All requests of a create. */
const creates = ({ name, ...body }: { name: string } & IDataObject): Wire[] => [
	...asked,
	post('/dispatches', {
		companyId: flowers,
		name: expect.stringMatching(new RegExp(`^${name} #n8n-\\w+$`)) as string,
		senderIds,
		channelType: 'SMS',
		...body,
	}),
	...compared(firstNew),
];
/** What every dispatch of these rows has on the screen. */
const created = { companyId: byId(flowers), channelType: 'SMS', senderIds };

/** Two recipients with everything a recipient may have. */
const recipients = [
	{ destination: numbers.mts, substitutions: { name: 'Anna' } },
	{ destination: numbers.beeline, customText: 'Only for you' },
];

/** The same people in the JSON of the screen. */
const asJson = { recipients: 'json', messagesJson: JSON.stringify(recipients) };
const march = { name: 'March sale', text: 'Dear {name}, come in' };
const noSuchCompany = (): Row['refused'] => ({
	// The same people twice: they would have it already.
	parameters: {
		companyId: fromItem(),
		name: '={{ `Dispatch ${$itemIndex}` }}',
		ifSent: 'anyway',
	},
	items: [{ id: flowers }, { id: 999 }, { id: flowers }],
	...noCompany,
});

interface FromItem {
	text: string;
	json: IDataObject;
	/** What travels. */
	sent: { text: string; substitutions: Record<string, string> };
	/** What arrives. */
	final: string;
}

/** Dispatch: Create with one recipient, read from the input item. */
const createdFromItem = (title: string, { text, json, sent, final }: FromItem): Row => ({
	operation: 'dispatch.create',
	title,
	parameters: { ...created, name: 'From items', text, destination: '={{ $json.phone }}' },
	input: { json: { phone: '8 (916) 123-45-67', ...json } },
	wire: creates({
		name: 'From items',
		text: sent.text,
		messages: [{ destination: '79161234567', substitutions: sent.substitutions }],
	}),
	output: (items) => expect(items).toMatchObject([{ dispatchId: firstNew, notStarted: 1 }]),
	state: ({ store }) =>
		expect(store.dispatches.get(firstNew)?.messages).toMatchObject([{ text: final }]),
});

const callback = {
	callbackUrl: 'https://user:secret@127.0.0.1:5678/hook?a=1',
	callbackEvents: ['delivered', 'sent'],
};
const schedule = { startAt: '2026-03-03T10:00:00+03:00', hours: [0, 9, 23], days: [1, 7] };

export const dispatchRows: Row[] = [
	{
		operation: 'dispatch.create',
		title: 'with everything',
		parameters: {
			...created,
			...march,
			recipients: 'define',
			messages: {
				recipient: [
					{ destination: `+${numbers.mts}`, substitutions: '{ "name": "Anna" }' },
					{ destination: numbers.beeline, customText: 'Only for you' },
				],
			},
			options: { ...callback, callbackAuthentication: 'url', schedule: { when: schedule } },
		},
		wire: creates({ ...march, ...callback, messages: recipients, schedule }),
		output: (json) =>
			expect(json).toEqual([
				{
					dispatchId: firstNew,
					name: 'March sale',
					status: 'CREATED',
					summary:
						"Nobody gets the message yet: the dispatch isn't started. 2 of 2 people are in it.",
					recipients: 2,
					reached: 0,
					onTheWay: 0,
					failed: 0,
					leftOut: 0,
					notStarted: 2,
					priceEstimate: { total: expect.any(Number) as number, currency: 'RUB', parts: 2 },
				},
			]),
		state: ({ store }) => {
			const dispatch = store.dispatches.get(firstNew);
			expect(dispatch).toMatchObject({
				companyId: flowers,
				name: expect.stringMatching(/^March sale #n8n-/) as string,
				status: 'CREATED',
				...callback,
				window: { hours: [0, 9, 23], days: [1, 7], notBefore: Date.UTC(2026, 2, 3, 7) },
			});
			expect(dispatch?.messages.map(({ text }) => text)).toEqual([
				'Dear Anna, come in',
				'Only for you',
			]);
		},
		refused: noSuchCompany(),
	},
	{
		operation: 'dispatch.create',
		title: 'the least that is needed, recipients as JSON',
		parameters: { ...created, name: 'Plain', text: 'Hello', ...asJson },
		wire: creates({ name: 'Plain', text: 'Hello', messages: recipients }),
		output: (json) => expect(json).toMatchObject([{ dispatchId: firstNew, notStarted: 2 }]),
		state: ({ store }) => expect(store.dispatches.get(firstNew)?.window).toBeNull(),
	},
	createdFromItem('from the input item, which holds more than the text asks for', {
		text: 'Dear {name}, come in',
		json: { name: 'Anna', birthday: '1990-01-01' },
		sent: { text: 'Dear {name}, come in', substitutions: { name: 'Anna' } },
		final: 'Dear Anna, come in',
	}),
	createdFromItem('with a text that an expression yields', {
		text: '=Dear {{ $json.name }}, come in on {day}',
		json: { name: 'Anna', day: 'Friday' },
		sent: { text: 'Dear Anna, come in on {day}', substitutions: { day: 'Friday' } },
		final: 'Dear Anna, come in on Friday',
	}),
	{
		operation: 'dispatch.send',
		title: 'created, checked and started',
		parameters: {
			...created,
			...march,
			...asJson,
			priceLimit: 1000,
			priceCurrency: 'RUB',
			options: { minimumAccepted: 100 },
		},
		wire: [...creates({ ...march, messages: recipients }), post(`/dispatches/${firstNew}/start`)],
		output: (json) =>
			expect(json).toMatchObject([
				{ dispatchId: firstNew, status: 'STARTED', started: true, onTheWay: 2, failed: 0 },
			]),
		state: ({ store }) =>
			expect(store.dispatches.get(firstNew)).toMatchObject({ status: 'STARTED', run: 1 }),
		refused: noSuchCompany(),
	},
	{
		operation: 'dispatch.preview',
		title: 'asks for whatever could keep Send from sending, and changes nothing',
		parameters: { ...created, ...march, ...asJson },
		wire: [get('/price/tariffs'), ...asked],
		output: (json) =>
			expect(json).toMatchObject([
				{
					name: 'March sale',
					wouldSend: true,
					recipients: 2,
					wouldReach: 2,
					parts: 2,
					texts: [{ text: 'Dear Anna, come in' }, { text: 'Only for you' }],
				},
			]),
	},
	{
		operation: 'dispatch.waitForCompletion',
		title: 'of one that is complete already',
		parameters: { id: byId(spring), limitMinutes: 1 },
		wire: [lookAt(spring)],
		output: (json) =>
			expect(json).toMatchObject([
				{ dispatchId: spring, status: 'COMPLETED', completed: true, stillPending: 0 },
			]),
		refused: noDispatch([spring, reminder]),
	},
	{
		operation: 'dispatch.addMessages',
		title: 'to one that has not been started',
		seed: async (sandbox) => await addDispatches(sandbox, 2),
		parameters: { id: byId(firstNew), ...asJson },
		wire: [
			lookAt(firstNew),
			listedMessages(firstNew),
			post(`/dispatches/${firstNew}/messages`, { messages: recipients }),
			lookAt(firstNew),
		],
		output: (json) =>
			expect(json).toMatchObject([
				{ dispatchId: firstNew, name: 'Seeded 1', recipients: 2, notStarted: 2, failed: 0 },
			]),
		state: ({ store }) => {
			expect(store.dispatches.get(firstNew)?.messages).toHaveLength(3);
			expect(store.dispatches.get(secondNew)?.messages).toHaveLength(1);
		},
		refused: noDispatch(),
	},
	{
		operation: 'dispatch.start',
		title: 'one that was created',
		seed: async (sandbox) => await addDispatches(sandbox, 2),
		parameters: { id: byId(firstNew) },
		wire: [
			lookAt(firstNew),
			lookAt(firstNew),
			get('/price/tariffs'),
			post(`/dispatches/${firstNew}/start`),
		],
		output: (json) => expect(json).toEqual([{ dispatchId: firstNew, status: 'STARTED' }]),
		state: ({ store }) => {
			expect(store.dispatches.get(firstNew)).toMatchObject({ status: 'STARTED', run: 1 });
			expect(store.dispatches.get(secondNew)?.status).toBe('CREATED');
		},
		refused: { ...noDispatch(), says: "This run didn't start it. " },
	},
	{
		operation: 'dispatch.stop',
		title: 'one that was started',
		seed: async (sandbox) => await addStarted(sandbox, 2),
		parameters: { id: byId(firstNew) },
		wire: [post(`/dispatches/${firstNew}/stop`)],
		output: (json) => expect(json).toEqual([{ dispatchId: firstNew, status: 'STOPPED' }]),
		state: ({ store }) => {
			expect(store.dispatches.get(firstNew)?.status).toBe('STOPPED');
			expect(store.dispatches.get(secondNew)?.status).toBe('STARTED');
		},
		refused: { ...noDispatch(), carriesOn: true },
	},
	{
		operation: 'dispatch.getReport',
		title: 'from the dispatch, all of its messages, their sender names and the tariffs',
		parameters: { id: byId(spring) },
		wire: [
			lookAt(spring),
			listedMessages(spring),
			...[demo.senders.mts, demo.senders.beeline, demo.senders.megafon, demo.senders.tele2].map(
				(id): Wire => get(`/senders/${id}`),
			),
			get('/price/tariffs'),
		],
		output: (json) =>
			expect(json).toMatchObject([
				{ dispatchId: spring, finished: true, messages: { total: 6, delivered: 4, failed: 2 } },
			]),
		refused: noDispatch([spring, reminder]),
	},
	{
		operation: 'dispatch.get',
		title: 'with its counts',
		parameters: { id: byId(spring) },
		wire: [get(`/dispatches/${spring}`)],
		output: (json) =>
			expect(json).toMatchObject([
				{
					dispatchId: spring,
					name: 'Spring bouquets',
					status: 'COMPLETED',
					messages: { total: 6 },
					priceEstimate: {
						total: expect.any(Number) as number,
						parts: expect.any(Number) as number,
					},
				},
			]),
		refused: noDispatch([spring, reminder]),
	},
	{
		operation: 'dispatch.getAll',
		title: 'by status, up to the limit',
		seed: async (sandbox) => await addDispatches(sandbox, 3),
		parameters: { companyId: byId(flowers), limit: 2, filters: { status: 'CREATED' } },
		wire: [get('/dispatches', { companyId: flowers, page: 1, perPage: 2, status: 'CREATED' })],
		output: (json) =>
			expect(json.map(({ dispatchId }) => dispatchId)).toEqual([firstNew, secondNew]),
		refused: {
			parameters: { companyId: fromItem(), filters: {} },
			items: [{ id: flowers }, { id: 999 }, { id: flowers }],
			...notFound,
		},
	},
	{
		operation: 'message.getAll',
		title: 'by status, simplified',
		parameters: { dispatchId: byId(spring), limit: 3, filters: { status: 'DELIVERED' } },
		wire: [get('/messages', { dispatchId: spring, page: 1, perPage: 3, status: 'DELIVERED' })],
		output: (json) => {
			expect(json.map(({ destination }) => destination)).toEqual([
				numbers.mts,
				numbers.beeline,
				numbers.megafon,
			]);
			expect(Object.keys(json[0] ?? {}).sort()).toEqual([
				'deliveredAt',
				'destination',
				'dispatchId',
				'messageUuid',
				'outcome',
				'price',
				'sentAt',
				'text',
			]);
		},
		refused: {
			parameters: { dispatchId: fromItem(), filters: {} },
			items: [{ id: spring }, { id: 9999 }, { id: reminder }],
			...notFound,
		},
	},
	{
		operation: 'message.getAll',
		title: 'as the service gives them',
		parameters: { dispatchId: byId(spring), returnAll: true, simplify: false },
		wire: [listedMessages(spring, 100)],
		output: (json) => {
			expect(json).toHaveLength(6);
			expect(json[0]).toMatchObject({ brandId: 1, senderId: demo.senders.mts });
		},
	},
];
