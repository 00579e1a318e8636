import { randomUUID } from 'crypto';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Accepted } from './deliver';

/** What one run of a node has done so far. */
export interface Memory {
	/** What made-up own ids begin with. */
	readonly prefix: string;
	/** By input item. */
	readonly accepted: Map<number, Accepted>;
	/** Items that may have been sent. */
	readonly unknown: Set<number>;
	/** Messages that had one of the given ids before. */
	readonly older: Set<string>;
}

const memories = new WeakMap<object, Memory>();

/**
 * With Retry On Fail n8n runs a node again, with all of its items, because one of them failed. The same run is
 * recognised by n8n's own record of it, and what it has sent is not sent again.
 */
export const memoryOf = (context: IExecuteFunctions): Memory => {
	const run = context.getExecuteData();
	const known = memories.get(run) ?? {
		prefix: randomUUID(),
		accepted: new Map(),
		unknown: new Set(),
		older: new Set(),
	};
	memories.set(run, known);
	return known;
};
