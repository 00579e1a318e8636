import { partner } from '../../../../core/contract/partner';
import { requireSome } from '../../../../core/engine/coerce';
import { defineOperation } from '../../../../core/engine/operation';
import { simplifyParam } from '../../../shared/lists';
import { companyForList, senderId } from '../../shared/locators';
import { commonTypeOptions } from '../../shared/options';
import { documentIds, toDocumentIds } from './documents';
import { SimpleSender, toSenderItem } from './simpleSender';

export const update = defineOperation({
	value: 'update',
	name: 'Update',
	action: 'Update sender name',
	description: 'Change a sender name, its message type, documents or validity dates',
	endpoint: partner.senderUpdate,
	output: SimpleSender,
	params: [
		companyForList,
		senderId,
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			description: 'Only the fields you add here are changed',
			options: [
				documentIds,
				{
					displayName: 'Message Type',
					name: 'commonType',
					type: 'options',
					options: commonTypeOptions,
					default: 'COMMON',
					description: 'The type of messages sent under this name',
				},
				{
					displayName: 'Sender Name',
					name: 'senderName',
					type: 'string',
					default: '',
					placeholder: 'e.g. NORTHWIND',
				},
				{
					displayName: 'Valid From',
					name: 'dateFrom',
					type: 'dateTime',
					default: '',
					whenEmpty: 'refuse',
				},
				{
					displayName: 'Valid Until',
					name: 'dateTo',
					type: 'dateTime',
					default: '',
					whenEmpty: 'refuse',
					description: 'Setting this date closes the sender name',
				},
			],
		},
		simplifyParam,
	],
	request: ({ id, updateFields: { documentIds: documents, ...rest } }) => ({
		path: { id },
		body: requireSome({ ...rest, documentIds: toDocumentIds(documents) }, 'Update Fields'),
	}),
	toItems: (sender, values) => [toSenderItem(sender, values)],
});
