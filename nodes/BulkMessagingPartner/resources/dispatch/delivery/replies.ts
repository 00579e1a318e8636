import { isRecord } from '../../../../../core/json';
import {
	fieldOf,
	idIn,
	reasonIn,
	textIn,
	wholeNumberIn,
	type ReplyEntry,
} from '../../../../../core/transport/replyShape';

/** The fields of a message that are used here. */
export interface DispatchMessage {
	destination: string;
	messageUuid: string;
	parts: number;
	senderId?: number;
	status?: string;
}

/** In a dispatch that isn't started, FAILED means that the service rejected the message. */
export const isAccepted = ({ status }: DispatchMessage) => status !== 'FAILED';

/** In a started dispatch, an accepted message can fail on its way too. It has a sender then. */
export const wasAccepted = (message: DispatchMessage) =>
	isAccepted(message) || message.senderId !== undefined;

const otherThanDigits = /\D/g;

const digitsIn = (id: string): string =>
	id.search(otherThanDigits) < 0 ? id : id.replace(otherThanDigits, '');

const toMessage = (entry: ReplyEntry): DispatchMessage | undefined => {
	const destination = idIn(fieldOf(entry, 'destination'));
	const messageUuid = idIn(fieldOf(entry, 'messageUuid'));
	const digits = destination === undefined ? '' : digitsIn(destination);
	if (digits === '' || messageUuid === undefined) return undefined;
	return {
		destination: digits,
		messageUuid,
		parts: wholeNumberIn(fieldOf(entry, 'parts')) ?? 0,
		senderId: wholeNumberIn(fieldOf(entry, 'senderId')),
		status: textIn(entry, 'status')?.toUpperCase(),
	};
};

/** The messages in a list; `undefined` if one of them has no readable number or ID. */
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

/** The response to creating and appending. Fields that are missing or have another type are `undefined`. */
export interface CreatedReply {
	id?: number;
	currency?: string;
	/** How many messages were submitted, and how many of them were accepted. */
	total?: number;
	success?: number;
	failed?: number;
	messages?: DispatchMessage[];
}

/** The response itself, or its `data` if the service wraps it. */
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
	/** The number of messages, and the total number of parts in them. */
	total?: number;
	parts?: number;
	/** Set only if it is a number that can be compared with a limit. */
	priceEstimate?: number;
	/** The unchanged estimate, to show in an error. */
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

/** What the service reports about a message after sending. */
export interface FinalState {
	status: string;
	price: number | null;
	/** Why it failed, if the service reports it. */
	reason?: string;
}

/** By `messageUuid`. Entries without one are left out, so their recipients have no final state. */
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
