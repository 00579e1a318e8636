import type { IExecuteFunctions } from 'n8n-workflow';
import {
	aroundBrace,
	cachedParser,
	complaintAbout,
	type Template,
} from '../../core/recipients/placeholders';
import { addHint, howMany } from '../../core/engine/hints';
import { UnfitValueError } from '../../core/engine/errors';
import type { Param, ValueOf } from '../../core/engine/params';

/** Counts texts that still contain braces after the placeholders were filled. They are sent unchanged, with a hint. */
export class LeftBraces {
	private count = 0;

	private example = '';

	constructor(private readonly format: 'json' | 'text' = 'text') {}

	add(text: string): void {
		if (this.count++ === 0) this.example = aroundBrace(text);
	}

	addAll({ count, example }: LeftBraces): void {
		if (this.count === 0) this.example = example;
		this.count += count;
	}

	/** Shows one hint per run, because one per text would hide all others. */
	tell(context: IExecuteFunctions): void {
		const { count, example, format } = this;
		if (count === 0) return;
		addHint(
			context,
			format === 'json'
				? `${count === 1 ? '1 message contains' : `${count} messages contain`} braces in JSON content, for example "${example}". JSON is sent unchanged, because placeholders work only in 'Text'. To insert a value, use an expression.`
				: `In ${howMany(count, 'text')}, recipients will see braces, e.g. "${example}". If that is intended, write \\{ instead of { and this hint disappears.`,
		);
	}
}

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
	'Write {name} to insert the item\'s field "name". {name|friend} inserts "friend" if the field is empty. For a literal brace, write \\{.';

export interface TextField {
	readonly displayName: string;
	/** Tells several fields of the same name apart, such as `of step 2`. */
	readonly place?: string;
	/** Whether the user typed the text, without an expression. */
	readonly isFixed: boolean;
}

/** Throws before anything is sent if the text contains an obvious mistake. In JSON, the result of an expression is sent unchanged. */
export const checkTemplate = (
	template: Template,
	{ displayName, place, isFixed }: TextField,
	isJson = false,
): void => {
	const complaint = complaintAbout(template, isFixed, isJson);
	if (complaint === undefined) return;
	throw new UnfitValueError(displayName, place ? `${place} ${complaint}` : complaint);
};

/** The same for texts that the caller doesn't parse itself. */
export const textChecker = (field: TextField): ((text: string | undefined) => void) => {
	const parse = cachedParser();
	return (text) => {
		if (text?.includes('{')) checkTemplate(parse(text), field);
	};
};
