import { splitRecipients } from '../../nodes/dispatches/steps/claim';
import type { AcceptedRecipient } from '../../nodes/dispatches/plan/rows';
import { byId, jsonOf } from '../support/sandbox.cts';
import { tempo } from '../support/tempo.cts';
import { firstNew, numberOf } from './recipients.cts';
import { failing, replying, useDispatches } from './useDispatches.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** Which dispatch is ours, and which one of several with the same name may be started. */

const {
	bench,
	run,
	creates,
	appends,
	starts,
	statusOf,
	answer,
	reply,
	statuses,
	intercept,
	onRequest,
} = useDispatches();

const ourTime = '2026-03-02T12:00:00.000Z';
const ours = { id: firstNew, name: 'Spring sale', status: 'CREATED', createdAt: ourTime };
const minutesBefore = (minutes: number) =>
	new Date(Date.parse(ourTime) - minutes * 60_000).toISOString();

/** After the check, the company's list shows ours and another one. */
const listBeside = (other: object) =>
	answer(
		'/dispatches',
		{ total: 2, items: [ours, { name: 'Spring sale', status: 'CREATED', ...other }] },
		{ after: 1 },
	);

describe('another dispatch has the name', () => {
	const older = firstNew - 1_000;
	const newer = firstNew + 1_000;
	test.each([
		[
			'it is being sent',
			{ id: newer, status: 'STARTED' },
			`dispatch ${newer} with this name was already started`,
		],
		[
			'it was completed',
			{ id: older, status: 'COMPLETED' },
			`dispatch ${older} with this name was already started`,
		],
		[
			'its status is unknown',
			{ id: newer, status: 'PAUSED' },
			`dispatch ${newer} with this name may have been started`,
		],
		[
			'it has no status',
			{ id: newer, status: undefined },
			`dispatch ${newer} with this name may have been started`,
		],
		[
			'it has a time of its start',
			{ id: newer, startedAt: ourTime },
			`dispatch ${newer} with this name may have been started`,
		],
		['it is older', { id: older }, `dispatch ${older} with this name was created first`],
		[
			'it is older by ID and newer by time',
			{ id: older, createdAt: minutesBefore(-1) },
			`the service contradicts itself about whether dispatch ${older} is older`,
		],
		[
			'it is newer by ID and older by time',
			{ id: newer, createdAt: minutesBefore(1) },
			`the service contradicts itself about whether dispatch ${newer} is older`,
		],
	])('%s: ours is not started, and the error says why', async (_, other, why) => {
		listBeside(other);
		const { error } = await run('send', { nameExists: 'stop' }, 3);
		expect(error?.message).toBe(`"Spring sale" is already taken: ${why}`);
		expect(error?.description).toBe(
			`Nobody got a message from this dispatch. Check dispatch ${other.id} before you send this again. This run's dispatch ${firstNew} isn't started.`,
		);
		expect([statusOf(firstNew), starts()]).toEqual(['CREATED', 0]);
	});

	test.each([
		['newer', { id: newer }],
		['newer, in the same second', { id: newer, createdAt: ourTime }],
		['newer, by ID and time', { id: newer, createdAt: minutesBefore(-1) }],
	])('it is %s: ours is started', async (_, other) => {
		listBeside(other);
		const { error } = await run('send', { nameExists: 'stop' }, 3);
		expect(error).toBeUndefined();
		expect(starts()).toBe(1);
	});

	test.each([
		[30, true],
		[29.9, false],
	])('Begin Anew: it is unstarted and %d minutes older: passed: %s', async (minutes, isPassed) => {
		listBeside({ id: older, createdAt: minutesBefore(minutes) });
		const { error } = await run('send', { nameExists: 'anew' }, 3);
		expect(starts()).toBe(isPassed ? 1 : 0);
		expect(error?.description).toBe(
			isPassed
				? undefined
				: `Nobody got a message from this dispatch. Check dispatch ${older} before you send this again. This run's dispatch ${firstNew} isn't started. 'Begin Anew if Never Started' ignores an unstarted dispatch half an hour after it was created.`,
		);
	});

	test('Begin Anew: it is being sent: the advice says nothing about half an hour', async () => {
		listBeside({ id: newer, status: 'STARTED' });
		const { error } = await run('send', { nameExists: 'anew' }, 3);
		expect(error?.description).toBe(
			`Nobody got a message from this dispatch. Check dispatch ${newer} before you send this again. This run's dispatch ${firstNew} isn't started.`,
		);
	});

	test('Create Another, after a lost request spoiled the first one: an older one does not matter', async () => {
		await run('create', {}, 2);
		bench.fault('reset', 'POST', `*/dispatches/${firstNew + 1}/messages`);
		const { error } = await run('send', { options: { batchSize: 2 } }, 4);
		expect(error).toBeUndefined();
		expect(statuses()).toEqual(['CREATED', 'CREATED', 'STARTED']);
	});

	test.each([
		['another', true],
		['anew', false],
	])('Preview, %s: Send would send: %s', async (nameExists, wouldSend) => {
		const items = [{ id: older, name: 'Spring sale', status: 'CREATED' }];
		answer('/dispatches', { total: 1, items });
		expect(jsonOf((await run('preview', { nameExists }, 3)).items)).toMatchObject([{ wouldSend }]);
	});

	test('Preview, and the list does not show that this process has started it: Send would stop', async () => {
		await run('create', {}, 3);
		await bench.run('dispatch.start', { id: byId(firstNew) });
		answer('/dispatches', { total: 1, items: [ours] });
		const [{ wouldSend, summary } = {}] = jsonOf(
			(await run('preview', { nameExists: 'anew' }, 3)).items,
		);
		expect(wouldSend).toBe(false);
		expect(summary).toContain(
			`"Spring sale" is already taken: dispatch ${firstNew} with this name may have been started`,
		);
	});

	test('Stop With an Error: it is unstarted and an hour older: ours is not started', async () => {
		listBeside({ id: older, createdAt: minutesBefore(60) });
		const { error } = await run('send', { nameExists: 'stop' }, 3);
		expect(error?.message).toContain(`dispatch ${older} with this name was created first`);
		expect(error?.description).not.toContain('half an hour');
		expect(starts()).toBe(0);
	});
});

describe('a claim holds for 25 minutes', () => {
	/** Time passes while the dispatch is compared. */
	const passBeforeYield = (minutes: number) => {
		let reads = 0;
		intercept('GET', `/dispatches/${firstNew}`, () => {
			if (++reads === 1) tempo.pausedMs += minutes * 60_000;
		});
	};

	test.each([
		['stop', 26, 0],
		['stop', 24, 1],
		['another', 26, 1],
	])('%s, filled in %d minutes: started %d times', async (nameExists, minutes, times) => {
		passBeforeYield(minutes);
		const { error } = await run('send', { nameExists }, 3);
		expect(starts()).toBe(times);
		expect(error?.message).toBe(
			times === 1
				? undefined
				: `Filling dispatch ${firstNew} took longer than 25 minutes, so another run may use its name`,
		);
		expect(error?.description).toBe(
			times === 1
				? undefined
				: "Nobody got a message from this dispatch. Check the dispatches with this name in your account on the provider's website. To send this one as it is, use 'Start'.",
		);
	});
});

describe('the list never shows ours', () => {
	test.each([
		['it is empty', () => answer('/dispatches', { total: 0, items: [] }), ''],
		[
			'it cannot be read',
			() => bench.fault('status', 'GET', '*/dispatches', { status: 403, after: 1, times: 1_000 }),
			" This account isn't allowed to use this operation. The service says: Fault set in the sandbox: 403",
		],
	])('%s: not started, because another run may send it too', async (_, prepare, cause) => {
		prepare();
		const { error } = await run('send', { nameExists: 'stop' }, 3);
		expect(error?.message).toBe(
			`The service doesn't list dispatch ${firstNew}, so the node can't check whether another run sends "Spring sale" too`,
		);
		expect(error?.description).toBe(
			`Nobody got a message from this dispatch. Check the dispatches with this name in your account on the provider's website. To send this one as it is, use 'Start'.${cause}`,
		);
		expect(starts()).toBe(0);
	});
});

describe('the first request of several', () => {
	/** The first page of the messages in the dispatch, as the service shows it. */
	const showFirst = (messages: object[]) =>
		answer('/messages', { total: messages.length, items: messages });
	const inBatches = { options: { batchSize: 2 } };

	test.each([
		['another person', [{ destination: numberOf(99), messageUuid: 'x' }]],
		['one of ours with another message', [{ destination: numberOf(0), messageUuid: 'x' }]],
		[
			'all of ours with other messages',
			[0, 1, 2, 3].map((index) => ({ destination: numberOf(index), messageUuid: `x${index}` })),
		],
	])('its dispatch shows %s: nothing is added to it', async (_, messages) => {
		showFirst(messages);
		const { error } = await run('send', inBatches, 4);
		expect(error?.message).toBe(`"Spring sale" may be in use by another run: dispatch ${firstNew}`);
		expect(error?.description).toContain(
			`The response to this run's own request was lost or unclear, so the node can't tell which dispatch is its own. To try again, run the workflow in half an hour, or change 'Dispatch Name'. Until then, the name may belong to another run. The service's response is about dispatch ${firstNew}, but its messages aren't shown to be this run's.`,
		);
		expect([creates(), appends(), starts()]).toEqual([1, 0, 0]);
	});

	test('its dispatch shows nobody, for a minute: nothing is added to it', async () => {
		showFirst([]);
		const { error } = await run('send', inBatches, 4);
		expect(error?.message).toBe('It is not known whether the dispatch "Spring sale" was created');
		expect(error?.description).toContain(`The service's response is about dispatch ${firstNew}`);
		expect(error?.description).not.toContain("doesn't show the ID");
		expect(bench.sent('GET', '/messages')).toBeGreaterThan(5);
		expect([creates(), appends(), starts()]).toEqual([1, 0, 0]);
	});

	test('its dispatch shows one of ours as rejected: ours all the same', async () => {
		// The first request then has recipients 0 and 3.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		showFirst([{ destination: numberOf(3), messageUuid: 'x', status: 'FAILED' }]);
		const { error } = await run('send', inBatches, 4);
		expect(error).toBeUndefined();
		expect([creates(), appends(), starts()]).toEqual([1, 1, 1]);
	});

	test('its response has the ID of a dispatch that existed before: that one gets nobody', async () => {
		const before = [...bench.store.dispatches.keys()].at(-1) ?? 0;
		reply('*/dispatches', { id: before, total: 3, success: 3, failed: 0, messages: [] });
		const { error } = await run('send', { nameExists: 'stop' }, 3);
		expect(error).toBeUndefined();
		expect(statuses()).toEqual(['STARTED']);
		expect(bench.sent('POST', `/dispatches/${before}/start`)).toBe(0);
	});
});

describe('the random selection', () => {
	const people = (count: number) =>
		Array.from({ length: count }, (_, position) => ({
			position,
		})) as unknown as AcceptedRecipient[];
	const positions = (some: readonly AcceptedRecipient[]) => some.map(({ position }) => position);

	test.each([
		[1, 1],
		[5, 5],
		[4, 5],
	])('%d people in requests of %d: everybody in the first', (count, size) => {
		const { first, rest, isUnique } = splitRecipients(people(count), size);
		expect([positions(first), rest, isUnique]).toEqual([positions(people(count)), [], false]);
	});

	test.each([
		[6, 5, [1]],
		[10, 5, [5]],
		[11, 5, [5, 1]],
		[1_000, 300, [300, 300, 100]],
	])('%d people in requests of %d: everybody once', (count, size, sizes) => {
		const { first, rest } = splitRecipients(people(count), size);
		expect(first).toHaveLength(size);
		expect(rest.map(({ length }) => length)).toEqual(sizes);
		const all = [...positions(first), ...rest.flatMap(positions)].sort((a, b) => a - b);
		expect(all).toEqual(positions(people(count)));
	});

	test.each([
		[0, [0, 3]],
		[0.999, [2, 3]],
		[0.5, [1, 2]],
	])('chance %d draws %j of four', (chance, drawn) => {
		jest.spyOn(Math, 'random').mockReturnValue(chance);
		expect(positions(splitRecipients(people(4), 2).first)).toEqual(drawn);
	});

	// The number of ways to choose: 33 over 16 is just above two to the power of 30, 32 over 16 is below.
	test.each([
		[33, 16, true],
		[32, 16, false],
		[33, 17, true],
		[36, 12, true],
		[35, 11, false],
		[1_001, 1_000, false],
		[2_000, 1_000, true],
		[2, 1, false],
	])('%d people in requests of %d: nobody else draws the same: %s', (count, size, isUnique) => {
		expect(splitRecipients(people(count), size).isUnique).toBe(isUnique);
	});
});

test.each([
	['2026-03-01', '2026-03-02'],
	['2026-03-02T11', '2026-03-02T12'],
	['2026-03-02T12:00:00', '2026-03-02T12:00:30Z'],
	['2026-03-02T12:00:00+03:00', '2026-03-02T12:00:30'],
])(
	'Begin Anew, and the times %s and %s cannot be compared: the other one is not passed',
	async (theirs, mine) => {
		const other = { ...ours, id: firstNew - 1_000, createdAt: theirs };
		answer('/dispatches', { total: 2, items: [{ ...ours, createdAt: mine }, other] }, { after: 1 });
		const { error } = await run('send', { nameExists: 'anew' }, 3);
		expect(starts()).toBe(0);
		expect(error?.message).toContain(
			`dispatch ${firstNew - 1_000} with this name was created first`,
		);
	},
);

test.each([
	['2026-03-02T14:30:00+03:00', 1],
	['2026-03-02T14:30:00.000+0300', 1],
	['2026-03-02t06:30:00-05:00', 1],
	['2026-03-02T14:30:01+03:00', 0],
])(
	'Begin Anew, and the other one was created at %s: passed if that is half an hour before ours',
	async (createdAt, requests) => {
		listBeside({ id: firstNew - 1_000, createdAt });
		await run('send', { nameExists: 'anew' }, 3);
		expect(starts()).toBe(requests);
	},
);

/** Ten on a page, the newest first. Page 2 comes from a copy without the newest ones, so the one at the edge is on neither page. */
test('the pages of the list show different totals: it is not taken for complete', async () => {
	const one = (id: number, name: string, status: string) => ({ ...ours, id, name, status });
	const before = Array.from({ length: 25 }, (_, index) =>
		one(1_000 + index, index === 15 ? ours.name : `Other ${index}`, 'COMPLETED'),
	);
	let asked = 0;
	intercept('GET', '/dispatches', () => {
		const page = (asked++ % 3) + 1;
		const newest = [one(2_000, 'Other', 'COMPLETED'), ...(creates() > 0 ? [ours] : [])];
		const all = (page === 2 ? before : [...before, ...newest]).toReversed();
		const items = all.slice((page - 1) * 10, page * 10);
		return replying({ page, perPage: 10, total: all.length, items });
	});
	await run('send', { nameExists: 'stop' }, 2);
	expect(starts()).toBe(0);
});

test('the service asks to wait with the start, just before 25 minutes are over: not started after half an hour', async () => {
	const begun = tempo.pausedMs;
	let reads = 0;
	let lastStart = 0;
	onRequest(({ method, path }) => {
		if (method === 'GET' && path.endsWith(`/dispatches/${firstNew}`) && ++reads === 1)
			tempo.pausedMs += 24 * 60_000 + 50_000;
		if (method !== 'POST' || !path.endsWith('/start')) return undefined;
		// As late as a response may be.
		tempo.pausedMs += 69_000;
		lastStart = tempo.pausedMs - begun;
		return failing(429, { headers: { 'retry-after': '30' } });
	});
	await run('send', { nameExists: 'anew' }, 3);
	expect(lastStart).toBeGreaterThan(25 * 60_000);
	expect(lastStart).toBeLessThan(30 * 60_000);
});
