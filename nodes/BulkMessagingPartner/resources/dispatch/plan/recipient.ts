import { valueIn, type ValueSource } from '../../../../../core/recipients/placeholders';

/** The content of a recipient's message as the workflow provides it. Its values aren't checked yet. */
export interface RecipientContent extends ValueSource {
	/** Names of values given for this recipient only. All of them are sent, not only those in the text. */
	readonly given?: readonly string[];
	/** This recipient's text, if each item has its own. */
	readonly text?: string;
	/** Overrides every other text. */
	readonly customText?: string;
}

/** One recipient as the workflow provides it. A class, because there can be hundreds of thousands: it needs the least memory. */
export class Row implements RecipientContent {
	constructor(
		readonly itemIndex: number,
		readonly phone: unknown,
		/** Which country a number without a country code belongs to. */
		readonly country: string,
		/** The values for its placeholders. */
		private readonly values: object,
		readonly text?: string,
		readonly customText?: string,
		readonly given?: readonly string[],
	) {}

	value(name: string): unknown {
		return valueIn(this.values, name);
	}
}

/** One recipient as the service gets it. */
export interface WireRecipient {
	destination: string;
	substitutions?: Record<string, string>;
	customText?: string;
}

export interface AcceptedRecipient {
	readonly itemIndex: number;
	/** The index among all recipients, including the rejected ones. */
	readonly position: number;
	readonly destination: string;
	/** Created on each access, so that it isn't kept in memory. */
	readonly recipient: WireRecipient;
	/** The final text, if the dispatch's text is known. */
	readonly text?: string;
}

/** Why a recipient is rejected. The summary has a count for each reason. */
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
	/** Unchanged, as the workflow provided it. */
	phone: unknown;
	/** Placeholders without a value. */
	missing?: string[];
	reason: RejectReason;
	/** The reason as text, with the value or the name it refers to. */
	detail: string;
}
