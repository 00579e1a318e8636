import { randomUUID } from 'crypto';
import { perRun } from '../../../../../core/engine/perRun';
import type { AcceptedMessage } from './fate';

/** What one run of a node has done so far. */
export interface SendingMemory {
	/** What made-up own ids begin with. */
	readonly prefix: string;
	/** By input item. */
	readonly accepted: Map<number, AcceptedMessage>;
	/** Items that may have been sent, with what left it open. */
	readonly unknown: Map<number, unknown>;
	/** When the last request was sent. Before the first one it is in the future, so that no look proves anything. */
	sentAt: number;
	/** Messages that had one of the given ids before. */
	readonly older: Set<string>;
	/** Items whose message can't be told from older ones of the same ID. */
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
