import type { IDataObject } from 'n8n-workflow';
import type { MessageEventName } from '../../../../../core/contract/events';
import {
	comparable,
	outcomeByStatus,
	readFields,
	reasonByStatus,
} from '../../../../../core/contract/readEvent';
import { isRecord } from '../../../../../core/json';
import type { FoundMessage } from '../delivery/outgoing';
import { isSameUuid } from '../delivery/reply';
import { onlyGiven } from '../result';
import { idIn } from '../../../../../core/value';

export type WaitFor = 'delivery' | 'reading' | 'approval' | 'freeText';

/** Whether a person has to reply on a page that n8n serves. */
export const isAsked = (waitFor: WaitFor): waitFor is 'approval' | 'freeText' =>
	waitFor === 'approval' || waitFor === 'freeText';

/** The events that report it. */
export const eventsFor = {
	delivery: ['delivered'],
	reading: ['delivered', 'read'],
	approval: ['delivered'],
	freeText: ['delivered'],
} as const satisfies Record<WaitFor, readonly MessageEventName[]>;

const notDelivered = ['undelivered', 'unsent'];

/** Statuses that end the wait. A message that isn't delivered can't be read, and nobody replies to it. */
const finalStatuses: Readonly<Record<WaitFor, ReadonlySet<string>>> = {
	delivery: new Set([...notDelivered, 'delivered', 'read', 'unread']),
	reading: new Set([...notDelivered, 'read', 'unread']),
	approval: new Set(notDelivered),
	freeText: new Set(notDelivered),
};

const isFinal = (status: string | null | undefined, waitFor: WaitFor): status is string =>
	typeof status === 'string' && finalStatuses[waitFor].has(status);

/** A message that was read, or left unread, was delivered. */
const outcomeFor = (status: string, waitFor: WaitFor) =>
	waitFor === 'delivery' && (status === 'read' || status === 'unread')
		? 'delivered'
		: outcomeByStatus(status);

/** The message that the execution waits for. */
export interface AwaitedMessage extends IDataObject {
	destination: string;
	channelType: string;
	/** What the person is asked, without the link. */
	text?: string;
	externalMessageId: string;
	messageUuid?: string;
	/** Tells this wait from others of the execution, even if their custom message IDs are the same. */
	waitId: string;
}

/** Without a reply, nothing is approved. */
export const unanswered = (waitFor: WaitFor): { data?: { approved: false } } =>
	waitFor === 'approval' ? { data: { approved: false } } : {};

interface WaitResult {
	outcome: string;
	data?: { approved: boolean } | { text: string };
	reason?: string;
	errorCode?: number;
	occurredAt?: string;
}

/** The node's output. What doesn't apply is left out, and IDs come last. */
const toWaitResult = (
	{ destination, text, channelType, externalMessageId, messageUuid }: AwaitedMessage,
	{ outcome, data, reason, errorCode, occurredAt }: WaitResult,
): IDataObject =>
	onlyGiven({
		destination,
		outcome,
		data,
		reason,
		text,
		channelType,
		errorCode,
		occurredAt,
		externalMessageId,
		messageUuid: messageUuid || undefined,
	});

interface ReportedStatus {
	status: string;
	errorCode?: number | null;
	occurredAt?: string | null;
}

const toReported = (
	awaited: AwaitedMessage,
	waitFor: WaitFor,
	{ status, errorCode, occurredAt }: ReportedStatus,
): IDataObject =>
	toWaitResult(awaited, {
		outcome: outcomeFor(status, waitFor),
		...unanswered(waitFor),
		reason: reasonByStatus(status, errorCode),
		errorCode: errorCode || undefined,
		occurredAt: occurredAt || undefined,
	});

/** The node's output if no result was reported in time. The execution is stored with it, so it also says what is awaited. */
export const toTimeout = (awaited: AwaitedMessage, waitFor: WaitFor): IDataObject => ({
	...toWaitResult(awaited, { outcome: 'timeout', ...unanswered(waitFor) }),
	waitId: awaited.waitId,
});

/** The node's output if the person has replied. `data` is as in n8n's own nodes. */
export const toReply = (
	awaited: AwaitedMessage,
	data: { approved: boolean } | { text: string },
	occurredAt: string,
): IDataObject => {
	const decided = 'approved' in data && data.approved ? 'approved' : 'declined';
	const outcome = 'text' in data ? 'replied' : decided;
	return toWaitResult(awaited, { outcome, data, occurredAt });
};

/** The outcome of a message that was looked up; `undefined` while the outcome isn't final. */
export const outcomeFromMessage = (
	sent: AwaitedMessage,
	waitFor: WaitFor,
	message: FoundMessage,
): IDataObject | undefined => {
	const awaited = { ...sent, messageUuid: message.messageUuid || sent.messageUuid };
	const { status, statusTime, readStatus, readStatusTime, errorCode } = message;
	if (waitFor === 'reading' && isFinal(readStatus, 'reading')) {
		const occurredAt = readStatusTime;
		return toReported(awaited, waitFor, { status: readStatus, errorCode, occurredAt });
	}
	if (!isFinal(status, waitFor)) return undefined;
	return toReported(awaited, waitFor, { status, errorCode, occurredAt: statusTime });
};

/** The URL has already proved which message the callback is for. Its body must not contradict that. */
const isAbout = (
	{ externalMessageId, messageUuid }: AwaitedMessage,
	ownId: string | undefined,
	id: string | undefined,
): boolean =>
	ownId === undefined
		? id !== undefined && (messageUuid === undefined || isSameUuid(id, messageUuid))
		: ownId.trim() === externalMessageId.trim();

/** The outcome in a callback's body; `undefined` if no event in it ends the wait for this message. */
export const outcomeFromCallbacks = (
	awaited: AwaitedMessage,
	waitFor: WaitFor,
	body: unknown,
): IDataObject | undefined => {
	for (const entry of Array.isArray(body) ? body : [body]) {
		if (!isRecord(entry)) continue;
		// Only the needed fields are read, so that an unexpected one can't keep the execution waiting forever.
		const { id, externalMessageId, statusTime, errorCode, ...report } = readFields(entry);
		const status = comparable(report.status);
		if (!isFinal(status, waitFor)) continue;
		if (!isAbout(awaited, idIn(externalMessageId), id)) continue;
		return toReported({ ...awaited, messageUuid: id ?? awaited.messageUuid }, waitFor, {
			status,
			errorCode: typeof errorCode === 'number' ? errorCode : null,
			occurredAt: typeof statusTime === 'string' ? statusTime : null,
		});
	}
	return undefined;
};
