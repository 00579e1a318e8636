import { z } from '../../vendor/zod';
import { messagingEndpoint } from './endpoint';
import { from } from './provenance';
import {
	Destination,
	Id,
	Int,
	looseObject,
	OpenId,
	OpenPathId,
	strictObject,
	TextOrNull,
} from './values';

/*
 * Dispatches of the messaging API. The interface only names them; the provider's public reference describes these calls, but not
 * how to create a dispatch.
 */

const MessagingCounters = looseObject(
	from('page', {
		total: Int,
		delivered: Int,
		undelivered: Int,
		unsent: Int,
		sent: Int,
		sending: Int,
	}),
);

/** The recipients that a dispatch includes or excludes. */
const RecipientBase = looseObject(from('page', { type: TextOrNull, name: TextOrNull })).nullish();

/** A dispatch in the list. `source` is the sender name, `message` the text. Only the status `sending` is published. */
export const MessagingDispatch = looseObject(
	from('page', {
		dispatchId: Int,
		dispatchName: z.string(),
		status: z.string(),
		created: TextOrNull,
		localSendTime: TextOrNull,
		localCompletionTime: TextOrNull,
		useLocalTime: z.boolean().nullish(),
		source: TextOrNull,
		message: TextOrNull,
		trafficCenterId: Int.nullish(),
		trafficCenterName: TextOrNull,
		base: looseObject(from('page', { included: RecipientBase, excluded: RecipientBase })).nullish(),
		parts: MessagingCounters.nullish(),
		messages: MessagingCounters,
	}),
);

const idInPath = z.object(from('page', { dispatchId: OpenPathId }));

export const messagingDispatchEndpoints = {
	dispatchList: messagingEndpoint('GET', '/dispatch', {
		source: 'page',
		query: z.object({
			...from('page', {
				created_from: z.string().optional(),
				created_to: z.string().optional(),
				status: z.string().optional(),
				dispatch_id: OpenId.optional(),
				dispatch_name: z.string().optional(),
				traffic_center_id: OpenId.optional(),
			}),
			...from('guess', { page: Id.optional(), per_page: Id.optional() }),
		}),
		paging: { number: 'page', size: 'per_page', defaultSize: 100, key: 'dispatchId' },
		reply: looseObject(from('page', { total: Int, items: z.array(MessagingDispatch) })),
	}),
	/** The reference shows the entries, but not that the body is a list of them. */
	dispatchAppend: messagingEndpoint('POST', '/dispatch/{dispatchId}/messages', {
		source: 'page',
		pathParams: idInPath,
		...from('guess', {
			body: z
				.array(
					strictObject(
						from('page', {
							destination: Destination,
							substitutions: z.record(z.union([z.string(), z.number(), z.boolean()])).optional(),
						}),
					),
				)
				.min(1),
		}),
		reply: z.array(
			looseObject(
				from('page', {
					destination: z.string(),
					messageUuid: TextOrNull,
					errorCode: Int.nullish(),
				}),
			),
		),
	}),
	dispatchStart: messagingEndpoint('POST', '/dispatch/{dispatchId}/start', {
		source: 'page',
		pathParams: idInPath,
		reply: looseObject(from('page', { dispatchId: Int })),
		idField: 'dispatchId',
	}),
	/** Repeatable, because a stopped dispatch stays stopped. The response has no body. */
	dispatchStop: messagingEndpoint('POST', '/dispatch/{dispatchId}/stop', {
		source: 'page',
		repeatable: true,
		pathParams: idInPath,
		replyType: 'any',
		reply: z.unknown(),
		idField: 'dispatchId',
	}),
};
