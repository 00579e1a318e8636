import { readSamples, startNode } from '../host/samples.cjs';

/**
 * @typedef {{passed: boolean, result: string, nodes?: number, items?: number}} Outcome
 *
 * @param {import('../host/session.cjs').Session} session
 * @param {import('../host/session.cjs').Workflow} workflow
 * @returns {Promise<Outcome>}
 */
async function runOnce(session, workflow) {
	const start = startNode(workflow);
	if (!start) return { passed: false, result: 'nothing in it can start it' };
	const executionId = await session.start(workflow.id, start.name);
	if (!executionId)
		return { passed: false, result: `"${start.name}" waits for an event: pin data to it` };
	const execution = await session.executionEnd(executionId, {
		until: (status) => status === 'waiting',
	});
	const ran = Object.keys(execution.runs);
	const passed = ['success', 'waiting'].includes(execution.status);
	return {
		passed,
		result: passed ? execution.status : (execution.error?.message ?? execution.status),
		nodes: ran.length,
		items: ran.length > 0 ? execution.items(ran[ran.length - 1]).length : 0,
	};
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
 * @param {import('../host/session.cjs').Session} session
 * @returns {Promise<boolean>} whether all passed
 */
export async function smoke(session) {
	const rows = [['Workflow', 'Nodes run', 'Items of the last', 'Seconds', 'Result']];
	let failed = 0;
	for (const { file, workflow } of readSamples()) {
		const begun = Date.now();
		const {
			passed,
			result,
			nodes = 0,
			items = 0,
		} = await runOnce(session, workflow).catch((error) => ({
			passed: false,
			result: String(error),
			nodes: 0,
			items: 0,
		}));
		if (!passed) failed += 1;
		const seconds = ((Date.now() - begun) / 1000).toFixed(1);
		const verdict = `${passed ? 'passed' : 'FAILED'}: ${result}`;
		rows.push([file, String(nodes), String(items), seconds, verdict]);
	}
	console.log(`\n${table(rows)}\n`);
	console.log(`${rows.length - 1 - failed} passed, ${failed} failed`);
	return failed === 0 && rows.length > 1;
}
