import { useFaultRuns } from '../dispatch/faultRuns.cts';
import { useCounts } from './support/counts.cts';
import { seedsOf } from './support/seed.cts';

const runs = useFaultRuns(useCounts('dispatch'));

test.each(['deliver', 'deliverByNode'] as const)(
	'5,000 recipients in batches of 250: %s',
	async (way) => {
		for (const seed of seedsOf(way)) await runs[way](seed);
	},
);
