import { isRecord } from '../../../../../core/json';
import {
	idIn,
	reasonIn,
	wholeNumberIn,
	type ReplyEntry,
} from '../../../../../core/transport/replyShape';

/*
 * Reads the service's responses about dispatches: the contract's names only. A field that is missing or has another type is
 * `undefined`, which never counts as zero or as empty.
 */

/** A message that the service created for a recipient. */
export interface PlacedMessage {
	messageUuid: string;
	parts: number;
	senderId?: number;
}

export interface DispatchMessage extends PlacedMessage {
	destination: string;
	/** The final text as the service stores it. */
	text?: string;
	/** In a dispatch that isn't started, FAILED means that the service rejected the message. */
	status?: string;
}

const otherThanDigits = /\D/g;

const digitsIn = (id: string): string =>
	id.search(otherThanDigits) < 0 ? id : id.replace(otherThanDigits, '');

const textOr = (value: unknown): string | undefined =>
	typeof value === 'string' ? value : undefined;

const amountOr = (value: unknown): number | undefined =>
	typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** `undefined` if it has no readable number or ID. */
export const readMessage = (entry: ReplyEntry): DispatchMessage | undefined => {
	const digits = digitsIn(idIn(entry.destination) ?? '');
	const messageUuid = idIn(entry.messageUuid);
	if (digits === '' || messageUuid === undefined) return undefined;
	return {
		destination: digits,
		messageUuid,
		parts: wholeNumberIn(entry.parts) ?? 0,
		senderId: wholeNumberIn(entry.senderId),
		text: textOr(entry.text),
		status: textOr(entry.status),
	};
};

/** The response to creating and appending. */
export interface CreatedReply {
	id?: number;
	estimate?: number;
	currency?: string;
	/** How many messages were submitted, accepted and rejected. */
	total?: number;
	success?: number;
	failed?: number;
	/** `undefined` if one of them can't be read. */
	messages?: DispatchMessage[];
}

const readMessages = (entries: unknown): DispatchMessage[] | undefined => {
	if (!Array.isArray(entries)) return undefined;
	const messages: DispatchMessage[] = [];
	for (const entry of entries) {
		const message = isRecord(entry) ? readMessage(entry) : undefined;
		if (message === undefined) return undefined;
		messages.push(message);
	}
	return messages;
};

export const readCreated = (reply: unknown): CreatedReply => {
	if (!isRecord(reply)) return {};
	const estimate = isRecord(reply.priceEstimate) ? reply.priceEstimate : {};
	return {
		id: wholeNumberIn(reply.id) || undefined,
		estimate: amountOr(estimate.total),
		currency: textOr(estimate.currency),
		total: wholeNumberIn(reply.total),
		success: wholeNumberIn(reply.success),
		failed: wholeNumberIn(reply.failed),
		messages: readMessages(reply.messages),
	};
};

/** A dispatch as the service shows it. */
export interface DispatchState {
	id: number;
	name?: string;
	status?: string;
	/** The number of messages, and the total number of parts in them. */
	total?: number;
	parts?: number;
	/** How many of the messages have failed. In a dispatch that isn't started, these are the rejected ones. */
	failed?: number;
	/** Set only if it is a number that can be compared with a limit. */
	estimate?: number;
	/** The unchanged estimate, to show in an error. */
	givenEstimate: unknown;
	createdAt?: string;
	startedAt?: string;
}

/** `undefined` if the response doesn't show a dispatch with an ID. */
export const readDispatch = (reply: unknown): DispatchState | undefined => {
	const id = isRecord(reply) ? wholeNumberIn(reply.id) : undefined;
	if (!isRecord(reply) || !id) return undefined;
	const { messages, parts, priceEstimate } = reply;
	return {
		id,
		name: textOr(reply.name),
		status: textOr(reply.status),
		total: isRecord(messages) ? wholeNumberIn(messages.total) : undefined,
		failed: isRecord(messages) ? wholeNumberIn(messages.failed) : undefined,
		parts: isRecord(parts) ? wholeNumberIn(parts.total) : undefined,
		estimate: amountOr(priceEstimate),
		givenEstimate: priceEstimate,
		createdAt: textOr(reply.createdAt),
		startedAt: textOr(reply.startedAt),
	};
};

/** Whether it was ever started, so that people may have got messages. */
export const wasStarted = ({ status, startedAt }: DispatchState): boolean =>
	status !== 'CREATED' || startedAt !== undefined;

/** What the service reports about a message after sending. */
export interface FinalState {
	status: string;
	price: number | null;
	text?: string;
	/** Why it failed, if the service reports it. */
	reason?: string;
}

/** By `messageUuid`. Entries without one are left out, so their recipients have no final state. */
export const readFinals = (entries: readonly ReplyEntry[]): ReadonlyMap<string, FinalState> => {
	const finals = new Map<string, FinalState>();
	for (const entry of entries) {
		const uuid = idIn(entry.messageUuid);
		if (uuid === undefined) continue;
		finals.set(uuid, {
			status: textOr(entry.status) ?? '',
			price: amountOr(entry.price) ?? null,
			text: textOr(entry.text),
			reason: reasonIn(entry),
		});
	}
	return finals;
};
