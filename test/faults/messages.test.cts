import { useFaultRuns } from '../messaging/faultRuns.cts';
import type * as SmallRequests from '../messaging/smallRequests.cts';
import { useCounts } from './support/counts.cts';
import { seedsOf } from './support/seed.cts';

jest.mock('../../core/contract/messaging', () =>
	jest.requireActual<typeof SmallRequests>('../messaging/smallRequests.cts').withSmallRequests(),
);

// The service's clock jumps too: over the life of its tokens.
const runs = useFaultRuns(useCounts('messages'), { jumpMs: 3_700_000 });

test.each(['send', 'sendAndResume', 'sendAndGoOn', 'sendAgain'] as const)(
	'200 messages in requests of 25: %s',
	async (way) => {
		for (const seed of seedsOf(way, 0.5)) await runs[way]({ seed });
	},
);
