import { useDialectRuns } from '../support/dialectRuns.cts';
import { useCounts } from './support/counts.cts';
import { rounds, seedOf } from './support/seed.cts';

const { hold } = useDialectRuns(useCounts('dialects'));

/** 2,000 with the usual eight rounds. */
const perRound = 250;

test(`${perRound * rounds} services, each another one, in any weather, with any values`, async () => {
	await hold(perRound * rounds, seedOf('dialects', 0));
}, 1_800_000);
