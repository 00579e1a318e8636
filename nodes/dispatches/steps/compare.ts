import { absent, lookForAMinute, type Look } from '../../../core/transport/outcome';
import {
	acceptedIn,
	byNumber,
	isRefusedMessage,
	takenOver,
	type Filled,
	type Job,
	type Placed,
	type Stop,
} from './job';
import {
	type DispatchMessage,
	type DispatchState,
	getDispatch,
	haveName,
	messagesIn,
} from '../ask/partner';

/** A dispatch that holds exactly what it should. Its price may not be known. */
type Compared = { is: 'exact'; state: DispatchState; placed: Placed };

/** The service shows another name: it has changed ours, or the dispatch isn't ours. */
type Renamed = { is: 'renamed' };

/** The message of each recipient, from the dispatch's own list. `undefined` if a recipient is missing or in it twice, or if it contains others. */
export const linkMessages = (
	{ recipients }: Pick<Job, 'recipients'>,
	placed: Placed,
	messages: readonly DispatchMessage[],
): Placed | undefined => {
	const held = byNumber(messages);
	if (held.size !== messages.length) return undefined;
	const linked = [...placed];
	for (const { destination, position } of recipients) {
		const message = held.get(destination);
		held.delete(destination);
		const known = placed[position];
		const isAccepted = message !== undefined && !isRefusedMessage(message);
		if (known && message?.messageUuid !== known.messageUuid) return undefined;
		// The service may leave rejected messages out of the list.
		if (known === null ? isAccepted : message === undefined) return undefined;
		linked[position] = isAccepted ? (known ?? message) : null;
	}
	return held.size === 0 ? linked : undefined;
};

/** The price of everybody who was accepted, if it is known, and whether a later read may show a higher one. */
const priceOf = (
	{ recipients, batchSize }: Job,
	{ highestEstimate = 0, unpriced }: Filled,
	shown: number | undefined,
	linked: Placed,
) => {
	const isPartial = unpriced.some((batch) => batch.some(({ position }) => linked[position]));
	// One that isn't above those of the other requests is theirs only, or a 0 because the price isn't known yet.
	const isKnown = shown !== undefined && !(isPartial && shown <= highestEstimate);
	// With several requests, it may be that of some of them until reads are up to date.
	const mayRise = !isKnown || (isPartial && recipients.length > batchSize);
	return {
		estimate: isKnown ? Math.max(shown, highestEstimate) : undefined,
		mayRise: mayRise && acceptedIn(linked) > 0,
	};
};

/**
 * Compares what the dispatch holds with what it should hold, for up to a minute, because reads may be out of date. `undefined` if
 * it isn't exactly that. If every response was clear and the dispatch counts as many messages, that is enough; otherwise its
 * messages are read.
 */
export const compareDispatch = async (
	job: Job,
	filled: Filled,
): Promise<Compared | Stop | Renamed | undefined> => {
	const { id, placed, isClear } = filled;
	/** By the last read, another run or a person has started it, or may have. */
	let taken: Stop | undefined;
	let renamed: Renamed | undefined;
	/** By the last read, exact except for its price. */
	let last: Compared | undefined;
	const withPrice = (state: DispatchState, linked: Placed): Look<Compared> => {
		const { estimate, mayRise } = priceOf(job, filled, state.estimate, linked);
		const exact = { is: 'exact', state: { ...state, estimate }, placed: linked } as const;
		if (!mayRise) return { is: 'found', value: exact };
		last = exact;
		return absent;
	};
	const look = async (): Promise<Look<Compared>> => {
		last = undefined;
		const state = await getDispatch(job, id);
		const { status, startedAt, total = NaN, failed = 0 } = state;
		// A response with another dispatch's ID leads to another name.
		const isOurs = haveName([state], job.head.name).length === 1;
		renamed = isOurs || state.name === undefined ? undefined : { is: 'renamed' };
		const isStarted = startedAt !== undefined || (status !== undefined && status !== 'CREATED');
		taken = isStarted && renamed === undefined ? takenOver(state) : undefined;
		if (taken !== undefined || !status || !isOurs) return absent;
		const mayBeExact = total <= job.recipients.length;
		if (isClear && mayBeExact && total - failed === acceptedIn(placed)) {
			return withPrice(state, placed);
		}
		const messages = await messagesIn(job, id);
		const linked = linkMessages(job, placed, messages);
		if (linked === undefined) return absent;
		// Whether the service counts and lists rejected messages isn't known. The list shows that nobody is in it twice.
		const counts = [acceptedIn(linked) + failed, messages.length, job.recipients.length];
		return counts.includes(total) ? withPrice(state, linked) : absent;
	};
	const seen = await lookForAMinute(look, job.context.getExecutionCancelSignal());
	return seen.is === 'found' ? seen.value : (taken ?? renamed ?? last);
};
