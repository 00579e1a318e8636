// A real n8n per test file: see support/. Most of the time they wait, for n8n to start and for a browser.
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
	testTimeout: 180_000,
	maxWorkers: 2,
};
