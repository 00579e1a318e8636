import { nodes } from '../nodes/all.cts';
import { clientLimitMs } from '../support/giveUp.cts';
import { beginStorm } from '../support/storm.cts';
import { useCounts } from './support/counts.cts';
import { useOperationRuns } from './support/operationRuns.cts';
import { seedsOf } from './support/seed.cts';
import { weatherOf } from './support/weather.cts';

const counts = useCounts('operations');

describe.each(nodes)('$name, while every fifth request fails', (tested) => {
	const { goAlong, runDisturbed } = useOperationRuns(tested, counts);

	test.each(tested.rows)('$operation: $title', async (row) => {
		const way = await goAlong(row);
		const wrong: string[] = [];
		for (const seed of seedsOf(`${tested.name} ${row.operation} ${row.title}`)) {
			const one = await runDisturbed(
				row,
				way,
				(sandbox) => beginStorm(sandbox, weatherOf(seed, clientLimitMs), counts),
				// n8n's own setting Retry On Fail must not do twice what the node does once.
				seed % 3 === 0 ? 3 : 1,
			);
			if (one !== undefined) wrong.push(`fault seed ${seed}: ${one}`);
		}
		expect(wrong).toEqual([]);
	});
});
