import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { RequestOf } from '../../../../../core/contract/endpoint';
import type { ApiMessage } from '../../../../../core/contract/message';
import type { messaging } from '../../../../../core/contract/messaging';
import { ledgerOf } from '../../../../../core/engine/ledger';
import type { Outcome } from '../../../../../core/transport/outcome';
import type { z } from '../../../../../vendor/zod';
import type { CallbackAuthentication } from '../../../../shared/callback';

export type SendEndpoint = typeof messaging.messageSend | typeof messaging.cascadeSend;

/** One entry of a request, with the item it comes from. */
export interface Outgoing {
	itemIndex: number;
	/** Already checked against the contract. */
	body: RequestOf<SendEndpoint>['body'][number];
	/** The ID by which the message can be found again. */
	ownId?: string;
	/** Whether the user chose the ID, so that an earlier message may have it too. */
	isGiven: boolean;
	/** What to do if an earlier message has the ID. */
	usedBefore: 'skip' | 'sendAnyway';
	/** Where the login for its callback URL comes from. */
	callbackAuthentication?: CallbackAuthentication;
	/** Only of an operation that waits for a reply. */
	whenUndelivered?: 'continue' | 'wait';
	/** What makes two messages the same, if it isn't the whole content. */
	compared?: unknown;
}

/** The fields of a looked-up message that are used. */
export type FoundMessage = Pick<
	z.output<typeof ApiMessage>,
	| 'messageUuid'
	| 'destination'
	| 'channelType'
	| 'status'
	| 'statusTime'
	| 'readStatus'
	| 'readStatusTime'
	| 'errorCode'
>;

interface AcceptedMessage {
	messageUuid?: string;
	/** An earlier message with the ID exists, and it was not sent again. */
	alreadySent?: true;
	/** The message as the service returned it, if it was looked up. */
	message?: FoundMessage;
}

/** An accepted message, with the entry it was sent as. */
export interface Sent extends AcceptedMessage {
	entry: Outgoing;
}

export type SendOutcome = Outcome<AcceptedMessage>;

/** A message without an outcome wasn't tried, because sending stopped before it. */
export type Outcomes = Map<Outgoing, SendOutcome>;

/** What all tries of a run know about its messages. n8n may run the node again in the same run (Retry On Fail). */
interface MessagesRecord {
	/** The beginning of generated message IDs. */
	readonly prefix: string;
	/** By item: the messages that were accepted, or may have been, as they were sent. They are never sent again. */
	readonly sent: Map<number, { entry: Outgoing; outcome: SendOutcome }>;
	/** By item: the UUIDs of earlier messages with the ID, if the user wants the message sent anyway. */
	readonly older: Map<number, ReadonlySet<string>>;
}

export const messagesOf = (context: IExecuteFunctions): MessagesRecord =>
	ledgerOf(context).record('messages', () => ({
		prefix: randomUUID(),
		sent: new Map(),
		older: new Map(),
	}));

/** What an earlier try of this run has sent stays as it was sent: an expression may give a different value in each try. */
export const asTried = (context: IExecuteFunctions, entries: readonly Outgoing[]): Outgoing[] =>
	entries.map((entry) => messagesOf(context).sent.get(entry.itemIndex)?.entry ?? entry);
