// What is drawn at random, more of it than npm test has time for: see run.cts.
import { fileURLToPath } from 'node:url';
import unit from '../../jest.config.mjs';

const { testTimeout: _, maxWorkers: __, ...shared } = unit;
const project = {
	...shared,
	rootDir: fileURLToPath(new URL('../..', import.meta.url)),
	testPathIgnorePatterns: ['/node_modules/'],
};

export default {
	projects: [
		{
			...project,
			displayName: 'faults',
			testMatch: [
				'<rootDir>/test/faults/**/*.test.cts',
				// Of these, and of those below, npm test runs a tenth.
				'<rootDir>/test/{dispatch,messaging}/faults.test.cts',
			],
			setupFiles: ['<rootDir>/test/faults/support/setup.cts'],
		},
		{
			...project,
			// At the usual speed: what the trigger remembers gets old.
			displayName: 'random',
			testMatch: ['<rootDir>/test/trigger/bodies.property.test.cts'],
			setupFiles: ['<rootDir>/test/support/seedForFastCheck.cts'],
		},
	],
	testTimeout: 600_000,
	// Most of the time they wait for a service that does not answer.
	maxWorkers: 2,
};
