import { documentLimits } from '../../core/contract/company';
import { partner } from '../../core/contract/partner';
import { isUnusualForMegafon } from '../../core/contract/sender';
import {
	awaited,
	bool,
	datetime,
	double,
	endpointOf,
	holdsCall,
	int,
	limited,
	listOf,
	mapOf,
	nameOf,
	nullable,
	objectWith,
	oneOf,
	optional,
	page,
	required,
	string,
	verdict,
	type Call,
	type Type,
} from './support.cts';
import {
	callbackUrl,
	channelType,
	destination,
	dispatchStatus,
	hour,
	messageStatus,
	trafficTypes,
	weekday,
} from './vocabulary.cts';

/* Every call of the partner API, and no other. */

/* Token and companies */

const companyStatus = oneOf('ACTIVE', 'DISABLED');

const companyItem = objectWith({
	companyId: required(int),
	name: required(string),
	counteragentName: required(string),
	counteragentInn: required(string),
	status: required(companyStatus),
	// A company whose `budget` was omitted is unlimited: there is no amount to return.
	budget: awaited(objectWith({ value: required(double), currency: required(string) })),
});

const companyDocument = objectWith({
	id: required(string),
	companyId: required(int),
	filename: required(string),
	createdAt: required(datetime),
});

const fileOf = (contentType: string, size: number) => ({
	filename: 'charter.pdf',
	contentType,
	bytes: new Uint8Array(size),
});
const file: Type = { good: [fileOf('application/pdf', 4)], bad: ['text', 1, true, {}, []] };

const companyCalls: Call[] = [
	{
		call: 'POST /auth/token',
		auth: 'none',
		body: objectWith({ login: required(string), password: required(string) }),
		reply: objectWith({ token: required(string) }),
	},
	{
		call: 'POST /company',
		status: 201,
		body: objectWith({
			company: required(
				objectWith({
					name: required(string),
					counteragentType: required(oneOf('LEGAL', 'INDIVIDUAL')),
					counteragentInn: required(string),
					counteragentAddress: optional(string),
					counteragentKpp: optional(string),
				}),
			),
			budget: optional(double),
		}),
		reply: objectWith({ companyId: required(int) }),
	},
	{
		call: 'GET /company',
		query: objectWith({ page: optional(int), per_page: optional(int) }),
		paging: { number: 'page', size: 'per_page', defaultSize: 10 },
		reply: page(companyItem),
	},
	{
		call: 'PUT /company/{id}',
		body: objectWith({
			budget: optional(double),
			status: optional(companyStatus),
			name: optional(string),
			actualAddress: optional(string),
		}),
		reply: objectWith({ companyId: required(int), updatedAt: required(datetime) }),
	},
	{
		call: 'POST /company/{id}/documents',
		status: 201,
		encoding: 'multipart',
		body: objectWith({ file: required(file) }),
		reply: companyDocument,
	},
	{ call: 'GET /company/{id}/documents', reply: listOf(companyDocument) },
];

const blacklistCalls: Call[] = [
	{
		call: 'PUT /recipients',
		body: objectWith({
			companyId: required(int),
			msisdn: required(string),
			blacklist: required(bool),
			comment: optional(string),
		}),
		reply: objectWith({
			msisdn: required(string),
			companyId: required(int),
			blacklist: required(bool),
		}),
	},
];

/* Sender names */

const commonType = oneOf(
	'PROMO',
	'COMMON',
	'MULTISIGNATURE',
	'INTERNATIONAL_VERIFY',
	'INTERNATIONAL_COMMON',
);
const brand = oneOf('MTS', 'BEELINE', 'MEGAFON', 'TELE2');
const senderStatus = oneOf(
	'DRAFT',
	'PRE_REVIEW',
	'INTERNAL_REVIEW',
	'EXTERNAL_REVIEW',
	'AWAITING',
	'APPROVED',
	'REJECTED',
	'DENIED',
	'CLOSED',
);

const sender = objectWith({
	id: required(int),
	senderName: required(string),
	channelType: required(channelType),
	counteragentName: required(string),
	counteragentInn: required(string),
	dateFrom: required(datetime),
	dateTo: nullable(datetime),
	commonType: required(commonType),
	brand: required(brand),
	status: required(senderStatus),
	suspended: required(bool),
	suspendReason: optional(string), // "present after a suspend that carried a reason"
	fee: nullable(double),
	managerComment: nullable(string),
	rejectedAt: nullable(datetime),
	createdAt: required(datetime),
});

/** The example is an SMS name, so its limit of 11 characters applies. */
const smsSenderName = limited(string, {
	inside: ['ACME', 'A'.repeat(11)],
	outside: ['A'.repeat(12)],
});

const senderCalls: Call[] = [
	{
		call: 'POST /senders',
		status: 201,
		body: objectWith({
			companyId: required(int),
			senderName: required(smsSenderName),
			channelType: required(channelType),
			commonType: required(commonType),
			brand: required(brand),
			dateFrom: required(datetime),
			countryId: optional(int),
			description: optional(string),
			documentIds: optional(listOf(string)),
		}),
		reply: sender,
	},
	{
		call: 'GET /senders',
		query: objectWith({
			companyId: required(int),
			brand: optional(listOf(brand)),
			commonType: optional(listOf(commonType)),
			status: optional(listOf(senderStatus)),
			channelType: optional(listOf(channelType)),
			countryCode: optional(listOf(string)),
		}),
		reply: listOf(sender),
	},
	{
		call: 'GET /senders/{id}',
		query: objectWith({ companyId: optional(int) }),
		reply: sender,
	},
	{
		call: 'PUT /senders/{id}',
		body: objectWith({
			senderName: optional(string),
			commonType: optional(commonType),
			dateFrom: optional(datetime),
			dateTo: optional(datetime),
			documentIds: optional(listOf(string)),
		}),
		reply: sender,
	},
	{
		call: 'POST /senders/{id}/suspend',
		body: objectWith({ reason: optional(string) }),
		reply: sender,
	},
	{ call: 'POST /senders/{id}/unsuspend', reply: sender },
];

/* Dispatches and their messages */

const recipient = objectWith({
	destination: required(destination),
	// "map from placeholder name to value"
	substitutions: optional(mapOf([{ name: 'Anna', code: '17' }, {}], [[]])),
	customText: optional(string),
});
const schedule = objectWith({
	startAt: required(datetime),
	hours: required(listOf(limited(int, hour))),
	days: required(listOf(limited(int, weekday))),
});

const creationShape = objectWith({
	id: required(int),
	status: required(dispatchStatus),
	priceEstimate: required(
		objectWith({ total: required(double), currency: required(string), parts: required(int) }),
	),
	total: required(int),
	success: required(int),
	failed: required(int),
	messages: required(
		listOf(
			objectWith({
				destination: required(string),
				messageUuid: required(string),
				parts: required(int),
				senderId: required(int),
			}),
		),
	),
});

const counters = objectWith({
	total: required(int),
	delivered: required(int),
	failed: required(int),
	pending: required(int),
});
const dispatchItem = objectWith({
	id: required(int),
	name: required(string),
	status: required(dispatchStatus),
	channelType: required(channelType),
	parts: required(counters),
	messages: required(counters),
	priceEstimate: required(double),
	createdAt: required(datetime),
	startedAt: awaited(datetime), // none before the start
});

/** `{id, status}`; STARTED after a start and STOPPED after a stop, which are values of the dispatch status. */
const moved = objectWith({ id: required(int), status: required(dispatchStatus) });

const message = objectWith({
	messageUuid: required(string),
	destination: required(string),
	text: required(string),
	parts: required(int),
	status: required(messageStatus),
	price: awaited(double), // "the final cost is fixed after delivery"
	senderId: awaited(int), // none for a number whose operator has no sender in the dispatch
	brandId: awaited(int), // none for a number whose operator is not known
	createdAt: required(datetime),
	sentAt: awaited(datetime),
	deliveredAt: awaited(datetime),
});

const dispatchCalls: Call[] = [
	{
		call: 'POST /dispatches',
		status: 200,
		body: objectWith({
			companyId: required(int),
			name: required(string),
			senderIds: required(listOf(int)),
			channelType: required(channelType),
			text: required(string),
			messages: required(listOf(recipient)),
			schedule: optional(schedule),
			callbackUrl: optional(callbackUrl),
			callbackEvents: optional(listOf(oneOf('delivered', 'sent'))),
		}),
		bodySide: 'open request',
		reply: creationShape,
	},
	{
		call: 'POST /dispatches/{id}/messages',
		body: objectWith({ messages: required(listOf(recipient)) }),
		reply: creationShape,
	},
	{ call: 'POST /dispatches/{id}/start', reply: moved },
	{ call: 'POST /dispatches/{id}/stop', reply: moved },
	{
		call: 'GET /dispatches',
		query: objectWith({
			companyId: required(int),
			status: optional(dispatchStatus),
			page: optional(int),
			perPage: optional(int),
		}),
		paging: { number: 'page', size: 'perPage', defaultSize: 10 },
		reply: page(dispatchItem),
	},
	{ call: 'GET /dispatches/{id}', reply: dispatchItem },
	{
		call: 'GET /messages',
		query: objectWith({
			dispatchId: required(int),
			status: optional(messageStatus),
			page: optional(int),
			perPage: optional(int),
		}),
		paging: { number: 'page', size: 'perPage', defaultSize: 100 },
		reply: page(message),
	},
];

/* Prices */

const senderType = oneOf('COMMON', 'START', 'PRO');
const trafficType = oneOf(...trafficTypes);
const pricingModel = oneOf('FIXED', 'SCALED', 'MAU');

const tariff = objectWith({
	senderType: required(senderType),
	brand: optional(string), // "present for operator-specific tariffs"
	trafficType: optional(trafficType), // "present for some tariffs"
	pricingModel: required(pricingModel),
	currency: required(string),
	prices: required(
		listOf(
			// Which of them an item has depends on the pricing model: a fixed price has no threshold, a price per
			// message no MAU package.
			objectWith({
				from: optional(int),
				price: optional(double),
				priceMauBatch: optional(double),
			}),
		),
	),
});

const priceCalls: Call[] = [
	{
		call: 'GET /price/tariffs',
		query: objectWith({
			senderType: optional(senderType),
			brand: optional(string),
			trafficType: optional(trafficType),
			pricingModel: optional(pricingModel),
		}),
		reply: objectWith({ tariffs: required(listOf(tariff)) }),
	},
	{
		call: 'GET /price/senders',
		reply: objectWith({
			senderFees: required(
				listOf(
					objectWith({
						brand: required(string),
						value: required(double),
						currency: required(string),
					}),
				),
			),
		}),
	},
];

describe('calls of the partner API', () => {
	const calls = [
		...companyCalls,
		...blacklistCalls,
		...senderCalls,
		...dispatchCalls,
		...priceCalls,
	];
	for (const call of calls) holdsCall(partner, call);

	it('there is no other', () => {
		expect(Object.values(partner).map(nameOf).sort()).toEqual(calls.map(({ call }) => call).sort());
		expect(new Set(Object.values(partner).map(({ api }) => api))).toEqual(new Set(['partner']));
	});
});

describe('limit of a company document: PDF, JPG or PNG, at most 10 MB', () => {
	const body = endpointOf(partner, 'POST /company/{id}/documents').body!;
	const upload = (contentType: string, size: number) =>
		verdict(body, { file: fileOf(contentType, size) }, ['file']);
	// The specification does not say which megabyte it means: these sizes are on the same side for both.
	const inside = 10_000_000;
	const outside = 10 * 1024 * 1024 + 1;

	it('is written down', () => {
		expect([...documentLimits.types].sort()).toEqual([
			'application/pdf',
			'image/jpeg',
			'image/png',
		]);
		expect(documentLimits.maxBytes).toBeGreaterThanOrEqual(inside);
		expect(documentLimits.maxBytes).toBeLessThan(outside);
	});

	it.each([
		['application/pdf', inside, 'taken'],
		['image/jpeg', inside, 'taken'],
		['image/png', inside, 'taken'],
		['application/pdf', outside, 'refused there'],
		['text/plain', 4, 'refused there'],
	])('%s of %d bytes: %s', (type, size, expected) => expect(upload(type, size)).toBe(expected));
});

describe('senders', () => {
	it('the request of POST /senders/{id}/suspend may be left out as a whole', () => {
		expect(verdict(endpointOf(partner, 'POST /senders/{id}/suspend').body!, undefined)).toBe(
			'taken',
		);
	});
});

describe('rules for senderName', () => {
	const create = (fields: object) =>
		verdict(
			endpointOf(partner, 'POST /senders').body!,
			{
				companyId: 1,
				senderName: 'ACME',
				channelType: 'SMS',
				commonType: 'COMMON',
				brand: 'MTS',
				dateFrom: '2026-03-01T10:00:00Z',
				...fields,
			},
			['senderName'],
		);

	/** The rule for MEGAFON is stated for another API. */
	it.each([
		[{ senderName: 'A'.repeat(12), channelType: 'SMS' }, 'refused there'],
		[{ senderName: 'A'.repeat(12), channelType: 'VIBER' }, 'taken'],
		[{ senderName: 'ACME+', brand: 'MEGAFON' }, 'taken'],
		[{ senderName: 'AC ME', brand: 'MEGAFON' }, 'taken'],
		[{ senderName: 'ACME!', brand: 'MEGAFON' }, 'taken'],
		[{ senderName: 'AC ME+', brand: 'MTS' }, 'taken'],
	])('%j: %s', (fields, expected) => expect(create(fields)).toBe(expected));

	it('+ and the space are unusual for MEGAFON', () => {
		expect(['ACME+', 'AC ME', 'ACME!'].map(isUnusualForMegafon)).toEqual([true, true, false]);
	});
});

describe('dispatches and their messages', () => {
	it('no size of `messages` is given, so none is enforced', () => {
		const messages = Array.from({ length: 50_000 }, () => ({ destination: '79123456789' }));
		const append = endpointOf(partner, 'POST /dispatches/{id}/messages').body!;
		expect(verdict(append, { messages })).toBe('taken');
	});
});
