import type { Execution } from '../n8n/execution.cts';
import { startNode, type SampleFile } from './samples.cts';
import type { Session } from '../n8n/session.cts';

/** These stop where a person has to approve, reply or fill in a form. */
const waitingSamples = ['05-', '13-', '18-', '19-', '20-', '23-'];

type SmokeSession = Pick<Session, 'start' | 'execution' | 'executionEnd'>;

interface Run {
	file: string;
	seconds: string;
	execution?: Execution;
	/** Why there is no execution. */
	problem?: string;
}

const waitsForPerson = (file: string) => waitingSamples.some((start) => file.startsWith(start));

/** Runs a workflow until it ends, or waits for a person. */
async function execute(session: SmokeSession, { file, workflow }: SampleFile) {
	const start = startNode(workflow);
	if (!start) throw new Error('it has no trigger that can start it');
	const executionId = await session.start(workflow.id, start.name);
	if (!executionId) throw new Error(`"${start.name}" waits for an event: pin data to this node`);
	const until = (status: string) => status === 'waiting' && waitsForPerson(file);
	return await session.executionEnd(executionId, { until });
}

async function executeAll(session: SmokeSession, samples: readonly SampleFile[]) {
	const runs: Run[] = [];
	for (const sample of samples) {
		const begun = Date.now();
		const outcome = await execute(session, sample).then(
			(execution) => ({ execution }),
			(error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }),
		);
		runs.push({ file: sample.file, seconds: ((Date.now() - begun) / 1000).toFixed(1), ...outcome });
	}
	return runs;
}

/** A run that waited for the service has continued by now. One that waits for a person is still waiting. */
async function checkAgain(session: SmokeSession, run: Run): Promise<Run> {
	if (run.execution?.status !== 'waiting') return run;
	return { ...run, execution: await session.execution(run.execution.id) };
}

function judge({ file, execution, problem }: Run) {
	const status = execution?.status ?? '';
	const waits = waitsForPerson(file);
	if (waits && status === 'waiting') return { passed: true, result: 'waits for a person' };
	const reason = problem ?? execution?.error?.message ?? status;
	return {
		passed: !waits && status === 'success',
		result: waits ? `doesn't wait for a person: ${reason}` : reason,
	};
}

function toRow(run: Run) {
	const { passed, result } = judge(run);
	const ran = Object.keys(run.execution?.runs ?? {});
	const items = run.execution?.items(ran[ran.length - 1] ?? '').length ?? 0;
	const verdict = `${passed ? 'passed' : 'FAILED'}: ${result}`;
	return [run.file, String(ran.length), String(items), run.seconds, verdict];
}

function table(rows: string[][]) {
	const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
	return rows
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column]))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

/** Runs each sample once and prints a table of the results. Returns whether all passed. */
export async function smoke(session: SmokeSession, samples: readonly SampleFile[]) {
	const runs: Run[] = [];
	for (const run of await executeAll(session, samples)) runs.push(await checkAgain(session, run));
	const head = ['Workflow', 'Nodes run', 'Items from the last', 'Seconds', 'Result'];
	const failed = runs.filter((run) => !judge(run).passed).length;
	console.log(`\n${table([head, ...runs.map(toRow)])}\n`);
	console.log(`${runs.length - failed} passed, ${failed} failed`);
	return failed === 0 && runs.length > 0;
}
