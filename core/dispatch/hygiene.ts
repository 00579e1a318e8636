import { findPlaceholders, fillPlaceholders } from '../recipients/placeholders';
import { toDigits } from '../recipients/phone';

/** One recipient as the workflow gives it. */
export interface Row {
	itemIndex: number;
	phone: unknown;
	/** Which country a number without a country code belongs to. */
	country: string;
	/** Values by placeholder, before they are checked. */
	values: Readonly<Record<string, unknown>>;
	/** The values were given for this very message: send them all, not only those the text asks for. */
	areGiven?: boolean;
	customText?: string;
}

/** One recipient as the service gets it. */
export interface WireRecipient {
	destination: string;
	substitutions?: Record<string, string>;
	customText?: string;
}

export interface Accepted {
	itemIndex: number;
	/** Its place among all recipients, the rejected ones included. */
	position: number;
	recipient: WireRecipient;
	/** What arrives at the phone, as far as the text of the dispatch is known. */
	readonly text?: string;
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
	/** Nothing when it is not known, as for a dispatch that was created elsewhere. */
	text: string | undefined;
	duplicates: 'first' | 'all';
	missingValues: 'stop' | 'skip' | 'empty';
}

export interface Sorted {
	accepted: Accepted[];
	rejected: Rejected[];
}

const isNothing = (value: unknown) => value === undefined || value === null || value === '';

const toText = (value: unknown): string =>
	typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** Only what the text asks for is sent: a CRM record holds more than a messaging service should know. */
const substitutionsFor = (
	names: readonly string[],
	values: Readonly<Record<string, unknown>>,
	areGiven = false,
): { substitutions?: Record<string, string>; missing?: string[] } => {
	const wanted = areGiven ? [...new Set([...names, ...Object.keys(values)])] : names;
	if (wanted.length === 0) return {};
	// Without a prototype where a placeholder is called `__proto__`. Everywhere else that would cost five times the memory.
	const substitutions = (wanted.includes('__proto__') ? Object.create(null) : {}) as Record<
		string,
		string
	>;
	let missing: string[] | undefined;
	for (const name of wanted) {
		const value = Object.hasOwn(values, name) ? values[name] : undefined;
		if (isNothing(value) && names.includes(name)) (missing ??= []).push(name);
		substitutions[name] = isNothing(value) ? '' : toText(value);
	}
	return { substitutions, missing };
};

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

const isBlank = (text: string) => text.trim() === '';

/**
 * Sorts recipients one by one, before anything is sent: who can get the message and as which text, and who cannot and
 * why.
 */
export class Sorter implements Sorted {
	readonly accepted: Accepted[] = [];

	readonly rejected: Rejected[] = [];

	/** The item of each number so far. */
	private readonly seen = new Map<string, number>();

	private readonly namesInText: string[];

	/** Nothing but placeholders: the values decide. */
	private readonly mayBeBlank: boolean;

	private position = -1;

	constructor(private readonly rules: Rules) {
		const { text } = rules;
		this.namesInText = findPlaceholders(text ?? '');
		const nothing = Object.fromEntries(this.namesInText.map((name) => [name, '']));
		this.mayBeBlank = text !== undefined && isBlank(fillPlaceholders(text, nothing));
	}

	add(row: Row): void {
		const { text, duplicates, missingValues } = this.rules;
		const { itemIndex, phone, values, areGiven, customText } = row;
		const position = ++this.position;
		const { digits: destination, reason } = toDigits(phone, row.country);
		if (destination === undefined) {
			this.reject(row, 'unreadableNumber', `${JSON.stringify(phone) ?? 'The number'} ${reason}`);
			return;
		}
		const first = duplicates === 'first' ? this.seen.get(destination) : undefined;
		if (first !== undefined) {
			this.reject(row, 'duplicate', `${destination} is already a recipient (item ${first})`);
			return;
		}
		const ownText = isNothing(customText) ? undefined : customText;
		const names = ownText === undefined ? this.namesInText : findPlaceholders(ownText);
		const { substitutions, missing } = substitutionsFor(names, values, areGiven);
		if (missing !== undefined && missingValues !== 'empty') {
			const list = missing.map((name) => `{${name}}`).join(', ');
			this.reject(row, 'missingValue', `There is no value for ${list}`, missing);
			return;
		}
		const recipient: WireRecipient =
			ownText === undefined
				? substitutions === undefined
					? { destination }
					: { destination, substitutions }
				: // It overrides the other, and whether placeholders work in it is not known: it is sent whole.
					{ destination, customText: fillPlaceholders(ownText, substitutions ?? {}) };
		const accepted = new AcceptedRow(itemIndex, position, recipient, text);
		if ((ownText !== undefined || this.mayBeBlank) && isBlank(accepted.text ?? '')) {
			this.reject(row, 'emptyText', 'The text is empty');
			return;
		}
		if (duplicates === 'first') this.seen.set(destination, itemIndex);
		this.accepted.push(accepted);
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
export const sortRecipients = (rows: Iterable<Row>, rules: Rules): Sorted => {
	const sorter = new Sorter(rules);
	for (const row of rows) sorter.add(row);
	return { accepted: sorter.accepted, rejected: sorter.rejected };
};

/** Every batch but the last has `size` recipients; the order is kept. */
export function* inBatches<T>(entries: readonly T[], size: number): Generator<T[]> {
	for (let start = 0; start < entries.length; start += size) {
		yield entries.slice(start, start + size);
	}
}
