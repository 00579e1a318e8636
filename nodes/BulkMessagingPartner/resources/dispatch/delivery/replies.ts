import { isRecord } from '../../../../../core/json';
import {
	fieldOf,
	idIn,
	reasonIn,
	textIn,
	wholeNumberIn,
	type ReplyEntry,
} from '../../../../../core/transport/replyShape';

/** A message of a dispatch, as far as it is used. */
export interface DispatchMessage {
	destination: string;
	messageUuid: string;
	parts: number;
	senderId?: number;
	status?: string;
}

/** One that failed before anything was sent is one the service rejected. */
export const isTaken = ({ status }: DispatchMessage) => status !== 'FAILED';

/** Once messages are sent they also fail on their way: those have a sender. */
export const wasTaken = (message: DispatchMessage) =>
	isTaken(message) || message.senderId !== undefined;

const toMessage = (entry: ReplyEntry): DispatchMessage | undefined => {
	const destination = idIn(fieldOf(entry, 'destination'))?.replace(/\D/g, '');
	const messageUuid = idIn(fieldOf(entry, 'messageUuid'));
	if (!destination || messageUuid === undefined) return undefined;
	return {
		destination,
		messageUuid,
		parts: wholeNumberIn(fieldOf(entry, 'parts')) ?? 0,
		senderId: wholeNumberIn(fieldOf(entry, 'senderId')),
		status: textIn(entry, 'status')?.toUpperCase(),
	};
};

/** The messages in a list; `undefined` when one of them can't be told from the others. */
export const readMessages = (entries: unknown): DispatchMessage[] | undefined => {
	if (!Array.isArray(entries)) return undefined;
	const messages: DispatchMessage[] = [];
	for (const entry of entries) {
		const message = isRecord(entry) ? toMessage(entry) : undefined;
		if (message === undefined) return undefined;
		messages.push(message);
	}
	return messages;
};

/** The reply to creating and to appending. What is not there, or is something else, is `undefined`. */
export interface CreatedReply {
	id?: number;
	currency?: string;
	/** How many were submitted, and how many of them accepted. */
	total?: number;
	success?: number;
	failed?: number;
	messages?: DispatchMessage[];
}

/** The reply itself, or what a `data` around it holds. */
const contentsOf = (reply: unknown): ReplyEntry => {
	if (!isRecord(reply)) return {};
	const inner = fieldOf(reply, 'data');
	return isRecord(inner) && fieldOf(reply, 'id') === undefined ? inner : reply;
};

const positive = (value: unknown): number | undefined => wholeNumberIn(value) || undefined;

export const readCreated = (reply: unknown): CreatedReply => {
	const created = contentsOf(reply);
	const estimate = fieldOf(created, 'priceEstimate');
	return {
		id: positive(fieldOf(created, 'id')),
		currency: isRecord(estimate) ? textIn(estimate, 'currency') : undefined,
		total: wholeNumberIn(fieldOf(created, 'total')),
		success: wholeNumberIn(fieldOf(created, 'success')),
		failed: wholeNumberIn(fieldOf(created, 'failed')),
		messages: readMessages(fieldOf(created, 'messages')),
	};
};

/** A dispatch as the service shows it. */
export interface DispatchState {
	id?: number;
	name?: string;
	status?: string;
	/** How many messages it holds, and how many parts they have together. */
	total?: number;
	parts?: number;
	/** Only a number that can be compared with a limit. */
	priceEstimate?: number;
	/** The estimate as it came, for the words of a refusal. */
	givenEstimate: unknown;
	channelType?: string;
	createdAt?: string;
	startedAt?: string;
}

export const readState = (reply: unknown): DispatchState => {
	const state = contentsOf(reply);
	const messages = fieldOf(state, 'messages');
	const parts = fieldOf(state, 'parts');
	const givenEstimate = fieldOf(state, 'priceEstimate');
	return {
		id: positive(fieldOf(state, 'id')),
		name: textIn(state, 'name'),
		status: textIn(state, 'status')?.toUpperCase(),
		total: isRecord(messages) ? wholeNumberIn(fieldOf(messages, 'total')) : undefined,
		parts: isRecord(parts) ? wholeNumberIn(fieldOf(parts, 'total')) : undefined,
		priceEstimate:
			typeof givenEstimate === 'number' && Number.isFinite(givenEstimate) && givenEstimate >= 0
				? givenEstimate
				: undefined,
		givenEstimate,
		channelType: textIn(state, 'channelType'),
		createdAt: textIn(state, 'createdAt'),
		startedAt: textIn(state, 'startedAt'),
	};
};

/** What the service says about a message once it was sent. */
export interface FinalState {
	status: string;
	price: number | null;
	/** Why it failed, where the service says so. */
	reason?: string;
}

/** By `messageUuid`. An entry without one can't be told from the others and is left out: its recipient has no final state. */
export const readFinals = (
	entries: ReadonlyArray<Record<string, unknown>>,
): ReadonlyMap<string, FinalState> => {
	const finals = new Map<string, FinalState>();
	for (const entry of entries) {
		const uuid = idIn(fieldOf(entry, 'messageUuid'));
		if (uuid === undefined) continue;
		const price = fieldOf(entry, 'price');
		finals.set(uuid, {
			status: textIn(entry, 'status')?.toUpperCase() ?? '',
			price: typeof price === 'number' && Number.isFinite(price) ? price : null,
			reason: reasonIn(entry),
		});
	}
	return finals;
};
