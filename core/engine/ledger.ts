import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * What one run of a node has done so far: the only memory of a run. With 'Retry On Fail' n8n runs the node again with all items
 * because one failed, and all tries share the ledger, so that nothing is done twice.
 */
export class Ledger {
	/**
	 * Set once something was done that can't be undone, such as a message that was sent or may have been, in any try. Returns what an
	 * error must say about it; empty if its results say it themselves.
	 */
	acts?: () => string;

	private readonly records = new Map<string, unknown>();

	/** The record with this name, made at the first call. Each name is used in one place only, so its type is certain. */
	record<T>(name: string, make: () => T): T {
		if (!this.records.has(name)) this.records.set(name, make());
		return this.records.get(name) as T;
	}
}

const ledgers = new WeakMap<object, WeakMap<object, Ledger>>();

/**
 * n8n's execution data is the same in all tries of a run. For an agent's tools it is the agent's in every call; there only the
 * first item's JSON, which n8n makes for each call, tells two calls apart.
 */
export const ledgerOf = (context: IExecuteFunctions): Ledger => {
	const run = context.getExecuteData();
	const call: object = context.getInputData()[0]?.json ?? run;
	const calls = ledgers.get(run) ?? new WeakMap<object, Ledger>();
	ledgers.set(run, calls);
	const ledger = calls.get(call) ?? new Ledger();
	calls.set(call, ledger);
	return ledger;
};
