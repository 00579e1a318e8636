// @ts-check
'use strict';

/**
 * Jest gives every test file a realm of its own, in which n8n-core is loaded anew. Here all test files share the realm of
 * the process, so that n8n-core is loaded once: errors and dates made on one side are errors and dates on the other.
 */
const { createRequire } = require('node:module');
const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Jest needs a context to name; what it compiles "there" is compiled for this realm. */
const thisRealm = vm.createContext({});
const { compileFunction } = vm;
vm.compileFunction = (code, params, { parsingContext, ...options } = {}) =>
	parsingContext === thisRealm
		? compileFunction(code, params, { filename: options.filename })
		: compileFunction(code, params, { parsingContext, ...options });

let perMs = 1;

/** When the first test file begins: while jest loads this file, it would read n8n-core as it reads the tests. */
const loadN8n = () => {
	Object.assign(globalThis, { loadOnce: require });
	// Pauses are n8n's sleep; n8n-core and n8n-workflow may have a copy of it each.
	for (const name of ['n8n-core', 'n8n-workflow']) {
		const module = createRequire(require.resolve(name))('@n8n/utils/sleep');
		const { sleep } = module;
		if (sleep.isScaled) continue;
		/** @type {(ms: number, signal?: AbortSignal) => Promise<void>} */
		const scaled = async (ms, signal) => await sleep(ms * perMs, signal);
		module.sleep = Object.assign(scaled, { isScaled: true });
	}
	return require('n8n-core');
};
/** @type {ReturnType<typeof loadN8n> | undefined} */
let n8n;

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

module.exports = class {
	/** @param {any} config @param {{testPath: string}} context */
	constructor({ projectConfig }, { testPath }) {
		this.n8n = n8n ??= loadN8n();
		this.global = globalThis;
		this.moduleMocker = new ModuleMocker(globalThis);
		this.fakeTimers = null;
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
		this.before = { console: globalThis.console, exit: process.exit };
		this.keys = new Set(Reflect.ownKeys(globalThis));
		const { timedTests } = projectConfig.testEnvironmentOptions;
		perMs = timedTests.some((/** @type {string} */ one) => new RegExp(one).test(testPath))
			? 1
			: 0.05;
		/** Set by the test runner of Stryker; jest by itself runs every test. */
		this.run = /** @type {any} */ (globalThis).mutantRun;
		this.testPath = testPath;
	}

	/** @param {any} event @param {any} state */
	handleTestEvent({ name, test }, state) {
		if (this.run === undefined) return;
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

	async setup() {}

	async teardown() {
		this.fakeTimersModern.dispose();
		for (const key of Reflect.ownKeys(globalThis)) {
			if (!this.keys.has(key)) Reflect.deleteProperty(globalThis, key);
		}
		globalThis.console = this.before.console;
		process.exit = this.before.exit;
		// n8n has one for a process, each test file its own.
		Object.assign(this.n8n.DataDeduplicationService, { instance: undefined });
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	getVmContext() {
		return thisRealm;
	}
};
