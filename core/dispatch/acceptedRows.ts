import { fillPlaceholders, findPlaceholders } from '../recipients/placeholders';
import type { Accepted, Recipients, Row, WireRecipient } from './hygiene';

export const isNothing = (value: unknown): value is undefined | null | '' =>
	value === undefined || value === null || value === '';

const toText = (value: unknown): string =>
	typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** Only own fields: `{constructor}` never reaches a prototype. */
export const valueOf = (values: Row['values'], name: string): unknown =>
	Object.hasOwn(values, name) ? values[name] : undefined;

/** Only what the text asks for is sent: a CRM record holds more than a messaging service should know. */
const substitutionsFor = (
	names: readonly string[],
	{ values, areGiven }: Row,
): Record<string, string> | undefined => {
	const wanted = areGiven ? [...new Set([...names, ...Object.keys(values)])] : names;
	if (wanted.length === 0) return undefined;
	// Without a prototype where a placeholder is called `__proto__`. Everywhere else that would cost five times the memory.
	const substitutions = (wanted.includes('__proto__') ? Object.create(null) : {}) as Record<
		string,
		string
	>;
	for (const name of wanted) {
		const value = valueOf(values, name);
		substitutions[name] = isNothing(value) ? '' : toText(value);
	}
	return substitutions;
};

/** The text of the dispatch, and the names of its placeholders. */
export interface Template {
	text: string | undefined;
	names: readonly string[];
}

/** Its text is made when somebody asks for it: with hundreds of thousands of recipients, nobody asks for most. */
class AcceptedRow implements Accepted {
	constructor(
		readonly itemIndex: number,
		readonly position: number,
		readonly recipient: WireRecipient,
		private readonly template: string | undefined,
	) {}

	get text(): string | undefined {
		const { customText, substitutions = {} } = this.recipient;
		return customText ?? (this.template && fillPlaceholders(this.template, substitutions));
	}
}

/** A row as the service gets it, once it is certain that it can. */
export const toAccepted = (
	row: Row,
	position: number,
	destination: string,
	{ text, names }: Template,
): Accepted => {
	const { itemIndex, customText } = row;
	if (!isNothing(customText)) {
		const values = substitutionsFor(findPlaceholders(customText), row) ?? {};
		// It overrides the other, and whether placeholders work in it is not known: it is sent whole.
		const recipient = { destination, customText: fillPlaceholders(customText, values) };
		return new AcceptedRow(itemIndex, position, recipient, text);
	}
	const substitutions = substitutionsFor(names, row);
	const recipient = substitutions === undefined ? { destination } : { destination, substitutions };
	return new AcceptedRow(itemIndex, position, recipient, text);
};

/**
 * Who can get the message, in a few bytes each. Everything else is read from the item again when it is sent; only a row
 * that cannot be read again is kept.
 */
export class AcceptedRows implements Recipients {
	private readonly positions: number[] = [];

	/** The phone numbers: 15 digits are exact. */
	private readonly numbers: number[] = [];

	private readonly itemIndexes: number[] = [];

	private readonly rows: Row[] = [];

	constructor(
		private readonly template: Template,
		private readonly readAgain?: (itemIndex: number) => Row,
	) {}

	get length(): number {
		return this.numbers.length;
	}

	add(row: Row, position: number, number: number): void {
		this.positions.push(position);
		this.numbers.push(number);
		if (this.readAgain) this.itemIndexes.push(row.itemIndex);
		else this.rows.push(row);
	}

	at(index: number): Accepted | undefined {
		const [position, number] = [this.positions[index], this.numbers[index]];
		if (position === undefined || number === undefined) return undefined;
		const row = this.readAgain?.(this.itemIndexes[index] as number) ?? (this.rows[index] as Row);
		return toAccepted(row, position, String(number), this.template);
	}

	*[Symbol.iterator](): Generator<Accepted> {
		for (let index = 0; index < this.length; index++) yield this.at(index) as Accepted;
	}
}
