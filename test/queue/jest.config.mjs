// n8n in queue mode: seven processes per test file. Not part of test:e2e, because it needs Redis and Postgres.
import e2e from '../e2e/jest.config.mjs';

export default {
	...e2e,
	testMatch: ['<rootDir>/test/queue/**/*.test.cts'],
	globalSetup: '<rootDir>/test/queue/support/prepare.cts',
	globalTeardown: '<rootDir>/test/queue/support/report.cts',
	testTimeout: 600_000,
};
