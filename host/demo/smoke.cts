import type { Execution } from '../n8n/execution.cts';
import { startNode, type SampleFile } from '../n8n/samples.cts';
import type { Session } from '../n8n/session.cts';
import type { Workflow } from '../n8n/workflow.cts';

interface Run {
	file: string;
	seconds: string;
	execution?: Execution;
	/** Why there is no execution. */
	problem?: string;
}

/** Runs a workflow until it ends or waits. */
async function execute(session: Session, workflow: Workflow) {
	const start = startNode(workflow);
	if (!start) throw new Error('it has no trigger that can start it');
	const executionId = await session.start(workflow.id, start.name);
	if (!executionId) throw new Error(`"${start.name}" waits for an event: pin data to this node`);
	return await session.executionEnd(executionId, { until: (status) => status === 'waiting' });
}

async function executeAll(session: Session, samples: readonly SampleFile[]) {
	const runs: Run[] = [];
	for (const { file, workflow } of samples) {
		const begun = Date.now();
		const outcome = await execute(session, workflow).then(
			(execution) => ({ execution }),
			(error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }),
		);
		runs.push({ file, seconds: ((Date.now() - begun) / 1000).toFixed(1), ...outcome });
	}
	return runs;
}

/** A run that waited for the service has ended by now. One that waits for a person is still waiting. */
async function checkAgain(session: Session, run: Run): Promise<Run> {
	if (run.execution?.status !== 'waiting') return run;
	return { ...run, execution: await session.execution(run.execution.id) };
}

function judge({ execution, problem }: Run) {
	const status = execution?.status ?? '';
	return {
		passed: ['success', 'waiting'].includes(status),
		result: problem ?? execution?.error?.message ?? status,
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
export async function smoke(session: Session, samples: readonly SampleFile[]) {
	const runs: Run[] = [];
	for (const run of await executeAll(session, samples)) runs.push(await checkAgain(session, run));
	const head = ['Workflow', 'Nodes run', 'Items from the last', 'Seconds', 'Result'];
	const failed = runs.filter((run) => !judge(run).passed).length;
	console.log(`\n${table([head, ...runs.map(toRow)])}\n`);
	console.log(`${runs.length - failed} passed, ${failed} failed`);
	return failed === 0 && runs.length > 0;
}
