import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * A value that lives as long as one run of a node. With 'Retry On Fail' n8n runs a node again with all items because one failed:
 * n8n's own execution data identifies such a retry as the same run, so that nothing is sent twice.
 */
export const perRun = <T>(make: () => T): ((context: IExecuteFunctions) => T) => {
	const known = new WeakMap<object, T>();
	return (context) => {
		const run = context.getExecuteData();
		const found = known.get(run) ?? make();
		known.set(run, found);
		return found;
	};
};
