import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import { ledgerOf } from '../../../../../core/engine/ledger';
import type { ItemOutcomes } from '../../../../../core/engine/progress';
import type { AcceptedMessage, Outgoing, SendOutcome } from './outgoing';

/** One message, and what became of it. */
export interface MessageRecord {
	readonly entry: Outgoing;
	/** `undefined`: sending stopped before this message. */
	readonly outcome?: SendOutcome;
	/** Whether another run has sent it, or may have. */
	readonly isOthers?: boolean;
}

export type AcceptedRecord = MessageRecord & {
	readonly outcome: { is: 'done'; value: AcceptedMessage };
};

/** What a run knows about its messages. n8n may run the node again in the same run (Retry On Fail). */
interface MessageJournal {
	/** The beginning of generated message IDs. */
	readonly prefix: string;
	/** By item. */
	readonly messages: Map<number, MessageRecord>;
	/** What the requests contain that no error of any try may show. */
	readonly secrets: Set<string>;
}

export const messageJournalOf = (context: IExecuteFunctions): MessageJournal =>
	ledgerOf(context).record('messages', () => ({
		prefix: randomUUID(),
		messages: new Map(),
		secrets: new Set(),
	}));

export const isAccepted = (message: MessageRecord): message is AcceptedRecord =>
	message.outcome?.is === 'done';

export const isUnknown = ({ outcome }: MessageRecord): boolean => outcome?.is === 'unknown';

/** Sent, or possibly sent, so no try sends it again, or reads it again: an expression may give a different value in each try. */
export const isTried = (message: MessageRecord): boolean =>
	isAccepted(message) || isUnknown(message);

/** In the order of the items. */
export const triedIn = (context: IExecuteFunctions): MessageRecord[] =>
	[...messageJournalOf(context).messages.values()]
		.filter(isTried)
		.sort((one, other) => one.entry.itemIndex - other.entry.itemIndex);

export const triedAt = (
	context: IExecuteFunctions,
	itemIndex: number,
): MessageRecord | undefined => {
	const message = messageJournalOf(context).messages.get(itemIndex);
	return message !== undefined && isTried(message) ? message : undefined;
};

/** For the engine's report about items that can't be read. */
export const outcomesOf = (tried: readonly MessageRecord[]): ItemOutcomes =>
	new Map(tried.map((one) => [one.entry.itemIndex, isAccepted(one) ? { entries: [{}] } : {}]));
