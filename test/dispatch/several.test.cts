import type { INodeParameters } from 'n8n-workflow';
import { hintsOf } from '../support/n8n.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import { firstNew, itemsUpTo } from './recipients.cts';
import { changing, failing, useDispatches, usePausesOfService } from './useDispatches.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** Several dispatches in one run, of which some fail: what is said of one must be true of it, and no other may be forgotten. */

const dispatches = useDispatches();
usePausesOfService(dispatches);
const { bench, run, created, destinations, started, onRequest, retryChanged } = dispatches;

/** Each item is a dispatch of its own. */
const sendApart = async (
	more: INodeParameters = {},
	count = 3,
	options: Parameters<typeof bench.run>[2] = {},
) =>
	await run(
		'send',
		{ ifSent: 'new', name: '={{ "Part " + $json.code }}', ...more },
		count,
		options,
	);
const refused = { status: 400, code: 4000 };
const rejectCreates = (times = 1_000) =>
	bench.fault('status', 'POST', '*/dispatches', { ...refused, after: 1, times });

const others = `This run has started dispatch ${firstNew}.`;

test('the first is started, the second rejected: the error is about the second, and names the others', async () => {
	rejectCreates();
	const { error } = await sendApart();
	expect(started()).toEqual([firstNew]);
	expect(error?.description).toContain(
		`The run stopped before 1 more dispatch (item 3). Item 2: ${others} Nobody else got a message from this run. `,
	);
});

test('two are started, the third rejected: the error names both', async () => {
	bench.fault('status', 'POST', '*/dispatches', { ...refused, after: 2, times: 1_000 });
	const { error } = await sendApart();
	expect(started()).toEqual([firstNew, firstNew + 1]);
	expect(error?.description).toContain(
		`This run has started dispatches ${firstNew}, ${firstNew + 1}.`,
	);
});

test('started, but every read shows it as not started: the wait ends at its limit, and nobody is told to start it', async () => {
	dispatches.intercept('POST', '/start', () =>
		dispatches.show(firstNew, 5, { messages: { total: 5, pending: 5 } }),
	);
	const result = await run('send', { waitUntilDelivered: true, limitMinutes: 5 });
	expect(result.error).toBeUndefined();
	expect(jsonOf(result.items)).toMatchObject([{ started: true, completed: false }]);
	expect(hintsOf(result).join(' ')).toContain(
		`5 messages in dispatch ${firstNew} may still be pending.`,
	);
	expect(dispatches.starts()).toBe(1);
});

test('the wait ends without counters: a hint says that some may be pending', async () => {
	dispatches.intercept('POST', '/start', () =>
		dispatches.show(firstNew, undefined, { status: 'STARTED', messages: undefined }),
	);
	const result = await run('send', { waitUntilDelivered: true, limitMinutes: 0 });
	expect(result.error).toBeUndefined();
	expect(jsonOf(result.items)).toMatchObject([{ status: 'STARTED', completed: false }]);
	expect(hintsOf(result).join(' ')).toContain(
		`Some messages in dispatch ${firstNew} may still be pending. Increase 'Wait at Most (Minutes)', or use 'Get Report' later.`,
	);
});

test('the first is rejected: all items of the others are named, in order', async () => {
	bench.fault('status', 'POST', '*/dispatches', { ...refused, times: 1_000 });
	const { error } = await sendApart({ name: '={{ "Part " + ($itemIndex % 3) }}' }, 6);
	expect(error?.description).toContain(
		'The run stopped before 2 more dispatches (items 2, 3, 5 and 6).',
	);
});

test('a summary of one dispatch beside the rows of another: each has its own columns', async () => {
	const output = '={{ $itemIndex === 0 ? "summary" : "recipients" }}';
	const { items, error } = await sendApart({ output }, 2);
	expect(error).toBeUndefined();
	const [summary = {}, row = {}] = jsonOf(items);
	expect(Object.keys(summary)).toContain('summary');
	expect(Object.keys(summary)).not.toContain('destination');
	expect(Object.keys(row)).not.toContain('summary');
});

test('with Continue, the others go on, and the failed item speaks of its dispatch only', async () => {
	rejectCreates(1);
	const { items } = await sendApart({}, 3, { onError: 'continueRegularOutput' });
	expect(started()).toHaveLength(2);
	expect(JSON.stringify(jsonOf(items))).toContain(' Nobody got a message from this dispatch. ');
	// Another dispatch was started after it.
	expect(JSON.stringify(jsonOf(items))).not.toContain('Nobody else');
});

test.each([
	['is started', () => rejectCreates(), others],
	[
		'may be started',
		() => bench.fault('reset', 'POST', `*/dispatches/${firstNew}/start`, { times: 1_000 }),
		`It is not known whether this run has started dispatch ${firstNew}.`,
	],
])(
	'the first %s, and on retry the check of the second fails: the error names the first',
	async (_, fail, named) => {
		fail();
		onRequest(({ method, path }) =>
			method === 'GET' &&
			path.endsWith('/dispatches') &&
			bench.sent('POST', `/dispatches/${firstNew}/start`) > 0
				? failing(403)
				: undefined,
		);
		const { error } = await sendApart({}, 2, { tries: 2 });
		expect(created()).toEqual([firstNew]);
		expect(error?.description).toContain(`${named} Nobody else got a message from this run.`);
	},
);

const inTwo = { name: '={{ $json.code < 2 ? "A" : "B" }}' };

test.each([
	['no number can be read', 'destination', '$json.phone', "''"],
	['a placeholder has no value', 'text', "'Hi {name}'", "'Hi {nothing}'"],
])(
	'the first is started, and on retry %s: the error is about this attempt',
	async (_, ...given) => {
		const [parameter, before, after] = given;
		const more = { ...inTwo, [parameter]: changing(before, after) };
		const { error } = await retryChanged('send', more, 3, { passes: 1 });
		expect(started()).toEqual([firstNew]);
		expect(error?.description).toContain('Nothing was sent for this item in this attempt.');
	},
);

test('with Continue, a dispatch without recipients: the error says nothing of the others', async () => {
	const items = itemsUpTo(3).map((one, index) => (index < 2 ? one : { ...one, phone: 'call me' }));
	const result = await run('send', inTwo, items, { onError: 'continueRegularOutput' });
	expect(started()).toEqual([firstNew]);
	expect(JSON.stringify(jsonOf(result.items)[1])).toContain('Nothing was sent for this item.');
});

test.each([
	['send', 'accepted'],
	['create', 'notStarted'],
] as const)(
	'%s: on retry other numbers can be read: everybody has a row, as in the first try',
	async (operation, outcome) => {
		const except = (index: number) => `($json.code === ${index} ? "call me" : $json.phone)`;
		const destination = changing(except(1), except(0));
		const more = { ...inTwo, destination, output: 'recipients' };
		const { items } = await retryChanged(operation, more, 3, { passes: 1, times: 1 });
		expect(items.map(({ pairedItem, json }) => [pairedItem, json.outcome])).toEqual([
			[{ item: 0 }, outcome],
			[{ item: 1 }, 'skipped'],
			[{ item: 2 }, outcome],
		]);
	},
);

test('the start of the first is unknown: the error names it once, and says that the others are not sent', async () => {
	bench.fault('reset', 'POST', `*/dispatches/${firstNew}/start`, { times: 1_000 });
	const { error } = await sendApart();
	expect(created()).toEqual([firstNew]);
	expect(error?.message).toBe(`It is not known whether dispatch ${firstNew} was started`);
	expect(error?.description).toContain('The run stopped before 2 more dispatches (items 2 and 3).');
	expect(error?.description).not.toContain('this run has started');
});

const createApart = { name: '={{ "Part " + $json.code }}' };

test('Create: two are created, the third is rejected: the error names both, and only once on retry', async () => {
	bench.fault('status', 'POST', '*/dispatches', { ...refused, after: 2, times: 1_000 });
	const { error } = await run('create', createApart, 3, 2);
	expect(created()).toEqual([firstNew, firstNew + 1]);
	expect(error?.description).toContain(
		`This run has created dispatches ${firstNew}, ${firstNew + 1}. `,
	);
});

test('Create: the first is rejected: nothing is said of dispatches that were created', async () => {
	bench.fault('status', 'POST', '*/dispatches', refused);
	const { error } = await run('create', createApart, 3);
	expect(error).toBeDefined();
	expect(error?.description).not.toContain('This run has created');
});

test.each([500, 204, 302])(
	'the service responds with %d to both requests to create it: the error says so',
	async (status) => {
		const body = status < 400 ? { body: '' } : {};
		bench.fault('status', 'POST', '*/dispatches', { status, ...body, times: 1_000 });
		const { error } = await run('send');
		expect(error?.message).toBe(
			"The service didn't confirm that it created the dispatch, and doesn't list it",
		);
		expect(error?.context?.code).toBe('notConfirmed');
	},
);

test('two processes add the same people at the same moment: one of them says how many another run has added', async () => {
	await run('create', { text: 'T' }, 1);
	bench.flight.beforeAnswer = async () => await new Promise((resolve) => setImmediate(resolve));
	const add = async (accessToken: string) =>
		await run('addMessages', { id: byId(firstNew), text: 'T' }, 4, {
			credentials: bench.credentials({ accessToken }),
		});
	const results = await Promise.all([add('one'), add('two')]);
	expect(destinations(firstNew)).toHaveLength(7);
	expect(results.flatMap(hintsOf).join(' ')).toContain(
		'contains 3 messages that another run or a person has added meanwhile',
	);
});
