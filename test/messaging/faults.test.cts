import type { FaultKind } from '../../sandbox/api/faults.cts';
import { seeds } from '../support/share.cts';
import { noCounts } from '../support/storm.cts';
import { useFaultRuns } from './faultRuns.cts';
import type * as SmallRequests from './smallRequests.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));
jest.mock('../../core/contract/messaging', () =>
	jest.requireActual<typeof SmallRequests>('./smallRequests.cts').withSmallRequests(),
);

const kinds: FaultKind[] = ['status', 'reset', 'delay', 'commit-then-reset', 'commit-then-status'];

const counts = noCounts();
afterAll(() => console.log(JSON.stringify(counts)));
const { send, sendAndResume, sendAndGoOn, sendAgain } = useFaultRuns(counts);

describe('200 messages in requests of 25', () => {
	test.each([1, 31, 61, 91])(
		'runs from seed %i on, 25 %% of all requests fail: every message once, or an exact report',
		async (from) => {
			for (const seed of seeds(from, 30)) await send({ seed, kinds }, 0.25);
		},
		300_000,
	);

	test('runs with Custom Message IDs, half of all requests fail: the same run without faults sends the rest, each once', async () => {
		for (const seed of seeds(121, 40)) await sendAndResume({ seed, kinds });
	}, 300_000);

	test('runs with Continue and numbers that are refused: the others once, the refused never', async () => {
		for (const seed of seeds(161, 30)) await sendAndGoOn({ seed, kinds }, 0.25);
	}, 300_000);

	test('runs with Retry On Fail: no try sends again what another has sent', async () => {
		for (const seed of seeds(191, 10)) await sendAgain({ seed, kinds });
	}, 300_000);

	test('runs in which the service sometimes does not answer at all', async () => {
		for (const seed of seeds(1_001, 4)) await send({ seed });
	}, 300_000);
});
