import type { IDataObject } from 'n8n-workflow';
import { toRow, type Row } from './recipient';
import { UnfitValueError } from '../../../../../core/engine/errors';
import type { Run } from '../../../../../core/engine/operation';
import type { ValuesOf } from '../../../../../core/engine/params';
import type { Reader } from '../../../../../core/engine/read';
import {
	customTextParam,
	destinationParam,
	jsonLabel,
	listParams,
	placeholderValuesParam,
	substitutionsParam,
	type TextParam,
} from '../params/recipients';
import { isRecord } from '../../../../../core/json';
import { valueIn } from '../../../../../core/recipients/placeholders';
import { defaultCountry } from '../../../../shared/phone';
import type { TextField } from '../../../../shared/placeholders';

export type RecipientSource = 'items' | 'define' | 'json';

const listedRow = (entry: unknown, index: number, itemIndex: number, country: string): Row => {
	if (!isRecord(entry)) {
		throw new UnfitValueError(jsonLabel, `needs an object for recipient ${index + 1}`);
	}
	const { destination, substitutions, customText } = entry;
	if (substitutions !== undefined && substitutions !== null && !isRecord(substitutions)) {
		throw new UnfitValueError(
			'Placeholder Values (JSON)',
			`needs an object such as {"name": "Anna"} for recipient ${index + 1}`,
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
	source: Exclude<RecipientSource, 'items'>,
	{ messages, messagesJson }: ValuesOf<typeof listParams>,
	itemIndex: number,
	country: string,
): Row[] => {
	const entries = source === 'define' ? (messages.recipient ?? []) : messagesJson;
	if (!Array.isArray(entries)) {
		throw new UnfitValueError(jsonLabel, 'must be a list: it starts with [ and ends with ]');
	}
	if (entries.length === 0)
		throw new UnfitValueError('Recipients', 'is empty. Add at least one recipient');
	return entries.map((entry, index) => listedRow(entry, index, itemIndex, country));
};

/** What the screen calls the text that a recipient brings along. */
export const customTextField = ({ readerOf }: Run<unknown>, source: RecipientSource): TextField => {
	const param = { items: customTextParam, define: listParams[0], json: listParams[1] }[source];
	const { displayName } = source === 'json' ? listParams[1] : customTextParam;
	return { displayName, isFixed: readerOf(param).isConstant };
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
	// No expression can stand there: it is the same for every item.
	const isMapped = readerOf(placeholderValuesParam)(0) === 'map';
	const mapping = readerOf(substitutionsParam, 'value');
	const mapped = kept(mapping);
	/** By placeholder. */
	const mappedValues = new Map<string, (itemIndex: number) => unknown>();
	const mappedValue = (itemIndex: number, name: string) => {
		let read = mappedValues.get(name);
		if (read === undefined) {
			read = readerOf(substitutionsParam, 'value', name);
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
		phone: kept(readerOf(destinationParam)),
		country: kept(readerOf(defaultCountry)),
		// Where an expression yields `undefined`, the text is empty: the recipient is rejected, and the others are not.
		text: ownText && ((itemIndex) => (ownText(itemIndex) as string | undefined) ?? ''),
		customText: kept(readerOf(customTextParam)),
		value: isMapped ? fromMapping : ownValue,
	};
	return (itemIndex) => {
		// An expression that fails does so before anything is sent.
		if (isMapped && !mapping.isDirect) mapped(itemIndex);
		return new ItemRow(reader, itemIndex);
	};
};
