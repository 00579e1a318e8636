import { UnfitValueError } from '../../core/engine/errors';
import type { Param, ValueOf } from '../../core/engine/params';
import {
	cachedParser,
	complaintAbout,
	complaintAboutJson,
	type Template,
} from '../../core/recipients/placeholders';

export const missingValues = {
	displayName: 'If a Placeholder Has No Value',
	name: 'missingValues',
	type: 'options',
	options: [
		{ name: 'Leave It Empty', value: 'empty' },
		{
			name: 'Skip the Recipient',
			value: 'skip',
			description: "Send to the others. The result says why this recipient wasn't included.",
		},
		{ name: 'Stop Before Anything Is Sent', value: 'stop' },
	],
	default: 'stop',
} as const satisfies Param;

export type MissingValues = ValueOf<typeof missingValues>;

/** Part of the description of every field that allows placeholders. */
export const placeholderHelp =
	'{name} is replaced with the value of that field. {name|friend} becomes "friend" if the field has no value. Any field name works. To write a brace, use \\{.';

export interface TextField {
	readonly displayName: string;
	/** Tells several fields of the same name apart, such as `of step 2`. */
	readonly place?: string;
	/** Whether the user typed the text, without an expression. */
	readonly isFixed: boolean;
}

const stopFor = ({ displayName, place }: TextField, complaint: string | undefined): void => {
	if (complaint === undefined) return;
	throw new UnfitValueError(displayName, place ? `${place} ${complaint}` : complaint);
};

/** Throws before anything is sent if the text contains an obvious mistake. */
export const checkTemplate = (template: Template, field: TextField): void =>
	stopFor(field, complaintAbout(template, field.isFixed));

/** The same for text in JSON. The result of an expression is sent unchanged. */
export const checkJsonText = (template: Template, field: TextField): void => {
	if (field.isFixed) stopFor(field, complaintAboutJson(template));
};

/** The same for texts that the caller doesn't parse itself. */
export const textChecker = (field: TextField): ((text: string | undefined) => void) => {
	const parse = cachedParser();
	let passed: string | undefined;
	return (text) => {
		// Most recipients share one text.
		if (text === undefined || text === passed) return;
		if (text.includes('{')) checkTemplate(parse(text), field);
		passed = text;
	};
};
