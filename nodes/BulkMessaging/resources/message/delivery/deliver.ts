import { UserError, type IExecuteFunctions } from 'n8n-workflow';
import { messageLimits } from '../../../../../core/contract/messaging';
import { inBatches } from '../../../../../core/transport/batches';
import { CancelledError, ServiceError } from '../../../../../core/transport/errors';
import { awaitOthers, claimIds, endClaims } from './claimIds';
import { lookBefore, lookForLost } from './look';
import { messagesOf, type SendOutcome, type Outcomes, type Outgoing } from './outgoing';
import { post, toAccepted, type PostOptions } from './post';
import { UnreliableListError } from './search';

/** The error for messages that aren't sent because the node couldn't check whether they were sent before. */
const notChecked = (error: unknown): Error => {
	if (error instanceof ServiceError) {
		return error.after("The node couldn't check whether the custom message IDs were used before.");
	}
	if (error instanceof UnreliableListError) {
		return new UserError(error.message, {
			description:
				"Nothing was sent. The node couldn't check whether these messages were already sent. To send them anyway, set 'If the Custom Message ID Was Used Before' to 'Send Anyway'.",
		});
	}
	return error instanceof Error ? error : new Error(String(error));
};

/** The messages that an earlier run has sent. If that can't be found out, those that must not be sent twice aren't sent. */
const findSentBefore = async (
	context: IExecuteFunctions,
	entries: readonly Outgoing[],
): Promise<Outcomes> => {
	const outcomes: Outcomes = new Map();
	const given = entries.filter(({ isGiven }) => isGiven);
	if (given.length === 0) return outcomes;
	try {
		for (const [entry, message] of await lookBefore(context, given)) {
			outcomes.set(entry, toAccepted(message, true));
		}
	} catch (failure) {
		const error = notChecked(failure);
		for (const entry of given) {
			if (entry.usedBefore === 'skip') outcomes.set(entry, { is: 'refused', error });
		}
	}
	return outcomes;
};

/**
 * Sends each message at most once. A message that was sent, or may have been, is never sent again: neither by another try of the
 * same run (Retry On Fail) nor, if the user gave it an ID, by another run.
 */
export const deliver = async (
	context: IExecuteFunctions,
	entries: readonly Outgoing[],
	options: PostOptions,
): Promise<Outcomes> => {
	const { sent } = messagesOf(context);
	const outcomes: Outcomes = new Map();
	const note = (entry: Outgoing, outcome: SendOutcome): void => {
		// The execution was canceled before the request was sent.
		if (outcome.is === 'notCarriedOut' && outcome.error instanceof CancelledError) return;
		outcomes.set(entry, outcome);
		if (outcome.is === 'done' || outcome.is === 'unknown') sent.set(entry.itemIndex, outcome);
	};
	const open = () => entries.filter((entry) => !outcomes.has(entry));
	const claimed = await claimIds(context, entries);
	try {
		for (const entry of entries) {
			const earlier = sent.get(entry.itemIndex);
			if (earlier !== undefined) outcomes.set(entry, earlier);
		}
		const undecided = claimed.filter(({ entry }) => !outcomes.has(entry));
		const byOthers = await awaitOthers(context, undecided);
		for (const one of byOthers) note(...one);
		const doubtful = entries.filter((entry) => outcomes.get(entry)?.is === 'unknown');
		for (const [entry, message] of await lookForLost(context, doubtful)) {
			note(entry, toAccepted(message, byOthers.has(entry)));
		}
		for (const one of await findSentBefore(context, open())) note(...one);
		const continues = context.continueOnFail();
		const isEnd = ({ is }: SendOutcome) => is === 'unknown' || (is !== 'done' && !continues);
		for (const batch of inBatches(open(), messageLimits.perRequest)) {
			if (context.getExecutionCancelSignal()?.aborted) break;
			const posted = await post(context, batch, options);
			for (const one of posted) note(...one);
			if ([...posted.values()].some(isEnd)) break;
		}
		return outcomes;
	} finally {
		endClaims(claimed, outcomes);
	}
};
