import { leaveCounts } from '../../support/counts.cts';

/** What the queue tests count; `npm run test:queue` ends with the sums. */
const noCounts = () => ({
	dispatches: 0,
	recipients: 0,
	callbacks: 0,
	resends: 0,
	executions: 0,
	logIns: 0,
	/** Processes killed with -9. */
	killed: 0,
	/** Callbacks on the confirmed address whose workflow ran again, because it was not answered the first time. */
	repeated: 0,
	lost: 0,
	duplicated: 0,
});

/** Counts for one test file. */
export const useCounts = (name: string) => {
	const counts = noCounts();
	afterAll(() => leaveCounts(name, counts));
	return counts;
};
