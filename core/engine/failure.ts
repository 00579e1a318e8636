import type { INode, Logger } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { z } from '../../vendor/zod';
import { CancelledError, InvalidRequestError, ServiceError } from '../transport/outcome';
import { toShowable } from '../transport/redact';
import { type FailedItem, type NodeError, UnfitValueError, valueRequired } from './errors';
import type { Effect } from './operation';
import { displayNameOf, type Param } from './params';

const plainType = (type: string) =>
	({
		integer: 'a whole number',
		float: 'a decimal number',
		array: 'a list',
		string: 'text',
		object: 'an object',
		nan: 'something else',
	})[type] ?? `a ${type}`;

const complaint = (issue: z.ZodIssue): string => {
	switch (issue.code) {
		case 'invalid_type':
			return issue.received === 'undefined' || issue.received === 'null'
				? valueRequired
				: `must be ${plainType(issue.expected)}, but is ${plainType(issue.received)}`;
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
				: `is too long. The maximum is ${String(issue.maximum)}`;
		case 'unrecognized_keys':
			return `contains a field the service doesn't know: ${issue.keys.join(', ')}`;
		default:
			return issue.message;
	}
};

/** The service calls every ID in a path `id`; the user sees the label of the parameter that selects the entry. */
const locatorName = (params: readonly Param[]) =>
	params.findLast(({ type }) => type === 'resourceLocator')?.displayName;

/** `'Hours' (entry 2) must be at most 23`, with the field's label on the screen. */
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
	return `'${field === '' ? 'Body' : field}'${place} ${complaint(issue)}`;
};

/** Replaces the API's field names in a text from the service with the labels on the screen. */
const withDisplayNames = (text: string, params: readonly Param[]) =>
	text.replace(/\b[a-z]+(?:[A-Z]\w*|_\w+)\b/g, (word) => {
		const shown = displayNameOf(params, word);
		return shown === undefined ? word : `'${shown}'`;
	});

const outcomeUnknown =
	"It is not known whether the service carried this out. Check it in your account on the provider's website before you run this again, so that nothing is done twice.";

/** What is known about a request whose response can't be read. */
const fateByEffect: Readonly<Record<Effect, string>> = {
	reads: 'This operation only reads data, so nothing was changed.',
	repeatable: 'It is not known whether the service carried this out. You can safely run it again.',
	once: outcomeUnknown,
};

/** Programming errors, whose messages don't help a user. Compared by name, because n8n and nodes may have different globals. */
const programFaults = new Set([
	'TypeError',
	'ReferenceError',
	'RangeError',
	'SyntaxError',
	'URIError',
]);

/** Whether something in the response or in the values was so unexpected that this package's code failed on it. */
export const isProgramFault = (error: unknown): error is Error =>
	error instanceof Error && programFaults.has(error.name);

interface FailureOptions extends FailedItem {
	itemIndex?: number;
	params: readonly Param[];
	/** What repeating the operation would do; the worst case if missing. */
	effect?: Effect;
	/** What to say if nothing was done, in the operation's own words. */
	none?: string;
	logger?: Logger;
}

const toFaultError = (
	node: INode,
	error: Error,
	{ itemIndex, effect = 'once', isReading = false, logger }: FailureOptions,
): NodeOperationError => {
	logger?.error(`${node.name}: ${toShowable(`${error.name}: ${error.message}`)}`);
	const [message, description] = isReading
		? [
				"This item's values couldn't be understood",
				'Nothing was done for this item. Check the values of its fields.',
			]
		: [
				"The service's response couldn't be understood",
				`${fateByEffect[effect]} If it happens again, check 'Base URL' in the credential.`,
			];
	const details = logger === undefined ? '' : ' See the n8n log for details.';
	return new NodeOperationError(node, message, {
		itemIndex,
		description: `${description}${details}`,
	});
};

/** Every error leaves the nodes through this function: it says what happened and what to do next, and hides secrets. */
export const toNodeError = (node: INode, error: unknown, options: FailureOptions): NodeError => {
	const { itemIndex, params, none, isAmongOthers = false, isReading = false } = options;
	const nothing = isReading ? 'Nothing was done' : 'Nothing was sent';
	const nothingSent = none ?? (isAmongOthers ? `${nothing} for this item.` : `${nothing}.`);
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
			description: [nothingSent, ...more].join(' '),
		});
	}
	if (error instanceof UnfitValueError) {
		return new NodeOperationError(node, error.message, {
			itemIndex: error.itemIndex ?? itemIndex,
			description: `${nothingSent} ${error.advice}`.trim(),
		});
	}
	if (error instanceof CancelledError) {
		return new NodeOperationError(node, error.message, { itemIndex });
	}
	if (isProgramFault(error)) return toFaultError(node, error, options);
	// Expression errors and n8n's own errors keep their message.
	return new NodeOperationError(node, error instanceof Error ? error : String(error), {
		itemIndex,
	});
};

/**
 * n8n shows the item's index after the title, counted from 0. This replaces it with a number counted from 1, and leaves it out if
 * there is only one item or the failure concerns all of them.
 */
export const nameItem = (
	failure: NodeError,
	{ count, isAboutAll = false }: { count: number; isAboutAll?: boolean },
): NodeError => {
	const { itemIndex } = failure.context;
	if (typeof itemIndex !== 'number') return failure;
	delete failure.context.itemIndex;
	failure.context.item = itemIndex + 1;
	if (count > 1 && !isAboutAll) {
		const words = failure.description ?? '';
		failure.description = `Item ${itemIndex + 1}${words === '' ? '.' : `: ${words}`}`;
	}
	return failure;
};
