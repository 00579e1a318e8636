import { askForAMinute } from '../../../core/transport/outcome';
import {
	type DispatchMessage,
	type DispatchState,
	getDispatch,
	isUnstarted,
	messagesIn,
} from '../ask/partner';
import {
	acceptedIn,
	type Answered,
	book,
	type Booked,
	byNumber,
	isRefusedMessage,
	type Job,
	type Placed,
} from '../job';
import type { AcceptedRecipient } from '../plan/rows';
import { canceledFact, type Fact } from '../words';
import { isNamed, type Created } from './create';

/** The message of each recipient, from the dispatch's own list; `undefined` if the list isn't exactly these recipients. */
export const linkMessages = (
	recipients: readonly AcceptedRecipient[],
	placed: Placed,
	messages: readonly DispatchMessage[],
): Placed | undefined => {
	const held = byNumber(messages);
	if (held.size !== messages.length) return undefined;
	const linked = [...placed];
	for (const { destination, position } of recipients) {
		const message = held.get(destination);
		held.delete(destination);
		const isAccepted = message !== undefined && !isRefusedMessage(message);
		// The service may leave rejected messages out of the list.
		if (message === undefined && placed[position] !== null) return undefined;
		linked[position] = isAccepted ? (placed[position] ?? message) : null;
	}
	return held.size === 0 ? linked : undefined;
};

type Compared =
	/** Exactly what it should hold. */
	| { is: 'exact'; state: DispatchState; placed: Placed }
	/** The same, but its price isn't known yet. */
	| { is: 'unpriced'; state: DispatchState; placed: Placed }
	| { is: 'startedByOther' | 'notExact' };

/** Whether the counts that it shows are those that the responses add up to. */
const hasCounts = ({ total = NaN, failed = 0 }: DispatchState, placed: Placed): boolean => {
	const accepted = acceptedIn(placed);
	return total - failed === accepted && total >= accepted;
};

export const decideCompare = (
	{ name, recipients, booked }: { name: string; recipients: Job['recipients']; booked: Booked },
	state: DispatchState,
	/** Read if the responses and the counts don't say enough. */
	messages: readonly DispatchMessage[] | undefined,
): Compared => {
	if (!isNamed(state, name)) return { is: 'notExact' };
	if (!isUnstarted(state)) return { is: 'startedByOther' };
	const placed =
		messages === undefined ? booked.placed : linkMessages(recipients, booked.placed, messages);
	if (placed === undefined) return { is: 'notExact' };
	// Whether the service counts and lists rejected messages isn't known.
	const counts = [messages?.length, recipients.length, acceptedIn(placed) + (state.failed ?? 0)];
	if (messages === undefined ? !hasCounts(state, placed) : !counts.includes(state.total))
		return { is: 'notExact' };
	// A price may be calculated later: 0, or less than a response has shown already, isn't that of everybody.
	const { estimate = 0 } = state;
	const isPriced = acceptedIn(placed) === 0 || (estimate > 0 && estimate >= booked.highestEstimate);
	const priced = {
		...state,
		estimate: state.estimate === undefined ? undefined : Math.max(estimate, booked.highestEstimate),
	};
	return { is: isPriced ? 'exact' : 'unpriced', state: priced, placed };
};

/**
 * Compares what the dispatch holds with what it should hold, for up to a minute, because reads may be out of date. If every response
 * was clear and the counts are right, that is enough; otherwise its messages are read.
 */
export const compareDispatch = async (
	job: Job,
	recipients: readonly AcceptedRecipient[],
	{ id, name }: Created,
	answers: readonly Answered[],
): Promise<
	(Exclude<Compared, { is: 'notExact' | 'startedByOther' }> & { booked: Booked }) | Fact
> => {
	const cancelled = job.context.getExecutionCancelSignal();
	const booked = book(recipients, answers);
	const seen = await askForAMinute(
		async () => {
			const state = await getDispatch(job, id);
			const isEnough = !isUnstarted(state) || (booked.isClear && hasCounts(state, booked.placed));
			return { state, messages: isEnough ? undefined : await messagesIn(job, id) };
		},
		({ state, messages }) => decideCompare({ name, recipients, booked }, state, messages),
		cancelled,
		({ is }) => is === 'exact' || is === 'startedByOther',
	);
	if (seen.is === 'exact' || seen.is === 'unpriced') return { ...seen, booked };
	if (cancelled?.aborted) return canceledFact;
	return { is: seen.is === 'startedByOther' ? 'startedByOther' : 'incomplete', id };
};
