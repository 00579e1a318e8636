import { z } from '../../vendor/zod';
import { FormFile } from './company';
import { messagingEndpoint } from './endpoint';
import { from } from './provenance';
import { isUnusualForMegafon, senderNameProblem } from './sender';
import { ChannelType, Id, Int, looseObject, strictObject, TextOrNull } from './values';

/*
 * Sender names of the messaging API. The interface names them, the filters of their list and a rule for MegaFon; the provider's
 * public reference shows how one is created, but not its fields.
 */

const SenderNameFields = looseObject(
	from('guess', {
		senderName: z.string().min(1),
		channelType: ChannelType,
		commonType: z.string().optional(),
		brand: z.string().optional(),
		dateFrom: z.string().optional(),
	}),
).superRefine(({ senderName, channelType, brand }, context) => {
	// The interface states both rules for the messaging API.
	const isUnusual = brand === 'MEGAFON' && isUnusualForMegafon(senderName);
	const message = isUnusual
		? 'must not contain "+" or spaces for MegaFon'
		: senderNameProblem(senderName, { channelType });
	if (message !== undefined) context.addIssue({ code: 'custom', path: ['senderName'], message });
});

/** A sender name with the fields that the partner API shows. */
export const SenderName = looseObject(
	from('guess', {
		id: Int,
		senderName: z.string(),
		channelType: TextOrNull,
		commonType: TextOrNull,
		brand: TextOrNull,
		status: TextOrNull,
		dateFrom: TextOrNull,
		dateTo: TextOrNull,
		managerComment: TextOrNull,
		createdAt: TextOrNull,
		rejectedAt: TextOrNull,
	}),
);

export const senderNameEndpoints = {
	/** A form: the part `body` contains the fields as JSON, the parts `file1`, `file2` and so on the files. */
	senderNameCreate: messagingEndpoint('POST', '/sender-names', {
		source: 'page',
		key: 'entities',
		encoding: 'multipart',
		body: strictObject(from('page', { body: SenderNameFields, file: z.array(FormFile) })),
		reply: SenderName,
	}),
	senderNameList: messagingEndpoint('GET', '/sender-names', {
		source: 'guess',
		key: 'entities',
		pathSetting: 'senderNameListPath',
		query: z.object({
			channel_type: ChannelType.optional(),
			country_code: z.string().optional(),
			...from('guess', { page: Id.optional(), per_page: Id.optional() }),
		}),
		paging: { number: 'page', size: 'per_page', defaultSize: 100, key: 'id', mayBeBare: true },
		reply: looseObject(from('guess', { total: Int, items: z.array(SenderName) })),
	}),
};
