import type { INode } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { z } from '../../vendor/zod';
import { CancelledError, InvalidRequestError, ServiceError } from '../transport/errors';
import { UnfitValueError } from './coerce';
import { displayNameOf, type Param } from './params';

const plainType = (type: string) =>
	({ integer: 'whole number', float: 'fraction', array: 'list', string: 'text' })[type] ?? type;

const complaint = (issue: z.ZodIssue): string => {
	switch (issue.code) {
		case 'invalid_type':
			return issue.received === 'undefined' || issue.received === 'null'
				? 'is empty. It is required'
				: `must be a ${plainType(issue.expected)}, but is a ${plainType(issue.received)}`;
		case 'invalid_enum_value':
			return `must be one of ${issue.options.join(', ')}, but is ${JSON.stringify(issue.received)}`;
		case 'too_small':
			if (issue.type === 'number') {
				return issue.message.startsWith('Number')
					? `must be at least ${String(issue.inclusive ? issue.minimum : Number(issue.minimum) + 1)}`
					: issue.message;
			}
			return issue.message.startsWith('String') || issue.message.startsWith('Array')
				? 'must not be empty'
				: issue.message;
		case 'too_big':
			return issue.type === 'number'
				? `must be at most ${String(issue.maximum)}`
				: `is too long: at most ${String(issue.maximum)}`;
		case 'unrecognized_keys':
			return `holds a field the service does not know: ${issue.keys.join(', ')}`;
		default:
			return issue.message;
	}
};

/** In a path the service calls every ID `id`; the screen names what it is the ID of. */
const locatorName = (params: readonly Param[]) =>
	params.findLast(({ type }) => type === 'resourceLocator')?.displayName;

/** `"Hours" (entry 2) must be at most 23`: the field as the screen names it. */
const describeIssue = (issue: z.ZodIssue, params: readonly Param[]): string => {
	const names = issue.path.filter((step) => typeof step === 'string');
	const shown = names
		.map((name) => displayNameOf(params, name))
		.filter((name) => name !== undefined)
		.at(-1);
	const entry = issue.path.find((step) => typeof step === 'number');
	const field =
		shown ?? (names.at(-1) === 'id' ? locatorName(params) : undefined) ?? names.join('.');
	const place = entry === undefined ? '' : ` (entry ${entry + 1})`;
	return `"${field === '' ? 'Body' : field}"${place} ${complaint(issue)}`;
};

/** Field names of the wire in a text of the service, replaced by the names on the screen. */
const withDisplayNames = (text: string, params: readonly Param[]) =>
	text.replace(/\b[a-z]+(?:[A-Z]\w*|_\w+)\b/g, (word) => {
		const shown = displayNameOf(params, word);
		return shown === undefined ? word : `"${shown}"`;
	});

const outcomeUnknown =
	'It is not known whether the service carried this out before the connection broke. Look it up there before you run this again, so that nothing is done twice.';

/** The one door through which an error leaves: what happened, how to get unstuck, no secret. */
export const toNodeError = (
	node: INode,
	error: unknown,
	{ itemIndex, params }: { itemIndex?: number; params: readonly Param[] },
): NodeApiError | NodeOperationError => {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		if (itemIndex !== undefined) error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof ServiceError) {
		const description = withDisplayNames(error.description, params);
		const { status } = error.problem;
		return new NodeApiError(
			node,
			{ message: error.message },
			{
				message: error.message,
				description: error.isRisky ? `${outcomeUnknown} ${description}` : description,
				httpCode: status === undefined ? undefined : String(status),
				itemIndex,
			},
		);
	}
	if (error instanceof InvalidRequestError) {
		const [first, ...more] = error.issues.map((issue) => describeIssue(issue, params));
		return new NodeOperationError(node, first ?? error.message, {
			itemIndex,
			description: ['Nothing was sent.', ...more].join(' '),
		});
	}
	if (error instanceof UnfitValueError) {
		return new NodeOperationError(node, error.message, {
			itemIndex: error.itemIndex ?? itemIndex,
			description: 'Nothing was sent.',
		});
	}
	if (error instanceof CancelledError) {
		return new NodeOperationError(node, error.message, { itemIndex });
	}
	// Expression errors and n8n's own: they carry their own words.
	return new NodeOperationError(node, error instanceof Error ? error : String(error), {
		itemIndex,
	});
};
