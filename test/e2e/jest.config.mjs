// A real n8n per test file: see support/. One file at a time, because two of them would share two cores.
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
	maxWorkers: 1,
};
