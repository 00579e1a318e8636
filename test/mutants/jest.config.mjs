import unit from '../../jest.config.mjs';
import { slowTests, testMatch, timedTests } from './files.mjs';

export default {
	...unit,
	rootDir: '../..',
	testMatch,
	testPathIgnorePatterns: ['/node_modules/', ...slowTests],
	testEnvironment: '<rootDir>/test/mutants/environment.cjs',
	testEnvironmentOptions: { timedTests },
};
