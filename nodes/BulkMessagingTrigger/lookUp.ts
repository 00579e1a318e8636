import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { messaging } from '../../core/contract/messaging';
import { textOfItem } from '../../core/contract/readEvent';
import { inBatches, inUrlGroups } from '../../core/transport/batches';
import { type Caller, hideSecrets, loginSecrets, secretsOf } from '../../core/transport/connection';
import { list } from '../../core/transport/list';
import { ServiceError } from '../../core/transport/outcome';
import { toShowable } from '../../core/transport/redact';
import { textIn, type ReplyEntry } from '../../core/transport/replyShape';
import { type CallbackElement, isEvent } from './callbacks/parse';
import type { AddedMessage } from './callbacks/simplify';
import { idIn, isBlank } from '../../core/value';
import { callbackLogin } from '../shared/callbackLogin';

/** The service waits for the response of …/confirmed, so events continue without their messages after this time. */
const mostSeconds = 10;
const lookUpsAtATime = 4;
const retry = { attempts: 2, firstPauseMs: 500, longestPauseMs: 2_000 };

export const hasApiCredential = ({ credentials }: INode): boolean =>
	credentials?.bulkMessagingApi !== undefined;

/** An inbound event contains its message. Events from dispatches come from the partner API, which has another credential. */
const idToLookUp = (element: CallbackElement): string | undefined =>
	isEvent(element) && element.source === 'message' && element.event !== 'inbound_sent'
		? element.id
		: undefined;

const lookUpFailed = "The message couldn't be looked up";
const notListed = `${lookUpFailed}. The service doesn't list it. Check that the Bulk Messaging API credential belongs to the account that sent it.`;
const tookTooLong = `${lookUpFailed}. The service took longer than ${mostSeconds} seconds. 'Get' in the Bulk Messaging node finds it by messageUuid.`;
const noApiCredential = `${lookUpFailed}. No Bulk Messaging API credential is chosen. Choose one in the trigger.`;

const filled = (value: unknown): string | undefined =>
	typeof value === 'string' && !isBlank(value) ? value : undefined;

const toAdded = (message: ReplyEntry): AddedMessage => {
	const text = filled(textOfItem(message));
	const destination = filled(textIn(message, 'destination'));
	const senderName = filled(textIn(message, 'senderName'));
	const missing = [
		...(destination === undefined ? ['phone number'] : []),
		...(text === undefined ? ['text'] : []),
	];
	return {
		...(destination !== undefined && { destination }),
		...(senderName !== undefined && { senderName }),
		...(text !== undefined && { text }),
		...(missing.length > 0 && {
			messageError: `The service returned the message without its ${missing.join(' and ')}.`,
		}),
	};
};

/** The same n8n context, canceled after some seconds. */
const withDeadline = (context: IExecuteFunctions) => {
	const cancelled = context.getExecutionCancelSignal();
	const deadline = AbortSignal.timeout(mostSeconds * 1_000);
	const signal = cancelled === undefined ? deadline : AbortSignal.any([cancelled, deadline]);
	const caller = Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as Caller;
	return { caller, deadline };
};

const explainFailure = (caller: Caller, error: unknown): string => {
	// Without the description, which is too long for a column.
	if (error instanceof ServiceError) return `${lookUpFailed}. ${error.message}.`;
	const text = toShowable(
		error instanceof Error ? error.message : String(error),
		secretsOf(caller),
	);
	return `${lookUpFailed}. ${text.replace(/\.$/, '')}.`;
};

/** By UUID: each message, or why it couldn't be looked up. Those that the service doesn't list are missing. */
const findByUuids = async (context: IExecuteFunctions, ids: readonly string[]) => {
	const found = new Map<string, AddedMessage>();
	const fail = (some: readonly string[], messageError: string) => {
		for (const id of some) found.set(id, { messageError });
		return found;
	};
	if (!hasApiCredential(context.getNode())) return fail(ids, noApiCredential);
	const { caller, deadline } = withDeadline(context);
	const login = await callbackLogin(caller).catch(() => undefined);
	// The service stores the login with the message, and may repeat it in a response.
	if (login !== undefined) hideSecrets(caller, loginSecrets(login));
	for (const groups of inBatches(inUrlGroups(ids), lookUpsAtATime)) {
		const replies = await Promise.allSettled(
			groups.map(async (group) => {
				const wanted = new Set<unknown>(group);
				// A service that ignores the filter would list all messages of the account.
				const until = ({ messageUuid, externalMessageId }: ReplyEntry) =>
					!wanted.has(idIn(messageUuid)) && !wanted.has(idIn(externalMessageId));
				const query = { message_uuid: group };
				return await list(caller, messaging.messageList, { query }, { retry, until });
			}),
		);
		for (const [index, reply] of replies.entries()) {
			if (reply.status === 'rejected') {
				const why = deadline.aborted ? tookTooLong : explainFailure(caller, reply.reason);
				fail(groups[index] ?? [], why);
				continue;
			}
			for (const one of reply.value) found.set(idIn(one.messageUuid) ?? '', toAdded(one));
		}
	}
	return found;
};

/** What to add to each event that doesn't contain its message. Never throws: an event without its message is still an event. */
export const lookUpMessages = async (
	context: IExecuteFunctions,
	elements: readonly CallbackElement[],
): Promise<ReadonlyMap<CallbackElement, AddedMessage>> => {
	const ids = new Set(elements.map(idToLookUp).filter((id) => id !== undefined));
	const added = new Map<CallbackElement, AddedMessage>();
	if (ids.size === 0) return added;
	const found = await findByUuids(context, [...ids]);
	for (const element of elements) {
		const id = idToLookUp(element);
		if (id !== undefined) added.set(element, found.get(id) ?? { messageError: notListed });
	}
	return added;
};
