import type { RequestOf } from '../../../../../core/contract/endpoint';
import type { messaging } from '../../../../../core/contract/messaging';
import type { CallbackAuthentication } from '../../../../shared/callbackParams';
import type { FoundMessage } from './lookUp';

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
}

export interface AcceptedMessage {
	messageUuid?: string;
	code?: number;
	/** An earlier message with the ID exists, and it was not sent again. */
	alreadySent?: true;
	/** The message as the service returned it, if it was looked up. */
	message?: FoundMessage;
	/** The service's response, if it accepted the request but the response doesn't mention this message. */
	unconfirmed?: { answer: unknown };
}

/** What is certain about one entry. */
export type Fate =
	| ({ kind: 'accepted' } & AcceptedMessage)
	/** It certainly was not sent. */
	| { kind: 'refused'; error: unknown }
	| { kind: 'unknown'; error: unknown }
	/** Sending stopped before this message, because of a failure or a cancellation. */
	| { kind: 'notTried' };
