import { absent, lookForAMinute, type Look } from '../../../../../core/transport/outcome';
import { byNumber, isRefusedMessage, toPlaced, type Filled, type Job, type Placed } from './job';
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

/** Removes the first message that fits from a list, and returns it. */
const take = (
	messages: DispatchMessage[] | undefined,
	fits: (message: DispatchMessage) => boolean,
): DispatchMessage | undefined => {
	const index = messages?.findIndex(fits) ?? -1;
	return index < 0 ? undefined : messages?.splice(index, 1)[0];
};

/** The message of each recipient, from the dispatch's own list. `undefined` if a recipient is missing or in it twice. */
export const linkMessages = (
	{ recipients }: Pick<Job, 'recipients'>,
	placed: Placed,
	messages: readonly DispatchMessage[],
): Placed | undefined => {
	const open = byNumber(messages);
	const linked: Placed = [];
	const unlinked: number[] = [];
	let index = 0;
	for (const { destination } of recipients) {
		const known = placed[index];
		if (known) {
			const same = take(open.get(destination), (one) => one.messageUuid === known.messageUuid);
			if (same === undefined) return undefined;
			linked[index] = known;
		} else unlinked.push(index);
		index++;
	}
	for (const one of unlinked) {
		const message = open.get(recipients.at(one)?.destination ?? '')?.shift();
		// The service may leave rejected messages out of the list.
		if (placed[one] === null && (message === undefined || isRefusedMessage(message)))
			linked[one] = null;
		else if (message === undefined || placed[one] === null) return undefined;
		else linked[one] = isRefusedMessage(message) ? null : toPlaced(message);
	}
	return [...open.values()].some(({ length }) => length > 0) ? undefined : linked;
};

const acceptedIn = (placed: Placed) => placed.reduce((sum, one) => sum + (one ? 1 : 0), 0);

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
