import { z } from '../../vendor/zod';
import { partnerEndpoint } from './endpoint';
import {
	Brand,
	ChannelType,
	CommonType,
	Datetime,
	Id,
	Int,
	looseObject,
	SenderStatus,
	strictObject,
} from './values';

export const Sender = looseObject({
	id: Int,
	senderName: z.string(),
	channelType: ChannelType,
	counteragentName: z.string(),
	counteragentInn: z.string(),
	dateFrom: Datetime,
	dateTo: Datetime.nullable(),
	commonType: CommonType,
	brand: Brand,
	status: SenderStatus,
	suspended: z.boolean(),
	suspendReason: z.string().optional(),
	fee: z.number().nullable(),
	managerComment: z.string().nullable(),
	rejectedAt: Datetime.nullable(),
	createdAt: Datetime,
});
export type SenderEntry = z.output<typeof Sender>;

export const smsSenderNameLength = 11;

/** The naming rule of the contract: up to 11 characters for SMS. */
export const senderNameProblem = (
	senderName: string,
	{ channelType }: { channelType?: string },
): string | undefined =>
	channelType === 'SMS' && [...senderName].length > smsSenderNameLength
		? `has ${[...senderName].length} characters, but a sender name for SMS can have at most ${smsSenderNameLength}`
		: undefined;

/** "the characters `+` and space are forbidden": the contract states this only for sender names of the messaging API. */
export const isUnusualForMegafon = (senderName: string): boolean => /[+ ]/.test(senderName);

const SenderCreate = strictObject({
	companyId: Id,
	senderName: z.string().min(1),
	channelType: ChannelType,
	commonType: CommonType,
	brand: Brand,
	dateFrom: Datetime,
	countryId: Id.optional(),
	description: z.string().optional(),
	documentIds: z.array(z.string()).optional(),
}).superRefine((sender, context) => {
	const message = senderNameProblem(sender.senderName, sender);
	if (message !== undefined) context.addIssue({ code: 'custom', path: ['senderName'], message });
});

const SenderUpdate = strictObject({
	senderName: z.string().min(1).optional(),
	commonType: CommonType.optional(),
	dateFrom: Datetime.optional(),
	dateTo: Datetime.optional(),
	documentIds: z.array(z.string()).optional(),
}).superRefine(({ dateFrom, dateTo }, context) => {
	if (dateFrom !== undefined && dateTo !== undefined && Date.parse(dateTo) < Date.parse(dateFrom)) {
		context.addIssue({
			code: 'custom',
			path: ['dateTo'],
			message: 'must not be before the start',
		});
	}
});

const senderPath = z.object({ id: Id });

export const senderEndpoints = {
	senderCreate: partnerEndpoint('POST', '/senders', {
		status: 201,
		body: SenderCreate,
		reply: Sender,
	}),
	senderList: partnerEndpoint('GET', '/senders', {
		query: z.object({
			companyId: Id,
			brand: z.array(Brand).optional(),
			commonType: z.array(CommonType).optional(),
			status: z.array(SenderStatus).optional(),
			channelType: z.array(ChannelType).optional(),
			countryCode: z.array(z.string()).optional(),
		}),
		paging: 'whole',
		reply: z.array(Sender),
	}),
	senderGet: partnerEndpoint('GET', '/senders/{id}', {
		pathParams: senderPath,
		query: z.object({ companyId: Id.optional() }),
		reply: Sender,
		idField: 'id',
	}),
	senderUpdate: partnerEndpoint('PUT', '/senders/{id}', {
		pathParams: senderPath,
		body: SenderUpdate,
		reply: Sender,
		idField: 'id',
	}),
	/** Repeatable, because it only sets a flag. */
	senderSuspend: partnerEndpoint('POST', '/senders/{id}/suspend', {
		repeatable: true,
		pathParams: senderPath,
		body: strictObject({ reason: z.string().optional() }).optional(),
		reply: Sender,
		idField: 'id',
	}),
	senderUnsuspend: partnerEndpoint('POST', '/senders/{id}/unsuspend', {
		repeatable: true,
		pathParams: senderPath,
		reply: Sender,
		idField: 'id',
	}),
};
