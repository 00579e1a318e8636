import type { Param } from '../../../core/engine/params';
import { phoneNumber } from '../../shared/phone';

export const jsonLabel = 'Recipients (JSON)';
/** The number doesn't exist, so an unchanged example reaches nobody. */
const recipientsExample = `[
	{ "destination": "+7 000 000-00-00", "substitutions": { "name": "Anna" } }
]`;

/** Where the recipients come from. */
export const sourceParam = {
	displayName: 'Recipients',
	name: 'recipients',
	type: 'options',
	options: [
		{ name: 'Define Below', value: 'define', description: 'Enter them one by one' },
		{
			name: 'From Input Items',
			value: 'items',
			description:
				'Each input item is a recipient. Items that differ only in recipient or text share a dispatch.',
		},
		{ name: 'JSON', value: 'json', description: 'Enter them as a JSON list' },
	],
	default: 'items',
} as const satisfies Param;

export const destinationParam = {
	...phoneNumber,
	displayOptions: { show: { recipients: ['items'] } },
	description: 'Drag in the field that contains the phone number, in any common format',
} as const satisfies Param;

export const listParams = [
	{
		displayName: 'Recipient List',
		name: 'messages',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Recipient',
		default: {},
		description:
			'Everyone who gets the message, with a custom text or placeholder values if needed',
		displayOptions: { show: { recipients: ['define'] } },
		options: [
			{
				displayName: 'Recipient',
				name: 'recipient',
				values: [
					{
						displayName: 'Phone Number',
						name: 'destination',
						type: 'string',
						default: '',
						placeholder: 'e.g. +7 912 345-67-89',
						description: 'In any common format',
					},
					{
						displayName: 'Custom Text',
						name: 'customText',
						type: 'string',
						default: '',
						description: "Sent to this recipient instead of the dispatch's text",
					},
					{
						displayName: 'Placeholder Values (JSON)',
						name: 'substitutions',
						type: 'json',
						default: '',
						placeholder: 'e.g. { "name": "Anna" }',
						description: 'A value for each placeholder in the text',
					},
				],
			},
		],
	},
	{
		displayName: jsonLabel,
		name: 'messagesJson',
		type: 'json',
		default: recipientsExample,
		displayOptions: { show: { recipients: ['json'] } },
		description:
			'A list of objects with "destination" and, if needed, "substitutions" or "customText"',
	},
] as const satisfies readonly Param[];

/** The parameter that contains the dispatch's text. */
export type TextParam = Param & { readonly name: 'text'; readonly type: 'string' };

/** Who gets the message. */
export const whomParams = [sourceParam, destinationParam, ...listParams] as const;
