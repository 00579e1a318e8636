import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { ReplyOf } from '../../../core/contract/endpoint';
import { partner } from '../../../core/contract/partner';
import { addHint, howMany } from '../../../core/engine/hints';
import { isRecord } from '../../../core/json';
import { withSecretsHidden } from '../../../core/transport/connection';
import { CancelledError, pause } from '../../../core/transport/outcome';
import { requireReadable } from '../../../core/transport/readable';
import { send } from '../../../core/transport/send';
import { waitAtMost } from '../params/limits';

const firstPauseMs = 1_000;
const longestPauseMs = 60_000;
const staleMs = 60_000;

/** Partial, because a response may lack fields that the contract promises. */
type WatchedDispatch = Partial<ReplyOf<typeof partner.dispatchGet>>;

/** How many messages are pending; `null` if the service doesn't report it. */
export const pendingIn = ({ messages }: WatchedDispatch): number | null => {
	const pending = isRecord(messages) ? messages.pending : undefined;
	return typeof pending === 'number' ? pending : null;
};

/** How many messages it has; `undefined` if the service doesn't report it. */
const totalIn = ({ messages }: WatchedDispatch): number | undefined => {
	const total: unknown = isRecord(messages) ? messages.total : undefined;
	return typeof total === 'number' ? total : undefined;
};

/** When the time is over: returns a started dispatch as it is. Any other status is unknown, and an error. */
const leaveAt = (
	context: IExecuteFunctions,
	id: number,
	dispatch: WatchedDispatch,
): WatchedDispatch => {
	if (dispatch.status === 'STARTED' || dispatch.status === 'CREATED') return dispatch;
	throw new NodeOperationError(
		context.getNode(),
		`The service doesn't report a known status for dispatch ${id}`,
		{
			description: `The time in '${waitAtMost.displayName}' is over. The last status was ${withSecretsHidden(context, JSON.stringify(dispatch.status) ?? 'missing')}. Check the dispatch in your account on the provider's website.`,
		},
	);
};

/** Adds a hint if the dispatch is empty or stopped, because its result looks like any other. */
const hintIfNothingPending = (
	context: IExecuteFunctions,
	id: number,
	dispatch: WatchedDispatch,
): void => {
	if (totalIn(dispatch) === 0) {
		addHint(context, `Dispatch ${id} has no messages, so there was nothing to wait for.`);
	} else if (dispatch.status === 'STOPPED') {
		const pending = pendingIn(dispatch) ?? 0;
		const left =
			pending > 0
				? ` ${howMany(pending, 'message')} ${pending === 1 ? 'has' : 'have'} no result.`
				: '';
		addHint(context, `Dispatch ${id} was stopped, so there was nothing to wait for.${left}`);
	}
};

/** Reads the dispatch repeatedly, with growing pauses, until it is completed or stopped, or the time is over. */
export const watchDispatch = async (
	context: IExecuteFunctions,
	id: number,
	limitMinutes: number,
	/** How many messages it contains, if this run has just started it. */
	expected?: number,
): Promise<WatchedDispatch> => {
	const cancelled = context.getExecutionCancelSignal();
	// Not `Date.now()`, because the system clock may be changed meanwhile.
	const begun = performance.now();
	const end = begun + limitMinutes * 60_000;
	/** Reads may be out of date for a while after a start. */
	const mayLag = () => performance.now() - begun < staleMs;
	for (let wait = firstPauseMs; ; wait = Math.min(wait * 1.5, longestPauseMs)) {
		const reply = await send(context, partner.dispatchGet, { path: { id } });
		const dispatch: WatchedDispatch = await requireReadable(context, partner.dispatchGet, reply);
		if (dispatch.status === 'CREATED' && expected === undefined && !mayLag()) {
			throw new NodeOperationError(
				context.getNode(),
				`Dispatch ${id} isn't started, so it can't complete`,
				{
					description: "Start it first, for example with the operation 'Start' in an earlier node.",
				},
			);
		}
		const isStale = mayLag() && (totalIn(dispatch) ?? 0) < (expected ?? 0);
		if ((dispatch.status === 'COMPLETED' || dispatch.status === 'STOPPED') && !isStale) {
			hintIfNothingPending(context, id, dispatch);
			return dispatch;
		}
		const left = end - performance.now();
		// Also ends if `left` is `NaN`, so that the loop never runs without pauses.
		if (!(left >= firstPauseMs)) return leaveAt(context, id, dispatch);
		// The last pause lasts until the end, including a remainder too short for a pause of its own.
		await pause(left - wait < firstPauseMs ? left : wait, cancelled);
		if (cancelled?.aborted) throw new CancelledError();
	}
};
