import { UnfitValueError } from '../../../core/engine/errors';
import type { Run } from '../../../core/engine/operation';
import type { ValuesOf } from '../../../core/engine/params';
import type { Reader } from '../../../core/engine/read';
import { destinationParam, jsonLabel, type listParams, type TextParam } from '../params/recipients';
import { isRecord } from '../../../core/json';
import { defaultCountry } from '../../shared/phone';
import { outputAndOptions } from '../params/recipientOptions';

/** The partner API's is a number. The messaging API's is only published as one, so it may be any text. */
export type DispatchId = number | string;

/** What belongs to one recipient only, besides the values for placeholders. */
export interface OwnContent {
	/** Names of values given for this recipient only. All of them are sent, not only those in the text. */
	readonly given?: readonly string[];
	/** This recipient's text, if each item has its own. */
	readonly text?: string;
	/** Overrides every other text. */
	readonly customText?: string;
}

/** Shared by all recipients that have nothing of their own, because there can be hundreds of thousands. */
const nothingOwn: OwnContent = {};

/** One recipient as the workflow provides it. Its values aren't checked yet. */
export interface Row {
	readonly itemIndex: number;
	readonly phone: unknown;
	/** Which country a number without a country code belongs to. */
	readonly country: string;
	/** The values for its placeholders. */
	readonly values: object;
	readonly own: OwnContent;
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
	missing?: readonly string[];
	reason: RejectReason;
	/** The reason as text, with the value or the name it refers to. */
	detail: string;
}

export type RecipientSource = 'items' | 'define' | 'json';

const listedRow = (
	entry: unknown,
	index: number,
	{ itemIndex, country, text }: Pick<Row, 'itemIndex' | 'country'> & Pick<OwnContent, 'text'>,
): Row => {
	if (!isRecord(entry)) {
		throw new UnfitValueError(jsonLabel, `needs an object for recipient ${index + 1}`);
	}
	const { destination, substitutions, customText } = entry;
	if (substitutions !== undefined && substitutions !== null && !isRecord(substitutions)) {
		throw new UnfitValueError(
			'Placeholder Values (JSON)',
			`needs an object such as {"name": "Anna"} for recipient ${index + 1}`,
		);
	}
	if (customText !== undefined && customText !== null && typeof customText !== 'string') {
		throw new UnfitValueError(
			'Custom Text',
			`needs text such as "Hello" for recipient ${index + 1}`,
		);
	}
	const values = substitutions ?? {};
	const own: OwnContent = {
		text,
		customText: customText ?? undefined,
		given: Object.keys(values),
	};
	return { itemIndex, phone: destination, country, values, own };
};

/** Recipients that one item lists. */
export const listedRows = (
	source: Exclude<RecipientSource, 'items'>,
	{ messages, messagesJson }: ValuesOf<typeof listParams>,
	shared: Parameters<typeof listedRow>[2],
): Row[] => {
	const entries = source === 'define' ? (messages.recipient ?? []) : messagesJson;
	if (!Array.isArray(entries)) {
		throw new UnfitValueError(jsonLabel, 'must be a list: it starts with [ and ends with ]');
	}
	if (entries.length === 0)
		throw new UnfitValueError('Recipients', 'is empty. Add at least one recipient');
	return entries.map((entry, index) => listedRow(entry, index, shared));
};

/** Only this option, because evaluating all of them for every item takes long. */
export const countryReader = (
	readerOf: Run<unknown>['readerOf'],
): ((itemIndex: number) => string) => {
	const read: Reader<unknown> = readerOf(outputAndOptions[1], defaultCountry.name);
	// An expression without a value means that the numbers need a country code.
	const unset = read.isFixed ? defaultCountry.default : '';
	return (itemIndex) => (read.at(itemIndex) as string | undefined) ?? unset;
};

/** Returns a function that reads the recipient in an input item. */
export const itemRows = (
	{ items, readerOf }: Run<unknown>,
	/** The parameter with the text, if every item has its own. */
	text?: TextParam,
): ((itemIndex: number) => Row) => {
	// The number is checked when recipients are sorted: an empty one rejects the recipient and isn't an error.
	const phone = readerOf(destinationParam);
	const country = countryReader(readerOf);
	const ownText = text && readerOf(text);
	return (itemIndex) => ({
		itemIndex,
		phone: phone.at(itemIndex),
		country: country(itemIndex),
		values: items[itemIndex]?.json ?? {},
		// If an expression gives `undefined`, the text is empty and only this recipient is rejected.
		own: ownText ? { text: (ownText.at(itemIndex) as string | undefined) ?? '' } : nothingOwn,
	});
};
