// @ts-check
'use strict';

/**
 * Jest gives every test file a realm of its own, in which n8n-core is loaded anew: that takes longer than most tests. Here
 * all test files share the realm of the process, so that it's loaded once: errors and dates made on one side are errors
 * and dates on the other.
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

module.exports = class {
	/** @param {any} config */
	constructor({ projectConfig }) {
		// Not before: while jest loads this file, it would read n8n-core as it reads the tests.
		this.n8n = require('n8n-core');
		const { getGlobalState } = require('n8n-workflow');
		Object.assign(globalThis, { loadOnce: require });
		this.global = globalThis;
		this.moduleMocker = new ModuleMocker(globalThis);
		this.fakeTimers = null;
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
		this.before = {
			console: globalThis.console,
			exit: process.exit,
			now: Date.now,
			performanceNow: performance.now,
			state: getGlobalState(),
		};
		this.keys = new Set(Reflect.ownKeys(globalThis));
	}

	/** @param {any} event */
	handleTestEvent({ name }) {
		// A test file may have a time of its own; jest measures with ours.
		if (name === 'run_finish') {
			Date.now = this.before.now;
			performance.now = this.before.performanceNow;
		}
	}

	async setup() {}

	async teardown() {
		this.fakeTimersModern.dispose();
		for (const key of Reflect.ownKeys(globalThis)) {
			if (!this.keys.has(key)) Reflect.deleteProperty(globalThis, key);
		}
		globalThis.console = this.before.console;
		process.exit = this.before.exit;
		require('n8n-workflow').setGlobalState(this.before.state);
		// A test may have let n8n keep files on the disk.
		const { Container } = createRequire(require.resolve('n8n-core'))('@n8n/di');
		Object.assign(Container.get(this.n8n.BinaryDataService), { managers: {} });
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
