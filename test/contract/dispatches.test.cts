import { partner } from '../../core/contract/partner';
import {
	awaited,
	datetime,
	double,
	endpointOf,
	holdsCall,
	int,
	limited,
	listOf,
	mapOf,
	objectWith,
	oneOf,
	optional,
	page,
	required,
	string,
	verdict,
} from './support.cts';
import type { Call } from './support.cts';
import {
	callbackUrl,
	channelType,
	destination,
	dispatchStatus,
	hour,
	messageStatus,
	weekday,
} from './vocabulary.cts';

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

const calls: Call[] = [
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

describe('dispatches and their messages', () => {
	for (const call of calls) holdsCall(partner, call);

	it('no size of `messages` is given, so none is enforced', () => {
		const messages = Array.from({ length: 50_000 }, () => ({ destination: '79123456789' }));
		const append = endpointOf(partner, 'POST /dispatches/{id}/messages').body!;
		expect(verdict(append, { messages })).toBe('taken');
	});
});
