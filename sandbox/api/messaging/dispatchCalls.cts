/**
 * The messaging API's calls for dispatches, as its public reference shows them. Only method and path come from the contract; the
 * bodies are defined here separately from the nodes, like those in calls.cts.
 */
import { messagingEndpoint, type Endpoint } from '../../../core/contract/endpoint';
import { messaging } from '../../../core/contract/messaging';
import { z } from '../../../vendor/zod';

const at = ({ method, path }: Endpoint) => [method, path] as const;

const Whole = z.number().int();
const text = z.string();
const utc = z
	.string()
	.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, 'must look like 2026-03-01T07:00:00Z');
const idInPath = z.object({ dispatchId: Whole.positive() });

const Counts = z
	.object({
		total: Whole,
		delivered: Whole,
		undelivered: Whole,
		unsent: Whole,
		sent: Whole,
		sending: Whole,
	})
	.strict();
const Base = z.object({ type: text, name: text }).strict();

const ListedDispatch = z
	.object({
		dispatchId: Whole,
		dispatchName: text,
		created: text,
		localSendTime: text.nullable(),
		localCompletionTime: text.nullable(),
		useLocalTime: z.boolean(),
		status: text,
		source: text,
		message: text,
		trafficCenterId: Whole,
		trafficCenterName: text,
		base: z.object({ included: Base.nullable(), excluded: Base.nullable() }).strict(),
		parts: Counts,
		messages: Counts,
	})
	.strict();
export type ListedDispatch = z.output<typeof ListedDispatch>;

export const dispatchCalls = {
	dispatchList: messagingEndpoint(...at(messaging.dispatchList), {
		query: z.object({
			created_from: utc.optional(),
			created_to: utc.optional(),
			status: text.optional(),
			dispatch_id: Whole.optional(),
			dispatch_name: text.optional(),
			traffic_center_id: Whole.optional(),
			page: Whole.positive().optional(),
			per_page: Whole.positive().optional(),
		}),
		reply: z.object({ total: Whole, items: z.array(ListedDispatch) }).strict(),
	}),
	dispatchAppend: messagingEndpoint(...at(messaging.dispatchAppend), {
		pathParams: idInPath,
		body: z
			.array(
				z
					.object({
						destination: text.regex(/^\d{5,15}$/, 'must be digits, country code first'),
						substitutions: z.record(z.union([text, z.number(), z.boolean()])).optional(),
					})
					.strict(),
			)
			.min(1),
		reply: z.array(
			z.union([
				z.object({ destination: text, messageUuid: text }).strict(),
				z.object({ destination: text, errorCode: Whole }).strict(),
			]),
		),
	}),
	dispatchStart: messagingEndpoint(...at(messaging.dispatchStart), {
		pathParams: idInPath,
		reply: z.object({ dispatchId: Whole }).strict(),
	}),
	/** The response has no body. */
	dispatchStop: messagingEndpoint(...at(messaging.dispatchStop), {
		pathParams: idInPath,
		replyType: 'text',
		reply: z.literal(''),
	}),
};
