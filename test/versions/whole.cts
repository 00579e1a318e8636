import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Problem } from '../../host/process/problem.cts';
import { projectFolder } from '../../host/process/folders.cts';
import { temporaryFolder } from '../../host/process/temporaryFolder.cts';
import { isSupported } from './versions.cts';

interface Aspect {
	name: string;
	/** The file in test/e2e. */
	file: string;
	/** Of the tests in the file, only those whose names match; without it, those that no other aspect names. */
	only?: RegExp;
	/** The supported versions that lack it, and the documentation says so. */
	lackedBy?: readonly string[];
	/** Those that lack some of it. In all other supported versions, no test may be skipped. */
	partlyLackedBy?: readonly string[];
}

/** workflows/README.md says from which n8n on a sample runs. */
const olderThanSomeSamples = ['1.123.81', '2.8.4', '2.11.4', '2.14.2', '2.20.12'];

/** What a user relies on, and the tests that show it. */
const aspects: readonly Aspect[] = [
	{ name: 'credential tests', file: 'credentials' },
	{ name: 'both action nodes: every operation', file: 'operations' },
	{ name: 'lists of the editor', file: 'lists' },
	{ name: 'trigger, both URLs', file: 'trigger' },
	{ name: 'expired partner token', file: 'renewal' },
	{ name: 'Send and Wait', file: 'sendAndWait', partlyLackedBy: ['1.123.81'] },
	{ name: 'forged resume is rejected', file: 'sendAndWait', only: /forged|1\.107/ },
	{
		name: 'fast: answered callbacks survive kill -9',
		file: 'triggerCrash',
		only: /^fast/,
		lackedBy: ['1.123.81'],
	},
	{ name: 'confirmed: nothing is lost after kill -9', file: 'triggerCrash', only: /^confirmed/ },
	{ name: 'samples', file: 'samples', partlyLackedBy: olderThanSomeSamples },
];

interface TestResult {
	title: string;
	status: 'passed' | 'failed' | 'pending' | 'todo';
}

/** What jest writes about a run. */
interface Report {
	testResults: Array<{ name: string; status: string; assertionResults: TestResult[] }>;
}

async function runJest(version: string, outputFile: string) {
	const jest = path.join(projectFolder, 'node_modules', 'jest', 'bin', 'jest.js');
	const files = [...new Set(aspects.map(({ file }) => `test/e2e/${file}.test.cts`))];
	const config = ['--config', 'test/e2e/jest.config.mjs'];
	const output = ['--json', `--outputFile=${outputFile}`];
	const child = spawn(process.execPath, [jest, ...config, ...output, ...files], {
		cwd: projectFolder,
		// With --json jest prints the report, too; the file is enough.
		stdio: ['ignore', 'ignore', 'inherit'],
		env: { ...process.env, E2E_N8N: version },
	});
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.on(signal, () => child.kill(signal));
	}
	await new Promise((resolve) => child.on('close', resolve));
}

function cellOf(aspect: Aspect, version: string, { testResults }: Report) {
	const { file, only, lackedBy = [], partlyLackedBy = [] } = aspect;
	const others = aspects.flatMap((other) => (other.file === file && other.only) || []);
	const result = testResults.find(({ name }) => path.basename(name) === `${file}.test.cts`);
	const tests = (result?.assertionResults ?? []).filter(({ title }) =>
		only ? only.test(title) : !others.some((other) => other.test(title)),
	);
	const count = (status: TestResult['status']) =>
		tests.filter((one) => one.status === status).length;
	const hasFailedTest = result?.assertionResults.some(({ status }) => status === 'failed');
	// jest could not load the file, or what comes before or after its tests has failed.
	const isBroken =
		count('passed') + count('pending') + count('failed') === 0 ||
		(result?.status === 'failed' && !hasFailedTest);
	const failed = count('failed') + (isBroken ? 1 : 0);
	if (failed > 0) return { text: `FAILED: ${failed} of ${Math.max(tests.length, 1)}`, failed };
	const lacking = count('pending');
	const isPromised = isSupported(version) && !lackedBy.includes(version);
	if (isPromised && count('passed') === 0) return { text: 'FAILED: nothing ran', failed: 1 };
	if (isPromised && lacking > 0 && !partlyLackedBy.includes(version)) {
		return { text: `FAILED: ${lacking} skipped`, failed: 1 };
	}
	const text =
		lacking === 0
			? `ok (${tests.length})`
			: `${count('passed')} ok, ${lacking} skipped: this n8n lacks it`;
	return { text, failed };
}

export interface Column {
	version: string;
	/** By the name of the aspect. */
	cells: Record<string, string>;
	failed: number;
}

/** The tests of test/e2e that show whether a version of n8n can be used, in a whole n8n of that version. */
export async function testInWholeN8n(version: string): Promise<Column> {
	const scratch = temporaryFolder();
	try {
		const file = path.join(scratch.folder, 'report.json');
		await runJest(version, file);
		if (!existsSync(file)) throw new Problem(`The tests in n8n ${version} ended without a report.`);
		const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
		const cells = aspects.map((aspect) => ({
			name: aspect.name,
			...cellOf(aspect, version, report),
		}));
		return {
			version,
			cells: Object.fromEntries(cells.map(({ name, text }) => [name, text])),
			failed: cells.reduce((sum, { failed }) => sum + failed, 0),
		};
	} finally {
		await scratch.remove();
	}
}

/** As Markdown: a row for each aspect, a column for each version. */
export function renderColumns(columns: readonly Column[]) {
	const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [
		row(['n8n', ...columns.map(({ version }) => version)]),
		row(['---', ...columns.map(() => '---')]),
		...aspects.map(({ name }) => row([name, ...columns.map(({ cells }) => cells[name] ?? '')])),
	].join('\n');
}
