import type { IDataObject } from 'n8n-workflow';
import { toRow, type Row } from './recipient';
import { UnfitValueError } from '../../../../../core/engine/errors';
import type { Run } from '../../../../../core/engine/operation';
import type { ValuesOf } from '../../../../../core/engine/params';
import { type Reader, isPlainObject } from '../../../../../core/engine/read';
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

/** The field on the screen that contains a recipient's custom text. */
export const customTextField = ({ readerOf }: Run<unknown>, source: RecipientSource): TextField => {
	const param = { items: customTextParam, define: listParams[0], json: listParams[1] }[source];
	const { displayName } = source === 'json' ? listParams[1] : customTextParam;
	return { displayName, isFixed: readerOf(param).isConstant };
};

/** Reads a recipient's values from an input item. */
interface ItemReader {
	phone: (itemIndex: number) => unknown;
	country: (itemIndex: number) => string;
	value: (itemIndex: number, name: string) => unknown;
	/** By placeholder: the fields that can be read from the item without `value`. */
	fields: ReadonlyMap<string, string>;
	/** `undefined` if the text is the same for every item. */
	text?: (itemIndex: number) => string | undefined;
	customText: (itemIndex: number) => string | undefined;
}

/** A row that reads its values from the item on each access, to save memory. */
class ItemRow implements Row {
	constructor(
		private readonly read: ItemReader,
		readonly itemIndex: number,
		private readonly json: unknown,
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

	/** Called several times for every placeholder of every recipient, so the usual case takes the shortest way. */
	value(name: string): unknown {
		const field = this.read.fields.get(name);
		return field !== undefined && isPlainObject(this.json)
			? this.json[field]
			: this.read.value(this.itemIndex, name);
	}
}

/** Caches values that need the expression engine, which is slow. */
const kept = <Value>(read: Reader<Value>): ((itemIndex: number) => Value) => {
	if (read.isDirect) return read;
	const values: Value[] = [];
	return (itemIndex) => {
		if (!(itemIndex in values)) values[itemIndex] = read(itemIndex);
		return values[itemIndex] as Value;
	};
};

/** Returns a function that creates the row for an input item. It can be called several times per item. */
export const itemRows = (
	{ items, readerOf }: Run<unknown>,
	/** The parameter with the text, if every item has its own. */
	text?: TextParam,
): ((itemIndex: number) => Row) => {
	// This parameter can't contain an expression, so it is the same for every item.
	const isMapped = readerOf(placeholderValuesParam)(0) === 'map';
	const mapping = readerOf(substitutionsParam, 'value');
	const mapped = kept(mapping);
	/** By placeholder. */
	const mappedValues = new Map<string, (itemIndex: number) => unknown>();
	const fields = new Map<string, string>();
	const mappedValue = (itemIndex: number, name: string) => {
		let read = mappedValues.get(name);
		if (read === undefined) {
			const reader = readerOf(substitutionsParam, 'value', name);
			if (reader.field !== undefined) fields.set(name, reader.field);
			read = reader;
			mappedValues.set(name, read);
		}
		return read(itemIndex);
	};
	// An item, or the value of a resource mapper: n8n's types say that both are objects.
	const valueOf = (values: unknown, name: string) =>
		valueIn((values as IDataObject | null | undefined) ?? {}, name);
	const keptValue = (itemIndex: number, name: string) => valueOf(mapped(itemIndex), name);
	const ownValue = (itemIndex: number, name: string) => valueOf(items[itemIndex]?.json, name);
	const fromMapping = mapping.isDirect ? mappedValue : keptValue;
	const ownText = text && kept(readerOf(text));
	const reader: ItemReader = {
		// The number is checked when recipients are sorted: an empty one rejects the recipient and isn't an error.
		phone: kept(readerOf(destinationParam)),
		country: kept(readerOf(defaultCountry)),
		// If an expression gives `undefined`, the text is empty and only this recipient is rejected.
		text: ownText && ((itemIndex) => (ownText(itemIndex) as string | undefined) ?? ''),
		customText: kept(readerOf(customTextParam)),
		value: isMapped ? fromMapping : ownValue,
		fields,
	};
	return (itemIndex) => {
		// Evaluated now, so that an expression that fails does so before anything is sent.
		if (isMapped && !mapping.isDirect) mapped(itemIndex);
		return new ItemRow(reader, itemIndex, items[itemIndex]?.json);
	};
};
