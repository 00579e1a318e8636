import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Something that lasts as long as one run of a node. With Retry On Fail n8n runs a node again, with all of its items,
 * because one of them failed: the same run is recognised by n8n's own record of it, so that what it has sent is not sent
 * again.
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
