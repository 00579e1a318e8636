import { absent, lookForAMinute, type Look } from '../../../../../core/transport/outcome';
import { acceptedIn, byNumber, isRefusedMessage, type Filled, type Job, type Placed } from './job';
import {
	startedStatuses,
	type DispatchMessage,
	type DispatchState,
	getDispatch,
	haveName,
	messagesIn,
} from './service';

/** A dispatch that holds exactly what it should, or one that another run or a person has started. */
type Compared = { state: DispatchState; placed: Placed; isStarted: boolean };

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
		if (known) {
			if (message?.messageUuid !== known.messageUuid) return undefined;
		} else {
			// The service may leave rejected messages out of the list.
			if (known === null ? isAccepted : message === undefined) return undefined;
			linked[position] = isAccepted ? message : null;
		}
	}
	return held.size === 0 ? linked : undefined;
};

/**
 * Compares what the dispatch holds with what it should hold, for up to a minute, because reads may be out of date. `undefined` if
 * it isn't exactly that. If every response was clear, the dispatch's own count is enough; otherwise its messages are read.
 */
export const compareDispatch = async (
	job: Job,
	{ id, placed, isClear }: Filled,
): Promise<Compared | undefined> => {
	const look = async (): Promise<Look<Compared>> => {
		const state = await getDispatch(job, id);
		const { status = '' } = state;
		if (startedStatuses.includes(status)) {
			return { is: 'found', value: { state, placed, isStarted: true } };
		}
		// A response with another dispatch's ID leads to another name.
		const isOurs = haveName([state], job.head.name).length === 1;
		if (status !== 'CREATED' || !isOurs) return absent;
		const linked = isClear ? placed : linkMessages(job, placed, await messagesIn(job, id));
		// Whether the service counts rejected messages isn't known. If it does, they are among the failed ones.
		const { total = NaN, failed = 0 } = state;
		const isWhole =
			linked !== undefined &&
			(total - failed === acceptedIn(linked) || total === job.recipients.length);
		return isWhole ? { is: 'found', value: { state, placed: linked, isStarted: false } } : absent;
	};
	const seen = await lookForAMinute(look, job.context.getExecutionCancelSignal());
	return seen.is === 'found' ? seen.value : undefined;
};
