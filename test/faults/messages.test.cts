import { useFaultRuns } from '../messaging/faultRuns.cts';
import type * as SmallRequests from '../messaging/smallRequests.cts';
import { useCounts } from './support/counts.cts';
import { seedsOf } from './support/seed.cts';

jest.mock('../../core/contract/messaging', () =>
	jest.requireActual<typeof SmallRequests>('../messaging/smallRequests.cts').withSmallRequests(),
);

const runs = useFaultRuns(useCounts('messages'));

test.each(['send', 'sendAndResume', 'sendAndGoOn', 'sendAgain'] as const)(
	'200 messages in requests of 25: %s',
	async (way) => {
		for (const seed of seedsOf(way)) await runs[way]({ seed });
	},
);
