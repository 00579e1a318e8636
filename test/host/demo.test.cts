import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { usualPorts } from '../../host/demo/options.cts';
import { readSamples } from '../../host/demo/samples.cts';
import { smoke } from '../../host/demo/smoke.cts';
import type { Execution } from '../../host/n8n/execution.cts';
import { nodeBinary } from '../../host/process/node24.cjs';
import { projectFolder } from '../../host/process/folders.cts';
import { temporaryFolder } from '../../host/process/temporaryFolder.cts';

const { folder, remove } = temporaryFolder();
afterAll(remove);

test('--help needs no dependencies and no npm', () => {
	for (const file of [
		'bootstrap.cjs',
		'process/guard.cjs',
		'process/node24.cjs',
		'demo/help.txt',
	]) {
		mkdirSync(path.dirname(path.join(folder, 'host', file)), { recursive: true });
		cpSync(path.join(projectFolder, 'host', file), path.join(folder, 'host', file));
	}
	const { status, stdout } = spawnSync(
		nodeBinary,
		[path.join(folder, 'host', 'bootstrap.cjs'), '--help'],
		{ encoding: 'utf8', env: { PATH: '' } },
	);
	expect(status).toBe(0);
	expect(stdout).toContain(`n8n's port (default: ${usualPorts.n8n})`);
	expect(stdout).toContain(`sandbox's port (default: ${usualPorts.sandbox})`);
	expect(stdout.match(/--[a-z-]+(?= .*  )/g)).toHaveLength(7);
});

test.each([
	['Asia/Tokyo', 'Asia/Tokyo', '2026-03-03 08:00:05'],
	// Valid, but it has no name.
	['XYZ-3', 'UTC', '2026-03-03 02:00:05'],
	['', 'UTC', '2026-03-02 23:00:05'],
])('with TZ=%s, n8n and the sandbox use the zone of the machine', (TZ, zone, shown) => {
	const program = `
		import { machineTimeZone } from './host/process/timeZone.cts';
		import { toShownTime } from './sandbox/face/parts.cts';
		console.log([machineTimeZone(), toShownTime(Date.UTC(2026, 2, 2, 23, 0, 5))].join());
	`;
	const { stdout } = spawnSync(nodeBinary, ['--import', 'tsx', '--eval', program], {
		cwd: projectFolder,
		encoding: 'utf8',
		env: { ...process.env, TZ },
	});
	expect(stdout.trim()).toBe(`${zone},${shown}`);
});

describe('--smoke', () => {
	const samples = readSamples();

	/** Runs these samples. Each has the status it is given, when it stops and at the end. */
	async function results(statuses: Record<string, readonly [string, string]>) {
		const lines: string[] = [];
		jest.spyOn(console, 'log').mockImplementation((text: string) => void lines.push(text));
		const chosen = samples.filter(({ file }) => file.slice(0, 2) in statuses);
		const execution = (id: string, at: 0 | 1): Execution => {
			const status = statuses[id][at];
			return { id, status, mode: '', workflowId: '', runs: {}, items: () => [] };
		};
		const passed = await smoke(
			{
				start: (id) => {
					const { file = '' } = chosen.find(({ workflow }) => workflow.id === id) ?? {};
					return Promise.resolve(file.slice(0, 2));
				},
				// As n8n: an execution that waits hasn't ended.
				executionEnd: (id, { until } = {}) => {
					const stops = execution(id, 0).status !== 'waiting' || until?.('waiting');
					return stops
						? Promise.resolve(execution(id, 0))
						: Promise.reject(new Error('still waiting'));
				},
				execution: (id) => Promise.resolve(execution(id, 1)),
			},
			chosen,
		);
		jest.restoreAllMocks();
		const verdicts = lines.join('\n').matchAll(/^(\d\d)-.*?(passed|FAILED): (.*)$/gm);
		return { passed, verdicts: [...verdicts].map((found) => found.slice(1).join(' ')) };
	}

	test('a sample that needs a person has to wait, and every other one has to end', async () => {
		expect(await results({ '01': ['success', 'success'], '05': ['waiting', 'waiting'] })).toEqual({
			passed: true,
			verdicts: ['01 passed success', '05 passed waits for a person'],
		});
		expect(
			await results({
				'01': ['waiting', 'waiting'],
				'02': ['error', 'error'],
				'05': ['success', 'success'],
				'13': ['waiting', 'success'],
			}),
		).toEqual({
			passed: false,
			verdicts: [
				'01 FAILED still waiting',
				'02 FAILED error',
				"05 FAILED doesn't wait for a person: success",
				"13 FAILED doesn't wait for a person: success",
			],
		});
	});
});
