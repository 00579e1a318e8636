import type { INode, Logger } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { z } from '../../vendor/zod';
import { CancelledError, InvalidRequestError, ServiceError } from '../transport/errors';
import { isUndecided } from '../transport/lookThenSend';
import { toShowable } from '../transport/redact';
import { UnfitValueError, UnrecognizedReplyError } from './errors';
import type { Effect } from './operation';
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
	"It is not known whether the service carried this out. Check it in your account on the provider's website before you run this again, so that nothing is done twice.";

const notUnderstood = "The service's answer could not be understood";

/** What is known about the request when its answer says nothing. */
const fateByEffect: Readonly<Record<Effect, string>> = {
	reads: 'This operation only reads: nothing was changed.',
	repeatable:
		'It is not known whether the service carried this out. Running it again does no harm.',
	once: outcomeUnknown,
};

/** Faults of a program: their words tell a user nothing. By name, because n8n and nodes may have different globals. */
const programFaults = new Set([
	'TypeError',
	'ReferenceError',
	'RangeError',
	'SyntaxError',
	'URIError',
]);

/** Something in the answer, or in the values, that this package did not expect. */
export const isProgramFault = (error: unknown): error is Error =>
	error instanceof Error && programFaults.has(error.name);

export interface FailureOptions {
	itemIndex?: number;
	params: readonly Param[];
	/** What carrying the operation out again would do; without it the worst is assumed. */
	effect?: Effect;
	/** Whether only the values were read so far: the service was not asked about this item yet. */
	isReading?: boolean;
	/** Whether other items of the run are sent although this one is not. */
	isAmongOthers?: boolean;
	logger?: Logger;
}

const descriptionOfFault = ({ effect = 'once', isReading = false }: FailureOptions) =>
	isReading
		? 'Nothing was sent for this item. Check the values of its fields.'
		: `${fateByEffect[effect]} If it happens again, check Base URL in the credential.`;

const toFaultError = (node: INode, error: Error, options: FailureOptions): NodeOperationError => {
	const { itemIndex, isReading = false, logger } = options;
	logger?.error(`${node.name}: ${toShowable(`${error.name}: ${error.message}`)}`);
	const details = logger === undefined ? '' : ' Details are in the log of n8n.';
	return new NodeOperationError(
		node,
		isReading ? 'The values of this item could not be understood' : notUnderstood,
		{ itemIndex, description: `${descriptionOfFault(options)}${details}` },
	);
};

/** The one door through which an error leaves: what happened, how to get unstuck, no secret. */
export const toNodeError = (
	node: INode,
	error: unknown,
	options: FailureOptions,
): NodeApiError | NodeOperationError => {
	const { itemIndex, params, effect = 'once', isAmongOthers = false } = options;
	const nothingSent = isAmongOthers ? 'Nothing was sent for this item.' : 'Nothing was sent.';
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
	if (error instanceof UnrecognizedReplyError) {
		return new NodeOperationError(node, notUnderstood, {
			itemIndex,
			description: `${descriptionOfFault(options)} The service sent ${error.what}.`,
		});
	}
	if (isUndecided(error)) {
		return new NodeOperationError(node, error.message, {
			itemIndex,
			description: fateByEffect[effect],
		});
	}
	if (isProgramFault(error)) return toFaultError(node, error, options);
	// Expression errors and n8n's own: they carry their own words.
	return new NodeOperationError(node, error instanceof Error ? error : String(error), {
		itemIndex,
	});
};

/**
 * Behind a title n8n shows the item's index, counted from 0. People count from 1, and need no number where there is one item
 * or where the failure is about all of them.
 */
export const tellItem = (
	failure: NodeApiError | NodeOperationError,
	{ count, isAboutAll = false }: { count: number; isAboutAll?: boolean },
): NodeApiError | NodeOperationError => {
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
