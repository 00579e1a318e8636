import type {
	ExpressionString,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { eventNames, events as eventTable } from '../../core/contract/events';
import { keysOf } from './callbacks/key';
import { type CallbackElement, isEvent, recognize } from './callbacks/parse';
import { recordNew } from './callbacks/record';
import { type AddedMessage, simplify } from './callbacks/simplify';
import { lookUpMessages } from './lookUp';
import type { TriggerValues } from './parameters';
import type { Envelope } from './receive';
import { readOptions, triggerOf } from './settings';

const unrecognizedName = 'Unrecognized';

interface Branching {
	events: readonly string[];
	options: { branchPerEvent?: boolean; unrecognised?: 'item' | 'branch' };
}

/**
 * The events that have a separate output, in the order of the outputs; `undefined` when all events share one. If every event has
 * a separate output, unrecognized events get one too, because none of the others fits them.
 */
const branchesOf = ({ events, options }: Branching) => ({
	kinds:
		options.branchPerEvent === true
			? eventNames.filter((name) => events.includes(name))
			: undefined,
	hasUnrecognized: options.branchPerEvent === true || options.unrecognised === 'branch',
});

/** The same as an expression for the editor, which draws the outputs. n8n doesn't evaluate it for each callback. */
export const outputs: ExpressionString = `={{ ((parameters) => {
	const { branchPerEvent, unrecognised } = parameters.options ?? {};
	const kinds = ${JSON.stringify(eventNames.map((name) => [name, eventTable[name].label]))};
	const names = branchPerEvent ? kinds.filter(([value]) => (parameters.events ?? []).includes(value)).map(([, name]) => name) : ['Events'];
	if (branchPerEvent || unrecognised === 'branch') names.push('${unrecognizedName}');
	return names.length === 1 ? [{ type: 'main' }] : names.map((displayName) => ({ type: 'main', displayName }));
})($parameter) }}`;

/** n8n rewrites all stored keys every time: 50,000 would be 1.3 MB. */
const mostStored = 10_000;

/** On the fast URL, drops callbacks that an earlier execution has received, even before a restart of n8n. */
const withoutDuplicates = async (
	context: IExecuteFunctions,
	elements: CallbackElement[],
	keys: readonly string[],
	{ rememberKeys = mostStored }: TriggerValues['options'],
) => {
	const most = Math.min(rememberKeys, mostStored);
	const fresh = await recordNew(context, triggerOf(context), keys, most);
	return elements.filter((_, index) => fresh.has(keys[index]));
};

const toItemJson = (
	element: CallbackElement,
	output: TriggerValues['output'],
	added: AddedMessage = {},
): IDataObject =>
	output === 'raw' && isEvent(element)
		? ({ ...added, ...element.raw } as IDataObject)
		: simplify(element, added);

/** Runs inside the execution: turns what `webhook` passed on into items. */
export const emit = async (context: IExecuteFunctions): Promise<INodeExecutionData[][]> => {
	const input = context.getInputData();
	const {
		isConfirmed,
		elements: raw,
		keys,
		headers,
		query,
	} = (input[0]?.json ?? {}) as unknown as Partial<Envelope>;
	if (!Array.isArray(raw)) return [input];
	const output = context.getNodeParameter('output', 0) as TriggerValues['output'];
	const events = context.getNodeParameter('events', 0) as TriggerValues['events'];
	const options = readOptions(context.getNodeParameter('options', 0));
	// Each element is read separately: `webhook` has already checked that the call is a callback, and the elements that passed its
	// filter may not look like a callback without the others.
	const received = raw.map(recognize);
	// A run that the user started, or repeated after a failure, must not be dropped as a duplicate.
	const mayBeDuplicate = context.getMode() === 'webhook' && isConfirmed === false;
	const elements = mayBeDuplicate
		? // Executions stored by an earlier version of this node have no keys.
			await withoutDuplicates(context, received, keys ?? keysOf(received), options)
		: received;

	const added = options.addMessage === true ? await lookUpMessages(context, elements) : undefined;

	const { kinds, hasUnrecognized } = branchesOf({ events, options });
	const extra = { ...(headers && { headers }), ...(query && { query }) };
	const branches: INodeExecutionData[][] = Array.from(
		{ length: (kinds?.length ?? 1) + (hasUnrecognized ? 1 : 0) },
		() => [],
	);
	for (const element of elements) {
		const own = kinds?.findIndex((name) => name === element.event) ?? 0;
		// The event's output can be gone if the workflow was changed between the callback and a retry of its execution.
		const isOther = own === -1 || (hasUnrecognized && !isEvent(element));
		branches[isOther ? branches.length - 1 : own].push({
			json: { ...toItemJson(element, output, added?.get(element)), ...extra },
		});
	}
	return branches;
};
