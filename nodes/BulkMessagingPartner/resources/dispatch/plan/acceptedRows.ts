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

/** Only what the text asks for is sent: a CRM record holds more than a messaging service should know. */
const substitutionsFor = (
	names: readonly string[],
	content: RecipientContent,
): Record<string, string> | undefined => {
	const { given } = content;
	const wanted = given ? [...new Set([...names, ...given])] : names;
	if (wanted.length === 0) return undefined;
	// Without a prototype where a placeholder is called `__proto__`. Everywhere else that would cost five times the memory.
	const substitutions = (wanted.includes('__proto__') ? Object.create(null) : {}) as Record<
		string,
		string
	>;
	for (const name of wanted) substitutions[name] = toSubstitution(content.value(name));
	return substitutions;
};

/** How the rows of one dispatch travel. */
interface Travelling {
	/** The text of the dispatch; `undefined` while it is not known. */
	template: Template | undefined;
	/** The dispatch may have been created with another text. */
	mayHaveOtherText: boolean;
	/** The dispatch exists, and nobody knows its text: every text travels whole. */
	isContinued: boolean;
	parse: (text: string) => Template;
}

/** The text that travels whole with its recipient; `undefined` where the text of the dispatch and its values will do. */
const ownTemplate = (
	{ customText, text }: RecipientContent,
	{ template, mayHaveOtherText, isContinued, parse }: Travelling,
): Template | undefined => {
	if (!isNothing(customText)) return parse(customText);
	// The service would read our syntax in its own way, so it never sees it.
	const isOther = mayHaveOtherText || template?.isPlain !== true || text !== template.text;
	if (!isNothing(text) && isOther) return parse(text);
	return isContinued || template?.isPlain === false ? template : undefined;
};

/** A row as the service gets it, once it is certain that it can. */
const toRecipient = (
	content: RecipientContent,
	destination: string,
	travelling: Travelling,
): WireRecipient => {
	const own = ownTemplate(content, travelling);
	// It overrides the other, and whether placeholders work in it is not known: it is sent whole.
	if (own !== undefined) return { destination, customText: fillTemplate(own, content) };
	const substitutions = substitutionsFor(travelling.template?.names ?? [], content);
	return substitutions === undefined ? { destination } : { destination, substitutions };
};

const finalText = (
	{ customText, substitutions = {} }: WireRecipient,
	{ template }: Travelling,
): string | undefined =>
	customText ?? (template && fillTemplate(template, valuesIn(substitutions)));

/** Where to find a recipient. Everything about it is made when somebody asks: there are hundreds of thousands of them. */
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

	/** Asked for twice, when it is sent and when the answer comes: a number is slow to write. */
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
 * Who can get the message, in a few bytes each. Everything else is read from the item again when it is sent; only what
 * cannot be read again is kept.
 */
export class AcceptedRows implements Recipients, Travelling {
	readonly positions = new NumberList();

	/** The phone numbers: 15 digits are exact. */
	readonly numbers = new NumberList();

	readonly itemIndexes = new NumberList();

	readonly contents: RecipientContent[] = [];

	isContinued = false;

	readonly parse = cachedParser();

	constructor(
		/** The text of the dispatch. Where rows bring their own, the first accepted row's. */
		public template: Template | undefined,
		readonly mayHaveOtherText: boolean,
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
		// A row with a custom text may have an empty one: no dispatch can be created with that.
		if (this.template === undefined && !isBlank(template?.text ?? '')) this.template = template;
	}

	at(index: number): AcceptedRecipient | undefined {
		return index < this.length ? new AcceptedRow(this, index) : undefined;
	}

	*[Symbol.iterator](): Generator<AcceptedRecipient> {
		for (let index = 0; index < this.length; index++) yield new AcceptedRow(this, index);
	}
}
