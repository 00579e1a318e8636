import type { z } from '../../../../../vendor/zod';
import { plainTextChannels, type MessageContent } from '../../../../../core/contract/messaging';
import { UnfitValueError } from '../../../../../core/engine/errors';
import type { Param, ValuesOf } from '../../../../../core/engine/params';
import { isRecord } from '../../../../../core/json';
import { contentFieldsParam, toContentObject } from './contentFields';
import { placeholderHelp } from '../../../../shared/placeholders';

const contentExample = '{ "contentType": "text", "text": "Hello" }';

const codeLabel = 'Code';
const textLabel = 'Text';

/** The label of the text field for a channel. */
export const textLabelOf = (channelType: string | undefined): string =>
	channelType === 'FLASHCALL' ? codeLabel : textLabel;

export const contentParams = [
	{
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
	},
	{
		displayName: textLabel,
		name: 'text',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		displayOptions: { show: { contentFormat: ['text'] }, hide: { channelType: ['FLASHCALL'] } },
		placeholder: 'e.g. Hello {name}, your order has arrived',
		description: placeholderHelp,
	},
	{
		displayName: codeLabel,
		name: 'text',
		type: 'string',
		default: '',
		required: true,
		displayOptions: { show: { contentFormat: ['text'], channelType: ['FLASHCALL'] } },
		placeholder: 'e.g. 4821',
		description:
			'The digits that the person must enter, usually four. They are the last digits of the calling number.',
	},
	{
		displayName: 'Content (JSON)',
		name: 'content',
		type: 'json',
		default: contentExample,
		displayOptions: { show: { contentFormat: ['json'] } },
		description:
			'The content in the format that the service expects for the channel: an object, or text in quotation marks. It is sent as you write it.',
	},
	contentFieldsParam,
] as const satisfies readonly Param[];

type ContentValues = Partial<ValuesOf<typeof contentParams>>;

/** A text stays plain for SMS and Flash Call and becomes an object for every other channel. JSON is sent as it is. */
export const toContent = (
	channelType: string,
	{ contentFormat, text, content, contentFields }: ContentValues,
): z.input<typeof MessageContent> => {
	if (contentFormat === 'fields') return toContentObject(contentFields?.field ?? []);
	if (contentFormat !== 'json') {
		if (!text) throw new UnfitValueError(textLabelOf(channelType), 'is empty. It is required');
		return plainTextChannels.has(channelType) ? text : { contentType: 'text', text };
	}
	if (isRecord(content) || (typeof content === 'string' && content !== '')) return content;
	throw new UnfitValueError('Content (JSON)', `must be an object, such as ${contentExample}`);
};
