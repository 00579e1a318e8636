// npm run test:mutants: changes the money path in many small ways and reports every change that no test notices.
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { moneyPath } from './files.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: moneyPath,
	plugins: [path.join(here, 'runner.mjs'), path.join(here, 'reporter.mjs')],
	testRunner: 'one-realm',
	reporters: ['survivors'],
	coverageAnalysis: 'perTest',
	// For two cores: half of the time the tests wait for a timer.
	concurrency: 4,
	thresholds: { high: 95, low: 90, break: 90 },
	// Only an endless loop may end here, however busy the machine: a timeout counts as killed.
	timeoutMS: 30_000,
	timeoutFactor: 4,
	dryRunTimeoutMinutes: 30,
	// Whatever a mutant leaves open is gone with its process.
	maxTestRunnerReuse: 150,
	ignorePatterns: ['/bench', '/workflows', '/test/e2e', '/test/queue', '/test/faults'],
	tempDirName: path.join(tmpdir(), `bulk-messaging-mutants-${process.pid}`),
	cleanTempDir: 'always',
	// Used only with --incremental: what it reuses may be older than a change in a file that is not mutated.
	incrementalFile: path.join(tmpdir(), 'bulk-messaging-mutants-incremental.json'),
	warnings: { slow: false },
};
