// A real n8n per worker, and one more for each test file that stops it, or needs tables or settings of its own: see support/.
export default {
	rootDir: '../..',
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/e2e/**/*.test.cts'],
	modulePathIgnorePatterns: ['<rootDir>/dist/'],
	moduleFileExtensions: ['ts', 'cts', 'js', 'cjs', 'mjs', 'json', 'node'],
	transform: {
		'^.+\\.[cm]?ts$': ['ts-jest', { tsconfig: 'tsconfig.check.json', diagnostics: false }],
	},
	globalSetup: '<rootDir>/test/e2e/support/prepare.cts',
	globalTeardown: '<rootDir>/test/e2e/support/finish.cts',
	// A busy machine must not fail a test; only what hangs ends here.
	testTimeout: 600_000,
	testSequencer: '<rootDir>/test/e2e/support/longestFirst.cjs',
	// One more than the cores of a small machine: the tests often wait for n8n, for the service or for a time to pass.
	maxWorkers: 3,
};
