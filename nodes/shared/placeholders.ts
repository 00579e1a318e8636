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
			description: 'The others are sent, and the result says why this one was not',
		},
		{ name: 'Stop Before Anything Is Sent', value: 'stop' },
	],
	default: 'stop',
} as const satisfies Param;

export type MissingValues = ValueOf<typeof missingValues>;

/** What every text with placeholders tells about them on the screen. */
export const placeholderHelp =
	'{name} is replaced by the value of that field, and {name|friend} by "friend" if there is none. Any field name works. To write a brace, use \\{.';

/** A text on the screen. */
export interface TextField {
	readonly displayName: string;
	/** Where there are several of that name, such as `of step 2`. */
	readonly place?: string;
	/** Whether it was entered as it is, not by an expression. */
	readonly isFixed: boolean;
}

const stopFor = ({ displayName, place }: TextField, complaint: string | undefined): void => {
	if (complaint === undefined) return;
	throw new UnfitValueError(displayName, place ? `${place} ${complaint}` : complaint);
};

/** Stops before anything is sent when nobody can have meant to send this text. */
export const checkTemplate = (template: Template, field: TextField): void =>
	stopFor(field, complaintAbout(template, field.isFixed));

/** The same for a text in JSON. What an expression gives is sent as it is. */
export const checkJsonText = (template: Template, field: TextField): void => {
	if (field.isFixed) stopFor(field, complaintAboutJson(template));
};

/** The same for texts that somebody else takes apart. */
export const textChecker = (field: TextField): ((text: string | undefined) => void) => {
	const parse = cachedParser();
	return (text) => {
		if (text?.includes('{')) checkTemplate(parse(text), field);
	};
};
