// n8n's own log would drown the results; what tests expect of errors they read from the execution.
process.env.N8N_LOG_LEVEL = 'silent';

export default {
	testEnvironment: 'node',
	// A busy machine must not fail a test; only what hangs ends here.
	testTimeout: 120_000,
	// By default jest leaves one core to others: half of them on a machine with two.
	maxWorkers: '100%',
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
	setupFilesAfterEnv: ['<rootDir>/test/support/userFolder.cts'],
	transform: {
		'^.+\\.[cm]?ts$': ['ts-jest', { tsconfig: 'tsconfig.check.json', diagnostics: false }],
	},
};
