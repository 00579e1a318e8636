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
import type {
	RecipientContent,
	Recipients,
	RejectedRecipient,
	RejectReason,
	Row,
} from './recipient';

export interface SortingRules {
	/** `undefined` when it is not known, as for a dispatch that was created elsewhere, and when rows bring their own. */
	text: string | undefined;
	/** The dispatch may have been created with another text than the rows bring: each text is sent with its recipient. */
	mayHaveOtherText?: boolean;
	duplicates: 'first' | 'all';
	missingValues: 'stop' | 'skip' | 'empty';
}

export interface Sorted {
	accepted: Recipients;
	rejected: RejectedRecipient[];
}

/**
 * Sorts recipients one by one, before anything is sent: who can get the message and as which text, and who cannot and
 * why.
 */
export class Sorter implements Sorted {
	readonly accepted: AcceptedRows;

	readonly rejected: RejectedRecipient[] = [];

	/** The item of each number so far. */
	private readonly seen = new NumberMap();

	private readonly shared: Template;

	/** The previous row's: the next row often has the same text. */
	private own: Template;

	/** The first text that is not empty, of any row. */
	private firstText: string | undefined;

	private position = -1;

	constructor(
		private readonly rules: SortingRules,
		/** How to get the content of a row again, where that is cheap: then it need not be kept. */
		readAgain?: (itemIndex: number) => RecipientContent,
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
			this.reject(row, 'duplicate', `${digits} is already a recipient (item ${first + 1})`);
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
