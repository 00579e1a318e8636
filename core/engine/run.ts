import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { toSafeData } from '../json';
import { nameItem, restOfRun, toNodeError } from './failure';
import { toErrorItem, type OutcomeFields } from './items';
import { ledgerOf } from './ledger';
import type { Effect, ItemValues, Operation, Resource, Run } from './operation';
import { readParameter, readParameters } from './read';
import { runItems } from './runItems';

const findOperation = (context: IExecuteFunctions, resources: readonly Resource[]): Operation => {
	const resource = context.getNodeParameter('resource', 0);
	const operation = context.getNodeParameter('operation', 0);
	const found = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (found !== undefined) return found;
	throw new NodeOperationError(
		context.getNode(),
		`The operation "${String(operation)}" of the resource "${String(resource)}" doesn't exist in this version of the node`,
		{ description: "Choose 'Resource' and 'Operation' again, or update the package." },
	);
};

/** What repeating the operation would do; the worst case if unknown. */
export const effectOf = ({ effect, endpoint }: Operation): Effect => {
	if (effect !== undefined) return effect;
	if (endpoint?.method === 'GET') return 'reads';
	return endpoint?.repeatable === true ? 'repeatable' : 'once';
};

const toRun = (
	context: IExecuteFunctions,
	operation: Operation,
	outcomeFields: OutcomeFields,
): Run<ItemValues> => {
	const items = context.getInputData();
	const effect = effectOf(operation);
	const { logger } = context;
	const { params, done: { none } = {} } = operation;
	const run: Run<ItemValues> = {
		context,
		items,
		effect,
		values: readParameters(context, items, params).at,
		reader: (some) => readParameters(context, items, some),
		readerOf: (param, ...path) => readParameter(context, items, param, path),
		errorOf: (error, itemIndex, about) => {
			const acts = ledgerOf(context).acts?.();
			const options = { itemIndex, params, effect, none, logger, acts, ...about };
			const failure = toNodeError(context.getNode(), error, options);
			// n8n shows an execution as canceled, not failed, if its error has this name.
			if (context.getExecutionCancelSignal()?.aborted) failure.name = 'ExecutionCancelledError';
			return failure;
		},
		failed: (failedItems, error) => {
			const indexes = typeof failedItems === 'number' ? [failedItems] : failedItems;
			const count = items.length;
			const failure = run.errorOf(error, indexes[0], restOfRun(context, indexes));
			if (context.continueOnFail()) {
				return toErrorItem(context, indexes, failure, outcomeFields);
			}
			throw nameItem(failure, { count, isAboutAll: indexes.length === count });
		},
	};
	return run;
};

/** Executes the operation that the user has chosen. */
export const runNode = async (
	context: IExecuteFunctions,
	resources: readonly Resource[],
	outcomeFields: OutcomeFields,
): Promise<INodeExecutionData[][]> => {
	const operation = findOperation(context, resources);
	const run = toRun(context, operation, outcomeFields);
	if (!('execute' in operation)) return [await runItems(operation, run)];
	try {
		const output = await operation.execute(run);
		for (const item of output) item.json = toSafeData(item.json) as IDataObject;
		return [output];
	} catch (error) {
		throw nameItem(run.errorOf(error), { count: run.items.length });
	}
};
