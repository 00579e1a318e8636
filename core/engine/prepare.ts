import type { Endpoint, Listing, RequestOf } from '../contract/endpoint';
import { checkRequest } from '../transport/send';
import { UnfitValueError } from './errors';
import type { Effect, Operation, Run } from './operation';

export type SimpleOperation = Extract<Operation, { endpoint: Endpoint }>;
export type ItemOperation = SimpleOperation | Extract<Operation, { each: unknown }>;
export type ItemValues = Record<string, unknown>;

/** An item that was read and checked, ready to be carried out. */
export interface Prepared {
	values: ItemValues;
	effect: Effect;
	/** Only for an operation that is a single call. */
	request?: RequestOf<Endpoint>;
	/** How many entries of a list to return; all if missing. */
	limit?: number;
}

export const isPaged = (endpoint: Endpoint): endpoint is Endpoint & { paging: Listing } =>
	endpoint.paging !== undefined;

/** Checks a number of entries or pages. */
const requireWhole = (value: unknown, displayName: string): number => {
	if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
	throw new UnfitValueError(displayName, 'must be a whole number, 1 or greater');
};

export const limitOf = ({ limit }: ItemValues): number => requireWhole(limit, 'Limit');

export const requestOf = async (
	operation: SimpleOperation,
	run: Run<ItemValues>,
	values: ItemValues,
	itemIndex: number,
): Promise<RequestOf<Endpoint>> =>
	// The types were checked where the operation is declared.
	(await operation.request(values, run, itemIndex)) as RequestOf<Endpoint>;

/** What repeating the operation would do; the worst case if unknown. */
export const effectOf = (operation: Operation, values: ItemValues): Effect => {
	const { effect, endpoint } = operation;
	if (effect !== undefined) return typeof effect === 'function' ? effect(values) : effect;
	if (endpoint?.method === 'GET') return 'reads';
	return endpoint?.repeatable === true ? 'repeatable' : 'once';
};

/** Reads one item and checks it against the contract, without sending anything. */
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
	// A file is read again when its item is carried out, because all files at once may not fit into memory.
	return { values, effect, limit, ...(endpoint.encoding !== 'multipart' && { request }) };
};
