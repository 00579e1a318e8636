import type { IExecuteFunctions } from 'n8n-workflow';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { runNode } from '../support/n8n.cts';
import { useSandbox } from '../support/sandbox.cts';

/**
 * An agent that calls its tools itself gives every call its own execution data. Only the JSON of the first item is new in each
 * call, and the same in all tries of one call.
 */
const bench = useSandbox();

/** Calls the node as an agent does: `calls` times with new items, each `tries` times with the same. */
const callAsAgent = async (calls: number, tries: number) => {
	const node = new BulkMessagingPartner();
	node.execute = async function (this: IExecuteFunctions) {
		const agents = this.getExecuteData();
		for (let call = 0; call < calls; call++) {
			const items = [{ json: {} }];
			for (let count = 0; count < tries; count++) {
				const context = Object.create(this, {
					getExecuteData: { value: () => agents },
					getInputData: { value: () => items },
				}) as IExecuteFunctions;
				await BulkMessagingPartner.prototype.execute.call(context);
			}
		}
		return [[]];
	};
	return await runNode({
		node,
		parameters: {
			resource: 'company',
			operation: 'create',
			name: 'Agency',
			counteragentType: 'LEGAL',
			counteragentInn: '7700000000',
		},
		credentials: bench.credentials(),
	});
};

test.each([
	[1, 1],
	[2, 1],
	[3, 1],
	[2, 3],
])(
	'%d calls of an agent, each tried %d times: as many companies as calls',
	async (calls, tries) => {
		const before = bench.store.companies.size;
		const { error } = await callAsAgent(calls, tries);
		expect(error).toBeUndefined();
		expect(bench.store.companies.size - before).toBe(calls);
		expect(bench.sent('POST', '/company')).toBe(calls);
	},
);
