import type { IDataObject } from 'n8n-workflow';
import { list } from '../transport/list';
import { send } from '../transport/send';
import { isConfirmed, requireReadable } from './answer';
import { toItems as toItemsByDefault } from './items';
import type { Run } from './operation';
import {
	isPaged,
	requestOf,
	type ItemValues,
	type Prepared,
	type SimpleOperation,
} from './prepare';

/** Carries out an operation that is a single call, and returns the items for its response. */
export const call = async (
	operation: SimpleOperation,
	run: Run<ItemValues>,
	{ values, effect, limit, ...prepared }: Prepared,
	itemIndex: number,
): Promise<IDataObject[]> => {
	const { endpoint, explain, confirms, toItems = toItemsByDefault } = operation;
	const { context } = run;
	const request = prepared.request ?? (await requestOf(operation, run, values, itemIndex));
	if (isPaged(endpoint)) return toItems(await list(context, endpoint, request, { limit }), values);
	const reply: unknown = await send(context, endpoint, request).catch(async (error: unknown) => {
		throw (await explain?.(error, request, run)) ?? error;
	});
	if (effect === 'reads') return toItems(await requireReadable(context, endpoint, reply), values);
	return isConfirmed(endpoint, reply, confirms)
		? toItems(reply, values)
		: [run.unconfirmed(itemIndex, reply)];
};
