import { NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { UnfitValueError } from '../../../../core/engine/errors';
import { parseJson } from '../../../../core/engine/scalars';
import type { Run } from '../../../../core/engine/operation';
import type { Param, ValuesOf } from '../../../../core/engine/params';
import type { Reader } from '../../../../core/engine/read';
import {
	cachedParser,
	fillTemplate,
	isBlank,
	leavesBraces,
	missingIn,
	parseTemplate,
	toNameList,
	valuesIn,
} from '../../../../core/recipients/placeholders';
import {
	checkJsonText,
	checkTemplate,
	missingValues,
	type MissingValues,
	type TextField,
} from '../../../shared/placeholders';
import { additionalFields } from '../../../shared/additionalFields';
import { contentParams, textLabelOf } from './params/content';
import type { ContentRow } from './params/contentFields';
import { addHint, howMany } from '../../../../core/engine/hints';

/** The parameters that hold what is said, in a message or in a step: a text, or JSON. */
const [, textOfMessage, , jsonOfMessage, fieldsOfMessage] = contentParams;

/** Braces that reach the phone: somebody should look at them. */
export interface BracesFound {
	text: string;
	format: 'json' | 'text';
}

/** A text as the phone gets it. */
interface FilledText {
	/** `undefined` where the content is not a text. */
	text?: string;
	/** What the screen calls it. */
	label: string;
	/** The same where the content is given field by field. */
	contentFields?: { field: ContentRow[] };
	/** Placeholders without a value: they are left out. */
	missing: readonly string[];
	braces?: BracesFound;
}

const textsIn = (json: unknown): string[] => {
	if (typeof json === 'string') return [json];
	return typeof json === 'object' && json !== null ? Object.values(json).flatMap(textsIn) : [];
};

/** JSON is sent as it is, and a placeholder in it with its braces. */
const bracesInJson = (content: unknown, field: TextField): BracesFound | undefined => {
	const templates = textsIn(content).map(parseTemplate);
	for (const template of templates) checkJsonText(template, field);
	const found = templates.find(({ names, mistake }) => names.length > 0 || mistake !== undefined);
	return found && { text: found.text, format: 'json' };
};

/** The same in Additional Fields. */
export const bracesIn = (
	additional: Readonly<Record<string, unknown>>,
	isFixed: boolean,
	place?: string,
): BracesFound | undefined =>
	bracesInJson(additional, { displayName: additionalFields.displayName, isFixed, place });

/** Fills the placeholders of one text from the input items. Content that is given as JSON is only checked. */
export const textFiller = (
	{ items }: Run<unknown>,
	/** Where the parameter is read for this text. */
	readerOf: (param: Param) => Pick<Reader<unknown>, 'isFixed'>,
	place?: string,
) => {
	const parse = cachedParser();
	const fieldOf = (param: Param): TextField => ({
		displayName: param.displayName,
		place,
		isFixed: readerOf(param).isFixed,
	});
	const field = fieldOf(textOfMessage);
	const jsonField = fieldOf(jsonOfMessage);
	const rowField = fieldOf(fieldsOfMessage);
	return (
		{
			channelType,
			contentFormat,
			text,
			content,
			contentFields,
		}: Partial<ValuesOf<typeof contentParams>> & { channelType?: string },
		itemIndex: number,
	): FilledText => {
		if (contentFormat === 'json') {
			const braces = bracesInJson(content, jsonField);
			return { label: jsonField.displayName, missing: [], braces };
		}
		const label = textLabelOf(channelType);
		const values = valuesIn(items[itemIndex]?.json ?? {});
		const fill = (given: string, of: TextField): FilledText & { text: string } => {
			const template = parse(given);
			checkTemplate(template, of);
			const filled = fillTemplate(template, values);
			return {
				text: filled,
				label: of.displayName,
				missing: missingIn(template, values),
				...(leavesBraces(template, values) && { braces: { text: filled, format: 'text' } }),
			};
		};
		if (contentFormat === 'fields') {
			const rows = (contentFields?.field ?? []).map((row) => ({
				row,
				filled: (row.type ?? 'text') === 'text' ? fill(row.value ?? '', rowField) : undefined,
			}));
			const jsonRows = rows
				.filter(({ row }) => row.type === 'json')
				.map(({ row }) => bracesInJson(parseJson(row.value ?? '')?.value, rowField));
			return {
				// Only it must not be empty: what another field means is not known.
				text: rows.find(({ row }) => row.name?.trim() === 'text')?.filled?.text,
				label: rowField.displayName,
				contentFields: {
					field: rows.map(({ row, filled }) => ({ ...row, value: filled?.text ?? row.value })),
				},
				missing: [...new Set(rows.flatMap(({ filled }) => filled?.missing ?? []))],
				braces: [...rows.map(({ filled }) => filled?.braces), ...jsonRows].find(
					(found) => found !== undefined,
				),
			};
		}
		return text === undefined
			? { label, missing: [] }
			: fill(text, { ...field, displayName: label });
	};
};

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
			texts.find((one) => one.missing.length > 0)?.label ?? textOfMessage.displayName,
			`needs a value for ${list}, and the item has none. Add the field, write a fallback such as {name|friend}, or choose under "${missingValues.displayName}" what to do`,
		);
	}
	const blank = texts.find(({ text }) => text !== undefined && isBlank(text));
	if (blank !== undefined) {
		throw new UnfitValueError(blank.label, 'is empty once its placeholders are filled');
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
