import type { RequestOf } from '../../../../../core/contract/endpoint';
import type { messaging } from '../../../../../core/contract/messaging';
import type { CallbackAuthentication } from '../../../../shared/callbackParams';
import type { FoundMessage } from './lookUp';

export type SendEndpoint = typeof messaging.messageSend | typeof messaging.cascadeSend;

/** One entry of a request, and where it comes from. */
export interface Outgoing {
	itemIndex: number;
	/** Held against the contract already. */
	body: RequestOf<SendEndpoint>['body'][number];
	/** Under which it can be found again. */
	ownId?: string;
	/** The user chose the id, so that an older message may have it too. */
	isGiven: boolean;
	/** What to do then. */
	usedBefore: 'skip' | 'sendAnyway';
	/** Where the login for its callback URL comes from. */
	callbackAuthentication?: CallbackAuthentication;
}

export interface AcceptedMessage {
	messageUuid?: string;
	code?: number;
	/** It was there before, and was not sent again. */
	alreadySent?: true;
	/** The message as the service shows it, where it was looked up. */
	message?: FoundMessage;
	/** The service accepted the request without saying a readable word about this message: its answer as it came. */
	unconfirmed?: { answer: unknown };
}

/** What is certain about one entry. */
export type Fate =
	| ({ kind: 'accepted' } & AcceptedMessage)
	/** It certainly was not sent. */
	| { kind: 'refused'; error: unknown }
	| { kind: 'unknown'; error: unknown }
	/** It was never tried, because of what happened before it. */
	| { kind: 'held' };
