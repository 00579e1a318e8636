import type { z } from '../../../../../vendor/zod';
import { plainTextChannels, type MessageContent } from '../../../../../core/contract/messaging';
import { UnfitValueError } from '../../../../../core/engine/errors';
import type { Param, ValuesOf } from '../../../../../core/engine/params';
import { placeholderHelp } from '../../../../shared/placeholders';

const contentExample = '{ "contentType": "text", "text": "Hello" }';

/** What is said, for any channel. */
export const contentParams = [
	{
		displayName: 'Content',
		name: 'contentFormat',
		type: 'options',
		options: [
			{
				name: 'JSON',
				value: 'json',
				description: 'What a messenger can show beyond text, such as buttons and pictures',
			},
			{ name: 'Text', value: 'text' },
		],
		default: 'text',
		description: 'The format of the content',
	},
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		displayOptions: { show: { contentFormat: ['text'] } },
		placeholder: 'e.g. Hello {name}, your order has arrived',
		description: placeholderHelp,
	},
	{
		displayName: 'Content (JSON)',
		name: 'content',
		type: 'json',
		default: contentExample,
		displayOptions: { show: { contentFormat: ['json'] } },
		description:
			'The content object as the service describes it for the channel. SMS and Flash Call take a plain text only.',
	},
] as const satisfies readonly Param[];

type ContentValues = Partial<ValuesOf<typeof contentParams>>;

const isContentObject = (value: unknown): value is { contentType: string } =>
	typeof value === 'object' &&
	value !== null &&
	'contentType' in value &&
	typeof value.contentType === 'string';

/** A plain text for SMS and Flash Call, an object for every other channel. */
export const toContent = (
	channelType: string,
	{ contentFormat, text, content }: ContentValues,
): z.input<typeof MessageContent> => {
	const isPlain = plainTextChannels.has(channelType);
	if (contentFormat !== 'json') {
		if (!text) throw new UnfitValueError('Text', 'is empty. It is required');
		return isPlain ? text : { contentType: 'text', text };
	}
	if (isPlain && typeof content === 'string' && content !== '') return content;
	if (!isPlain && isContentObject(content)) return content;
	throw new UnfitValueError(
		'Content (JSON)',
		isPlain
			? `must be a plain text for ${channelType}. Choose Text under Content`
			: `must be an object with contentType, such as ${contentExample}`,
	);
};
