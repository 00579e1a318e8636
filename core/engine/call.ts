import type { IDataObject } from 'n8n-workflow';
import type { Endpoint, RequestOf } from '../contract/endpoint';
import { list } from '../transport/list';
import { lookThenSend } from '../transport/lookThenSend';
import { isConfirmed, requireReadable } from './answer';
import { toItems as toItemsByDefault } from './items';
import { forgetCall, sendOnceARun } from './once';
import type { Run } from './operation';
import { isPaged, requestOf, type Prepared, type SimpleOperation, type Values } from './prepare';

/** Sends; when the outcome is unknown and the operation knows how to look, looks before anything is sent again. */
const sendOnce = async (
	{ endpoint, lookUp }: SimpleOperation,
	run: Run<Values>,
	request: RequestOf<Endpoint>,
	itemIndex: number,
): Promise<unknown> => {
	const { context } = run;
	const send = async () => await sendOnceARun(context, itemIndex, endpoint, request);
	if (lookUp === undefined) return await send();
	let reply: unknown;
	/** The service showed that it was not carried out. */
	let isUndone = false;
	await lookThenSend({
		attempt: async () => {
			isUndone = false;
			reply = await send();
		},
		isThere: async () => {
			isUndone = false;
			reply = await lookUp(request, run);
			isUndone = reply === undefined;
			return !isUndone;
		},
		isProven: () => {
			if (isUndone) forgetCall(context, itemIndex);
			return isUndone;
		},
		cancelled: context.getExecutionCancelSignal(),
	});
	return reply;
};

/** Carries out an operation that is one call, and gives the items for its answer. */
export const call = async (
	operation: SimpleOperation,
	run: Run<Values>,
	{ values, effect, limit, ...prepared }: Prepared,
	itemIndex: number,
): Promise<IDataObject[]> => {
	const { endpoint, lookUp, confirms, toItems = toItemsByDefault } = operation;
	const { context } = run;
	const request = prepared.request ?? (await requestOf(operation, run, values, itemIndex));
	if (isPaged(endpoint)) return toItems(await list(context, endpoint, request, { limit }), values);
	const reply = await sendOnce(operation, run, request, itemIndex);
	if (effect === 'reads') return toItems(await requireReadable(context, endpoint, reply), values);
	if (isConfirmed(endpoint, reply, confirms)) return toItems(reply, values);
	// It was accepted and is never sent again, but what the service holds may say more than its answer.
	const found = await lookUp?.(request, run).catch(() => undefined);
	return found === undefined ? [run.unconfirmed(itemIndex, reply)] : toItems(found, values);
};
