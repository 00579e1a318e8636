import type { MessageContent } from '../../../../../core/contract/messaging';
import { UnfitValueError, valueRequired } from '../../../../../core/engine/errors';
import type { Param, ValuesOf } from '../../../../../core/engine/params';
import { parseJson, readNumber } from '../../../../../core/engine/coerce';
import { isRecord } from '../../../../../core/json';
import type { z } from '../../../../../vendor/zod';
import { placeholderHelp } from '../../../../shared/placeholders';

/** Channels whose content is a plain string. */
const plainTextChannels: ReadonlySet<string> = new Set(['SMS', 'FLASHCALL', 'VK']);

/** The sentence that a call with a code speaks. The service recognizes it by these words. */
const voiceCodeText = (brand: string, code: string): string =>
	`Код авторизации от ${brand}: ${code}`;

export const senderName = {
	displayName: 'Sender Name',
	name: 'senderName',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. FLOWERS',
	description:
		'Your approved name. For Voice Code: voicecode. For Flash Call and VK: any name. To test SMS: sms_promo.',
} as const satisfies Param;

export const ownId = {
	displayName: 'Custom Message ID',
	name: 'externalMessageId',
	type: 'string',
	default: '',
	placeholder: 'e.g. order-1042-shipped',
	description:
		"Your reference, up to 100 characters. Running again with the same ID won't send twice. If empty, running again sends again.",
} as const satisfies Param;

const contentFieldsLabel = 'Content Fields';

const rowParams = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. text',
		description:
			"The service's name for the field. A dot separates an object from its field, as in button.caption.",
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: [
			{ name: 'JSON', value: 'json' },
			{ name: 'Number', value: 'number' },
			{ name: 'Text', value: 'text' },
			{ name: 'True or False', value: 'boolean' },
		],
		default: 'text',
		description: 'The type that the value is sent as',
	},
	{
		displayName: 'Value',
		name: 'value',
		type: 'string',
		default: '',
		description: "If 'Type' is 'Text', {name} is replaced by the item's value for that field",
	},
] as const satisfies readonly Param[];

export const contentFieldsParam = {
	displayName: contentFieldsLabel,
	name: 'contentFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: 'Add Field',
	default: {},
	displayOptions: { show: { contentFormat: ['fields'] } },
	description: 'The content in the format that the service expects for the channel, field by field',
	options: [{ displayName: 'Field', name: 'field', values: rowParams }],
} as const satisfies Param;

export type ContentRow = ValuesOf<typeof rowParams>;

const unfitContent = (complaint: string) => new UnfitValueError(contentFieldsLabel, complaint);

const parsed = (name: string, text: string): unknown => {
	const json = parseJson(text);
	if (json !== undefined) return json.value;
	throw unfitContent(`contains "${name}", which isn't valid JSON`);
};

const toValue = ({ name = '', type = 'text', value = '' }: ContentRow): unknown => {
	if (type === 'json') return parsed(name, value);
	if (type === 'boolean') {
		const plain = value.trim().toLowerCase();
		if (plain === 'true' || plain === 'false') return plain === 'true';
		throw unfitContent(`contains "${name}", which must be true or false`);
	}
	if (type === 'number') {
		const number = readNumber(value);
		// JavaScript rounds larger numbers.
		if (number !== undefined && Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number;
		throw unfitContent(`contains "${name}", which must be a number`);
	}
	return value;
};

/** Turns rows of names and values into one object; `button.url` becomes the field `url` of the object `button`. */
const toContentObject = (rows: readonly ContentRow[]): Record<string, unknown> => {
	if (rows.length === 0) throw unfitContent('is empty. Add at least one field');
	const content: Record<string, unknown> = {};
	for (const row of rows) {
		const { name = '' } = row;
		const path = name.split('.').map((part) => part.trim());
		if (path.some((part) => part === '' || part === '__proto__')) {
			throw unfitContent(`contains the field name "${name}", which isn't allowed`);
		}
		const last = path.pop() ?? '';
		let place = content;
		for (const part of path) {
			const inner = Object.hasOwn(place, part) ? place[part] : (place[part] = {});
			if (!isRecord(inner)) {
				throw unfitContent(`contains "${name}", but "${part}" already has a value`);
			}
			place = inner;
		}
		if (Object.hasOwn(place, last)) {
			throw unfitContent(`contains the field "${name}" twice`);
		}
		place[last] = toValue(row);
	}
	return content;
};

const contentExample = '{ "contentType": "text", "text": "Hello" }';

const codeLabel = 'Code';
const textLabel = 'Text';
const codeChannels = ['FLASHCALL', 'VOICECODE'];

/** The label of the text field for a channel. */
export const textLabelOf = (channelType = ''): string =>
	codeChannels.includes(channelType) ? codeLabel : textLabel;

export const messageText = {
	displayName: textLabel,
	name: 'text',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	displayOptions: { show: { contentFormat: ['text'] }, hide: { channelType: codeChannels } },
	placeholder: 'e.g. Hello {name}, your order has arrived',
	description: placeholderHelp,
} as const satisfies Param;

export const jsonParam = {
	displayName: 'Content (JSON)',
	name: 'content',
	type: 'json',
	default: contentExample,
	displayOptions: { show: { contentFormat: ['json'] } },
	description:
		'The content in the format that the service expects for the channel: an object, or text in quotation marks. It is sent as you write it.',
} as const satisfies Param;

/** Texts that only one channel has. */
export const channelTextParams = [
	{
		displayName: 'Brand',
		name: 'brand',
		type: 'string',
		default: '',
		displayOptions: { show: { contentFormat: ['text'], channelType: ['VOICECODE'] } },
		placeholder: 'e.g. Tulip',
		description: `The name that the call says: "${voiceCodeText('{brand}', '{code}')}". If empty, 'Code' is sent as the whole text.`,
	},
	{
		displayName: 'Header',
		name: 'header',
		type: 'string',
		default: '',
		displayOptions: { show: { contentFormat: ['text'], channelType: ['WHATSAPP'] } },
		placeholder: 'e.g. Your order',
		description: 'A line above the text',
	},
	{
		displayName: 'Footer',
		name: 'footer',
		type: 'string',
		default: '',
		displayOptions: { show: { contentFormat: ['text'], channelType: ['WHATSAPP'] } },
		placeholder: 'e.g. Open 9 to 18',
		description: 'A line below the text',
	},
] as const satisfies readonly Param[];

const contentFormatParam = {
	displayName: 'Content',
	name: 'contentFormat',
	type: 'options',
	options: [
		{
			name: 'Fields',
			value: 'fields',
			description: 'Names and values, for example for a picture or a button',
		},
		{
			name: 'JSON',
			value: 'json',
			description: 'For content beyond text, such as buttons and pictures',
		},
		{ name: 'Text', value: 'text' },
	],
	default: 'text',
	description: 'How you enter the content',
} as const satisfies Param;

const codeText = {
	displayName: codeLabel,
	name: 'text',
	type: 'string',
	default: '',
	required: true,
	displayOptions: { show: { contentFormat: ['text'], channelType: codeChannels } },
	placeholder: 'e.g. 4821',
	description:
		"The digits that the person must enter, usually four. A Flash Call's phone number ends with them, a Voice Code speaks them.",
} as const satisfies Param;

const otherContentParams = [
	...channelTextParams,
	jsonParam,
	contentFieldsParam,
	{
		displayName:
			"Your provider must enable WhatsApp first. Within 24 hours after the recipient's last reply, you can send any text. Otherwise the text must match a registered template.",
		name: 'whatsAppNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { channelType: ['WHATSAPP'] } },
	},
] as const satisfies readonly Param[];

export const contentParams = [
	contentFormatParam,
	messageText,
	codeText,
	...otherContentParams,
] as const satisfies readonly Param[];

/** n8n's tool for human review replaces a parameter of this name by its own. */
export const awaitedText = { ...messageText, name: 'message' } as const satisfies Param;

/** The same for an operation that waits. */
export const awaitedContentParams = [
	contentFormatParam,
	awaitedText,
	{ ...codeText, name: awaitedText.name },
	...otherContentParams,
] as const satisfies readonly Param[];

/** The text in a content that `toContent` made; `undefined` if it has none. */
export const writtenText = (content: unknown): string | undefined => {
	const text = isRecord(content) ? content.text : content;
	return typeof text === 'string' ? text : undefined;
};

type ContentValues = Partial<ValuesOf<typeof contentParams>>;

type Content = z.input<typeof MessageContent>;

/** How a channel's texts are sent, if it isn't only a text. */
const contentByChannel: Readonly<
	Record<string, (text: string, others: ContentValues) => Record<string, unknown>>
> = {
	VOICECODE: (text, { brand }) => ({ text: brand ? voiceCodeText(brand, text) : text }),
	WHATSAPP: (text, { header, footer }) => ({
		text,
		...(header && { header: { text: header } }),
		...(footer && { footer: { text: footer } }),
	}),
};

/** A text stays plain for some channels and becomes an object for every other channel. JSON is sent as it is. */
export const toContent = (channelType: string, values: ContentValues): Content => {
	const { contentFormat, text, content, contentFields } = values;
	if (contentFormat === 'fields') return toContentObject(contentFields?.field ?? []);
	if (contentFormat !== 'json') {
		if (!text) throw new UnfitValueError(textLabelOf(channelType), valueRequired);
		if (plainTextChannels.has(channelType)) return text;
		return { contentType: 'text', ...(contentByChannel[channelType]?.(text, values) ?? { text }) };
	}
	if (isRecord(content) || (typeof content === 'string' && content !== '')) return content;
	throw new UnfitValueError(jsonParam.displayName, `must be an object, such as ${contentExample}`);
};
