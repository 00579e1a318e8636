import { UnfitValueError } from '../../../../core/engine/coerce';
import type { Param, ValuesOf } from '../../../../core/engine/params';
import { requireDigits } from '../../shared/phone';

const json = 'Recipients (JSON)';
const example = `[
	{ "destination": "+7 912 345-67-89", "substitutions": { "name": "Anna" } }
]`;

/** Who gets a dispatch: written down one by one, or as JSON. */
export const recipientParams = [
	{
		displayName: 'Recipients',
		name: 'recipients',
		type: 'options',
		options: [
			{ name: 'Define Below', value: 'define', description: 'Enter them one by one' },
			{ name: 'JSON', value: 'json', description: 'Give them as a JSON list' },
		],
		default: 'define',
	},
	{
		displayName: 'Messages',
		name: 'messages',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Recipient',
		default: {},
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
						description: 'In any form people write it',
					},
					{
						displayName: 'Custom Text',
						name: 'customText',
						type: 'string',
						default: '',
						description: 'Sent to this recipient instead of the text of the dispatch',
					},
					{
						displayName: 'Substitutions (JSON)',
						name: 'substitutions',
						type: 'json',
						default: '',
						placeholder: 'e.g. { "name": "Anna" }',
						description: 'A value for each placeholder of the text',
					},
				],
			},
		],
	},
	{
		displayName: json,
		name: 'messagesJson',
		type: 'json',
		default: example,
		displayOptions: { show: { recipients: ['json'] } },
		description:
			'A list of objects with destination, and substitutions or customText where they are needed',
	},
] as const satisfies readonly Param[];

type Values = ValuesOf<typeof recipientParams> & { defaultCountry: string };
type Substitutions = Record<string, string | number | boolean>;

export interface Recipient {
	destination: string;
	customText?: string;
	substitutions?: Substitutions;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const toSubstitutions = (value: unknown, place: string): Substitutions | undefined => {
	if (value === undefined || value === null || value === '') return undefined;
	if (!isObject(value)) {
		throw new UnfitValueError(
			'Substitutions (JSON)',
			`of ${place} must be an object such as {"name": "Anna"}`,
		);
	}
	const entries = Object.entries(value).map(([name, given]): [string, string] => {
		if (typeof given === 'object' && given !== null) {
			throw new UnfitValueError(
				'Substitutions (JSON)',
				`of ${place} has no plain value for "${name}"`,
			);
		}
		return [name, given === null || given === undefined ? '' : String(given)];
	});
	return Object.fromEntries(entries);
};

const toRecipient = (entry: unknown, index: number, country: string): Recipient => {
	const place = `recipient ${index + 1}`;
	if (!isObject(entry)) throw new UnfitValueError(json, `holds no object as ${place}`);
	const { destination, customText, substitutions } = entry;
	return {
		destination: requireDigits(destination, country, `Phone Number of ${place}`),
		customText: typeof customText === 'string' && customText !== '' ? customText : undefined,
		substitutions: toSubstitutions(substitutions, place),
	};
};

const given = ({ recipients, messages, messagesJson }: Values): unknown[] => {
	if (recipients === 'define') return messages.recipient ?? [];
	if (Array.isArray(messagesJson)) return messagesJson;
	throw new UnfitValueError(json, 'must be a list: it starts with [ and ends with ]');
};

export const toRecipients = (values: Values): Recipient[] => {
	const entries = given(values);
	if (entries.length === 0) {
		throw new UnfitValueError('Recipients', 'is empty. Add at least one');
	}
	return entries.map((entry, index) => toRecipient(entry, index, values.defaultCountry));
};
