import type { IDataObject } from 'n8n-workflow';
import { toRow, valueIn, type Row } from '../../../../core/dispatch/hygiene';
import { UnfitValueError } from '../../../../core/engine/errors';
import type { Run } from '../../../../core/engine/operation';
import type { Param, ValuesOf } from '../../../../core/engine/params';
import type { Reader } from '../../../../core/engine/read';
import { isRecord } from '../../../../core/json';
import { defaultCountry } from '../../../shared/phone';

const json = 'Recipients (JSON)';
const example = `[
	{ "destination": "+7 912 345-67-89", "substitutions": { "name": "Anna" } }
]`;

/** Where the recipients come from, and whatever each of the three ways needs. */
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
				'Every input item is a recipient; items that differ only in recipient or text share a dispatch',
		},
		{ name: 'JSON', value: 'json', description: 'Give them as a JSON list' },
	],
	default: 'items',
} as const satisfies Param;

/** Read for every item: what differs from recipient to recipient. */
export const itemParams = [
	{
		displayName: 'Phone Number',
		name: 'destination',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. {{ $json.phone }}',
		displayOptions: { show: { recipients: ['items'] } },
		description: 'Drag in the field that holds the phone number, in any form people write it',
	},
	{
		displayName: 'Substitutions',
		name: 'substitutions',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'autoMapInputData', value: null },
		displayOptions: { show: { recipients: ['items'] } },
		typeOptions: {
			loadOptionsDependsOn: ['text'],
			resourceMapper: {
				resourceMapperMethod: 'getPlaceholders',
				mode: 'add',
				valuesLabel: 'Values for the Placeholders',
				fieldWords: { singular: 'placeholder', plural: 'placeholders' },
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
				noFieldsError: 'The text holds no placeholder such as {name}',
			},
		},
		description:
			'What the placeholders of the text are replaced by: fields of the item with the same name, or what you map one by one',
	},
	{
		displayName: 'Custom Text',
		name: 'customText',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Anna, your order 42 has arrived',
		displayOptions: { show: { recipients: ['items'] } },
		description:
			'Where this is not empty, the recipient gets it instead of the text of the dispatch',
	},
] as const satisfies readonly Param[];

export const listParams = [
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

type Source = 'items' | 'define' | 'json';

/** The parameter with the text of a dispatch. */
export type TextParam = Param & { readonly name: 'text'; readonly type: 'string' };

const listedRow = (entry: unknown, index: number, itemIndex: number, country: string): Row => {
	if (!isRecord(entry)) {
		throw new UnfitValueError(json, `holds no object as recipient ${index + 1}`);
	}
	const { destination, substitutions, customText } = entry;
	if (substitutions !== undefined && substitutions !== null && !isRecord(substitutions)) {
		throw new UnfitValueError(
			'Substitutions (JSON)',
			`of recipient ${index + 1} must be an object such as {"name": "Anna"}`,
		);
	}
	const values = substitutions ?? {};
	return toRow(
		{
			itemIndex,
			phone: destination,
			country,
			given: Object.keys(values),
			customText: typeof customText === 'string' ? customText : undefined,
		},
		values,
	);
};

/** Recipients that one item lists. */
export const listedRows = (
	source: Exclude<Source, 'items'>,
	{ messages, messagesJson }: ValuesOf<typeof listParams>,
	itemIndex: number,
	country: string,
): Row[] => {
	const entries = source === 'define' ? (messages.recipient ?? []) : messagesJson;
	if (!Array.isArray(entries)) {
		throw new UnfitValueError(json, 'must be a list: it starts with [ and ends with ]');
	}
	if (entries.length === 0) throw new UnfitValueError('Recipients', 'is empty. Add at least one');
	return entries.map((entry, index) => listedRow(entry, index, itemIndex, country));
};

/** How to read what a recipient is made of from an input item. */
interface ItemReader {
	phone: (itemIndex: number) => unknown;
	country: (itemIndex: number) => string;
	value: (itemIndex: number, name: string) => unknown;
	/** `undefined` where the text is the same for every item. */
	text?: (itemIndex: number) => string | undefined;
	customText: (itemIndex: number) => string | undefined;
}

/** A row that is nowhere but in its item. */
class ItemRow implements Row {
	constructor(
		private readonly read: ItemReader,
		readonly itemIndex: number,
	) {}

	get phone(): unknown {
		return this.read.phone(this.itemIndex);
	}

	get country(): string {
		return this.read.country(this.itemIndex);
	}

	get text(): string | undefined {
		return this.read.text?.(this.itemIndex);
	}

	get customText(): string | undefined {
		return this.read.customText(this.itemIndex);
	}

	value(name: string): unknown {
		return this.read.value(this.itemIndex, name);
	}
}

/** Whatever needs the expression engine is read once and kept. */
const kept = <Value>(read: Reader<Value>): ((itemIndex: number) => Value) => {
	if (read.isDirect) return read;
	const values: Value[] = [];
	return (itemIndex) => {
		if (!(itemIndex in values)) values[itemIndex] = read(itemIndex);
		return values[itemIndex] as Value;
	};
};

/** How to make a recipient of an input item, as often as somebody asks. */
export const itemRows = (
	{ items, readerOf }: Run<unknown>,
	/** The parameter with the text, where every item yields its own. */
	text?: TextParam,
): ((itemIndex: number) => Row) => {
	const [destination, substitutions, customText] = itemParams;
	// No expression can stand there: it is the same for every item.
	const isMapped = readerOf(substitutions, 'mappingMode')(0) === 'defineBelow';
	const mapping = readerOf(substitutions, 'value');
	const mapped = kept(mapping);
	/** By placeholder. */
	const mappedValues = new Map<string, (itemIndex: number) => unknown>();
	const mappedValue = (itemIndex: number, name: string) => {
		let read = mappedValues.get(name);
		if (read === undefined) {
			read = readerOf(substitutions, 'value', name);
			mappedValues.set(name, read);
		}
		return read(itemIndex);
	};
	// An item, or what a resource mapper holds: objects, by n8n's own description.
	const valueOf = (values: unknown, name: string) =>
		valueIn((values as IDataObject | null | undefined) ?? {}, name);
	const keptValue = (itemIndex: number, name: string) => valueOf(mapped(itemIndex), name);
	const ownValue = (itemIndex: number, name: string) => valueOf(items[itemIndex]?.json, name);
	const fromMapping = mapping.isDirect ? mappedValue : keptValue;
	const ownText = text && kept(readerOf(text));
	const reader: ItemReader = {
		// The number is checked with all others, not one by one: an empty one is a reject, not an error.
		phone: kept(readerOf(destination)),
		country: kept(readerOf(defaultCountry)),
		// Where an expression yields `undefined`, the text is empty: the recipient is rejected, and the others are not.
		text: ownText && ((itemIndex) => (ownText(itemIndex) as string | undefined) ?? ''),
		customText: kept(readerOf(customText)),
		value: isMapped ? fromMapping : ownValue,
	};
	return (itemIndex) => {
		// An expression that fails does so before anything is sent.
		if (isMapped && !mapping.isDirect) mapped(itemIndex);
		return new ItemRow(reader, itemIndex);
	};
};
