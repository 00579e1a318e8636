import { nodes } from '../nodes/all.cts';
import { useCounts } from './support/counts.cts';
import { useOperationRuns } from './support/operationRuns.cts';
import { seedsOf } from './support/seed.cts';

const counts = useCounts('operations');

describe.each(nodes)('$name', (tested) => {
	const { goAlong, runInStorm } = useOperationRuns(tested, counts);

	test.each(tested.rows)('$operation: $title', async (row) => {
		const way = await goAlong(row);
		const wrong: Array<string | undefined> = [];
		for (const seed of seedsOf(`${tested.name} ${row.operation} ${row.title}`)) {
			wrong.push(await runInStorm(row, way, seed));
		}
		expect(wrong.filter((one) => one !== undefined)).toEqual([]);
	});
});
