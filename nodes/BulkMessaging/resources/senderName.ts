import type { IExecuteFunctions } from 'n8n-workflow';
import { findFileType, type UploadFile } from '../../../core/contract/company';
import { messaging } from '../../../core/contract/messaging';
import { SenderName } from '../../../core/contract/senderName';
import { addHintOnce } from '../../../core/engine/hints';
import { defineOperation, type Resource } from '../../../core/engine/operation';
import type { Param, ValuesOf } from '../../../core/engine/params';
import { additionalFields, replacedIn, toAdditional } from '../../shared/additionalFields';
import { channelOptions, channelType } from '../../shared/channels';
import {
	filterCollection,
	limit,
	listingOf,
	oneByOne,
	optionsWith,
	requestsOf,
	returnAll,
	simplifiedTo,
	simplifyParam,
	splitList,
	unlistedIn,
} from '../../shared/lists';
import { brandOptions, messageType, nameToRegister, validFrom } from '../../shared/senderNames';

/** The fields people usually need. */
const ShortSenderName = SenderName.omit({ createdAt: true, rejectedAt: true });

const toNameItem = simplifiedTo(ShortSenderName);

/** Any type of file is sent: which ones the messaging API accepts isn't published. */
const readFiles = async (
	{ helpers }: IExecuteFunctions,
	itemIndex: number,
	fields: readonly string[],
): Promise<UploadFile[]> => {
	const files: UploadFile[] = [];
	for (const field of fields) {
		const { fileName, mimeType } = helpers.assertBinaryData(itemIndex, field);
		const bytes = await helpers.getBinaryDataBuffer(itemIndex, field);
		const contentType = findFileType(bytes) ?? mimeType;
		files.push({ filename: fileName ?? field, contentType, bytes });
	}
	return files;
};

const operator = {
	displayName: 'Operator',
	name: 'brand',
	type: 'options',
	options: [{ name: 'Not Set', value: '', description: 'The service decides' }, ...brandOptions],
	allowArbitraryValues: true,
	default: '',
	description: 'The mobile operator to register the name with',
} as const satisfies Param;

const create = defineOperation({
	value: 'create',
	name: 'Create',
	action: 'Create sender name',
	done: { one: 'sender name created', many: 'sender names created', id: 'id' },
	description:
		'Register a sender name, with files that prove your right to it. It needs an API key for sender names and templates.',
	endpoint: messaging.senderNameCreate,
	output: ShortSenderName,
	params: [
		{
			...nameToRegister,
			required: true,
			description:
				"The name recipients see as the sender. For SMS, 3 to 11 characters that match your company's name or trademark.",
		},
		channelType,
		operator,
		{
			...messageType,
			allowArbitraryValues: true,
			description: `${messageType.description}. Promotional names need files.`,
		},
		{
			...validFrom,
			description: "Uses the workflow's time zone unless the value contains one",
		},
		{
			displayName: 'Input Binary Fields',
			name: 'binaryPropertyNames',
			type: 'string',
			default: '',
			placeholder: 'e.g. data, letter',
			hint: 'The names of the input fields that contain the files. None, or several separated by commas.',
		},
		simplifyParam,
		optionsWith([additionalFields]),
	],
	request: async (values, { context }, itemIndex) => {
		const { senderName, channelType: channel, brand, commonType, dateFrom } = values;
		const own = {
			senderName,
			channelType: channel,
			brand: brand || undefined,
			commonType,
			dateFrom,
		};
		const additional = toAdditional(values.options.additionalFields);
		const hints = [
			...replacedIn(additional, own),
			...unlistedIn(operator, brand),
			...unlistedIn(messageType, commonType),
		];
		for (const hint of hints) addHintOnce(context, hint);
		const fields = splitList(values.binaryPropertyNames) ?? [];
		const file = await readFiles(context, itemIndex, fields);
		return { body: { body: { ...own, ...additional }, file } };
	},
	toItems: (reply, values) => [toNameItem(reply, values)],
});

const nameFilters = filterCollection([
	{
		displayName: 'Channel',
		name: 'channel_type',
		type: 'options',
		options: channelOptions,
		allowArbitraryValues: true,
		default: 'SMS',
		description: 'Only sender names for this channel',
	},
	{
		displayName: 'Country Codes',
		name: 'country_code',
		type: 'string',
		default: '',
		placeholder: 'e.g. RU, KZ',
		description: `Only sender names for these countries. ${oneByOne}.`,
	},
]);

const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many sender names',
	description:
		'List your sender names with their statuses. It needs an API key for sender names and templates.',
	output: ShortSenderName,
	params: [returnAll, limit, nameFilters, simplifyParam],
	...listingOf(
		messaging.senderNameList,
		({ filters: { country_code, ...filters } }: ValuesOf<readonly [typeof nameFilters]>) =>
			requestsOf(filters, { country_code }),
		toNameItem,
	),
});

export const senderName: Resource = {
	value: 'senderName',
	name: 'Sender Name',
	description: 'The names that recipients see as the sender',
	operations: [getAll, create],
};
