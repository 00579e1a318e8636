import { NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { UnfitValueError } from '../../../../core/engine/errors';
import type { Run } from '../../../../core/engine/operation';
import {
	cachedParser,
	fillTemplate,
	isBlank,
	leavesBraces,
	missingIn,
	toNameList,
	valuesIn,
} from '../../../../core/recipients/placeholders';
import {
	checkTemplate,
	missingValues,
	type MissingValues,
	type TextField,
} from '../../../shared/placeholders';
import { contentParams } from './params/content';
import { addHint, howMany } from '../../../../core/engine/hints';

/** The parameter that holds the text of a message, or of a step. */
export const textOfMessage = contentParams[1];

/** A text as the phone gets it. */
interface FilledText {
	/** `undefined` where the content is not a text. */
	text?: string;
	/** Placeholders without a value: they are left out. */
	missing: readonly string[];
	hasBraces: boolean;
}

/** Fills the placeholders of one field from the input items. Content that is given as JSON is sent as it is. */
export const textFiller = ({ items }: Run<unknown>, field: TextField) => {
	const parse = cachedParser();
	return (
		{ contentFormat, text }: { contentFormat?: 'json' | 'text'; text?: string },
		itemIndex: number,
	): FilledText => {
		if (contentFormat === 'json' || text === undefined) return { missing: [], hasBraces: false };
		const template = parse(text);
		checkTemplate(template, field);
		const values = valuesIn(items[itemIndex]?.json ?? {});
		return {
			text: fillTemplate(template, values),
			missing: missingIn(template, values),
			hasBraces: leavesBraces(template, values),
		};
	};
};

/** The text in which braces are left, if there is one: somebody should look at it. */
export const textWithBraces = (texts: readonly FilledText[]): string | undefined =>
	texts.find(({ hasBraces }) => hasBraces)?.text;

/** A message that the user wants left out. It leaves as a result, because nothing failed. */
export interface SkippedMessage {
	/** Where the user gave one. */
	ownId: string | undefined;
	destination: string;
	/** Why it was not sent. */
	detail: string;
}

/**
 * Why a message is not sent: some of its placeholders have no value, and the user wants it skipped then. `undefined` when it is
 * sent.
 */
export const reasonToSkip = (
	texts: readonly FilledText[],
	whenMissing: MissingValues,
): string | undefined => {
	const missing = [...new Set(texts.flatMap((one) => one.missing))];
	if (missing.length > 0 && whenMissing !== 'empty') {
		const list = toNameList(missing);
		if (whenMissing === 'skip') return `There is no value for ${list}`;
		throw new UnfitValueError(
			textOfMessage.displayName,
			`needs a value for ${list}, and the item has none. Add the field, write a fallback such as {name|friend}, or choose under "${missingValues.displayName}" what to do`,
		);
	}
	if (texts.some(({ text }) => text !== undefined && isBlank(text))) {
		throw new UnfitValueError(
			textOfMessage.displayName,
			'is empty once its placeholders are filled',
		);
	}
	return undefined;
};

/** The same words as for a recipient of a dispatch. */
export const skipReason = ({ detail }: SkippedMessage) => ({ reason: 'missingValue', detail });

/** What an item says about a message that was skipped, where others say whether it was accepted. */
export const notAccepted = (skipped: SkippedMessage): IDataObject => ({
	accepted: false,
	confirmed: false,
	alreadySent: false,
	...skipReason(skipped),
});

/** Nobody should have to count rows to learn that some people got nothing. */
export const hintAtSkipped = ({ context }: Run<unknown>, skipped: number, total: number): void => {
	if (skipped === 0) return;
	addHint(
		context,
		`${skipped} of ${total} messages were not sent, because a placeholder has no value. The reason is in the result.`,
	);
};

/** Green means that somebody was reached: where all messages are skipped, each of them is a failure. */
export const failSkipped = (
	run: Run<unknown>,
	skipped: ReadonlyMap<number, SkippedMessage>,
	output: Array<INodeExecutionData | undefined>,
): void => {
	const indexes = [...skipped.keys()];
	const count = howMany(indexes.length, 'item has', 'items have');
	for (const [itemIndex, { detail }] of skipped) {
		const error = new NodeOperationError(
			run.context.getNode(),
			`No message was sent: ${count} no value for a placeholder`,
			{
				description: `${detail}. Add the field to the items, write a fallback such as {name|friend}, or set '${missingValues.displayName}' to 'Leave It Empty'.`,
			},
		);
		// Without Continue this throws, and the error is about all items.
		output[itemIndex] = run.failed(run.context.continueOnFail() ? itemIndex : indexes, error);
	}
};
