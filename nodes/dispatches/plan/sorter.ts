import { toDigits } from '../../../core/recipients/phone';
import {
	cachedParser,
	fillTemplate,
	toNameList,
	toSubstitution,
	valueIn,
	type FilledText,
	type Template,
} from '../../../core/recipients/placeholders';
import { LeftBraces } from '../../shared/placeholders';
import type {
	AcceptedRecipient,
	OwnContent,
	RejectedRecipient,
	RejectReason,
	Row,
	WireRecipient,
} from './rows';
import { isBlank, isEmpty } from '../../../core/value';

export interface SortingRules {
	/** `undefined` if it isn't known, as for a dispatch that was created elsewhere, or if rows have their own texts. */
	text: string | undefined;
	/** The dispatch may have been created with a different text, so each text is sent with its recipient. */
	hasOtherText: boolean;
	missingValues: 'stop' | 'skip' | 'empty';
}

export interface Sorted {
	/** Each phone number is in it once. */
	accepted: readonly AcceptedRecipient[];
	rejected: RejectedRecipient[];
}

/** Only values for placeholders are sent: a CRM record contains more than a messaging service should know. */
const substitutionsFor = (
	names: readonly string[],
	values: object,
	{ given }: OwnContent,
): Record<string, string> | undefined => {
	const wanted = given ? [...new Set([...names, ...given])] : names;
	if (wanted.length === 0) return undefined;
	// `fromEntries` makes an own field of `__proto__` too.
	return Object.fromEntries(wanted.map((name) => [name, toSubstitution(valueIn(values, name))]));
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
	{ customText, text }: OwnContent,
	{ template, hasOtherText, parse }: Travelling,
): Template | undefined => {
	if (!isEmpty(customText)) return parse(customText);
	// The service would interpret our placeholder syntax differently, so it is never sent.
	const isOther = hasOtherText || template?.isPlain !== true || text !== template.text;
	if (!isEmpty(text) && isOther) return parse(text);
	return template?.isPlain === false ? template : undefined;
};

/**
 * An accepted recipient. Its request is computed on demand, and the row isn't kept, because there can be hundreds of thousands of
 * recipients.
 */
class AcceptedRow implements AcceptedRecipient {
	readonly itemIndex: number;

	private readonly values: object;

	private readonly own: OwnContent;

	constructor(
		private readonly travelling: Travelling,
		{ itemIndex, values, own }: Row,
		readonly position: number,
		readonly destination: string,
	) {
		this.itemIndex = itemIndex;
		this.values = values;
		this.own = own;
	}

	get recipient(): WireRecipient {
		const { travelling, values, own, destination } = this;
		const template = ownTemplate(own, travelling);
		// A custom text overrides the dispatch's text. Whether placeholders work in it isn't known, so it is sent filled in.
		if (template !== undefined) {
			return { destination, customText: fillTemplate(template, values).text };
		}
		const substitutions = substitutionsFor(travelling.template?.names ?? [], values, own);
		return substitutions === undefined ? { destination } : { destination, substitutions };
	}

	get text(): string | undefined {
		const { customText, substitutions = {} } = this.recipient;
		const { template } = this.travelling;
		return customText ?? (template && fillTemplate(template, substitutions).text);
	}
}

/**
 * Sorts recipients one by one before anything is sent: accepted recipients with their texts, and rejected ones with the reason.
 */
export class Sorter implements Sorted, Travelling {
	readonly accepted: AcceptedRow[] = [];

	readonly rejected: RejectedRecipient[] = [];

	/** The first item with each accepted phone number. */
	private readonly firstItems = new Map<string, number>();

	/** By phone number: the entry that was left out for its values, so that one person isn't counted several times. */
	private readonly leftOut = new Map<string, RejectedRecipient>();

	/** Texts with leftover braces, for a hint. */
	readonly braces = new LeftBraces();

	/** Cached, because rows often have the same text as the row before. */
	private readonly parseText = cachedParser();

	readonly parse = cachedParser();

	/** The dispatch's text. If rows have their own texts, the first accepted row's. */
	template: Template | undefined;

	readonly hasOtherText: boolean;

	/** The first text that isn't empty, from any row. */
	private firstText: string | undefined;

	private position = -1;

	constructor(private readonly rules: SortingRules) {
		this.template = rules.text === undefined ? undefined : this.parseText(rules.text);
		this.hasOtherText = rules.hasOtherText;
	}

	/**
	 * The text to create the dispatch with; `undefined` if every text is empty. A rejected recipient's text is used only if all
	 * recipients are rejected, and then nothing is created. If every text is sent with its recipient, the first recipient's
	 * filled-in text is used, because a dispatch needs a text and the service must not see our placeholder syntax.
	 */
	get text(): string | undefined {
		const { template } = this;
		if (template === undefined) return this.firstText;
		return template.isPlain ? template.text : (this.accepted.at(0)?.text ?? template.text);
	}

	add(row: Row): void {
		const { itemIndex, phone, country, own } = row;
		const { customText } = own;
		const template = this.templateOf(own);
		const position = ++this.position;
		const { digits, reason } = toDigits(phone, country);
		if (digits === undefined) {
			this.reject(row, 'unreadableNumber', `${JSON.stringify(phone) ?? 'The number'} ${reason}`);
			return;
		}
		const sent = isEmpty(customText) ? template : this.parse(customText);
		const filled = sent && fillTemplate(sent, row.values);
		const unfit = filled && this.findUnfit(filled);
		const first = this.firstItems.get(digits);
		if (first !== undefined) {
			this.reject(row, 'duplicate', `${digits} is already a recipient (item ${first + 1})`);
			return;
		}
		if (unfit) {
			this.leaveOut(digits, this.reject(row, ...unfit));
			return;
		}
		this.firstItems.set(digits, itemIndex);
		if (this.leftOut.size > 0) this.markDuplicate(this.leftOut.get(digits), digits, itemIndex);
		this.accepted.push(new AcceptedRow(this, row, position, digits));
		// A row with a custom text may have an empty text, and no dispatch can be created with an empty text.
		if (this.template === undefined && !isBlank(template?.text)) this.template = template;
		if (filled?.leavesBraces) this.braces.add(filled.text);
	}

	/** Why nobody can get this text; `undefined` if it can be sent. */
	private findUnfit({
		missing,
		text,
	}: FilledText): [RejectReason, detail: string, missing?: readonly string[]] | undefined {
		if (missing.length > 0 && this.rules.missingValues !== 'empty') {
			return ['missingValue', `There is no value for ${toNameList(missing)}`, missing];
		}
		return isBlank(text) ? ['emptyText', 'The text is empty'] : undefined;
	}

	private templateOf({ text }: OwnContent): Template | undefined {
		if (text === undefined) return this.template;
		if (this.firstText === undefined && !isBlank(text)) this.firstText = text;
		return this.parseText(text);
	}

	private reject(
		{ itemIndex, phone }: Row,
		reason: RejectReason,
		detail: string,
		missing?: readonly string[],
	): RejectedRecipient {
		const { position } = this;
		const entry = { itemIndex, position, phone, reason, detail, ...(missing && { missing }) };
		this.rejected.push(entry);
		return entry;
	}

	private leaveOut(digits: string, entry: RejectedRecipient): void {
		const first = this.leftOut.get(digits);
		if (first === undefined) this.leftOut.set(digits, entry);
		else this.markDuplicate(entry, digits, first.itemIndex);
	}

	/** A missing value that stops the run stays one: then each of them is told. */
	private markDuplicate(
		entry: RejectedRecipient | undefined,
		digits: string,
		itemIndex: number,
	): void {
		if (entry === undefined) return;
		if (entry.reason === 'missingValue' && this.rules.missingValues === 'stop') return;
		entry.reason = 'duplicate';
		entry.detail = `${digits} is also in item ${itemIndex + 1}`;
		delete entry.missing;
	}
}
