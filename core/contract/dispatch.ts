import { z } from '../../vendor/zod';
import { DispatchEvent } from './events';
import { partnerEndpoint } from './endpoint';
import {
	CallbackUrl,
	ChannelType,
	Datetime,
	Days,
	Destination,
	DispatchStatus,
	Hours,
	Id,
	Int,
	looseObject,
	listPage,
	strictObject,
} from './values';
import { isBlank } from '../value';

export const DispatchRecipient = strictObject({
	destination: Destination,
	/** "map from placeholder name to value"; the contract doesn't say that a value is text. */
	substitutions: z.record(z.union([z.string(), z.number(), z.boolean()])).optional(),
	customText: z.string().optional(),
});

const Schedule = looseObject({ startAt: Datetime, hours: Hours, days: Days });

const DispatchFields = z.object({
	companyId: Id,
	name: z.string().refine((name) => !isBlank(name), 'is blank'),
	senderIds: z.array(Id).min(1, 'needs at least one sender name'),
	channelType: ChannelType,
	text: z.string().min(1),
	messages: z.array(DispatchRecipient),
	schedule: Schedule.optional(),
	callbackUrl: CallbackUrl.optional(),
	callbackEvents: z.array(DispatchEvent).optional(),
});
export type NewDispatch = z.input<typeof DispatchFields>;

/** An account may have parameters that aren't listed, such as `rateTerm`, so unknown fields are allowed. */
const DispatchCreate = DispatchFields.passthrough();

const DispatchAppend = strictObject({ messages: z.array(DispatchRecipient).min(1) });

/** The response to creating and to appending. Here `priceEstimate` is an object. */
const DispatchCreated = looseObject({
	id: Int,
	status: DispatchStatus,
	priceEstimate: looseObject({ total: z.number(), currency: z.string(), parts: Int }),
	total: Int,
	success: Int,
	failed: Int,
	messages: z.array(
		looseObject({ destination: z.string(), messageUuid: z.string(), parts: Int, senderId: Int }),
	),
});

const Counters = looseObject({ total: Int, delivered: Int, failed: Int, pending: Int });

/** A dispatch in lists and by id. Here `priceEstimate` is a plain number. */
export const Dispatch = looseObject({
	id: Int,
	name: z.string(),
	status: DispatchStatus,
	channelType: ChannelType,
	parts: Counters,
	messages: Counters,
	priceEstimate: z.number(),
	createdAt: Datetime,
	startedAt: Datetime.nullish(),
});

const DispatchMoved = looseObject({ id: Int, status: DispatchStatus });
const dispatchPath = z.object({ id: Id });

export const dispatchEndpoints = {
	dispatchCreate: partnerEndpoint('POST', '/dispatches', {
		body: DispatchCreate,
		reply: DispatchCreated,
	}),
	dispatchAppend: partnerEndpoint('POST', '/dispatches/{id}/messages', {
		pathParams: dispatchPath,
		body: DispatchAppend,
		reply: DispatchCreated,
		idField: 'id',
	}),
	dispatchStart: partnerEndpoint('POST', '/dispatches/{id}/start', {
		pathParams: dispatchPath,
		reply: DispatchMoved,
		idField: 'id',
	}),
	dispatchStop: partnerEndpoint('POST', '/dispatches/{id}/stop', {
		pathParams: dispatchPath,
		reply: DispatchMoved,
		idField: 'id',
	}),
	dispatchList: partnerEndpoint('GET', '/dispatches', {
		query: z.object({
			companyId: Id,
			status: DispatchStatus.optional(),
			page: Id.optional(),
			perPage: Id.optional(),
		}),
		paging: { number: 'page', size: 'perPage', defaultSize: 10, key: 'id', onlyGrows: true },
		reply: listPage(Dispatch),
	}),
	dispatchGet: partnerEndpoint('GET', '/dispatches/{id}', {
		pathParams: dispatchPath,
		reply: Dispatch,
		idField: 'id',
	}),
};
