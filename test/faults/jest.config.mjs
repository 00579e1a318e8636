// Random faults, more of them than npm test has time for: see run.cts.
import unit from '../../jest.config.mjs';

export default {
	...unit,
	rootDir: '../..',
	testMatch: [
		'<rootDir>/test/faults/**/*.test.cts',
		// Of these, npm test runs a tenth.
		'<rootDir>/test/{dispatch,messaging}/faults.test.cts',
		'<rootDir>/test/trigger/bodies.property.test.cts',
		'<rootDir>/test/security/regularExpressions.test.cts',
	],
	testPathIgnorePatterns: ['/node_modules/'],
	setupFiles: ['<rootDir>/test/faults/support/setup.cts'],
	testTimeout: 600_000,
	// Most of the time they wait for a service that does not answer.
	maxWorkers: 2,
};
