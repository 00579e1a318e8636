import { readCounts } from '../../support/counts.cts';
import { results } from './prepare.cts';

/** The closing line. What must be 0 is also expected by the tests themselves. */
export default async function report() {
	const { table, sums } = readCounts(results.folder);
	await results.remove();
	console.table(table);
	console.log(
		`test:queue: ${sums.dispatches} dispatches to ${sums.recipients} recipients, ${sums.callbacks} callbacks and ${sums.resends} resends, ` +
			`${sums.executions} executions, ${sums.logIns} log-ins, ${sums.killed} processes killed, ${sums.repeated} callbacks repeated on the confirmed address: lost ${sums.lost}, duplicated ${sums.duplicated}.`,
	);
}
