import type { FaultKind } from '../../sandbox/api/faults.cts';
import { seeds } from '../support/share.cts';
import { noCounts } from '../support/storm.cts';
import { useFaultRuns } from './faultRuns.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

const withoutHangs: FaultKind[] = [
	'status',
	'reset',
	'delay',
	'commit-then-reset',
	'commit-then-status',
];

const counts = noCounts();
afterAll(() => console.log(JSON.stringify(counts)));
const { deliver, deliverByNode } = useFaultRuns(counts);

describe('5,000 recipients in batches of 250, 20 % of all requests fail', () => {
	test.each([1, 31, 61, 91, 121, 151])(
		'each row, from seed %i on: everybody exactly once, or a true error and a new beginning',
		async (from) => {
			for (const seed of seeds(from, 30)) await deliver(seed, withoutHangs);
		},
		300_000,
	);

	test('also when the service does not answer at all', async () => {
		for (const seed of seeds(1_001, 4)) await deliver(seed);
	}, 300_000);

	test.each([181, 191])(
		'the summary, from seed %i on',
		async (from) => {
			for (const seed of seeds(from, 10)) await deliverByNode(seed, withoutHangs);
		},
		300_000,
	);
});
