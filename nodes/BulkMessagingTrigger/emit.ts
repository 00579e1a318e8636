import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { keysOf } from './callbacks/key';
import { isEvent, recognize, type CallbackElement } from './callbacks/parse';
import { recordNew } from './callbacks/record';
import { simplify } from './callbacks/simplify';
import { branchesOf } from './outputs';
import type { TriggerValues } from './parameters';
import type { Envelope } from './receive';
import { triggerOf } from './settings';

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

const toItemJson = (element: CallbackElement, output: TriggerValues['output']): IDataObject =>
	output === 'raw' && isEvent(element) ? ({ ...element.raw } as IDataObject) : simplify(element);

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
	const options = context.getNodeParameter('options', 0) as TriggerValues['options'];
	// Each element is read separately: `webhook` has already checked that the call is a callback, and the elements that passed its
	// filter may not look like a callback without the others.
	const received = raw.map(recognize);
	// A run that the user started, or repeated after a failure, must not be dropped as a duplicate.
	const mayBeDuplicate = context.getMode() === 'webhook' && isConfirmed === false;
	const elements = mayBeDuplicate
		? // Executions stored by an earlier version of this node have no keys.
			await withoutDuplicates(context, received, keys ?? keysOf(received), options)
		: received;

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
			json: { ...toItemJson(element, output), ...extra },
		});
	}
	return branches;
};
