import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { keysOf } from './callbacks/key';
import { isEvent, recognise, type CallbackElement } from './callbacks/parse';
import { recordNew } from './callbacks/record';
import { simplify } from './callbacks/simplify';
import { branchesOf } from './outputs';
import type { TriggerValues } from './parameters';
import type { Envelope } from './receive';
import { triggerOf } from './settings';

/** n8n rewrites all of them every time: 50,000 would be 1.3 MB. */
const mostStored = 10_000;

/** On the fast address a callback that an execution already had is dropped, also after a restart. */
const withoutCopies = async (
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

/** Inside the execution: from what `webhook` has handed on to items. */
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
	// Each by itself: `webhook` has decided that the call was a callback, and what is left of it may hold none of its events.
	const received = raw.map(recognise);
	// A run that is started by hand, or once more after a failure, is meant to happen.
	const mayBeCopy = context.getMode() === 'webhook' && isConfirmed === false;
	const elements = mayBeCopy
		? // An execution that an earlier version of this node has put on record has no keys.
			await withoutCopies(context, received, keys ?? keysOf(received), options)
		: received;

	const { kinds, hasUnrecognised } = branchesOf({ events, options });
	const extra = { ...(headers && { headers }), ...(query && { query }) };
	const branches: INodeExecutionData[][] = Array.from(
		{ length: (kinds?.length ?? 1) + (hasUnrecognised ? 1 : 0) },
		() => [],
	);
	for (const element of elements) {
		const own = kinds?.findIndex((name) => name === element.event) ?? 0;
		// An event loses its output when the workflow is changed between the callback and a retry of its execution.
		const isOther = own === -1 || (hasUnrecognised && !isEvent(element));
		branches[isOther ? branches.length - 1 : own].push({
			json: { ...toItemJson(element, output), ...extra },
		});
	}
	return branches;
};
