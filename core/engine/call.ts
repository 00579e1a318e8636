import type { IDataObject } from 'n8n-workflow';
import { list } from '../transport/list';
import { isConfirmed, requireReadable } from './answer';
import { toItems as toItemsByDefault } from './items';
import { sendOnce } from './once';
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
	const { endpoint, lookUp, explain, confirms, toItems = toItemsByDefault } = operation;
	const { context } = run;
	const request = prepared.request ?? (await requestOf(operation, run, values, itemIndex));
	if (isPaged(endpoint)) return toItems(await list(context, endpoint, request, { limit }), values);
	const lookUpReply = lookUp && (async () => await lookUp(request, run));
	const sending = sendOnce(context, itemIndex, endpoint, request, lookUpReply);
	const reply: unknown = await sending.catch(async (error: unknown) => {
		throw (await explain?.(error, request, run)) ?? error;
	});
	if (effect === 'reads') return toItems(await requireReadable(context, endpoint, reply), values);
	if (isConfirmed(endpoint, reply, confirms)) return toItems(reply, values);
	// The call was accepted and is never sent again, but looking it up may confirm what its response didn't.
	const found = await lookUpReply?.().catch(() => undefined);
	return found === undefined ? [run.unconfirmed(itemIndex, reply)] : toItems(found, values);
};
