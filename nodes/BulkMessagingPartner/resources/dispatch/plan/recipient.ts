import { valueIn, type ValueSource } from '../../../../../core/recipients/placeholders';

/** What a recipient is told, as the workflow gives it. Its values are not checked yet. */
export interface RecipientContent extends ValueSource {
	/** Values that were given for this very message: they are all sent, not only those the text asks for. */
	readonly given?: readonly string[];
	/** This recipient's text, where each item yields its own. */
	readonly text?: string;
	/** Overrides every other text. */
	readonly customText?: string;
}

/** One recipient as the workflow gives it. */
export interface Row extends RecipientContent {
	readonly itemIndex: number;
	readonly phone: unknown;
	/** Which country a number without a country code belongs to. */
	readonly country: string;
}

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

export interface AcceptedRecipient {
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
export interface Recipients extends Iterable<AcceptedRecipient> {
	readonly length: number;
	at(index: number): AcceptedRecipient | undefined;
	/** Set where they join a dispatch that was created earlier: its text may be another. */
	isContinued?: boolean;
}

/** What is wrong with a recipient, each with a count in the summary. */
export const rejectReasons = [
	'unreadableNumber',
	'duplicate',
	'missingValue',
	'emptyText',
] as const;
export type RejectReason = (typeof rejectReasons)[number];

export interface RejectedRecipient {
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
