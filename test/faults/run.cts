// npm run test:faults: the nodes against a service that fails at random. Everything random follows from one seed.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readCounts } from '../support/counts.cts';

const usage = `Usage: npm run test:faults -- [--seed N] [--runs N] [--only TEXT]

  --seed N     repeat what another run printed (SEED=N does the same)
  --runs N     how often everything is tried (8)
  --only TEXT  only the tests whose names match`;

/** Runs jest to its end. */
async function runTests(
	only: string | undefined,
	environment: { SEED: string; RUNS: string; TEST_COUNTS: string },
): Promise<number | null> {
	const jest = path.join(__dirname, '..', '..', 'node_modules', 'jest', 'bin', 'jest.js');
	const config = path.join(__dirname, 'jest.config.mjs');
	const child = spawn(process.execPath, [jest, '--config', config, ...(only ? ['-t', only] : [])], {
		stdio: 'inherit',
		env: { ...process.env, ...environment },
	});
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.on(signal, () => child.kill(signal));
	}
	return await new Promise((resolve) => child.on('close', resolve));
}

async function main() {
	const { values } = parseArgs({
		options: {
			seed: { type: 'string', default: process.env.SEED ?? String(randomInt(2 ** 31)) },
			runs: { type: 'string', default: process.env.RUNS ?? '8' },
			only: { type: 'string' },
			help: { type: 'boolean', short: 'h' },
		},
	});
	if (values.help) return console.log(usage);
	const { seed, runs, only } = values;
	const again = `npm run test:faults -- --seed ${seed} --runs ${runs}`;
	console.log(`Seed ${seed}. The same again: ${again}\n`);

	const results = mkdtempSync(path.join(tmpdir(), 'faults-'));
	const started = performance.now();
	const code = await runTests(only, { SEED: seed, RUNS: runs, TEST_COUNTS: results });
	const { table, sums } = readCounts(results);
	rmSync(results, { recursive: true, force: true });

	console.table(table);
	const minutes = ((performance.now() - started) / 60_000).toFixed(1);
	console.log(
		`test:faults: ${sums.runs} runs, ${sums.requests} requests, ${sums.faults} faults injected: ` +
			`lost ${sums.lost}, duplicated ${sums.duplicated}, untrue ${sums.untrue}. Seed ${seed}, ${minutes} minutes.`,
	);
	const isClean = sums.lost === 0 && sums.duplicated === 0 && sums.untrue === 0;
	if (code !== 0 || !isClean) console.log(`It failed. The same again: ${again}`);
	process.exitCode = code === 0 && isClean ? 0 : 1;
}

void main();
