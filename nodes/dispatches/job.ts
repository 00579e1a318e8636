import type { NameCode } from '../../core/contract/dispatchName';
import type {
	Calls,
	CreatedReply,
	DispatchHead,
	DispatchMessage,
	DispatchState,
} from './ask/partner';
import type { AcceptedRecipient, RejectedRecipient } from './plan/rows';

/** One dispatch to make, and everything that was checked about it. */
export interface Job extends Calls {
	/** With the name as people gave it. */
	readonly head: DispatchHead;
	/** The same name as it is compared with others. */
	readonly base: string;
	/** How long a dispatch with this name counts. */
	readonly countsMs: number;
	/** A hash of everybody in the list and their texts. */
	readonly content: string;
	readonly purpose: NameCode['purpose'];
	readonly ifSent: 'new' | 'stop' | 'anyway';
	/** Those who don't have it yet. */
	readonly recipients: readonly AcceptedRecipient[];
	readonly batchSize: number;
	/** Its input items. */
	readonly itemIndexes: readonly number[];
}

/** A person who is in a dispatch that was started before, with the same text. */
export interface HasIt {
	readonly recipient: AcceptedRecipient;
	readonly dispatchId: number;
}

/** What the check has seen. */
export interface Checked {
	readonly job: Job;
	readonly rejected: readonly RejectedRecipient[];
	readonly hasIt: readonly HasIt[];
	/** The dispatches that were sent before to people of this list. */
	readonly sentBefore: readonly DispatchState[];
	/** The dispatch that an earlier run has created for exactly this list, for a person to start. */
	readonly kept?: DispatchState;
	/** How many messages were read in each dispatch that was started before. */
	readonly read: ReadonlyMap<number, number>;
	readonly senderNames: ReadonlyMap<number, string>;
	/** The operators of the sender names. */
	readonly brands: readonly string[];
	/** What the company may spend in a month, if that is limited. No response shows how much is spent. */
	readonly budget?: { value: number; currency: string };
}

/** By two clocks: one can be changed, the other may stand still while the computer sleeps. */
export interface Moment {
	readonly date: number;
	readonly steady: number;
}

export const momentNow = (): Moment => ({ date: Date.now(), steady: performance.now() });

/** By the clock that has gone further. */
export const msSince = ({ date, steady }: Moment): number =>
	Math.max(Date.now() - date, performance.now() - steady);

/** The recipients of one request, and its response if that is clear. */
export interface Answered {
	readonly batch: readonly AcceptedRecipient[];
	readonly reply?: CreatedReply;
}

/** What is kept of an accepted message: the number is the recipient's. */
type PlacedMessage = Pick<DispatchMessage, 'messageUuid' | 'parts' | 'senderId' | 'text'>;

/**
 * By the recipient's position: the message, `null` if the service rejected the recipient, or `undefined` if neither is known. An
 * array, because a map with hundreds of thousands of numbers takes as long as all requests.
 */
export type Placed = ReadonlyArray<PlacedMessage | null | undefined>;

/** A dispatch that isn't started and holds exactly what it should. */
export interface Made {
	readonly is: 'made';
	readonly id: number;
	/** With its code. */
	readonly name: string;
	readonly placed: Placed;
	/** With the highest estimate that was seen. */
	readonly state: DispatchState;
	readonly currency: string | undefined;
	/** When the request to create it was sent. */
	readonly createSentAt: Moment;
}

export const acceptedIn = (placed: Placed): number => {
	let count = 0;
	for (const message of placed) if (message) count++;
	return count;
};

export const isRefusedMessage = ({ status }: DispatchMessage): boolean => status === 'FAILED';

/** Of several messages to one number, one that wasn't rejected. */
export const byNumber = (messages: readonly DispatchMessage[]): Map<string, DispatchMessage> => {
	const found = new Map<string, DispatchMessage>();
	for (const message of messages) {
		if (!found.has(message.destination) || !isRefusedMessage(message))
			found.set(message.destination, message);
	}
	return found;
};

/** Each recipient's message in a response, in the order of the request; `undefined` if it isn't clear. */
const placeReply = (
	batch: readonly AcceptedRecipient[],
	{ total, success, messages }: CreatedReply,
): Array<PlacedMessage | null> | undefined => {
	if (messages === undefined || total !== batch.length) return undefined;
	const accepted = messages.filter((message) => !isRefusedMessage(message));
	if (accepted.length !== success) return undefined;
	// Most services respond in the order of the request. Then no map is needed.
	let messageOf: ReturnType<typeof byNumber> | undefined;
	let matched = 0;
	const found = batch.map(({ destination }, index) => {
		const next = accepted[index];
		const isNext = next?.destination === destination;
		if (!isNext) messageOf ??= byNumber(accepted);
		const message = isNext ? next : messageOf?.get(destination);
		if (message === undefined) return null;
		matched++;
		const { messageUuid, parts, senderId, text } = message;
		return { messageUuid, parts, senderId, text };
	});
	return matched === success ? found : undefined;
};

/** What all responses together say. */
export interface Booked {
	placed: Placed;
	/** Whether every request was answered clearly. If not, the messages themselves are read. */
	isClear: boolean;
	/** The highest estimate that a response has shown. A part never costs more than the whole. */
	highestEstimate: number;
	currency: string | undefined;
}

export const book = (
	recipients: readonly AcceptedRecipient[],
	answers: readonly Answered[],
): Booked => {
	// Its final length, because an array that is filled in random order would be slow.
	const placed = new Array<PlacedMessage | null | undefined>(
		(recipients.at(-1)?.position ?? -1) + 1,
	).fill(undefined);
	let isClear = true;
	let highestEstimate = 0;
	let currency: string | undefined;
	for (const { batch, reply } of answers) {
		highestEstimate = Math.max(highestEstimate, reply?.estimate ?? 0);
		currency ??= reply?.currency;
		const found = reply && placeReply(batch, reply);
		if (found === undefined) isClear = false;
		else batch.forEach(({ position }, index) => (placed[position] = found[index]));
	}
	return { placed, isClear, highestEstimate, currency };
};
