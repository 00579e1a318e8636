import type { IExecuteFunctions } from 'n8n-workflow';
import { partner } from '../../../../core/contract/partner';
import { isUnusualForMegafon } from '../../../../core/contract/sender';
import { addHintOnce } from '../../../../core/engine/hints';
import { defineOperation } from '../../../../core/engine/operation';
import type { Param } from '../../../../core/engine/params';
import { channelType } from '../../../shared/channels';
import {
	fieldCollection,
	requireSome,
	simplifyParam,
	updateCollection,
} from '../../../shared/lists';
import { brandOptions, messageType, nameToRegister, validFrom } from '../../../shared/senderNames';
import { companyForList, companyId, listOrId } from '../../../shared/locators';
import { senderId, SimpleSender, toSenderItems } from './fields';

/** Hints about a name that MegaFon may reject. An update doesn't show the operator, so it gets the hint too. */
const hintAtName = (context: IExecuteFunctions, senderName: string, brand = 'MEGAFON'): void => {
	if (brand !== 'MEGAFON' || !isUnusualForMegafon(senderName)) return;
	addHintOnce(
		context,
		`MegaFon may reject "${senderName}": for sender names in the messaging API, it doesn't allow "+" or spaces.`,
	);
};

const documentId = {
	displayName: 'Document',
	name: 'documentId',
	...listOrId('Select a document…', 'searchDocuments', 'e.g. 9b2d0c4e-6a1f-4a53-9d3e-2f6f6a0f7c11'),
} as const satisfies Param;

const documentIds = {
	displayName: 'Documents',
	name: 'documentIds',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Document',
	default: {},
	description: 'Documents already uploaded for the company',
	options: [{ displayName: 'Document', name: 'document', values: [documentId] }],
} as const satisfies Param;

/** The IDs to send; `undefined` if no document was added, so that an update leaves the documents unchanged. */
const toDocumentIds = (documents?: {
	document?: ReadonlyArray<{ documentId?: string }>;
}): string[] | undefined => {
	const ids = documents?.document?.flatMap(({ documentId: id }) => id ?? []) ?? [];
	return ids.length > 0 ? ids : undefined;
};

export const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create sender name',
	done: { one: 'sender name created', many: 'sender names created', id: 'id' },
	description:
		'Register a sender name with one operator. It starts as a draft and can be used once it is approved.',
	endpoint: partner.senderCreate,
	output: SimpleSender,
	params: [
		companyId,
		{
			...nameToRegister,
			required: true,
			description: 'The name recipients see as the sender. For SMS, 3 to 11 characters.',
		},
		channelType,
		{
			displayName: 'Operator',
			name: 'brand',
			type: 'options',
			options: brandOptions,
			default: 'MTS',
			required: true,
			description: 'A sender name is registered separately with each mobile operator',
		},
		{ ...messageType, required: true },
		{
			...validFrom,
			required: true,
			description: "Uses the workflow's time zone unless the value contains one",
		},
		fieldCollection([
			{
				displayName: 'Comment',
				name: 'description',
				type: 'string',
				default: '',
				description: 'A comment for the people who review the sender name',
			},
			{
				displayName: 'Country ID',
				name: 'countryId',
				type: 'number',
				default: 1,
				description: '1 for Russia',
			},
			documentIds,
		]),
		simplifyParam,
	],
	request: (
		{
			companyId: company,
			senderName,
			channelType: channel,
			brand,
			commonType,
			dateFrom,
			additionalFields: { documentIds: documents, ...rest },
		},
		{ context },
	) => {
		hintAtName(context, senderName, brand);
		return {
			body: {
				companyId: company,
				senderName,
				channelType: channel,
				brand,
				commonType,
				dateFrom,
				...rest,
				documentIds: toDocumentIds(documents),
			},
		};
	},
	toItems: toSenderItems,
});

export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update sender name',
	done: { one: 'sender name updated', many: 'sender names updated' },
	description: 'Change a sender name, its message type, documents or validity dates',
	endpoint: partner.senderUpdate,
	output: SimpleSender,
	params: [
		companyForList,
		senderId,
		updateCollection([
			documentIds,
			messageType,
			{ ...nameToRegister, description: 'For SMS, 3 to 11 characters' },
			{ ...validFrom, whenEmpty: 'refuse' },
			{
				displayName: 'Valid Until',
				name: 'dateTo',
				type: 'dateTime',
				default: '',
				whenEmpty: 'refuse',
				description: 'Setting this date closes the sender name',
			},
		]),
		simplifyParam,
	],
	request: ({ id, updateFields: { documentIds: documents, ...rest } }, { context }) => {
		if (rest.senderName !== undefined) hintAtName(context, rest.senderName);
		return {
			path: { id },
			body: requireSome({ ...rest, documentIds: toDocumentIds(documents) }),
		};
	},
	toItems: toSenderItems,
});
