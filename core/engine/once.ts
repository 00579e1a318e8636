import type { IExecuteFunctions } from 'n8n-workflow';
import type { Endpoint, ReplyOf, RequestOf } from '../contract/endpoint';
import { ServiceError } from '../transport/errors';
import { lookThenSend } from '../transport/lookThenSend';
import { send } from '../transport/send';
import { perRun } from './perRun';

type Ending = { reply: unknown } | { error: unknown };

const endingsOf = perRun(() => new Map<number, Ending>());

/** Whether the same call may not be sent again: it was carried out, or may have been. */
const isLasting = (ending: Ending) =>
	'reply' in ending || (ending.error instanceof ServiceError && ending.error.isRisky);

/** Sends the call of an item, unless an earlier try of the run has: then it ends as it did before. */
const sendUnlessSent = async <E extends Endpoint>(
	context: IExecuteFunctions,
	itemIndex: number,
	endpoint: E,
	request: RequestOf<E>,
): Promise<unknown> => {
	if (endpoint.repeatable) return await send(context, endpoint, request);
	const endings = endingsOf(context);
	const ending =
		endings.get(itemIndex) ??
		(await send(context, endpoint, request).then(
			(reply): Ending => ({ reply }),
			(error: unknown): Ending => ({ error }),
		));
	if (isLasting(ending)) endings.set(itemIndex, ending);
	if ('error' in ending) throw ending.error;
	return ending.reply;
};

/**
 * Sends the one call of an item. With Retry On Fail n8n runs all items again because one of them failed: a call that must
 * not be sent twice and is done, or may be, then ends as it did before. With `lookUp`, which gives the reply of a call that
 * was carried out, a call of unknown outcome is looked up, and sent again only if the service shows that it was not.
 */
export const sendOnce = async <E extends Endpoint>(
	context: IExecuteFunctions,
	itemIndex: number,
	endpoint: E,
	request: RequestOf<E>,
	lookUp?: () => Promise<unknown>,
): Promise<ReplyOf<E>> => {
	let reply: unknown;
	/** The service showed that it was not carried out. */
	let isUndone = false;
	const attempt = async () => {
		isUndone = false;
		reply = await sendUnlessSent(context, itemIndex, endpoint, request);
	};
	if (lookUp === undefined) {
		await attempt();
	} else {
		await lookThenSend({
			attempt,
			isThere: async () => {
				isUndone = false;
				reply = await lookUp();
				isUndone = reply === undefined;
				return !isUndone;
			},
			isProven: () => {
				if (isUndone) endingsOf(context).delete(itemIndex);
				return isUndone;
			},
			cancelled: context.getExecutionCancelSignal(),
		});
	}
	// It came from this endpoint, or from a look-up that gives the same.
	return reply as ReplyOf<E>;
};
