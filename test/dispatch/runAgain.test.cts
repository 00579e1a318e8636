import type { IDataObject } from 'n8n-workflow';
import type { NodeResult } from '../support/n8n.cts';
import { hintsOf } from '../support/n8n.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import { firstNew, itemsUpTo, numberOf } from './recipients.cts';
import { failing } from './useDispatches.cts';
import { usePresses } from './presses.cts';

/** What every pause waits for, in real time. */
const mockGate: { open?: Promise<unknown> } = {};
// Pauses take no time for us, and their time for the service.
jest.mock('n8n-workflow', () => {
	const workflow = jest.requireActual<{ sleep: (ms: number) => Promise<void> }>(
		'../support/pauses.cts',
	);
	const sleep = async (ms: number) => {
		await workflow.sleep(ms);
		await mockGate.open;
	};
	return { ...workflow, sleep };
});

/** Whatever happened: run it again, when the error says, and everybody has it once. */

const presses = usePresses();
const { bench, run, created, started, starts, statusOf, destinations, intercept } = presses;
const { pass, press, pressElsewhere, pressUntilGreen, waitAsTold, expectOnce, summaryOf } = presses;
const minute = 60_000;
const hour = 60 * minute;
afterEach(() => {
	bench.flight.beforeAnswer = undefined;
	mockGate.open = undefined;
});

describe('a process was killed while it filled', () => {
	const again = async () => await press({}, 120);

	test("'Start' on what it left is refused, and Send reaches all 120 once", async () => {
		await presses.leaveBehind();
		const inIt = destinations().length;
		expect(inIt).toBeGreaterThan(0);
		expect(inIt).toBeLessThan(120);
		const start = await bench.run('dispatch.start', { id: byId(firstNew), priceLimit: 1_000 });
		expect(start.error?.message).toBe(
			`Dispatch ${firstNew} was left by 'Send', which starts its dispatches itself`,
		);
		expect(start.error?.description).toBe(
			"This run didn't start it. Run 'Send' again: it sends to everybody who doesn't have it yet.",
		);
		expect(started()).toEqual([]);
		const first = await again();
		expect(first.error?.message).toBe('Another run may still be sending "Spring sale"');
		// It stops before it creates anything, so its half hour doesn't begin anew.
		expect(created()).toEqual([firstNew]);
		const { presses: count } = await pressUntilGreen(first, again);
		expect(count).toBe(1);
		expectOnce(120);
	});

	test.each([10, 25])(
		'a schedule of %d minutes, each time in another process: sent once',
		async (minutes) => {
			await presses.leaveBehind();
			let count = 0;
			let result: NodeResult;
			do {
				pass(minutes * minute);
				result = await pressElsewhere({}, 120);
			} while (++count < 6 && result.error !== undefined);
			expect([result.error, count]).toEqual([undefined, minutes === 10 ? 3 : 2]);
			expect(started()).toHaveLength(1);
			expect(created()).toHaveLength(2);
			expectOnce(120);
		},
	);
});

describe('a second run begins while the first one fills', () => {
	/** As soon as the first one has created its dispatch. */
	const beside = async (
		second: () => Promise<NodeResult>,
		firstEnded: (first: Promise<NodeResult>) => Promise<NodeResult> = async (first) => await first,
	) => {
		let other: Promise<NodeResult> | undefined;
		intercept('POST', `/dispatches/${firstNew}/messages`, () => {
			other ??= second();
		});
		const first = await firstEnded(press({ batchSize: 10 }, 60));
		return [first, await (other ?? Promise.reject(new Error('it never began')))] as const;
	};

	test('in the same process: it waits, and then everybody has it', async () => {
		let end: (() => void) | undefined;
		// The second one pauses until the first one has ended, which has nothing to wait for.
		mockGate.open = new Promise<void>((resolve) => (end = resolve));
		const ended = async (result: Promise<NodeResult>) => await result.finally(end);
		const [first, second] = await beside(async () => await press({ batchSize: 10 }, 60), ended);
		expect([first.error, second.error]).toEqual([undefined, undefined]);
		expect(jsonOf(second.items)).toMatchObject([
			{ hasItAlready: 60, onTheWay: 0, dispatchId: firstNew },
		]);
		expect(created()).toEqual([firstNew]);
		expectOnce(60);
	});

	test('in another process: it says when to run it again, and then everybody has it', async () => {
		const other = presses.newProcess();
		const send = async () => await press({ batchSize: 10 }, 60, other);
		const [first, second] = await beside(send);
		expect(first.error).toBeUndefined();
		expect(second.error?.message).toBe('Another run may still be sending "Spring sale"');
		expect(second.error?.description).not.toContain("'Dispatch Name'");
		await pressUntilGreen(second, send);
		expect(created()).toEqual([firstNew]);
		expectOnce(60);
	});
});

describe('two runs at the same moment, each in its own process', () => {
	test.each(['reset', 'commit-then-reset', undefined] as const)(
		"the answer to the second one's create: %s",
		async (kind) => {
			presses.sideBySide();
			let creates = 0;
			intercept('POST', '/dispatches', () =>
				++creates === 2 && kind !== undefined ? { ...failing(0), kind } : undefined,
			);
			const two = [presses.newProcess(), presses.newProcess()];
			const results = await Promise.all(two.map(async (one) => await press({}, 60, one)));
			for (const [index, result] of results.entries())
				await pressUntilGreen(result, async () => await press({}, 60, two[index]));
			expectOnce(60);
			expect(started()).toHaveLength(1);
		},
	);
});

describe('the price', () => {
	const limited = { priceLimit: 5 };
	const again = async () => await press({ priceLimit: 1_000 });

	test.each(['create', 'read'])(
		'is 0 at first, in the %s: the limit applies to the real one',
		async (where) => {
			if (where === 'create') {
				const body = {
					id: firstNew,
					status: 'CREATED',
					priceEstimate: { total: 0, currency: 'RUB', parts: 5 },
				};
				presses.reply('*/dispatches', { ...body, total: 5, success: 5, failed: 0 });
			}
			presses.showing(firstNew, { priceEstimate: 0 }, 3);
			const result = await press(limited);
			expect(result.error?.message).toMatch(
				/^The price estimate is 1\d\.\d+ RUB, but 'Price Limit' is 5 RUB$/,
			);
			expect(started()).toEqual([]);
		},
	);

	test('is 0 in every answer for a minute: free of charge', async () => {
		presses.showing(firstNew, { priceEstimate: 0 });
		const free = { priceEstimate: { total: 0, currency: 'RUB', parts: 5 } };
		presses.reply('*/dispatches', { id: firstNew, total: 5, success: 5, failed: 0, ...free });
		const before = bench.sandbox.now;
		const { error } = await press(limited);
		expect([error, starts()]).toEqual([undefined, 1]);
		expect(bench.sandbox.now - before).toBeGreaterThan(minute);
	});

	test('is above the limit: raised and pressed again, it is sent once', async () => {
		const first = await press(limited);
		expect(first.error?.description).toContain('Change the limit or the list, and run it again.');
		const { presses: count } = await pressUntilGreen(first, again);
		expect(count).toBe(1);
		expectOnce(5);
	});

	test('the same, in another process: it says when, and is sent once', async () => {
		const first = await pressElsewhere(limited);
		const { presses: count } = await pressUntilGreen(first, again);
		expect(count).toBe(2);
		expectOnce(5);
	});
});

test.each(['the same', 'another'])(
	"it doesn't contain exactly the recipients, then run again in %s process: sent once",
	async (process) => {
		let isOver = false;
		presses.onRequest(({ method, path }) =>
			!isOver && method === 'GET' && /\/dispatches\/\d+$/.test(path) ? failing(500) : undefined,
		);
		const first = await press();
		isOver = true;
		expect(first.error?.description).toContain('Nobody got a message from this run.');
		expect(started()).toEqual([]);
		const other = process === 'another' ? presses.newProcess() : {};
		await pressUntilGreen(first, async () => await press({}, 5, other));
		expectOnce(5);
	},
);

test('the results cannot be read after the start: run it again, and everybody has it', async () => {
	const failRead = () =>
		bench.fault('status', 'GET', `*/dispatches/${firstNew}`, { status: 403, times: 1_000 });
	intercept('POST', '/start', failRead);
	const waiting = { waitUntilDelivered: true };
	const first = await press(waiting);
	expect(first.error?.message).toBe(
		`Dispatch ${firstNew} was started, but its results aren't known yet`,
	);
	expect(first.error?.description).toContain(
		'Run it again to see who has it: nobody gets it twice.',
	);
	expect(first.error?.description).not.toMatch(/Don't|again in a few minutes/);
	bench.sandbox.faults.clear();
	const { result } = await pressUntilGreen(first, async () => await press(waiting));
	expect(jsonOf(result.items)).toMatchObject([{ dispatchId: firstNew, hasItAlready: 5 }]);
	expect([created(), starts()]).toEqual([[firstNew], 1]);
});

describe('what people get', () => {
	test('a service that has lost a dispatch, such as a sandbox that was reset, is sent to again', async () => {
		await press();
		bench.store.dispatches.delete(firstNew);
		await pass(3 * minute);
		const { error } = await press();
		expect(error).toBeUndefined();
		expect(started()).toEqual([firstNew + 1]);
	});

	test('a second press is green, with the figures of the first', async () => {
		await press();
		await bench.sandbox.advance(2 * minute);
		const second = await press();
		expect(second.error).toBeUndefined();
		const told = summaryOf(second);
		expect(told).toMatch(
			new RegExp(
				`^Everybody has it already: dispatch ${firstNew} \\(.+\\): 5 reached, 0 failed\\.$`,
			),
		);
		expect(hintsOf(second)).toEqual([`Nothing new was sent. ${told}`]);
		expect(jsonOf(second.items)).toMatchObject([
			{ recipients: 5, hasItAlready: 5, onTheWay: 0, dispatchId: firstNew },
		]);
		expect(created()).toEqual([firstNew]);
	});

	test('corrected numbers and a second press: only the new ones', async () => {
		const items = itemsUpTo(5);
		const wrong = items.map((one, index) => (index === 2 ? { ...one, phone: 'call me' } : one));
		await press({}, wrong);
		const { items: told } = await press({}, items);
		expect(jsonOf(told)).toMatchObject([{ recipients: 5, onTheWay: 1, hasItAlready: 4 }]);
		expect(started().map(destinations).at(-1)).toEqual([numberOf(2)]);
		expectOnce(5);
	});

	const unnamed = { name: '' };
	const inWorkflow = async (workflowName: string, count = 5) =>
		await press(unnamed, count, { workflowName });

	test.each([
		[hour, 1],
		[12 * hour - minute, 1],
		[12 * hour + minute, 2],
	])('the workflow is renamed, and pressed %d ms later: sent %d times', async (ms, times) => {
		await inWorkflow('Sale');
		pass(ms);
		const second = await inWorkflow('Copy of Sale');
		expect([second.error, started().length]).toEqual([undefined, times]);
	});

	test.each([
		['', 20 * hour - minute, 1],
		['', 20 * hour + minute, 2],
		['Spring sale', 9_000 * hour, 1],
	])('"%s" after %d ms: sent %d times', async (name, ms, times) => {
		await press({ name }, 5, { workflowName: 'Sale' });
		pass(ms);
		const second = await press({ name }, 5, { workflowName: 'Sale' });
		expect([second.error, started().length]).toEqual([undefined, times]);
	});

	test('two Send nodes with other people under one name: each sends to its own', async () => {
		await press({}, itemsUpTo(5).slice(0, 2));
		const { items } = await press({}, itemsUpTo(5).slice(2));
		expect(jsonOf(items)).toMatchObject([{ recipients: 3, onTheWay: 3 }]);
		expectOnce(5);
	});

	test('a test is in nobody’s way', async () => {
		const test1 = await press({ mode: 'test', testNumber: numberOf(0) });
		expect(jsonOf(test1.items)).toMatchObject([{ isTest: true, started: true }]);
		const { items } = await press();
		expect(jsonOf(items)).toMatchObject([{ onTheWay: 5 }]);
		expect(destinations(firstNew + 1)).toHaveLength(5);
	});

	test("what 'Create' has made stops Send, and 'Start' sends it", async () => {
		await run('create');
		pass(hour);
		const { error } = await press();
		expect(error?.message).toBe(`Dispatch ${firstNew} was created to be started by hand`);
		expect(error?.description).toContain(`To send it, use 'Start' with dispatch ${firstNew}.`);
		const start = await bench.run('dispatch.start', { id: byId(firstNew), priceLimit: 1_000 });
		expect([start.error, statusOf()]).toEqual([undefined, 'STARTED']);
		expect((await press()).error).toBeUndefined();
		expectOnce(5);
	});

	test("'Create' twice: the same dispatch; with other people: another one", async () => {
		const [first, second] = [await run('create'), await run('create')];
		const rest = (items: IDataObject[]) =>
			items.map((one) => ({ ...one, priceEstimate: undefined }));
		expect(rest(jsonOf(second.items))).toEqual(rest(jsonOf(first.items)));
		expect(created()).toEqual([firstNew]);
		const { items } = await run('create', {}, itemsUpTo(7).slice(5));
		expect(jsonOf(items)).toMatchObject([{ dispatchId: firstNew + 1, recipients: 2 }]);
	});

	test('another text under the same name: stopped, and another name sends it', async () => {
		await press();
		const { error } = await press({ text: 'Something else' });
		expect(error?.message).toBe('Another text was sent under this name');
		expect(created()).toEqual([firstNew]);
		expect((await press({ text: 'Something else', name: 'Other' })).error).toBeUndefined();
		expect(started()).toHaveLength(2);
	});

	test.each([
		['stop', 1, 'This was already sent'],
		['anyway', 2, undefined],
	])("'If It Was Sent Before': %s: sent %d times", async (ifSent, times, title) => {
		await press();
		const { error } = await press({ ifSent });
		expect(started()).toHaveLength(times);
		expect(error?.message.slice(0, 21)).toBe(title);
	});

	test.each(['preview', 'send'])('%s without sending shows who has it', async (operation) => {
		await press({}, 2);
		const more = operation === 'send' ? { mode: 'dryRun' } : {};
		const { items } = await run(operation, more);
		expect(jsonOf(items)).toMatchObject([{ wouldSend: true, wouldReach: 3, hasItAlready: 2 }]);
		expect(String(jsonOf(items)[0]?.summary)).toContain('2 have it already');
		expect(created()).toEqual([firstNew]);
	});

	test('a dispatch that a person has stopped: never green', async () => {
		await press();
		await bench.run('dispatch.stop', { id: byId(firstNew) });
		const { error } = await press();
		expect(error?.message).toBe(`Dispatch ${firstNew} was stopped`);
		expect(started()).toHaveLength(1);
	});

	test('the advice to wait is a time', () => {
		expect(() =>
			waitAsTold({ error: Object.assign(new Error('x'), { description: 'Good luck.' }) }),
		).toThrow();
	});
});
