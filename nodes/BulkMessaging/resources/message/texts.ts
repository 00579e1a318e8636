import { UnfitValueError } from '../../../../core/engine/errors';
import { parseJson } from '../../../../core/engine/coerce';
import { textsIn } from '../../../../core/json';
import type { Run } from '../../../../core/engine/operation';
import type { Param, ValuesOf } from '../../../../core/engine/params';
import type { Reader } from '../../../../core/engine/read';
import {
	cachedParser,
	fillTemplate,
	parseTemplate,
	toNameList,
} from '../../../../core/recipients/placeholders';
import {
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
import { isBlank } from '../../../../core/value';

/** Braces that the recipient would see, so a hint mentions them. */
export interface BracesFound {
	text: string;
	format: 'json' | 'text';
}

/** One field of a content. */
interface FilledField {
	/** The label of the field it was entered in. */
	label: string;
	/** Placeholders without a value. The text leaves them out. */
	missing: readonly string[];
	braces?: BracesFound;
}

/** A content as the recipient gets it. */
export interface FilledContent {
	/** `undefined` if the content isn't a text. */
	text?: string;
	/** The label of the field with the text. */
	label: string;
	/** The other filled values: the channel's own texts, or the fields if the content is entered field by field. */
	values?: Partial<ValuesOf<typeof channelTextParams>> & {
		contentFields?: { field: ContentRow[] };
	};
	/** Every field that was filled or checked. */
	fields: readonly FilledField[];
}

/** JSON is sent as it is, so a placeholder in it keeps its braces. */
const bracesInJson = (content: unknown, field: TextField): BracesFound | undefined => {
	const templates = textsIn(content).map(parseTemplate);
	for (const template of templates) checkTemplate(template, field, true);
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
	): FilledContent => {
		const checkJson = (given: unknown, of: TextField): FilledField => ({
			label: of.displayName,
			missing: [],
			braces: bracesInJson(given, of),
		});
		if (contentFormat === 'json') {
			return { label: jsonField.displayName, fields: [checkJson(content, jsonField)] };
		}
		const values = items[itemIndex]?.json ?? {};
		const fill = (given: string, of: TextField): FilledField & { text: string } => {
			const template = parse(given);
			checkTemplate(template, of);
			const { text: filled, missing, leavesBraces } = fillTemplate(template, values);
			const braces: BracesFound | undefined = leavesBraces
				? { text: filled, format: 'text' }
				: undefined;
			return { text: filled, label: of.displayName, missing, braces };
		};
		if (contentFormat === 'fields') {
			const fields: FilledField[] = [];
			const field = (contentFields?.field ?? []).map((row) => {
				const { type = 'text', value = '' } = row;
				if (type === 'json') fields.push(checkJson(parseJson(value)?.value, rowField));
				if (type !== 'text') return row;
				const filled = fill(value, rowField);
				fields.push(filled);
				return { ...row, value: filled.text };
			});
			return {
				// Only the field `text` must not be empty. Other fields may be: their meaning isn't known.
				text: field.find(({ name, type = 'text' }) => name?.trim() === 'text' && type === 'text')
					?.value,
				label: rowField.displayName,
				values: { contentFields: { field } },
				fields,
			};
		}
		const label = textLabelOf(channelType);
		if (text === undefined) return { label, fields: [] };
		const main = fill(text, { ...field, displayName: label });
		const own = channelFields.flatMap(({ param: { name, displayOptions }, field: of }) => {
			const given = others[name];
			const isShown = displayOptions.show.channelType.some((one) => one === channelType);
			return given && isShown ? [[name, fill(given, of)] as const] : [];
		});
		return {
			text: main.text,
			label,
			values: Object.fromEntries(own.map(([name, filled]) => [name, filled.text])),
			fields: [main, ...own.map(([, filled]) => filled)],
		};
	};
};

export const firstBraces = (contents: readonly FilledContent[]): BracesFound | undefined =>
	contents.flatMap(({ fields }) => fields).find(({ braces }) => braces)?.braces;

/**
 * The reason to skip a message: some placeholders have no value, and the user chose to skip such messages. `undefined` if the
 * message is sent.
 */
export const reasonToSkip = (
	contents: readonly FilledContent[],
	whenMissing: MissingValues,
): string | undefined => {
	const lacking = contents
		.flatMap(({ fields }) => fields)
		.filter(({ missing }) => missing.length > 0);
	const [first] = lacking;
	if (first !== undefined && whenMissing !== 'empty') {
		const list = toNameList([...new Set(lacking.flatMap(({ missing }) => missing))]);
		if (whenMissing === 'skip') return `There is no value for ${list}`;
		throw new UnfitValueError(
			first.label,
			`needs a value for ${list}, but the item has none. Add the field, write a fallback such as {name|friend}, or choose another option in '${missingValues.displayName}'`,
		);
	}
	const blank = contents.find(({ text }) => text !== undefined && isBlank(text));
	if (blank !== undefined) {
		throw new UnfitValueError(blank.label, 'is empty after its placeholders are filled in');
	}
	return undefined;
};
