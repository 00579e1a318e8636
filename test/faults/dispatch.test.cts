import { useFaultRuns } from '../dispatch/faultRuns.cts';
import { useCounts } from './support/counts.cts';
import { seedsOf } from './support/seed.cts';

// The service's clock jumps too: over the life of its tokens.
const runs = useFaultRuns(useCounts('dispatch'), { jumpMs: 3_700_000 });

test.each(['deliver', 'deliverByNode'] as const)(
	'5,000 recipients in batches of 250: %s',
	async (way) => {
		for (const seed of seedsOf(way, 0.5)) await runs[way](seed);
	},
);
