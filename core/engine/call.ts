import type { IDataObject } from 'n8n-workflow';
import type { Endpoint, RequestOf } from '../contract/endpoint';
import { ServiceError } from '../transport/errors';
import { list } from '../transport/list';
import { isConfirmed, requireNoError, requireReadable } from './answer';
import { toItems as toItemsByDefault } from './items';
import { forgetCall, sendOnceARun } from './once';
import type { Run } from './operation';
import { isPaged, requestOf, type Prepared, type SimpleOperation, type Values } from './prepare';

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
	await requireNoError(context, endpoint, reply);
	if (isConfirmed(endpoint, reply, confirms)) return toItems(reply, values);
	// It was accepted and is never sent again, but what the service holds may say more than its answer.
	const found = await lookUp?.(request, run).catch(() => undefined);
	return found === undefined ? [run.unconfirmed(itemIndex, reply)] : toItems(found, values);
};
