export default {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/**/*.test.{ts,cts}'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	modulePathIgnorePatterns: ['<rootDir>/dist/'],
	moduleFileExtensions: ['ts', 'cts', 'mts', 'js', 'mjs', 'cjs', 'json', 'node'],
	transform: {
		'^.+\\.[cm]?ts$': ['ts-jest', { tsconfig: 'tsconfig.check.json', diagnostics: false }],
	},
};
