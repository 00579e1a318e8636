/**
 * The messaging API's calls for templates and sender names. The public reference shows reading and changing a template and the
 * form that creates a sender name; both lists and the fields of a sender name are our choice. Only method and path come from the
 * contract.
 */
import { messagingEndpoint, type Endpoint } from '../../../core/contract/endpoint';
import { messaging } from '../../../core/contract/messaging';
import { z } from '../../../vendor/zod';

const at = ({ method, path }: Endpoint) => [method, path] as const;

const Whole = z.number().int();
const text = z.string();
const textOrNull = text.nullable();
const idInPath = z.object({ template_id: Whole.positive() });
const pages = { page: Whole.positive().optional(), per_page: Whole.positive().optional() };

const ShownTemplate = z
	.object({
		id: Whole,
		channelType: text,
		templateType: text,
		pattern: textOrNull,
		dateFrom: text,
		dateTo: textOrNull,
		senderNameId: Whole.nullable(),
		senderName: textOrNull,
		brand: textOrNull,
		countryCode: textOrNull,
		managerComment: textOrNull,
		status: text,
		createdAt: text,
		rejectedAt: textOrNull,
		content: z
			.object({ header: z.object({ text }).strict() })
			.passthrough()
			.nullable(),
	})
	.strict();

const ShownSenderName = z
	.object({
		id: Whole,
		senderName: text,
		channelType: text,
		commonType: text,
		brand: text,
		status: text,
		dateFrom: text,
		dateTo: textOrNull,
		managerComment: textOrNull,
		createdAt: text,
		rejectedAt: textOrNull,
	})
	.strict();
export type ShownSenderName = z.output<typeof ShownSenderName>;

const parsedJson = text.transform((written, context) => {
	try {
		return JSON.parse(written) as unknown;
	} catch {
		context.addIssue({ code: 'custom', message: 'must be JSON' });
		return z.NEVER;
	}
});
const NewSenderName = z
	.object({
		senderName: text.min(1),
		channelType: text.min(1),
		commonType: text.optional(),
		brand: text.optional(),
		dateFrom: text.optional(),
	})
	.passthrough();

export const entityCalls = {
	templateGet: messagingEndpoint(...at(messaging.templateGet), {
		pathParams: idInPath,
		reply: ShownTemplate,
	}),
	/** The response isn't published. Here it has no body. */
	templateUpdate: messagingEndpoint(...at(messaging.templateUpdate), {
		pathParams: idInPath,
		body: z
			.object({
				dateFrom: text.datetime({ offset: true }).optional(),
				dateTo: text.datetime({ offset: true }).optional(),
				pattern: text.min(1).optional(),
			})
			.strict(),
		replyType: 'text',
		reply: z.literal(''),
	}),
	templateList: messagingEndpoint(...at(messaging.templateList), {
		query: z.object({ template_id: Whole.optional(), ...pages }),
		reply: z.object({ total: Whole, items: z.array(ShownTemplate) }).strict(),
	}),
	senderNameCreate: messagingEndpoint(...at(messaging.senderNameCreate), {
		encoding: 'multipart',
		/** `file1`, `file2` and so on contain files. */
		body: z
			.object({ body: parsedJson.pipe(NewSenderName) })
			.catchall(z.object({ filename: text.min(1) }).passthrough()),
		reply: ShownSenderName,
	}),
	senderNameList: messagingEndpoint(...at(messaging.senderNameList), {
		query: z.object({ channel_type: text.optional(), country_code: text.optional(), ...pages }),
		reply: z.object({ total: Whole, items: z.array(ShownSenderName) }).strict(),
	}),
};
