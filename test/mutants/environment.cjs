// @ts-check
'use strict';

/** One realm for all test files, in which pauses are short, and only the tests run that the runner of Stryker selects. */
const { createRequire } = require('node:module');
const OneRealm = require('../support/oneRealm.cjs');

let perMs = 1;

const shortenPauses = () => {
	// Pauses are n8n's sleep; n8n-core and n8n-workflow may have a copy of it each.
	for (const name of ['n8n-core', 'n8n-workflow']) {
		const module = createRequire(require.resolve(name))('@n8n/utils/sleep');
		const { sleep } = module;
		if (sleep.isScaled) continue;
		/** @type {(ms: number, signal?: AbortSignal) => Promise<void>} */
		const scaled = async (ms, signal) => await sleep(ms * perMs, signal);
		module.sleep = Object.assign(scaled, { isScaled: true });
	}
};

/** @param {any} block of jest-circus @returns {string} as jest names it in its results */
const nameOf = ({ name, parent }) =>
	parent === undefined ? '' : `${nameOf(parent)} ${name}`.trimStart();

/** @param {any} block @param {(test: any) => void} visit */
const forEachTest = ({ children }, visit) => {
	for (const child of children) {
		if (child.type === 'test') visit(child);
		else forEachTest(child, visit);
	}
};

module.exports = class extends OneRealm {
	/** @param {any} config @param {{testPath: string}} context */
	constructor(config, { testPath }) {
		super(config);
		shortenPauses();
		const { timedTests } = config.projectConfig.testEnvironmentOptions;
		perMs = timedTests.some((/** @type {string} */ one) => new RegExp(one).test(testPath))
			? 1
			: 0.05;
		/** Set by the test runner of Stryker; jest by itself runs every test. */
		this.run = /** @type {any} */ (globalThis).mutantRun;
		this.testPath = testPath;
	}

	/** @param {any} event @param {any} state */
	handleTestEvent(event, state) {
		super.handleTestEvent(event);
		if (this.run === undefined) return;
		const { name, test } = event;
		const { isSelected, begin, end, hasFailed } = this.run;
		if (name === 'run_start') {
			forEachTest(state.rootDescribeBlock, (one) => {
				if (!isSelected(this.testPath, nameOf(one))) one.mode = 'skip';
			});
		} else if (name === 'test_start') {
			// One failed test is enough.
			if (hasFailed()) test.mode = 'skip';
			else begin(this.testPath, nameOf(test));
		} else if (name === 'test_done') end(test.errors.length > 0);
	}
};
