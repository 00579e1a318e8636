import type { RequestOf } from '../../../../../core/contract/endpoint';
import type { ApiMessage } from '../../../../../core/contract/message';
import type { messaging } from '../../../../../core/contract/messaging';
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

export interface AcceptedMessage {
	messageUuid?: string;
	/** An earlier message with the ID exists, and it was not sent again. */
	alreadySent?: true;
	/** The message as the service returned it, if it was looked up. */
	message?: FoundMessage;
}

export type SendOutcome = Outcome<AcceptedMessage>;

export type Outcomes = Map<Outgoing, SendOutcome>;
