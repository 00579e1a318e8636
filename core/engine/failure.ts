import type { IExecuteFunctions, INode, Logger } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { z } from '../../vendor/zod';
import { CancelledError, InvalidRequestError, ServiceError } from '../transport/outcome';
import { toShowable } from '../transport/redact';
import { type FailedItem, type NodeError, UnfitValueError, valueRequired } from './errors';
import { ledgerOf } from './ledger';
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
			// A text of the contract's own says more.
			if (!/^(?:Number|String|Array)/.test(issue.message)) return issue.message;
			if (issue.type !== 'number') return 'must not be empty';
			return `must be at least ${String(issue.inclusive ? issue.minimum : Number(issue.minimum) + 1)}`;
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

/** What is known about the rest of a run in which some items fail. */
export const restOfRun = (
	context: IExecuteFunctions,
	failedItems: readonly number[],
): Pick<FailedItem, 'isAmongOthers' | 'acts'> => ({
	isAmongOthers: context.continueOnFail() && context.getInputData().length > failedItems.length,
	acts: ledgerOf(context).acts?.(),
});

/** Says that nothing was sent, but not of other items or of an earlier attempt if they may have been sent. */
export const nothingDone = ({
	itemIndex,
	isReading,
	isAmongOthers,
	acts,
	none,
}: FailedItem & Pick<FailureOptions, 'itemIndex' | 'none'>): string => {
	const nothing = isReading ? 'Nothing was done' : 'Nothing was sent';
	if (acts !== undefined) {
		const now = `${nothing}${itemIndex === undefined ? '' : ' for this item'} in this attempt.`;
		return `${acts} ${now}`.trim();
	}
	return none ?? `${nothing}${isAmongOthers ? ' for this item' : ''}.`;
};

/** Every error leaves the nodes through this function: it says what happened and what to do next, and hides secrets. */
export const toNodeError = (node: INode, error: unknown, options: FailureOptions): NodeError => {
	const { itemIndex, params, effect = 'once', isReading, logger } = options;
	const toError = (message: string | Error, description = '', index = itemIndex) =>
		new NodeOperationError(node, message, { itemIndex: index, description: description.trim() });
	const nothingSent = nothingDone(options);
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		if (itemIndex !== undefined) error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof ServiceError) {
		const { message, isRisky, problem } = error;
		const description = withDisplayNames(error.description, params);
		const httpCode = problem.status === undefined ? undefined : String(problem.status);
		const said = isRisky ? `${outcomeUnknown} ${description}` : description;
		return new NodeApiError(node, { message }, { message, description: said, httpCode, itemIndex });
	}
	if (error instanceof InvalidRequestError) {
		const [first, ...more] = error.issues.map((issue) => describeIssue(issue, params));
		return toError(first ?? error.message, [nothingSent, ...more].join(' '));
	}
	if (error instanceof UnfitValueError) {
		return toError(error.message, `${nothingSent} ${error.advice}`, error.itemIndex);
	}
	if (error instanceof CancelledError) return toError(error.message);
	if (isProgramFault(error)) {
		logger?.error(`${node.name}: ${toShowable(`${error.name}: ${error.message}`)}`);
		const details = logger === undefined ? '' : 'See the n8n log for details.';
		return isReading
			? toError(
					"This item's values couldn't be understood",
					`Nothing was done for this item. Check the values of its fields. ${details}`,
				)
			: toError(
					"The service's response couldn't be understood",
					`${fateByEffect[effect]} If it happens again, check 'Base URL' in the credential. ${details}`,
				);
	}
	// Expression errors and n8n's own errors keep their message.
	return toError(error instanceof Error ? error : String(error));
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
