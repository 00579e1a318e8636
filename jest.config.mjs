import { availableParallelism } from 'node:os';

// n8n's own log would drown the results; what tests expect of errors they read from the execution.
process.env.N8N_LOG_LEVEL = 'silent';

/** Loaded once per process, not once per test file: they take longer to load than most tests to run. */
const loadedOnce =
	'n8n-core|n8n-workflow|reflect-metadata|zod|fast-check|hono|@hono/node-server|libphonenumber-js';

export default {
	testEnvironment: '<rootDir>/test/support/oneRealm.cjs',
	// A busy machine must not fail a test; only what hangs ends here.
	testTimeout: 120_000,
	// More than there are cores, because many tests wait for a response: on two cores this takes three quarters of the time.
	maxWorkers: Math.ceil(availableParallelism() * 1.5),
	testMatch: ['<rootDir>/test/**/*.test.{ts,cts}'],
	testPathIgnorePatterns: [
		'/node_modules/',
		'<rootDir>/test/e2e/',
		'<rootDir>/test/faults/',
		'<rootDir>/test/queue/',
	],
	modulePathIgnorePatterns: ['<rootDir>/dist/'],
	moduleFileExtensions: ['ts', 'cts', 'mts', 'js', 'mjs', 'cjs', 'json', 'node'],
	// As the build bundles them.
	moduleNameMapper: {
		'^libphonenumber-js/metadata\\.mobile\\.json$': '<rootDir>/scripts/phone-metadata.cts',
	},
	setupFiles: ['<rootDir>/test/support/seedForFastCheck.cts'],
	setupFilesAfterEnv: ['<rootDir>/test/support/userFolder.cts'],
	transform: {
		[`/node_modules/(${loadedOnce})/.+\\.[cm]?js$`]: '<rootDir>/test/support/loadedOnce.cjs',
		'^.+\\.[cm]?ts$': ['ts-jest', { tsconfig: 'tsconfig.check.json', diagnostics: false }],
	},
	transformIgnorePatterns: [],
};
