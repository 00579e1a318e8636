import type { IExecuteFunctions } from 'n8n-workflow';
import type { Endpoint, ReplyOf, RequestOf } from '../contract/endpoint';
import { ServiceError } from '../transport/errors';
import { send } from '../transport/send';
import { perRun } from './perRun';

type Outcome = { reply: unknown } | { error: unknown };

const outcomesOf = perRun(() => new Map<number, Outcome>());

const mayBeDone = (outcome: Outcome) =>
	'reply' in outcome || (outcome.error instanceof ServiceError && outcome.error.isRisky);

/**
 * Sends the one call of an item. With Retry On Fail n8n runs all items again because one of them failed: a call that must
 * not be sent twice and is done, or may be, then ends as it did before.
 */
export const sendOnceARun = async <E extends Endpoint>(
	context: IExecuteFunctions,
	itemIndex: number,
	endpoint: E,
	request: RequestOf<E>,
): Promise<ReplyOf<E>> => {
	if (endpoint.repeatable) return await send(context, endpoint, request);
	const outcomes = outcomesOf(context);
	const outcome =
		outcomes.get(itemIndex) ??
		(await send(context, endpoint, request).then(
			(reply): Outcome => ({ reply }),
			(error: unknown): Outcome => ({ error }),
		));
	if (mayBeDone(outcome)) outcomes.set(itemIndex, outcome);
	if ('error' in outcome) throw outcome.error;
	// It came from this endpoint.
	return outcome.reply as ReplyOf<E>;
};

/** Somebody has looked: it certainly was not carried out. */
export const forgetCall = (context: IExecuteFunctions, itemIndex: number): void => {
	outcomesOf(context).delete(itemIndex);
};
