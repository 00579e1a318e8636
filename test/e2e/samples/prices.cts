import type { Execution } from '../support/n8n.cts';
import type { Sample } from './sample.cts';

/** With a dearer tariff the same run creates the dispatch and does not start it; it ends at this node. */
export async function leavesTheExpensiveAlone(
	sample: Sample,
	name: string,
	node: string,
): Promise<Execution> {
	const { store } = sample.sandbox;
	const { tariffs } = store;
	store.tariffs = tariffs.map((tariff) => ({
		...tariff,
		prices: tariff.prices.map((step) => ({ ...step, price: 100 })),
	}));
	const execution = await sample.execute();
	store.tariffs = tariffs;
	expect(sample.dispatch(name)?.status).toBe('CREATED');
	expect(execution.items(node)).toHaveLength(1);
	return execution;
}
