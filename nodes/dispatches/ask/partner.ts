import type { IExecuteFunctions } from 'n8n-workflow';
import { isRecord } from '../../../core/json';
import { idIn, type ReplyEntry, wholeNumberIn } from '../../../core/transport/replyShape';
import type { NewDispatch } from '../../../core/contract/dispatch';
import { type Endpoint, type RequestOf, WrittenBody } from '../../../core/contract/endpoint';
import { partner } from '../../../core/contract/partner';
import { list } from '../../../core/transport/list';
import {
	defaultRetryPolicy,
	type Outcome,
	settled,
	unclear,
} from '../../../core/transport/outcome';
import { send } from '../../../core/transport/send';
import { whyFailed, whyRejected } from '../tell/whyFailed';
import type { DispatchId, WireRecipient } from '../plan/rows';

/*
 * Reads the service's responses about dispatches: the contract's names only. A field that is missing or has another type is
 * `undefined`, which never counts as zero or as empty.
 */

/** A message that the service created for a recipient. */
export interface DispatchMessage {
	destination: string;
	messageUuid: string;
	parts: number;
	senderId?: number;
	/** The final text as the service stores it, if it was read. */
	text?: string;
	/** In a dispatch that isn't started, FAILED means that the service rejected the message. */
	status?: string;
}

const otherThanDigits = /\D/g;

const writtenNumber = /^(?:tel:)?\+?[\d\s().-]+$/;

/** Empty if it isn't a whole number, for example because some of its digits are masked. */
const digitsIn = (id: string): string => {
	if (id.search(otherThanDigits) < 0) return id;
	return writtenNumber.test(id) ? id.replace(otherThanDigits, '') : '';
};

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
	/** How many parts the estimate is for. */
	estimatedParts?: number;
	currency?: string;
	/** How many messages were submitted, accepted and rejected. */
	total?: number;
	success?: number;
	failed?: number;
	/** `undefined` if one of them can't be read. */
	messages?: DispatchMessage[];
	/** Why recipients were rejected, by their numbers, if the response shows it. */
	reasons?: ReadonlyMap<string, string>;
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
		estimatedParts: wholeNumberIn(estimate.parts),
		currency: textOr(estimate.currency),
		total: wholeNumberIn(reply.total),
		success: wholeNumberIn(reply.success),
		failed: wholeNumberIn(reply.failed),
		messages: readMessages(reply.messages),
	};
};

/** A dispatch as the service shows it. */
export interface ShownDispatch {
	name?: string;
	status?: string;
	/** The number of messages, and the total number of parts in them. */
	total?: number;
	parts?: number;
	/** How many of the messages have failed. In a dispatch that isn't started, these are the rejected ones. */
	failed?: number;
	delivered?: number;
	/** How many were sent, if the service counts them: then it was started. */
	left?: number;
	/** Set only if it is a number that can be compared with a limit. */
	estimate?: number;
	/** The unchanged estimate, to show in an error. */
	givenEstimate: unknown;
	channelType?: string;
	createdAt?: string;
	startedAt?: string;
}

/** A dispatch of the partner API. */
export interface DispatchState extends ShownDispatch {
	id: number;
}

/** One in a list: without a name it couldn't be told from others. */
export type ListedDispatch = DispatchState & { name: string };

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
		delivered: isRecord(messages) ? wholeNumberIn(messages.delivered) : undefined,
		parts: isRecord(parts) ? wholeNumberIn(parts.total) : undefined,
		estimate: amountOr(priceEstimate),
		givenEstimate: priceEstimate,
		channelType: textOr(reply.channelType),
		createdAt: textOr(reply.createdAt),
		startedAt: textOr(reply.startedAt) || undefined,
	};
};

/** Not started yet. Another status besides those of the contract says that it was, or may have been. */
export const isUnstarted = ({ status, startedAt }: ShownDispatch): boolean =>
	status === 'CREATED' && startedAt === undefined;

/** What the service reports about a message after sending. */
export interface FinalState {
	status: string;
	price: number | null;
	text?: string;
	/** Why it failed, if it did. */
	why: ReturnType<typeof whyFailed>;
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
			why: whyFailed(entry),
		});
	}
	return finals;
};

export type DispatchHead = Omit<NewDispatch, 'messages'>;
type AppendBody = RequestOf<typeof partner.dispatchAppend>['body'];

export interface Calls {
	context: IExecuteFunctions;
	/** Texts that no error may show: the login in the callback URL. */
	secrets: readonly string[];
}

const readReply = (sent: Outcome<unknown>): Outcome<CreatedReply> =>
	sent.is === 'done' ? { is: 'done', value: readCreated(sent.value) } : sent;

export const createDispatch = async (
	{ context, secrets }: Calls,
	body: WrittenBody<NewDispatch>,
): Promise<Outcome<CreatedReply>> =>
	readReply(await settled<unknown>(send(context, partner.dispatchCreate, { body }, { secrets })));

export const appendMessages = async (
	{ context, secrets }: Calls,
	id: number,
	body: WrittenBody<AppendBody>,
): Promise<Outcome<CreatedReply>> => {
	const sent = send(context, partner.dispatchAppend, { path: { id }, body }, { secrets });
	return readReply(await settled<unknown>(sent));
};

/** The dispatch as the service shows it now. Throws if it can't be read, or if the response is about another dispatch. */
export const getDispatch = async (
	{ context }: Pick<Calls, 'context'>,
	id: number,
): Promise<DispatchState> => {
	const state = readDispatch(await send(context, partner.dispatchGet, { path: { id } }));
	if (state !== undefined) return state;
	throw new Error(`The service's response doesn't show dispatch ${id}`);
};

const readListed = (id: number, entries: readonly ReplyEntry[]): DispatchMessage[] =>
	entries.map((entry) => {
		const message = readMessage(entry);
		if (message !== undefined) return message;
		throw new Error(`The service lists a message in dispatch ${id} without a number or an ID`);
	});

/** All messages in a dispatch. Throws if the list is incomplete or an entry in it can't be read. */
export const messagesIn = async (
	{ context }: Pick<Calls, 'context'>,
	id: number,
): Promise<DispatchMessage[]> => {
	const query = { dispatchId: id };
	return readListed(id, await list(context, partner.messageList, { query }, { pageSize: 1_000 }));
};

/** All dispatches of a company. An entry without a name or an ID is an error, because it may be the one we look for. */
export const listDispatches = async (
	context: IExecuteFunctions,
	companyId: number,
): Promise<ListedDispatch[]> => {
	const query = { companyId };
	const entries = await list(context, partner.dispatchList, { query }, { pageSize: 1_000 });
	return entries.map((entry) => {
		const dispatch = readDispatch(entry);
		const { name } = dispatch ?? {};
		if (dispatch !== undefined && name !== undefined) return { ...dispatch, name };
		throw new Error(
			"The service lists a dispatch without a name or an ID, so the node can't identify it",
		);
	});
};

export type Move = 'start' | 'stop';

/** A dispatch after it was started or stopped. */
export interface Moved {
	status: string;
}

/**
 * The calls of one API for a dispatch that exists. Both APIs have such dispatches: adding recipients and starting follow the same
 * steps, and only these calls differ.
 */
export interface DispatchApi {
	readonly api: Endpoint['api'];
	append(
		calls: Calls,
		id: DispatchId,
		recipients: readonly WireRecipient[],
	): Promise<Outcome<CreatedReply>>;
	/** Throws if it can't be read, or if the response is about another dispatch. */
	get(calls: Pick<Calls, 'context'>, id: DispatchId): Promise<ShownDispatch>;
	/** All messages in it. Throws if the list is incomplete. */
	messagesIn(calls: Pick<Calls, 'context'>, id: DispatchId): Promise<DispatchMessage[]>;
	/** Sends the call once. It is done only if the response says so about this very dispatch. */
	move(
		context: IExecuteFunctions,
		id: DispatchId,
		move: Move,
		/** Whether it is too late to send the call once more. */
		isLate?: () => boolean,
	): Promise<Outcome<Moved>>;
	/** Whether the dispatch shows that it was moved; `undefined` if it shows neither the old nor the new status. */
	isMoved(state: ShownDispatch, move: Move): boolean | undefined;
	/** Why the service rejects a call, if the dispatch shows it, as the end of the sentence "Dispatch 17 …". */
	whyNot(state: ShownDispatch, call: Move | 'append'): string | undefined;
	/** Why the service rejects a recipient, if its response doesn't say it. */
	readonly whyRejected: string;
}

const moves = {
	start: { endpoint: partner.dispatchStart, from: 'CREATED', to: ['STARTED', 'COMPLETED'] },
	stop: { endpoint: partner.dispatchStop, from: 'STARTED', to: ['STOPPED'] },
} as const;

/** By dispatch status. Statuses that aren't a reason are left out. */
const whyNot = {
	start: { STOPPED: 'was stopped' },
	stop: {
		CREATED: "isn't started, so there is nothing to stop",
		COMPLETED: 'is already completed, so there is nothing to stop',
	},
	append: {
		STARTED: "was already started, so recipients can't be added",
		COMPLETED: "was already sent, so recipients can't be added",
		STOPPED: "was started and stopped, so recipients can't be added",
	},
} as const;

/** The partner API's dispatches. */
export const partnerApi: DispatchApi = {
	api: 'partner',
	append: async (calls, id: number, messages) =>
		await appendMessages(calls, id, new WrittenBody({ messages: [...messages] })),
	get: getDispatch,
	messagesIn,
	move: async (context, id: number, move, isLate) => {
		const { endpoint, to } = moves[move];
		// Started soon or not at all, because other runs wait only for a while. The dispatch is looked at before the next attempt.
		const retry = { ...defaultRetryPolicy, attempts: 3, isOver: isLate };
		const sent = await settled<unknown>(send(context, endpoint, { path: { id } }, { retry }));
		if (sent.is !== 'done') return sent;
		const { status = '' } = readDispatch(sent.value) ?? {};
		return to.some((one) => one === status) ? { is: 'done', value: { status } } : unclear(endpoint);
	},
	isMoved: ({ status }, move) => {
		const { from, to } = moves[move];
		if (to.some((one) => one === status)) return true;
		return status === from ? false : undefined;
	},
	whyNot: ({ status = '', startedAt }, call) => {
		const reasons: Readonly<Record<string, string>> = whyNot[call];
		if (Object.hasOwn(reasons, status)) return reasons[status];
		return call === 'append' && startedAt !== undefined ? whyNot.append.STARTED : undefined;
	},
	whyRejected,
};
