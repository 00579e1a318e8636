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
	text?: string;
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
): { substitutions: Record<string, string>; missing: string[] } => {
	// Without a prototype: a placeholder may be called `__proto__`.
	const substitutions: Record<string, string> = Object.create(null) as Record<string, string>;
	const missing: string[] = [];
	for (const name of areGiven ? new Set([...names, ...Object.keys(values)]) : names) {
		const value = Object.hasOwn(values, name) ? values[name] : undefined;
		if (isNothing(value) && names.includes(name)) missing.push(name);
		substitutions[name] = isNothing(value) ? '' : toText(value);
	}
	return { substitutions, missing };
};

/**
 * Sorts recipients in one pass, before anything is sent: who can get the message and as which text, and who cannot and
 * why.
 */
export const sortRecipients = (rows: Iterable<Row>, rules: Rules): Sorted => {
	const accepted: Accepted[] = [];
	const rejected: Rejected[] = [];
	const seen = new Map<string, number>();
	const namesInText = findPlaceholders(rules.text ?? '');

	let position = -1;
	for (const { itemIndex, phone, country, values, areGiven, customText } of rows) {
		position++;
		const reject = (reason: RejectReason, detail: string, missing?: string[]) =>
			rejected.push({ itemIndex, position, phone, reason, detail, ...(missing && { missing }) });
		const { digits, reason } = toDigits(phone, country);
		if (digits === undefined) {
			reject('unreadableNumber', `${JSON.stringify(phone) ?? 'The number'} ${reason}`);
			continue;
		}
		const first = seen.get(digits);
		if (first !== undefined && rules.duplicates === 'first') {
			reject('duplicate', `${digits} is already a recipient (item ${first})`);
			continue;
		}
		const hasOwnText = !isNothing(customText);
		const template = hasOwnText ? customText : rules.text;
		const names = hasOwnText ? findPlaceholders(customText ?? '') : namesInText;
		const { substitutions, missing } = substitutionsFor(names, values, areGiven);
		if (missing.length > 0 && rules.missingValues !== 'empty') {
			reject(
				'missingValue',
				`There is no value for ${missing.map((name) => `{${name}}`).join(', ')}`,
				missing,
			);
			continue;
		}
		const text = template && fillPlaceholders(template, substitutions);
		if (text !== undefined && text.trim() === '') {
			reject('emptyText', 'The text is empty');
			continue;
		}
		seen.set(digits, itemIndex);
		accepted.push({
			itemIndex,
			position,
			text,
			recipient: {
				destination: digits,
				// A text of one's own overrides the other, and whether placeholders work in it is not known: it is sent whole.
				...(hasOwnText
					? { customText: text }
					: Object.keys(substitutions).length > 0 && { substitutions }),
			},
		});
	}
	return { accepted, rejected };
};

/** Every batch but the last has `size` recipients; the order is kept. */
export function* inBatches<T>(entries: readonly T[], size: number): Generator<T[]> {
	for (let start = 0; start < entries.length; start += size) {
		yield entries.slice(start, start + size);
	}
}
