import type { Endpoint, Listing, RequestOf } from '../contract/endpoint';
import { checkRequest } from '../transport/send';
import { UnfitValueError } from './errors';
import type { Effect, Operation, Run } from './operation';

export type SimpleOperation = Extract<Operation, { endpoint: Endpoint }>;
export type ItemOperation = SimpleOperation | Extract<Operation, { each: unknown }>;
export type ItemValues = Record<string, unknown>;

/** What is known about an item before it is carried out. */
export interface Prepared {
	values: ItemValues;
	effect: Effect;
	/** Of an operation that is one call. */
	request?: RequestOf<Endpoint>;
	/** How many entries of a list are wanted; all of them when it is left out. */
	limit?: number;
}

export const isPaged = (endpoint: Endpoint): endpoint is Endpoint & { paging: Listing } =>
	endpoint.paging !== undefined;

/** A number of entries or pages. */
export const requireWhole = (value: unknown, displayName: string): number => {
	if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
	throw new UnfitValueError(displayName, 'must be a whole number from 1 on');
};

/** How many a list is to give. */
export const limitOf = ({ limit }: ItemValues): number => requireWhole(limit, 'Limit');

export const requestOf = async (
	operation: SimpleOperation,
	run: Run<ItemValues>,
	values: ItemValues,
	itemIndex: number,
): Promise<RequestOf<Endpoint>> =>
	// Typed where the operation was declared.
	(await operation.request(values, run, itemIndex)) as RequestOf<Endpoint>;

/** What carrying the operation out again would do; the worst where nothing says otherwise. */
export const effectOf = (operation: Operation, values: ItemValues): Effect => {
	const { effect, endpoint } = operation;
	if (effect !== undefined) return typeof effect === 'function' ? effect(values) : effect;
	if (endpoint?.method === 'GET') return 'reads';
	return endpoint?.repeatable === true ? 'repeatable' : 'once';
};

/** Reads one item and checks it against the contract. Nothing is sent. */
export const prepare = async (
	operation: ItemOperation,
	run: Run<ItemValues>,
	itemIndex: number,
): Promise<Prepared> => {
	const values = run.values(itemIndex);
	const effect = effectOf(operation, values);
	if (operation.endpoint === undefined) {
		await operation.check?.(values, run, itemIndex);
		return { values, effect };
	}
	const { endpoint } = operation;
	const isLimited = typeof endpoint.paging === 'object' && values.returnAll !== true;
	const limit = isLimited ? limitOf(values) : undefined;
	const request = await requestOf(operation, run, values, itemIndex);
	checkRequest(endpoint, request);
	// A file is read again when its turn comes: all files at once may not fit into memory.
	return { values, effect, limit, ...(endpoint.encoding !== 'multipart' && { request }) };
};
