import { readSamples, startNode } from '../n8n/samples.cjs';

/**
 * @typedef {import('../n8n/session.cjs').Session} Session
 * @typedef {import('../n8n/session.cjs').Execution} Execution
 * @typedef {{file: string, seconds: string, execution?: Execution, problem?: string}} Run
 */

/**
 * Until it ends, or waits for somebody.
 * @param {Session} session
 * @param {import('../n8n/session.cjs').Workflow} workflow
 */
async function execute(session, workflow) {
	const start = startNode(workflow);
	if (!start) throw new Error('nothing in it can start it');
	const executionId = await session.start(workflow.id, start.name);
	if (!executionId) throw new Error(`"${start.name}" waits for an event: pin data to it`);
	return await session.executionEnd(executionId, { until: (status) => status === 'waiting' });
}

/**
 * @param {Session} session
 * @returns {Promise<Run[]>}
 */
async function executeAll(session) {
	const runs = [];
	for (const { file, workflow } of readSamples()) {
		const begun = Date.now();
		const outcome = await execute(session, workflow).then(
			(execution) => ({ execution }),
			(error) => ({ problem: error instanceof Error ? error.message : String(error) }),
		);
		runs.push({ file, seconds: ((Date.now() - begun) / 1000).toFixed(1), ...outcome });
	}
	return runs;
}

/**
 * What waited for the service has come to its end by now; who waits for a person still waits.
 * @param {Session} session
 * @param {Run} run
 * @returns {Promise<Run>}
 */
async function lookAgain(session, run) {
	if (run.execution?.status !== 'waiting') return run;
	return { ...run, execution: await session.execution(run.execution.id) };
}

/** @param {Run} run */
function judge({ execution, problem }) {
	const status = execution?.status ?? '';
	return {
		passed: ['success', 'waiting'].includes(status),
		said: problem ?? execution?.error?.message ?? status,
	};
}

/** @param {Run} run */
function toRow(run) {
	const { passed, said } = judge(run);
	const ran = Object.keys(run.execution?.runs ?? {});
	const items = run.execution?.items(ran[ran.length - 1] ?? '').length ?? 0;
	const verdict = `${passed ? 'passed' : 'FAILED'}: ${said}`;
	return [run.file, String(ran.length), String(items), run.seconds, verdict];
}

/** @param {Array<Array<string>>} rows */
function table(rows) {
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

/**
 * Runs every sample once and prints how it went.
 * @param {Session} session
 * @returns {Promise<boolean>} whether all passed
 */
export async function smoke(session) {
	const runs = [];
	for (const run of await executeAll(session)) runs.push(await lookAgain(session, run));
	const head = ['Workflow', 'Nodes run', 'Items of the last', 'Seconds', 'Result'];
	const failed = runs.filter((run) => !judge(run).passed).length;
	console.log(`\n${table([head, ...runs.map(toRow)])}\n`);
	console.log(`${runs.length - failed} passed, ${failed} failed`);
	return failed === 0 && runs.length > 0;
}
