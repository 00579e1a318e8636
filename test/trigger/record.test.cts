import fc from 'fast-check';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { recordNew } from '../../nodes/BulkMessagingTrigger/callbacks/record';
import { readAndWrite, type KeysRow } from './keysRow.cts';

/** Several processes that record callbacks in the one row n8n has for them, which is read and then written as a whole. */

/** The module as another process loads it: with nothing remembered. */
const anotherProcess = (): typeof recordNew => {
	const loaded: Array<typeof recordNew> = [];
	jest.isolateModules(() => {
		const module: { recordNew: typeof recordNew } = jest.requireActual(
			'../../nodes/BulkMessagingTrigger/callbacks/record',
		);
		loaded.push(module.recordNew);
	});
	return loaded[0];
};

const pause = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** A question takes as long as `nextMs` says between reading and writing. */
const rowOf = (nextMs: () => number) => {
	const row: KeysRow = {};
	const between = async () => await pause(nextMs());
	const checkProcessedAndRecord = async (keys: string[]) =>
		await readAndWrite(row, keys, { between });
	return {
		/** Of an execution only what is used of it. */
		context: { helpers: { checkProcessedAndRecord } } as unknown as IExecuteFunctions,
		has: (key: string) => row.keys?.includes(key) === true,
	};
};

beforeEach(() => {
	jest.useFakeTimers();
});
afterEach(() => {
	jest.useRealTimers();
});

test('whatever two processes overwrite of each other: in the end everything is on record', async () => {
	const processes = [anotherProcess(), anotherProcess()];
	const callback = fc.record({ process: fc.nat(1), atMs: fc.nat(3_000) });
	await fc.assert(
		fc.asyncProperty(
			fc.array(callback, { minLength: 2, maxLength: 60 }),
			fc.array(fc.integer({ min: 1, max: 240 }), { minLength: 1, maxLength: 50 }),
			async (callbacks, durations) => {
				let questions = 0;
				const row = rowOf(() => durations[questions++ % durations.length]);
				const told = callbacks.map(async ({ process, atMs }, index) => {
					await pause(atMs);
					return await processes[process](row.context, 'trigger', [`key ${index}`], 10_000);
				});
				await jest.advanceTimersByTimeAsync(30_000);
				expect((await Promise.all(told)).map((fresh) => fresh.size)).toEqual(
					callbacks.map(() => 1),
				);
				expect(callbacks.filter((_, index) => !row.has(`key ${index}`))).toEqual([]);
				// Nobody goes on asking.
				const asked = questions;
				await jest.advanceTimersByTimeAsync(30_000);
				expect(questions).toBe(asked);
			},
		),
		{ numRuns: 200 },
	);
});

test('a process that has the row to itself records hundreds of callbacks a second, ten at a time', async () => {
	const recordIn = anotherProcess();
	const { context } = rowOf(() => 5);
	let recorded = 0;
	/** One of the ten executions that a worker runs at a time. */
	const execution = async (number: number) => {
		for (let turn = 0; turn < 100; turn++) {
			await recordIn(context, 'trigger', [`key ${number} ${turn}`], 10_000);
			recorded++;
		}
	};
	const executions = Promise.all(
		Array.from({ length: 10 }, async (_, number) => await execution(number)),
	);
	await jest.advanceTimersByTimeAsync(1_000);
	expect(recorded).toBeGreaterThan(300);
	await jest.advanceTimersByTimeAsync(30_000);
	await executions;
});

test('n8n fails while a key is checked again: it is checked later, and recorded again', async () => {
	const row: KeysRow = {};
	let failing = 0;
	const checkProcessedAndRecord = async (keys: string[]) => {
		if (failing-- > 0) throw new Error('The database is locked');
		return await readAndWrite(row, keys, { between: async () => await pause(1) });
	};
	const warn = jest.fn();
	const context = { helpers: { checkProcessedAndRecord }, logger: { warn } };
	const record = anotherProcess();
	const told = record(context as unknown as IExecuteFunctions, 'trigger', ['key'], 10_000);
	await jest.advanceTimersByTimeAsync(100);
	expect((await told).size).toBe(1);
	// Another process overwrites the row, and the next call fails as often as it is tried.
	row.keys = [];
	failing = 3;
	await jest.advanceTimersByTimeAsync(30_000);
	expect(row.keys).toEqual(['key']);
	// No callback has started the workflow because of it.
	expect(warn).not.toHaveBeenCalled();
});
