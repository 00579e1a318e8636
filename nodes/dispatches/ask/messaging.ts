import { WrittenBody } from '../../../core/contract/endpoint';
import { messageErrorText } from '../../../core/contract/errors';
import { messaging } from '../../../core/contract/messaging';
import { isRecord } from '../../../core/json';
import { list } from '../../../core/transport/list';
import { type Outcome, ServiceError, settled, unclear } from '../../../core/transport/outcome';
import {
	idIn,
	isAbsent,
	type ReplyEntry,
	textIn,
	wholeNumberIn,
} from '../../../core/transport/replyShape';
import { send } from '../../../core/transport/send';
import type { DispatchId, WireRecipient } from '../plan/rows';
import {
	type CreatedReply,
	type DispatchApi,
	type DispatchMessage,
	readMessage,
	type ShownDispatch,
} from './partner';

/** The only status that the provider publishes as the API writes it. */
const sending = 'sending';
const stopped = 'stopped';

const readState = (entry: ReplyEntry): ShownDispatch => {
	const messages = isRecord(entry.messages) ? entry.messages : {};
	const parts = isRecord(entry.parts) ? entry.parts : {};
	// Undelivered ones prove nothing: a recipient who was rejected before the start may be among them.
	const counts = ['sent', 'delivered'].map((name) => wholeNumberIn(messages[name]));
	const left = counts.reduce<number>((sum, count = 0) => sum + count, 0);
	return {
		name: textIn(entry, 'dispatchName'),
		status: textIn(entry, 'status'),
		total: wholeNumberIn(messages.total),
		// A count that can't be read isn't zero.
		left: left === 0 && counts.includes(undefined) ? undefined : left,
		parts: wholeNumberIn(parts.total),
		// The messaging API shows no price of a dispatch.
		givenEstimate: undefined,
	};
};

/** The service's code for a dispatch that it doesn't know. */
const unknownDispatch = 4040;
const noDispatch = (id: DispatchId) => `There is no dispatch with the ID ${id}`;

/** The list's entry for a dispatch. The API has no call for a single one. */
export const findDispatch: (
	...call: Parameters<DispatchApi['get']>
) => Promise<ReplyEntry> = async ({ context }, id) => {
	const query = { dispatch_id: id };
	const entries = await list(context, messaging.dispatchList, { query }).catch((error: unknown) => {
		throw error instanceof ServiceError && error.problem.code === unknownDispatch
			? error.titled(noDispatch(id))
			: error;
	});
	const own = entries.find(({ dispatchId }) => idIn(dispatchId) === String(id));
	if (own !== undefined) return own;
	// Without the filter, the list may contain it on a later page: then its absence proves nothing.
	const problem =
		entries.length === 0
			? { status: 404, code: unknownDispatch, hasId: true as const }
			: { status: 200, reply: 'other' as const };
	const error = new ServiceError(problem, 'refused', messaging.dispatchList);
	throw entries.length === 0 ? error.titled(noDispatch(id)) : error;
};

/** In a dispatch that isn't started, a message can only have failed because the service rejected it. */
const failedStatuses: readonly unknown[] = ['unsent', 'undelivered'];

const toMessage = (id: DispatchId, entry: ReplyEntry): DispatchMessage => {
	const { totalParts: parts, content: text } = entry;
	const status = failedStatuses.includes(entry.status) ? 'FAILED' : undefined;
	const message = readMessage({ ...entry, parts, text, status });
	if (message !== undefined && idIn(entry.dispatchId) === String(id)) return message;
	throw new Error(
		`The service lists a message that isn't in dispatch ${id}, or has no number or ID`,
	);
};

interface AppendedEntry {
	destination: string;
	/** Each recipient has one of these: accepted or rejected. */
	messageUuid?: string;
	errorCode?: number;
}

/** The entries of a response to adding recipients; `undefined` if one of them can't be read. */
const readAppended = (reply: unknown): AppendedEntry[] | undefined => {
	if (!Array.isArray(reply)) return undefined;
	const entries = reply.flatMap((entry: unknown): AppendedEntry[] => {
		if (!isRecord(entry)) return [];
		const destination = (textIn(entry, 'destination') ?? '').replace(/\D/g, '');
		const messageUuid = idIn(entry.messageUuid);
		const errorCode = wholeNumberIn(entry.errorCode);
		const isClear = (messageUuid === undefined) !== (errorCode === undefined);
		return destination !== '' && isClear ? [{ destination, messageUuid, errorCode }] : [];
	});
	return entries.length === reply.length ? entries : undefined;
};

const numbersIn = (entries: ReadonlyArray<{ destination: string }>): string =>
	entries
		.map(({ destination }) => destination)
		.sort()
		.join();

/** Clear only if the response is about exactly these recipients. */
const toCreated = (recipients: readonly WireRecipient[], reply: unknown): CreatedReply => {
	const entries = readAppended(reply);
	if (entries === undefined || numbersIn(entries) !== numbersIn(recipients)) return {};
	const messages = entries.flatMap(({ destination, messageUuid }) =>
		messageUuid === undefined ? [] : [{ destination, messageUuid, parts: 0 }],
	);
	const reasons = new Map(
		entries.flatMap(({ destination, errorCode }) => {
			if (errorCode === undefined) return [];
			const rejected = `The service rejected this recipient with error code ${errorCode}`;
			const meaning = messageErrorText(errorCode);
			return [[destination, meaning === undefined ? rejected : `${rejected}. ${meaning}`]];
		}),
	);
	return { total: entries.length, success: messages.length, messages, reasons };
};

/** The service's code for a dispatch whose status doesn't allow the call. */
export const wrongStatus = 4031;

const whyWrongStatus = {
	start: (id: DispatchId) => `Dispatch ${id} can't be started in its current status`,
	stop: (id: DispatchId) => `Dispatch ${id} isn't being sent, so there is nothing to stop`,
	append: (id: DispatchId) => `Recipients can't be added to dispatch ${id} in its current status`,
} as const;

/**
 * Sends a call that changes a dispatch. If the service rejects it because of the dispatch's status, or doesn't know the dispatch, the
 * error's title says so.
 */
const change = async (
	call: Promise<unknown>,
	id: DispatchId,
	what: keyof typeof whyWrongStatus,
): Promise<Outcome<unknown>> => {
	const sent = await settled(call);
	if (sent.is === 'done' || !(sent.error instanceof ServiceError)) return sent;
	const { error } = sent;
	const { code } = error.problem;
	if (code === unknownDispatch) return { ...sent, error: error.titled(noDispatch(id)) };
	return code === wrongStatus ? { ...sent, error: error.titled(whyWrongStatus[what](id)) } : sent;
};

/** `undefined` if the dispatch shows no status, or not how many messages have left. Whether a stopped one was started isn't known. */
const isSent = ({ status, left }: ShownDispatch): boolean | undefined => {
	const word = status?.toLowerCase();
	if (word === sending) return true;
	if (word === undefined || left === undefined || (word === stopped && left === 0))
		return undefined;
	return left > 0;
};

const whyNotNow = {
	start: 'was already started',
	append: "was already started, so recipients can't be added",
	// No status is known that explains it.
	stop: undefined,
} as const;

/** The messaging API's dispatches, for the steps that the partner API's use too. */
export const messagingApi: DispatchApi = {
	api: 'messaging',
	append: async ({ context, secrets }, dispatchId, recipients) => {
		const body = new WrittenBody(
			recipients.map(({ destination, substitutions }) => ({ destination, substitutions })),
		);
		const path = { dispatchId };
		const call = send(context, messaging.dispatchAppend, { path, body }, { secrets });
		const sent = await change(call, dispatchId, 'append');
		return sent.is === 'done' ? { is: 'done', value: toCreated(recipients, sent.value) } : sent;
	},
	get: async (calls, id) => readState(await findDispatch(calls, id)),
	messagesIn: async ({ context }, id) => {
		const query = { dispatch_id: [String(id)] };
		const entries = await list(context, messaging.messageList, { query }, { pageSize: 1_000 });
		return entries.map((entry) => toMessage(id, entry));
	},
	move: async (context, dispatchId, move) => {
		const isStart = move === 'start';
		const endpoint = isStart ? messaging.dispatchStart : messaging.dispatchStop;
		const sent = await change(send(context, endpoint, { path: { dispatchId } }), dispatchId, move);
		if (sent.is !== 'done') return sent;
		const { value: reply } = sent;
		const isOwn = isRecord(reply) && idIn(reply.dispatchId) === String(dispatchId);
		// The response to a stop has no body.
		return isOwn || (!isStart && isAbsent(reply))
			? { is: 'done', value: { status: '' } }
			: unclear(endpoint);
	},
	// Only the website's word for a stopped dispatch is published, so another word says nothing.
	isMoved: (state, move) =>
		move === 'start' ? isSent(state) : state.status?.toLowerCase() === stopped || undefined,
	whyNot: (state, call) => (isSent(state) ? whyNotNow[call] : undefined),
	whyRejected: 'The service rejected this recipient',
};
