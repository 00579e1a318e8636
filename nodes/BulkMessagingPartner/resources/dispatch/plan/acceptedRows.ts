import { NumberList } from '../../../../../core/recipients/numberList';
import { fillPlaceholders, findPlaceholders } from '../../../../../core/recipients/placeholders';
import type {
	AcceptedRecipient,
	RecipientContent,
	Recipients,
	Row,
	WireRecipient,
} from './recipient';

export const isNothing = (value: unknown): value is undefined | null | '' =>
	value === undefined || value === null || value === '';

export const isBlank = (text: string): boolean => text.trim() === '';

const toSubstitution = (value: unknown): string =>
	typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

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
	for (const name of wanted) {
		const value = content.value(name);
		substitutions[name] = isNothing(value) ? '' : toSubstitution(value);
	}
	return substitutions;
};

/** A text as it is written, and the names of its placeholders. */
export interface Template {
	text: string | undefined;
	names: readonly string[];
	/** Nothing but placeholders: the values decide. */
	mayBeBlank: boolean;
}

export const toTemplate = (text: string | undefined): Template => {
	if (text === undefined) return { text, names: [], mayBeBlank: false };
	const names = findPlaceholders(text);
	const nothing = Object.fromEntries(names.map((name) => [name, '']));
	return { text, names, mayBeBlank: isBlank(fillPlaceholders(text, nothing)) };
};

/** A row as the service gets it, once it is certain that it can. */
export const toRecipient = (
	content: RecipientContent,
	destination: string,
	{ text, names }: Template,
	/** The dispatch may have been created with another text. */
	mayHaveOtherText = false,
): WireRecipient => {
	const { customText } = content;
	const isOther = mayHaveOtherText || content.text !== text;
	const whole = isNothing(customText) && isOther ? content.text : customText;
	if (!isNothing(whole)) {
		const values = substitutionsFor(findPlaceholders(whole), content) ?? {};
		// It overrides the other, and whether placeholders work in it is not known: it is sent whole.
		return { destination, customText: fillPlaceholders(whole, values) };
	}
	const substitutions = substitutionsFor(names, content);
	return substitutions === undefined ? { destination } : { destination, substitutions };
};

export const textFor = (
	{ customText, substitutions = {} }: WireRecipient,
	{ text }: Template,
): string | undefined => customText ?? (text && fillPlaceholders(text, substitutions));

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
		return toRecipient(content, destination, rows.template, rows.mayHaveOtherText);
	}

	get text(): string | undefined {
		return textFor(this.recipient, this.rows.template);
	}
}

/**
 * Who can get the message, in a few bytes each. Everything else is read from the item again when it is sent; only what
 * cannot be read again is kept.
 */
export class AcceptedRows implements Recipients {
	readonly positions = new NumberList();

	/** The phone numbers: 15 digits are exact. */
	readonly numbers = new NumberList();

	readonly itemIndexes = new NumberList();

	readonly contents: RecipientContent[] = [];

	constructor(
		/** The text of the dispatch. Where rows bring their own, the first accepted row's. */
		public template: Template,
		readonly mayHaveOtherText: boolean,
		readonly readAgain?: (itemIndex: number) => RecipientContent,
	) {}

	get length(): number {
		return this.numbers.length;
	}

	add(row: Row, position: number, number: number, template: Template): void {
		this.positions.push(position);
		this.numbers.push(number);
		this.itemIndexes.push(row.itemIndex);
		if (this.readAgain === undefined) this.contents.push(row);
		// A row with a custom text may have an empty one: no dispatch can be created with that.
		if (this.template.text === undefined && !isBlank(template.text ?? '')) this.template = template;
	}

	at(index: number): AcceptedRecipient | undefined {
		return index < this.length ? new AcceptedRow(this, index) : undefined;
	}

	*[Symbol.iterator](): Generator<AcceptedRecipient> {
		for (let index = 0; index < this.length; index++) yield new AcceptedRow(this, index);
	}
}
