import { noCounts } from '../support/storm.cts';
import { useDialectRuns } from '../support/dialectRuns.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));

const counts = noCounts();
afterAll(() => console.log(JSON.stringify(counts)));
const { hold } = useDialectRuns(counts);

/** A share of what `npm run test:faults` tries, always the same. */
test('150 services, each another one, in any weather, with any values', async () => {
	await hold(150, 15);
}, 600_000);
