import unit from '../../jest.config.mjs';
import { slowTests, testMatch, timedTests } from './files.mjs';

/** Loaded once per process, not once per test file: they take longer to load than most tests to run. */
const loadedOnce =
	'n8n-core|n8n-workflow|reflect-metadata|zod|fast-check|hono|@hono/node-server|libphonenumber-js';

export default {
	...unit,
	rootDir: '../..',
	testMatch,
	testPathIgnorePatterns: ['/node_modules/', ...slowTests],
	testEnvironment: '<rootDir>/test/mutants/environment.cjs',
	testEnvironmentOptions: { timedTests },
	transform: {
		[`/node_modules/(${loadedOnce})/.+\\.[cm]?js$`]: '<rootDir>/test/mutants/loadedOnce.cjs',
		...unit.transform,
	},
	transformIgnorePatterns: [],
};
