import { randomUUID } from 'crypto';
import { perRun } from '../../../../../core/engine/perRun';
import type { AcceptedMessage } from './fate';

/** What a node has done so far in one run. n8n may call the node again in the same run (Retry On Fail). */
export interface SendingMemory {
	/** The beginning of generated message IDs. */
	readonly prefix: string;
	/** By input item. */
	readonly accepted: Map<number, AcceptedMessage>;
	/** Items that may have been sent, with the error that left it open. */
	readonly unknown: Map<number, unknown>;
	/** When the last request was sent. Infinity before the first one, so that no lookup counts as proof. */
	sentAt: number;
	/** UUIDs of earlier messages with one of the given IDs. */
	readonly older: Set<string>;
	/** Items whose message can't be told apart from earlier messages with the same ID. */
	readonly blind: Set<number>;
}

export const sendingMemory = perRun<SendingMemory>(() => ({
	prefix: randomUUID(),
	accepted: new Map(),
	unknown: new Map(),
	sentAt: Infinity,
	older: new Set(),
	blind: new Set(),
}));
