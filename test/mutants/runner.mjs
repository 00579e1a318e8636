// Runs jest for Stryker. Its own runner for jest loads every test file for every mutant and runs on after a failure; this
// one runs only the files and tests that reach the mutant, in one process, and stops at the first failure.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import {
	determineHitLimitReached,
	DryRunStatus,
	TestStatus,
	toMutantRunResult,
} from '@stryker-mutator/api/test-runner';

const ofJest = createRequire(createRequire(import.meta.url).resolve('jest'));
const ofCore = createRequire(ofJest.resolve('@jest/core'));
const { SearchSource } = ofJest('@jest/core');
const { readConfig } = ofCore('jest-config');
const { default: Runtime } = ofCore('jest-runtime');
const { default: JestRunner } = createRequire(ofCore.resolve('jest-config'))('jest-runner');

/** What a mutated file says of its mutants. */
const mutantIds = /stryMutAct_9fa48\("(\d+)"\)/g;

const timesFile = 'mutants-times.json';
const separator = ' › ';

/** Tests that take longer wait until all others have failed to kill a mutant. */
const slowMs = 300;
/** What loading a test file costs, roughly. */
const loadMs = 100;

class OneRealmRunner {
	static inject = [];

	/** How often a test file has killed a mutant: most mutants nearby are killed by the same one. */
	kills = new Map();

	/** Tests that fail when the others of their file do not run. */
	dependent = new Set();

	capabilities() {
		return { reloadEnvironment: true };
	}

	async init() {
		// The working directory is Stryker's copy of the project.
		this.root = process.cwd();
		const { globalConfig, projectConfig } = await readConfig(
			{
				_: [],
				$0: '',
				cacheDirectory: path.join(this.root, '.jest-cache'),
				testLocationInResults: true,
				watchman: false,
			},
			path.join(this.root, 'test/mutants/jest.config.mjs'),
		);
		this.globalConfig = globalConfig;
		this.context = await Runtime.createContext(projectConfig, {
			console,
			maxWorkers: 1,
			watch: false,
			watchman: false,
		});
		globalThis.__stryker__ ??= {};
		this.stryker = globalThis.__stryker__;
	}

	idOf(file, name) {
		return path.relative(this.root, file) + separator + name;
	}

	/** Runs the selected tests of some files, or all their tests, until one has failed where that is enough. */
	async run(files, selected, stopsEarly) {
		const { stryker } = this;
		let hasFailed = false;
		globalThis.mutantRun = {
			isSelected: (file, name) => selected?.has(this.idOf(file, name)) ?? true,
			hasFailed: () => stopsEarly && hasFailed,
			begin: (file, name) => {
				stryker.currentTestId = this.idOf(file, name);
			},
			end: (failed) => {
				stryker.currentTestId = undefined;
				hasFailed ||= failed;
			},
		};
		const tests = [];
		const runner = new JestRunner(this.globalConfig, {});
		let broken;
		runner.on('test-file-success', ([{ path: file }, { testResults, testExecError }]) => {
			if (testExecError) broken = { file, error: testExecError };
			for (const { fullName, status, duration, failureMessages, location } of testResults) {
				if (status !== 'passed' && status !== 'failed') continue;
				tests.push({
					id: this.idOf(file, fullName),
					name: fullName,
					timeSpentMs: duration ?? 0,
					fileName: file,
					startPosition: location && { line: location.line - 1, column: location.column },
					...(status === 'passed'
						? { status: TestStatus.Success }
						: { status: TestStatus.Failed, failureMessage: failureMessages.join('\n') }),
				});
			}
		});
		runner.on('test-file-failure', ([{ path: file }, error]) => {
			broken = { file, error };
		});
		const isOver = () => broken !== undefined || (stopsEarly && hasFailed);
		for (const file of files) {
			if (isOver()) break;
			await runner.runTests(
				[{ context: this.context, path: file }],
				{ isInterrupted: () => false },
				{ serial: true },
			);
		}
		return { tests, broken };
	}

	async dryRun() {
		const found = await new SearchSource(this.context).getTestPaths(this.globalConfig, {
			_: [],
			$0: '',
		});
		this.stryker.mutantCoverage = { static: {}, perTest: {} };
		const files = found.tests.map(({ path: file }) => file);
		const { tests, broken } = await this.run(files, undefined, false);
		if (broken !== undefined) {
			const errorMessage = `${broken.file}: ${broken.error.stack ?? broken.error.message}`;
			return { status: DryRunStatus.Error, errorMessage };
		}
		const times = Object.fromEntries(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]));
		writeFileSync(timesFile, JSON.stringify(times));
		return {
			status: DryRunStatus.Complete,
			tests,
			mutantCoverage: this.withoutStatic(this.stryker.mutantCoverage),
		};
	}

	/**
	 * What runs when a file is loaded, such as a constant, belongs to no test. Every test file loads it anew, so a mutant there
	 * is tried like others: by the tests that run anything else of the same file.
	 */
	withoutStatic({ static: loaded, perTest }) {
		for (const file of this.context.hasteFS.getAllFiles()) {
			if (!file.endsWith('.ts')) continue;
			const ids = [...readFileSync(file, 'utf8').matchAll(mutantIds)].map(([, id]) => id);
			const onLoad = ids.filter((id) => loaded[id] !== undefined);
			if (onLoad.length === 0) continue;
			for (const hits of Object.values(perTest)) {
				if (!ids.some((id) => hits[id] !== undefined)) continue;
				for (const id of onLoad) hits[id] = (hits[id] ?? 0) + loaded[id];
			}
		}
		return { static: {}, perTest };
	}

	/** The test files of some tests: cheap ones first, and first of all those that have killed before. */
	filesOf(ids) {
		const costs = new Map();
		for (const id of ids) {
			const file = path.join(this.root, id.slice(0, id.indexOf(separator)));
			costs.set(file, (costs.get(file) ?? loadMs) + this.times[id]);
		}
		const rank = ([file, cost]) => cost / (1 + (this.kills.get(file) ?? 0));
		return [...costs].sort((a, b) => rank(a) - rank(b)).map(([file]) => file);
	}

	/** Whether tests of a file, or all of them, pass without a mutant. */
	async passes(file, selected) {
		const { tests, broken } = await this.run([file], selected, true);
		const hasPassed = ({ status }) => status === TestStatus.Success;
		return broken === undefined && tests.length > 0 && tests.every(hasPassed);
	}

	/**
	 * A test kills a mutant only if it passes by itself without it. If it passes only together with the others of its file, it
	 * depends on them, and they were not all run: it takes no part any more. If not even then, an earlier mutant has left
	 * something behind in this process: after an error Stryker tries again in a new one.
	 */
	async isKiller({ id, fileName }) {
		if (await this.passes(fileName, new Set([id]))) return true;
		if (!(await this.passes(fileName))) throw new Error(`Fails without a mutant too: ${id}`);
		this.dependent.add(id);
		return false;
	}

	/** Runs the tests that reach a mutant while it is active, slow ones last. */
	async tryOut({ activeMutant, testFilter = [], hitLimit, disableBail }) {
		this.times ??= JSON.parse(readFileSync(timesFile, 'utf8'));
		const { stryker } = this;
		const ids = testFilter.filter((id) => !this.dependent.has(id));
		const isSlow = (id) => this.times[id] > slowMs;
		const tried = { tests: [], failed: undefined, endless: undefined };
		Object.assign(stryker, { activeMutant: activeMutant.id, hitLimit, hitCount: hitLimit && 0 });
		for (const part of [ids.filter((id) => !isSlow(id)), ids.filter(isSlow)]) {
			const { tests, broken } = await this.run(this.filesOf(part), new Set(part), !disableBail);
			tried.tests.push(...tests);
			if (broken !== undefined) {
				// A file that cannot be loaded fails every test in it.
				const id = part.find((one) => path.join(this.root, one).startsWith(broken.file));
				const failureMessage = String(broken.error.message);
				const result = { id, name: id, timeSpentMs: 0, fileName: broken.file, failureMessage };
				tried.tests.push({ ...result, status: TestStatus.Failed });
			}
			tried.failed = tried.tests.find(({ status }) => status === TestStatus.Failed);
			if (tried.failed !== undefined && !disableBail) break;
		}
		tried.endless = determineHitLimitReached(stryker.hitCount, hitLimit);
		Object.assign(stryker, { activeMutant: undefined, hitLimit: undefined, hitCount: undefined });
		return tried;
	}

	async mutantRun(options) {
		for (;;) {
			const { tests, failed, endless } = await this.tryOut(options);
			if (endless !== undefined) return toMutantRunResult(endless);
			if (failed !== undefined && !(await this.isKiller(failed))) continue;
			if (failed !== undefined) {
				this.kills.set(failed.fileName, (this.kills.get(failed.fileName) ?? 0) + 1);
			}
			return toMutantRunResult({ status: DryRunStatus.Complete, tests }, options.disableBail);
		}
	}
}

export const strykerPlugins = [
	{ kind: 'TestRunner', name: 'one-realm', injectableClass: OneRealmRunner },
];
