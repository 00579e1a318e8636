import { UnfitValueError } from '../../../../core/engine/errors';
import { parseJson } from '../../../../core/engine/coerce';
import { textsIn } from '../../../../core/json';
import type { Run } from '../../../../core/engine/operation';
import type { Param, ValuesOf } from '../../../../core/engine/params';
import type { Reader } from '../../../../core/engine/read';
import {
	cachedParser,
	fillTemplate,
	inspectValues,
	isBlank,
	parseTemplate,
	toNameList,
} from '../../../../core/recipients/placeholders';
import {
	checkJsonText,
	checkTemplate,
	missingValues,
	type MissingValues,
	type TextField,
} from '../../../shared/placeholders';
import { additionalFields } from '../../../shared/additionalFields';
import {
	channelTextParams,
	contentFieldsParam,
	jsonParam,
	textLabelOf,
	messageText,
	type ContentRow,
	type contentParams,
} from './params/content';

/** Braces that the recipient would see, so a hint mentions them. */
export interface BracesFound {
	text: string;
	format: 'json' | 'text';
}

/** A text as the recipient gets it. */
export interface FilledText {
	/** `undefined` if the content isn't a text. */
	text?: string;
	/** The label of the field it was entered in. */
	label: string;
	/** The label of the field with a missing value, if it is another one. */
	missingIn?: string;
	/** The other filled values: the channel's own texts, or the fields if the content is entered field by field. */
	values?: Partial<ValuesOf<typeof channelTextParams>> & {
		contentFields?: { field: ContentRow[] };
	};
	/** Placeholders without a value. The text leaves them out. */
	missing: readonly string[];
	braces?: BracesFound;
}

/** JSON is sent as it is, so a placeholder in it keeps its braces. */
const bracesInJson = (content: unknown, field: TextField): BracesFound | undefined => {
	const templates = textsIn(content).map(parseTemplate);
	for (const template of templates) checkJsonText(template, field);
	const found = templates.find(({ names, mistake }) => names.length > 0 || mistake !== undefined);
	return found && { text: found.text, format: 'json' };
};

/** Like `bracesInJson`, for 'Additional Fields (JSON)'. */
export const bracesIn = (
	additional: Readonly<Record<string, unknown>>,
	isFixed: boolean,
	place?: string,
): BracesFound | undefined =>
	bracesInJson(additional, { displayName: additionalFields.displayName, isFixed, place });

/** Fills the placeholders of one text from the input items. JSON content is only checked. */
export const textFiller = (
	{ items }: Pick<Run<unknown>, 'items'>,
	/** Gives the reader for a parameter of this text. */
	readerOf: (param: Param) => Pick<Reader<unknown>, 'isFixed'>,
	place?: string,
) => {
	const parse = cachedParser();
	const fieldOf = (param: Param): TextField => ({
		displayName: param.displayName,
		place,
		isFixed: readerOf(param).isFixed,
	});
	const field = fieldOf(messageText);
	const jsonField = fieldOf(jsonParam);
	const rowField = fieldOf(contentFieldsParam);
	const channelFields = channelTextParams.map((param) => ({ param, field: fieldOf(param) }));
	return (
		{
			channelType,
			contentFormat,
			text,
			content,
			contentFields,
			...others
		}: Partial<ValuesOf<typeof contentParams>> & { channelType?: string },
		itemIndex: number,
	): FilledText => {
		if (contentFormat === 'json') {
			const braces = bracesInJson(content, jsonField);
			return { label: jsonField.displayName, missing: [], braces };
		}
		const label = textLabelOf(channelType);
		const values = items[itemIndex]?.json ?? {};
		const fill = (given: string, of: TextField): FilledText & { text: string } => {
			const template = parse(given);
			checkTemplate(template, of);
			const filled = fillTemplate(template, values);
			const { missing, leavesBraces } = inspectValues(template, values);
			return {
				text: filled,
				label: of.displayName,
				missing,
				...(leavesBraces && { braces: { text: filled, format: 'text' } }),
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
				// Only the field `text` must not be empty. Other fields may be: their meaning isn't known.
				text: rows.find(({ row }) => row.name?.trim() === 'text')?.filled?.text,
				label: rowField.displayName,
				values: {
					contentFields: {
						field: rows.map(({ row, filled }) => ({ ...row, value: filled?.text ?? row.value })),
					},
				},
				missing: [...new Set(rows.flatMap(({ filled }) => filled?.missing ?? []))],
				braces: [...rows.map(({ filled }) => filled?.braces), ...jsonRows].find(
					(found) => found !== undefined,
				),
			};
		}
		if (text === undefined) return { label, missing: [] };
		const main = fill(text, { ...field, displayName: label });
		const own = channelFields.flatMap(({ param: { name, displayOptions }, field: of }) => {
			const given = others[name];
			const isShown = displayOptions.show.channelType.some((one) => one === channelType);
			return given && isShown ? [[name, fill(given, of)] as const] : [];
		});
		return {
			...main,
			missingIn: [main, ...own.map(([, filled]) => filled)].find((one) => one.missing.length > 0)
				?.label,
			values: Object.fromEntries(own.map(([name, filled]) => [name, filled.text])),
			missing: [...main.missing, ...own.flatMap(([, { missing }]) => missing)],
			braces: main.braces ?? own.find(([, { braces }]) => braces)?.[1].braces,
		};
	};
};

/**
 * The reason to skip a message: some placeholders have no value, and the user chose to skip such messages. `undefined` if the
 * message is sent.
 */
export const reasonToSkip = (
	texts: readonly FilledText[],
	whenMissing: MissingValues,
): string | undefined => {
	if (whenMissing !== 'empty' && texts.some(({ missing }) => missing.length > 0)) {
		const list = toNameList([...new Set(texts.flatMap(({ missing }) => missing))]);
		if (whenMissing === 'skip') return `There is no value for ${list}`;
		const one = texts.find(({ missing }) => missing.length > 0);
		throw new UnfitValueError(
			one?.missingIn ?? one?.label ?? messageText.displayName,
			`needs a value for ${list}, but the item has none. Add the field, write a fallback such as {name|friend}, or choose another option in '${missingValues.displayName}'`,
		);
	}
	const blank = texts.find(({ text }) => text !== undefined && isBlank(text));
	if (blank !== undefined) {
		throw new UnfitValueError(blank.label, 'is empty after its placeholders are filled in');
	}
	return undefined;
};
