import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { toSafeData } from '../json';
import { nameItem, toNodeError } from './failure';
import { toUnconfirmedItem } from './items';
import type { ItemValues, Operation, Resource, Run } from './operation';
import type { Param, ValueOf, ValuesOf } from './params';
import { readParameter, readParameters, type Reader } from './read';
import { effectOf, runItems, toErrorItem, type ToError } from './runItems';
import { addHint } from './hints';

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

/** One hint for all items, because one per item would hide other hints. */
const hintAtUnconfirmed = (context: IExecuteFunctions, { size }: ReadonlySet<number>): void => {
	if (size === 0) return;
	addHint(
		context,
		`The service accepted the request for ${size === 1 ? '1 item' : `${size} items`}, but its response doesn't confirm the result. Check the result in your account on the provider's website before you run this again.`,
	);
};

/** Executes the operation that the user has chosen. */
export const runNode = async (
	context: IExecuteFunctions,
	resources: readonly Resource[],
): Promise<INodeExecutionData[][]> => {
	const operation = findOperation(context, resources);
	const items = context.getInputData();
	const { logger } = context;
	const toError: ToError = (error, itemIndex, options = {}) => {
		const failure = toNodeError(context.getNode(), error, {
			itemIndex,
			params: operation.params,
			none: operation.done?.none,
			logger,
			...options,
		});
		// n8n shows an execution as canceled, not failed, if its error has this name.
		if (context.getExecutionCancelSignal()?.aborted) failure.name = 'ExecutionCancelledError';
		return failure;
	};
	const unconfirmed = new Set<number>();
	const run: Run<ItemValues> = {
		context,
		items,
		values: readParameters(context, items, operation.params).at,
		// The caller's literals determine the types, as for the values of an operation.
		reader: <Ps extends readonly Param[]>(params: Ps) =>
			readParameters(context, items, params) as Reader<ValuesOf<Ps>>,
		readerOf: <P extends Param>(param: P, ...path: string[]) =>
			readParameter(context, items, param, path) as Reader<ValueOf<P>>,
		errorOf: (error, itemIndex) => toError(error, itemIndex, { effect: effectOf(operation) }),
		failed: (failedItems, error) => {
			const indexes = typeof failedItems === 'number' ? [failedItems] : failedItems;
			const continues = context.continueOnFail();
			const failure = toError(error, indexes[0], {
				effect: effectOf(operation),
				isAmongOthers: continues && items.length > indexes.length,
			});
			if (!continues) {
				const count = items.length;
				throw nameItem(failure, { count, isAboutAll: indexes.length === count });
			}
			return toErrorItem(run, failure, indexes);
		},
		unconfirmed: (itemIndex, answer) => {
			unconfirmed.add(itemIndex);
			return toUnconfirmedItem(answer);
		},
	};
	if ('execute' in operation) {
		try {
			const output = await operation.execute(run);
			for (const item of output) item.json = toSafeData(item.json) as IDataObject;
			hintAtUnconfirmed(context, unconfirmed);
			return [output];
		} catch (error) {
			const failure = toError(error, undefined, { effect: effectOf(operation) });
			throw nameItem(failure, { count: items.length });
		}
	}
	const output = await runItems(operation, run, { toError, unconfirmed });
	hintAtUnconfirmed(context, unconfirmed);
	return [output];
};
