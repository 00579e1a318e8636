import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Endpoint, Paging, RequestOf } from '../contract/endpoint';
import { toSafeData } from '../json';
import { ServiceError } from '../transport/errors';
import { list } from '../transport/list';
import { UnfitValueError } from './coerce';
import { toNodeError } from './failure';
import { toItems as toItemsByDefault } from './items';
import { forgetCall, sendOnceARun } from './once';
import type { Operation, Resource, Run } from './operation';
import type { Param, ValueOf, ValuesOf } from './params';
import { readParameter, readParameters, type Reader } from './read';

type SimpleOperation = Extract<Operation, { endpoint: Endpoint }>;
type ItemOperation = SimpleOperation | Extract<Operation, { each: unknown }>;
type Values = Record<string, unknown>;

const isPaged = (endpoint: Endpoint): endpoint is Endpoint & { paging: Paging } =>
	endpoint.paging !== undefined;

/** How often a call of unknown outcome is looked up and, if it was not carried out, sent again. */
const lookUps = 3;

/** Sends; when the outcome is unknown and the operation knows how to look, looks before anything is sent again. */
const sendOnce = async (
	{ endpoint, lookUp }: SimpleOperation,
	run: Run<Values>,
	request: RequestOf<Endpoint>,
	itemIndex: number,
): Promise<unknown> => {
	const { context } = run;
	for (let count = 1; ; count++) {
		const outcome = await sendOnceARun(context, itemIndex, endpoint, request).then(
			(reply: unknown) => ({ reply }),
			(error: unknown) => ({ error }),
		);
		if ('reply' in outcome) return outcome.reply;
		const { error } = outcome;
		const isUnknown = error instanceof ServiceError && error.outcome === 'unknown';
		if (!isUnknown || lookUp === undefined || count > lookUps) throw error;
		const reply = await lookUp(request, run).catch(() => {
			// Who cannot look does not know: what was unknown before stays so.
			throw error;
		});
		if (reply !== undefined) return reply;
		forgetCall(context, itemIndex);
	}
};

/** How many a list is to give. */
export const limitOf = ({ limit = 50 }: Values): number => {
	if (typeof limit === 'number' && Number.isInteger(limit) && limit > 0) return limit;
	throw new UnfitValueError('Limit', 'must be a whole number from 1 on');
};

const call = async (
	operation: SimpleOperation,
	run: Run<Values>,
	values: Values,
	itemIndex: number,
): Promise<IDataObject[]> => {
	const { endpoint, toItems = toItemsByDefault } = operation;
	// Typed where the operation was declared.
	const request = (await operation.request(values, run, itemIndex)) as RequestOf<Endpoint>;
	const reply = isPaged(endpoint)
		? await list(run.context, endpoint, request, {
				limit: values.returnAll === true ? undefined : limitOf(values),
			})
		: await sendOnce(operation, run, request, itemIndex);
	return toItems(reply, values);
};

/** The only item loop: one item after another, or several at a time; results stay in the order of the items. */
const forEachItem = async (
	count: number,
	concurrency: number,
	work: (itemIndex: number) => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> => {
	const results = new Array<INodeExecutionData[]>(count);
	let next = 0;
	const failures: Array<{ itemIndex: number; error: unknown }> = [];
	const worker = async () => {
		while (next < count && failures.length === 0) {
			const itemIndex = next++;
			try {
				results[itemIndex] = await work(itemIndex);
			} catch (error) {
				failures.push({ itemIndex, error });
			}
		}
	};
	await Promise.all(Array.from({ length: Math.min(concurrency, count) }, worker));
	const [first] = failures.sort((a, b) => a.itemIndex - b.itemIndex);
	if (first !== undefined) throw first.error;
	return results.flat();
};

const findOperation = (context: IExecuteFunctions, resources: readonly Resource[]): Operation => {
	const resource = context.getNodeParameter('resource', 0);
	const operation = context.getNodeParameter('operation', 0);
	const found = resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
	if (found !== undefined) return found;
	throw new NodeOperationError(
		context.getNode(),
		`The operation "${String(operation)}" of "${String(resource)}" does not exist in this version of the node`,
		{ description: 'Choose Resource and Operation anew, or update the package.' },
	);
};

const runItems = async (operation: ItemOperation, run: Run<Values>) =>
	await forEachItem(
		run.items.length,
		'concurrency' in operation ? (operation.concurrency ?? 1) : 1,
		async (itemIndex) => {
			try {
				const values = run.values(itemIndex);
				const entries =
					operation.endpoint === undefined
						? await operation.each(values, run, itemIndex)
						: await call(operation, run, values, itemIndex);
				return entries.map((json) => ({ json, pairedItem: { item: itemIndex } }));
			} catch (error) {
				return [run.failed(itemIndex, error)];
			}
		},
	);

/** Executes whatever Resource and Operation are chosen. */
export const runNode = async (
	context: IExecuteFunctions,
	resources: readonly Resource[],
): Promise<INodeExecutionData[][]> => {
	const operation = findOperation(context, resources);
	const items = context.getInputData();
	const toError = (error: unknown, itemIndex?: number) => {
		const failure = toNodeError(context.getNode(), error, { itemIndex, params: operation.params });
		// By this name n8n knows that the execution did not fail: somebody has stopped it.
		if (context.getExecutionCancelSignal()?.aborted) failure.name = 'ExecutionCancelledError';
		return failure;
	};
	const run: Run<Values> = {
		context,
		items,
		values: readParameters(context, items, operation.params),
		// Typed by the caller's literals, as the values of an operation are.
		reader: <Ps extends readonly Param[]>(params: Ps) =>
			readParameters(context, items, params) as Reader<ValuesOf<Ps>>,
		readerOf: <P extends Param>(param: P, ...path: string[]) =>
			readParameter(context, items, param, path) as Reader<ValueOf<P>>,
		failed: (failedItems, error) => {
			const indexes = typeof failedItems === 'number' ? [failedItems] : failedItems;
			const failure = toError(error, indexes[0]);
			if (!context.continueOnFail()) throw failure;
			const linked = indexes.map((item) => ({ item }));
			return {
				json: { error: failure.message },
				error: failure,
				pairedItem: linked.length === 1 ? linked[0] : linked,
			};
		},
	};
	if ('execute' in operation) {
		try {
			const output = await operation.execute(run);
			for (const item of output) item.json = toSafeData(item.json) as IDataObject;
			return [output];
		} catch (error) {
			throw toError(error);
		}
	}
	return [await runItems(operation, run)];
};
