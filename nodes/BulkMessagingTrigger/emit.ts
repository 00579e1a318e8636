import type {
	ExpressionString,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { type EventName, eventNames, events as eventTable } from '../../core/contract/events';
import { keysOf } from './callbacks/key';
import { type CallbackElement, isEvent, recognize } from './callbacks/parse';
import { recordNew } from './callbacks/record';
import { type AddedMessage, simplify } from './callbacks/simplify';
import { lookUpMessages } from './lookUp';
import type { TriggerValues } from './parameters';
import type { Envelope } from './receive';
import { readOptions, triggerOf } from './settings';

/** For events that none of the rows fits. */
const unrecognized = { name: 'unrecognized', label: 'Unrecognized', output: 6 } as const;

const outputOf = (name: EventName | typeof unrecognized.name): { label: string; output: number } =>
	name === unrecognized.name ? unrecognized : eventTable[name];

/** The outputs if every event has its own. */
export const outputOrder = [...eventNames, unrecognized.name].sort(
	(one, other) => outputOf(one).output - outputOf(other).output,
);

interface Branching {
	events: readonly string[];
	options: { branchPerEvent?: boolean; unrecognised?: 'item' | 'branch' };
}

/** The names of the outputs. One for all events has the name `events`. */
const outputNames = ({ events, options }: Branching): string[] => {
	if (options.branchPerEvent === true) {
		return outputOrder.filter((name) => name === unrecognized.name || events.includes(name));
	}
	return ['events', ...(options.unrecognised === 'branch' ? [unrecognized.name] : [])];
};

/** The same as an expression for the editor, which draws the outputs. n8n doesn't evaluate it for each callback. */
export const outputs: ExpressionString = `={{ ((parameters) => {
	const { branchPerEvent, unrecognised } = parameters.options ?? {};
	const kinds = ${JSON.stringify(outputOrder.map((name) => [name, outputOf(name).label]))};
	const isShown = ([value]) => value === '${unrecognized.name}' || (parameters.events ?? []).includes(value);
	const names = branchPerEvent
		? kinds.filter(isShown).map(([, name]) => name)
		: ['Events', ...(unrecognised === 'branch' ? ['${unrecognized.label}'] : [])];
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

	const names = outputNames({ events, options });
	const extra = { ...(headers && { headers }), ...(query && { query }) };
	const branches: INodeExecutionData[][] = names.map(() => []);
	for (const element of elements) {
		const event = options.branchPerEvent === true ? element.event : 'events';
		const own = names.indexOf(isEvent(element) ? event : unrecognized.name);
		// The event's output can be gone if the workflow was changed between the callback and a retry of its execution.
		const other = Math.max(0, names.indexOf(unrecognized.name));
		branches[own === -1 ? other : own].push({
			json: { ...toItemJson(element, output, added?.get(element)), ...extra },
		});
	}
	return branches;
};
