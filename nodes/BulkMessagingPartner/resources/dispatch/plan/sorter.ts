import { NumberMap } from '../../../../../core/recipients/numberMap';
import { toDigits } from '../../../../../core/recipients/phone';
import { findPlaceholders } from '../../../../../core/recipients/placeholders';
import {
	AcceptedRows,
	isBlank,
	isNothing,
	textFor,
	toRecipient,
	toTemplate,
	type Template,
} from './acceptedRows';

/** What a recipient is told, as the workflow gives it. */
export interface Content {
	/** The value of a placeholder, before it is checked. */
	value(name: string): unknown;
	/** Values that were given for this very message: they are all sent, not only those the text asks for. */
	readonly given?: readonly string[];
	/** This recipient's text, where each item yields its own. */
	readonly text?: string;
	/** Overrides every other text. */
	readonly customText?: string;
}

/** One recipient as the workflow gives it. */
export interface Row extends Content {
	readonly itemIndex: number;
	readonly phone: unknown;
	/** Which country a number without a country code belongs to. */
	readonly country: string;
}

/** Only own fields: `{constructor}` never reaches a prototype. */
export const valueIn = (values: object, name: string): unknown =>
	Object.hasOwn(values, name) ? (values as Record<string, unknown>)[name] : undefined;

/** A row whose values lie ready. */
export const toRow = (row: Omit<Row, 'value'>, values: object): Row => ({
	...row,
	value: (name) => valueIn(values, name),
});

/** One recipient as the service gets it. */
export interface WireRecipient {
	destination: string;
	substitutions?: Record<string, string>;
	customText?: string;
}

export interface Accepted {
	readonly itemIndex: number;
	/** Its place among all recipients, the rejected ones included. */
	readonly position: number;
	readonly destination: string;
	/** Made anew every time: nobody keeps it. */
	readonly recipient: WireRecipient;
	/** What arrives at the phone, as far as the text of the dispatch is known. */
	readonly text?: string;
}

/** Who can get the message, to be read as often as needed; an array will do too. */
export interface Recipients extends Iterable<Accepted> {
	readonly length: number;
	at(index: number): Accepted | undefined;
}

/** What is wrong with a recipient, each with a count in the summary. */
export const rejectReasons = [
	'unreadableNumber',
	'duplicate',
	'missingValue',
	'emptyText',
] as const;
export type RejectReason = (typeof rejectReasons)[number];

export interface Rejected {
	itemIndex: number;
	position: number;
	/** As it was given. */
	phone: unknown;
	/** Placeholders without a value. */
	missing?: string[];
	reason: RejectReason;
	/** The same in words, with the value or the name it is about. */
	detail: string;
}

export interface Rules {
	/** `undefined` when it is not known, as for a dispatch that was created elsewhere, and when rows bring their own. */
	text: string | undefined;
	/** The dispatch may have been created with another text than the rows bring: each text is sent with its recipient. */
	mayHaveOtherText?: boolean;
	duplicates: 'first' | 'all';
	missingValues: 'stop' | 'skip' | 'empty';
}

export interface Sorted {
	accepted: Recipients;
	rejected: Rejected[];
}

/**
 * Sorts recipients one by one, before anything is sent: who can get the message and as which text, and who cannot and
 * why.
 */
export class Sorter implements Sorted {
	readonly accepted: AcceptedRows;

	readonly rejected: Rejected[] = [];

	/** The item of each number so far. */
	private readonly seen = new NumberMap();

	private readonly shared: Template;

	/** The previous row's: the next row often has the same text. */
	private own: Template;

	/** The first text that is not empty, of any row. */
	private firstText: string | undefined;

	private position = -1;

	constructor(
		private readonly rules: Rules,
		/** How to get the content of a row again, where that is cheap: then it need not be kept. */
		readAgain?: (itemIndex: number) => Content,
	) {
		this.shared = toTemplate(rules.text);
		this.own = this.shared;
		this.accepted = new AcceptedRows(this.shared, rules.mayHaveOtherText ?? false, readAgain);
	}

	/**
	 * The text to create the dispatch with; `undefined` when every text is empty. A rejected recipient's text is used only
	 * when all are rejected: then nothing is created.
	 */
	get text(): string | undefined {
		return this.accepted.template.text ?? this.firstText;
	}

	add(row: Row): void {
		const { duplicates, missingValues } = this.rules;
		const { itemIndex, phone, country, customText } = row;
		const template = this.templateOf(row);
		const position = ++this.position;
		const { digits, reason } = toDigits(phone, country);
		if (digits === undefined) {
			this.reject(row, 'unreadableNumber', `${JSON.stringify(phone) ?? 'The number'} ${reason}`);
			return;
		}
		const number = Number(digits);
		const first = duplicates === 'first' ? this.seen.get(number) : undefined;
		if (first !== undefined) {
			this.reject(row, 'duplicate', `${digits} is already a recipient (item ${first})`);
			return;
		}
		const hasOwnText = !isNothing(customText);
		const names = hasOwnText ? findPlaceholders(customText) : template.names;
		const isMissing = (name: string) => isNothing(row.value(name));
		if (missingValues !== 'empty' && names.some(isMissing)) {
			const missing = names.filter(isMissing);
			const list = missing.map((name) => `{${name}}`).join(', ');
			this.reject(row, 'missingValue', `There is no value for ${list}`, missing);
			return;
		}
		if (
			(hasOwnText || template.mayBeBlank) &&
			isBlank(textFor(toRecipient(row, digits, template), template) ?? '')
		) {
			this.reject(row, 'emptyText', 'The text is empty');
			return;
		}
		if (duplicates === 'first') this.seen.set(number, itemIndex);
		this.accepted.add(row, position, number, template);
	}

	private templateOf({ text }: Row): Template {
		if (text === undefined) return this.shared;
		if (this.own.text !== text) this.own = toTemplate(text);
		if (this.firstText === undefined && !isBlank(text)) this.firstText = text;
		return this.own;
	}

	private reject(
		{ itemIndex, phone }: Row,
		reason: RejectReason,
		detail: string,
		missing?: string[],
	): void {
		const { position } = this;
		this.rejected.push({ itemIndex, position, phone, reason, detail, ...(missing && { missing }) });
	}
}

/** The same for all of them. */
export const sortRecipients = (
	rows: Iterable<Row>,
	rules: Rules,
): { accepted: Accepted[]; rejected: Rejected[] } => {
	const sorter = new Sorter(rules);
	for (const row of rows) sorter.add(row);
	return { accepted: [...sorter.accepted], rejected: sorter.rejected };
};

/** Every batch but the last has `size` recipients; the order is kept. */
export function* inBatches<T>(entries: Iterable<T>, size: number): Generator<T[]> {
	let batch: T[] = [];
	for (const entry of entries) {
		batch.push(entry);
		if (batch.length < size) continue;
		yield batch;
		batch = [];
	}
	if (batch.length > 0) yield batch;
}
