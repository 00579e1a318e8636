import { NumberMap } from '../../../../../core/recipients/numberMap';
import { toDigits } from '../../../../../core/recipients/phone';
import {
	cachedParser,
	fillTemplate,
	inspectValues,
	isBlank,
	isNothing,
	missingIn,
	toNameList,
	type Template,
} from '../../../../../core/recipients/placeholders';
import { LeftBraces } from '../../../../shared/leftBraces';
import { AcceptedRows } from './acceptedRows';
import type {
	RecipientContent,
	Recipients,
	RejectedRecipient,
	RejectReason,
	Row,
} from './recipient';

export interface SortingRules {
	/** `undefined` if it isn't known, as for a dispatch that was created elsewhere, or if rows have their own texts. */
	text: string | undefined;
	/** The dispatch may have been created with a different text, so each text is sent with its recipient. */
	hasOtherText: boolean;
	duplicates: 'first' | 'all';
	missingValues: 'stop' | 'skip' | 'empty';
}

export interface Sorted {
	accepted: Recipients;
	rejected: RejectedRecipient[];
}

/** Like `Number`, which takes three times as long for more digits than a small integer has. */
const toExactNumber = (digits: string): number => {
	let number = 0;
	for (let index = 0; index < digits.length; index++) {
		number = 10 * number + (digits.charCodeAt(index) - 48);
	}
	return number;
};

/**
 * Sorts recipients one by one before anything is sent: accepted recipients with their texts, and rejected ones with the reason.
 */
export class Sorter implements Sorted {
	readonly accepted: AcceptedRows;

	readonly rejected: RejectedRecipient[] = [];

	/** The item index of each phone number so far. */
	private readonly seen = new NumberMap();

	/** Texts with leftover braces, for a hint. */
	readonly braces = new LeftBraces();

	/** Cached, because rows often have the same text as the row before. */
	private readonly parseText = cachedParser();

	private readonly parseCustomText = cachedParser();

	private readonly shared: Template | undefined;

	/** The first text that isn't empty, from any row. */
	private firstText: string | undefined;

	private position = -1;

	constructor(
		private readonly rules: SortingRules,
		/** Reads a row's content again. If set, the content isn't kept in memory. */
		readAgain?: (itemIndex: number) => RecipientContent,
	) {
		this.shared = rules.text === undefined ? undefined : this.parseText(rules.text);
		this.accepted = new AcceptedRows(this.shared, rules.hasOtherText, readAgain);
	}

	/**
	 * The text to create the dispatch with; `undefined` if every text is empty. A rejected recipient's text is used only if all
	 * recipients are rejected, and then nothing is created. If every text is sent with its recipient, the first recipient's
	 * filled-in text is used, because a dispatch needs a text and the service must not see our placeholder syntax.
	 */
	get text(): string | undefined {
		const { template } = this.accepted;
		if (template === undefined) return this.firstText;
		return template.isPlain ? template.text : (this.accepted.at(0)?.text ?? template.text);
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
		const number = toExactNumber(digits);
		const first = duplicates === 'first' ? this.seen.get(number) : undefined;
		if (first !== undefined) {
			this.reject(row, 'duplicate', `${digits} is already a recipient (item ${first + 1})`);
			return;
		}
		const sent = isNothing(customText) ? template : this.parseCustomText(customText);
		const rejectsMissing = missingValues !== 'empty';
		const found = sent && inspectValues(sent, row, rejectsMissing);
		if (sent !== undefined && rejectsMissing && found?.isMissing) {
			const missing = missingIn(sent, row);
			this.reject(row, 'missingValue', `There is no value for ${toNameList(missing)}`, missing);
			return;
		}
		if (sent?.mayBeBlank && isBlank(fillTemplate(sent, row))) {
			this.reject(row, 'emptyText', 'The text is empty');
			return;
		}
		if (duplicates === 'first') this.seen.set(number, itemIndex);
		this.accepted.add(row, position, number, template);
		if (sent !== undefined && found?.leavesBraces) this.braces.add(fillTemplate(sent, row));
	}

	private templateOf({ text }: Row): Template | undefined {
		if (text === undefined) return this.shared;
		if (this.firstText === undefined && !isBlank(text)) this.firstText = text;
		return this.parseText(text);
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
