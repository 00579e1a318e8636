import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { RequestOf } from '../../../../../core/contract/endpoint';
import type { ApiMessage } from '../../../../../core/contract/message';
import type { messaging } from '../../../../../core/contract/messaging';
import { ledgerOf } from '../../../../../core/engine/ledger';
import type { Outcome } from '../../../../../core/transport/outcome';
import type { z } from '../../../../../vendor/zod';
import type { CallbackAuthentication } from '../../../../shared/callback';
import type { BracesFound } from '../texts';

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
	/** Braces that the recipient would see. */
	braces: BracesFound | undefined;
	/** Shown to the user once, even if several items have the same one. */
	hints: readonly string[];
	/** Where the login for its callback URL comes from. */
	callbackAuthentication?: CallbackAuthentication;
	/** Only of a message with a link to reply. */
	asked?: AskedMessage;
}

interface AskedMessage {
	/** What the person is asked; `undefined` if the message has no text. */
	question: string | undefined;
	/** The content without the link, which is new in every run and doesn't make it another message. */
	content: unknown;
	/** Whether it doesn't matter to the wait if the message arrives. */
	keepsWaiting: boolean;
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

/** A message that was accepted, or may have been, as it was sent. */
interface TriedMessage {
	entry: Outgoing;
	outcome: SendOutcome;
	/** Whether another run has sent it, or may have. */
	isOthers: boolean;
}

/** What all tries of a run know about its messages. n8n may run the node again in the same run (Retry On Fail). */
interface MessagesRecord {
	/** The beginning of generated message IDs. */
	readonly prefix: string;
	/** By item. They are never sent again, and never read again: an expression may give a different value in each try. */
	readonly sent: Map<number, TriedMessage>;
	/** What the requests contain that no error of any try may show. */
	readonly secrets: Set<string>;
}

export const messagesOf = (context: IExecuteFunctions): MessagesRecord =>
	ledgerOf(context).record('messages', () => ({
		prefix: randomUUID(),
		sent: new Map(),
		secrets: new Set(),
	}));
