import { NumberList } from '../../../../../core/recipients/numberList';
import {
	cachedParser,
	fillTemplate,
	isBlank,
	isNothing,
	toSubstitution,
	valuesIn,
	type Template,
} from '../../../../../core/recipients/placeholders';
import type {
	AcceptedRecipient,
	RecipientContent,
	Recipients,
	Row,
	WireRecipient,
} from './recipient';

/** Only values for placeholders are sent: a CRM record contains more than a messaging service should know. */
const substitutionsFor = (
	names: readonly string[],
	content: RecipientContent,
): Record<string, string> | undefined => {
	const { given } = content;
	const wanted = given ? [...new Set([...names, ...given])] : names;
	if (wanted.length === 0) return undefined;
	// An object without a prototype only if a placeholder is called `__proto__`: it needs five times the memory.
	const substitutions = (wanted.includes('__proto__') ? Object.create(null) : {}) as Record<
		string,
		string
	>;
	for (const name of wanted) substitutions[name] = toSubstitution(content.value(name));
	return substitutions;
};

/** What determines how the rows of one dispatch are sent. */
interface Travelling {
	/** The dispatch's text; `undefined` while it isn't known. */
	template: Template | undefined;
	/** The dispatch may have been created with a different text. */
	hasOtherText: boolean;
	parse: (text: string) => Template;
}

/** The text that is sent in full with the recipient; `undefined` if the dispatch's text and the placeholder values are enough. */
const ownTemplate = (
	{ customText, text }: RecipientContent,
	{ template, hasOtherText, parse }: Travelling,
): Template | undefined => {
	if (!isNothing(customText)) return parse(customText);
	// The service would interpret our placeholder syntax differently, so it is never sent.
	const isOther = hasOtherText || template?.isPlain !== true || text !== template.text;
	if (!isNothing(text) && isOther) return parse(text);
	return template?.isPlain === false ? template : undefined;
};

/** An accepted row as the service gets it. */
const toRecipient = (
	content: RecipientContent,
	destination: string,
	travelling: Travelling,
): WireRecipient => {
	const own = ownTemplate(content, travelling);
	// A custom text overrides the dispatch's text. Whether placeholders work in it isn't known, so it is sent filled in.
	if (own !== undefined) return { destination, customText: fillTemplate(own, content) };
	const substitutions = substitutionsFor(travelling.template?.names ?? [], content);
	return substitutions === undefined ? { destination } : { destination, substitutions };
};

const finalText = (
	{ customText, substitutions = {} }: WireRecipient,
	{ template }: Travelling,
): string | undefined =>
	customText ?? (template && fillTemplate(template, valuesIn(substitutions)));

/** A reference to one recipient. Its values are computed on demand to save memory: there can be hundreds of thousands. */
class AcceptedRow implements AcceptedRecipient {
	constructor(
		private readonly rows: AcceptedRows,
		private readonly index: number,
	) {}

	get itemIndex(): number {
		return this.rows.itemIndexes.at(this.index) as number;
	}

	get position(): number {
		return this.rows.positions.at(this.index) as number;
	}

	private digits: string | undefined;

	/** Cached, because converting a number is slow and this is read twice: for the request and for the response. */
	get destination(): string {
		return (this.digits ??= String(this.rows.numbers.at(this.index)));
	}

	get recipient(): WireRecipient {
		const { rows, index, itemIndex, destination } = this;
		const content = rows.readAgain?.(itemIndex) ?? (rows.contents[index] as RecipientContent);
		return toRecipient(content, destination, rows);
	}

	get text(): string | undefined {
		return finalText(this.recipient, this.rows);
	}
}

/**
 * The accepted recipients, in a few bytes each. Their content is read from the item again when it is sent, and kept only if it
 * can't be read again.
 */
export class AcceptedRows implements Recipients, Travelling {
	readonly positions = new NumberList();

	/** The phone numbers. A number stores up to 15 digits exactly. */
	readonly numbers = new NumberList();

	readonly itemIndexes = new NumberList();

	readonly contents: RecipientContent[] = [];

	readonly parse = cachedParser();

	constructor(
		/** The dispatch's text. If rows have their own texts, the first accepted row's. */
		public template: Template | undefined,
		readonly hasOtherText: boolean,
		readonly readAgain?: (itemIndex: number) => RecipientContent,
	) {}

	get length(): number {
		return this.numbers.length;
	}

	add(row: Row, position: number, number: number, template: Template | undefined): void {
		this.positions.push(position);
		this.numbers.push(number);
		this.itemIndexes.push(row.itemIndex);
		if (this.readAgain === undefined) this.contents.push(row);
		// A row with a custom text may have an empty text, and no dispatch can be created with an empty text.
		if (this.template === undefined && !isBlank(template?.text ?? '')) this.template = template;
	}

	at(index: number): AcceptedRecipient | undefined {
		return index < this.length ? new AcceptedRow(this, index) : undefined;
	}

	*[Symbol.iterator](): Generator<AcceptedRecipient> {
		for (let index = 0; index < this.length; index++) yield new AcceptedRow(this, index);
	}
}
