/** What the service stores. Nothing is ever removed, so that a read can show any earlier moment. */
export type DispatchStatus = 'CREATED' | 'STARTED' | 'STOPPED' | 'COMPLETED';

export interface StoredMessage {
	uuid: string;
	destination: string;
	text: string;
	parts: number;
	senderId: number;
	isAccepted: boolean;
	at: number;
	/** How it ends if its dispatch is started. */
	final: 'DELIVERED' | 'FAILED';
}

export interface StoredDispatch {
	id: number;
	companyId: number;
	name: string;
	text: string;
	channelType: string;
	/** The run that created it; empty if it was there before. */
	by: string;
	createdAt: number;
	messages: StoredMessage[];
	moves: Array<{ at: number; status: DispatchStatus; by: string }>;
}

export interface SingleMessage {
	uuid: string;
	ownId: string | undefined;
	destination: string;
	text: string;
	channelType: string;
	by: string;
	at: number;
}

/** A text that reached a phone. */
export interface Received {
	destination: string;
	text: string;
	at: number;
	/** The run whose request sent it. */
	by: string;
	dispatchId?: number;
	ownId?: string;
}

export const startOf = ({ moves }: StoredDispatch) =>
	moves.find(({ status }) => status === 'STARTED');

export const acceptedIn = ({ messages }: StoredDispatch) =>
	messages.filter(({ isAccepted }) => isAccepted);

/** What requests contain, as far as the service reads it. */
export interface Recipient {
	destination: string;
	substitutions?: Record<string, string>;
	customText?: string;
}

export interface NewDispatch {
	companyId: number;
	name: string;
	text: string;
	channelType: string;
	senderIds: number[];
	messages: Recipient[];
}

export interface NewMessage {
	destination: string;
	content: string;
	channelType: string;
	externalMessageId?: string;
}

export interface Answer {
	status: number;
	body: unknown;
}
