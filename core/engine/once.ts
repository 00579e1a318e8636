import type { IExecuteFunctions } from 'n8n-workflow';
import type { Endpoint, ReplyOf, RequestOf } from '../contract/endpoint';
import { ServiceError } from '../transport/errors';
import { lookThenSend } from '../transport/lookThenSend';
import { send } from '../transport/send';
import { perRun } from './perRun';

type Ending = { reply: unknown } | { error: unknown };

const endingsOf = perRun(() => new Map<number, Ending>());

/** Whether the call must not be sent again, because it was carried out or may have been. */
const isLasting = (ending: Ending) =>
	'reply' in ending || (ending.error instanceof ServiceError && ending.error.isRisky);

/** Sends an item's call. If an earlier try of the run has sent it, returns or throws the same as before. */
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
 * Sends an item's call at most once. With 'Retry On Fail' n8n runs all items again because one failed: a call that must not be
 * repeated and was carried out, or may have been, then returns or throws the same as before. `lookUp` returns the response of a
 * call that was carried out; with it, a call with an unknown outcome is looked up, and sent again only if it wasn't carried out.
 */
export const sendOnce = async <E extends Endpoint>(
	context: IExecuteFunctions,
	itemIndex: number,
	endpoint: E,
	request: RequestOf<E>,
	lookUp?: () => Promise<unknown>,
): Promise<ReplyOf<E>> => {
	let reply: unknown;
	/** Whether the service showed that the call wasn't carried out. */
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
	// The value came from this endpoint, or from `lookUp`, which returns the same type.
	return reply as ReplyOf<E>;
};
