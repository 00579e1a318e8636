import { setTimeout as after } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { describeOutcomes, type ItemOutcomes } from '../../core/engine/progress';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { messagingResources } from '../../nodes/BulkMessaging/resources';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { partnerResources } from '../../nodes/BulkMessagingPartner/resources';
import { outputFields } from '../../scripts/outputs.cts';
import { runNode, type NodeRun } from '../support/n8n.cts';
import { byId } from '../support/sandbox.cts';
import {
	json,
	reset,
	startServer,
	type Behaviour,
	type Received,
	type TestServer,
} from '../support/server.cts';

let server: TestServer;
/** How the service treats an item, by the word in it; set by a test. */
let treat: Record<string, Behaviour> = {};

const refuse = json(400, { error: { code: 4000, msg: 'not today' } });
const late = json(429, {}, { 'retry-after': '3600' });

/** Which item a request is about: the requests of these tests name it. */
const wordOf = ({ body, url }: Received) =>
	/(?:good|bad|lost|late|strange)[0-9]*/.exec(`${url} ${body.toString()}`)?.[0] ?? '';

const replies: Record<string, (request: Received) => unknown> = {
	'/company': (request) => ({ companyId: 100 + Number(/\d*$/.exec(wordOf(request))?.[0]) }),
	'/recipients': ({ body }) => JSON.parse(body.toString()) as unknown,
	'/api/v1/verifier/widget/send': () => ({ messageUuid: 'm' }),
	'/api/v1/verifier/widget/check': () => ({ status: 'CONFIRMED' }),
};

beforeAll(async () => {
	server = await startServer((request) => {
		if (request.url === '/auth/token') return json(200, { token: 't' });
		const known = treat[wordOf(request).replace(/\d+/, '')];
		if (known !== undefined) return known;
		return json(200, replies[request.url]?.(request) ?? {});
	});
});
afterAll(async () => await server.close());
beforeEach(() => {
	server.received.length = 0;
	treat = { bad: refuse, lost: reset, late };
});

const partner = new BulkMessagingPartner();
const operations = {
	'company.create': {
		node: partner,
		parameters: { name: '={{ $json.word }}', counteragentType: 'LEGAL', counteragentInn: '1' },
		at: ['POST', '/company'],
	},
	'verification.send': {
		node: new BulkMessaging(),
		parameters: { key: '={{ $json.word }}' },
		at: ['POST', '/api/v1/verifier/widget/send'],
	},
	'blacklist.add': {
		node: partner,
		parameters: {
			companyId: byId(1),
			msisdn: '={{ $json.phone ?? "79161234567" }}',
			comment: '={{ $json.word }}',
		},
		at: ['PUT', '/recipients'],
	},
	'verification.check': {
		node: new BulkMessaging(),
		parameters: { key: '={{ $json.word }}' },
		at: ['POST', '/api/v1/verifier/widget/check'],
	},
} as const;
type Name = keyof typeof operations;

const run = async (
	name: Name,
	items: ReadonlyArray<string | IDataObject>,
	more: Partial<NodeRun> = {},
) => {
	const { node, parameters } = operations[name];
	const [resource = '', operation = ''] = name.split('.');
	return await runNode({
		node,
		parameters: { resource, operation, ...parameters },
		items: items.map((item) => (typeof item === 'string' ? { word: item } : item)),
		credentials: {
			bulkMessagingPartnerApi: { baseUrl: server.url, login: 'l', password: 'p' },
			bulkMessagingApi: { baseUrl: `${server.url}/api/v1`, apiKey: 'k' },
		},
		...more,
	});
};
const sent = (name: Name) => {
	const [method, path] = operations[name].at;
	return server.receivedAt(method, path).map(wordOf);
};

const words = (count: number, others: Record<number, string> = {}) =>
	Array.from({ length: count }, (_, index) => others[index] ?? `good${index}`);
const again = (...items: string[]) =>
	`If you run this again with all items, ${items.join(' ')} done twice.`;
const check = 'Check the items with an unknown outcome before you run this again.';

describe.each<Name>(['company.create', 'verification.send'])('%s, without Continue', (name) => {
	/** Only companies have an ID that the error lists. */
	const ids = (list: string) => (name === 'company.create' ? ` (companyId ${list})` : '');

	test('an item that fails after others were carried out: the error says which', async () => {
		const { error } = await run(name, words(10, { 4: 'bad' }));
		expect(error?.description).toMatch(
			`Done: items 1 to 4${ids('100, 101, 102, 103')}. Failed: item 5. Not started: items 6 to 10. ${again('items 1 to 4 are')} `,
		);
		expect(error?.description).toContain('The service says: not today');
		expect(error?.description).not.toContain('Nothing was');
		expect(error?.context).toMatchObject({
			item: 5,
			done: [0, 1, 2, 3],
			unknown: [],
			failed: 4,
			notStarted: [5, 6, 7, 8, 9],
		});
		expect(sent(name)).toHaveLength(5);
	});

	test('an item whose outcome is not known is not said to have failed', async () => {
		const { error } = await run(name, words(3, { 1: 'lost' }));
		expect(error?.description).toMatch(
			`Done: item 1${ids('100')}. Unknown: item 2. Not started: item 3. ${again('item 1 is')} ${check} `,
		);
		expect(error?.context).toMatchObject({ done: [0], unknown: [1], failed: 1 });
	});

	test('a single item, or the first one, needs no list', async () => {
		for (const items of [['bad'], ['bad', 'good1']]) {
			const { error } = await run(name, items);
			expect(error?.description).not.toMatch(/Done|Nothing was/);
			expect(error?.context?.done).toBeUndefined();
		}
	});

	test('an item that is wrong is reported after the others are carried out', async () => {
		const { error } = await run(name, ['good0', 'good1', '', 'good3']);
		const done = name === 'company.create' ? 'companies created' : 'verifications sent';
		expect(error?.message).toBe(`3 ${done}, 1 not: item 3`);
		expect(error?.description).toMatch(
			/^Done: items 1, 2 and 4(?: \(companyId 100, 101, 103\))?\. Item 3: '(?:Name|Key)' .* Correct these items and run this again with only them\. If you run this again with all items, items 1, 2 and 4 are done twice\. To get such items with all their fields, set 'On Error' in the node's settings to use an error output\.$/,
		);
		expect(error?.description).toContain(`items 1, 2 and 4${ids('100, 101, 103')}.`);
		expect(error?.context).toMatchObject({ done: [0, 1, 3], failedItems: [2], notStarted: [] });
		expect(sent(name)).toEqual(['good0', 'good1', 'good3']);
	});

	test('beside an item that fails, one that is wrong is reported too', async () => {
		const { error } = await run(name, ['good0', '', 'bad', 'good3']);
		expect(error?.description).toMatch(
			/^Done: item 1(?: \(companyId 100\))?\. Failed: item 3\. Not started: item 4\. Item 2: '(?:Name|Key)' /,
		);
		expect(error?.description).toContain('The service says: not today');
		expect(error?.context).toMatchObject({ failed: 2, failedItems: [1, 2], notStarted: [3] });
	});

	test('with Continue, an item that is wrong leaves by itself, and the others are carried out', async () => {
		const { items } = await run(name, ['good0', '', 'good2'], {
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ json: output }) => 'error' in output)).toEqual([false, true, false]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(items[1]?.json.error).toMatch(/\. Nothing was done for this item\.$/);
		expect(sent(name)).toEqual(['good0', 'good2']);
	});

	test('Retry On Fail: what is carried out stays so, over all tries', async () => {
		const { error } = await run(name, words(4, { 2: 'late' }), { tries: 3 });
		expect(sent(name)).toEqual(['good0', 'good1', 'late', 'late', 'late']);
		expect(error?.description).toMatch(
			`Done: items 1 and 2${ids('100, 101')}. Failed: item 3. Not started: item 4. ${again('items 1 and 2 are')} `,
		);
	});

	test('Retry On Fail: a value that is wrong only in the second try does not hide what is done', async () => {
		const changing: IDataObject = { word: 'late' };
		treat.late = (request, response) => {
			changing.word = '';
			late(request, response);
		};
		const { error } = await run(name, ['good0', changing], { tries: 2 });
		expect(error?.message).toMatch(/^1 .*, 1 not: item 2$/);
		expect(error?.description).toMatch(
			/^Done: item 1(?: \(companyId 100\))?\. Item 2: '(?:Name|Key)' /,
		);
		expect(sent(name)).toEqual(['good0', 'late']);
	});
});

test('the error lists ten IDs of what was created, and its data all of them', async () => {
	const { error } = await run('company.create', words(13, { 12: 'bad' }));
	const ids = Array.from({ length: 12 }, (_, index) => `${100 + index}`);
	expect(error?.description).toMatch(
		`Done: items 1 to 12 (companyId ${ids.slice(0, 10).join(', ')} and 2 more). Failed: item 13. `,
	);
	expect(error?.context?.ids).toEqual(ids);
});

test('every ID that an error would list is in the output', () => {
	const named = [...partnerResources, ...messagingResources].flatMap(({ value, operations }) =>
		operations.flatMap(({ value: operation, done }) =>
			done?.id === undefined ? [] : [[`${value}.${operation}`, done.id] as const],
		),
	);
	expect(named).toHaveLength(5);
	for (const [operation, id] of named) {
		const fields = ['partner', 'messaging'].flatMap(
			(node) => outputFields.get(`${node} ${operation}`) ?? [],
		);
		expect(fields).toContain(id);
	}
});

describe('several at a time', () => {
	test('Blacklist: a number that the service rejects does not stop the others', async () => {
		const { error } = await run('blacklist.add', words(30, { 4: 'bad', 20: 'bad' }));
		expect(error?.message).toBe('28 numbers blocked, 2 not: items 5 and 21');
		const { done, failedItems, notStarted } = error?.context ?? {};
		expect(done).toHaveLength(28);
		expect([failedItems, notStarted]).toEqual([[4, 20], []]);
		expect(error?.description).toMatch(
			/^Done: items 1 to 4, 6 to 20 and 22 to 30\. Item 5: The service rejected the request as invalid.*\. Item 21: .* Correct these items and run this again with all items: what is done stays as it is\./,
		);
	});

	test('Blacklist: many wrong values and a rejection do not stop the others', async () => {
		const items = words(30, { 0: 'bad' }).map((word, index) =>
			index > 0 && index < 15 ? { word, phone: 'x' } : { word },
		);
		const { error } = await run('blacklist.add', items);
		expect(error?.message).toBe('15 numbers blocked, 15 not: items 1 to 15');
	});

	test('Blacklist: the service rejects all items for different reasons: the title says so', async () => {
		const missing = json(404, { error: { code: 4040, msg: 'no such company' } });
		treat.bad = (request, response) =>
			(wordOf(request) === 'bad0' ? refuse : missing)(request, response);
		const { error } = await run('blacklist.add', ['bad0', 'bad1', 'bad2']);
		expect(error?.message).toBe('The service rejected items 1 to 3');
		expect(error?.description).toMatch(/^Nothing was done\. Item 1: .* Item 2: .* Item 3: /);
		const mixed = await run('blacklist.add', ['bad0', { word: 'good1', phone: 'x' }]);
		expect(mixed.error?.message).toBe('Wrong values in item 2. The service rejected item 1');
	});

	test('Blacklist: the service rejects everything: it is not asked for every item', async () => {
		treat = { bad: refuse, good: refuse };
		const { error } = await run('blacklist.add', words(200, {}));
		expect(error?.message).toBe('The service rejected the request as invalid');
		expect(error?.context?.done).toEqual([]);
		expect((error?.context?.notStarted as number[]).length).toBeGreaterThan(170);
	});

	test('Blacklist: what was on its way beside a failure counts, and repeating is safe', async () => {
		// The others are answered once the failure has had time to arrive, however busy the machine is.
		let isFailed = () => {};
		const failing = new Promise<void>((resolve) => {
			isFailed = resolve;
		});
		treat.bad = (request, response) => {
			response.on('finish', isFailed);
			json(403, { error: { code: 4030, msg: 'Not allowed' } })(request, response);
		};
		treat.good = (request, response) => {
			void failing
				.then(async () => await after(500))
				.then(() => json(200, replies['/recipients']?.(request))(request, response));
		};
		const { error } = await run('blacklist.add', words(30, { 4: 'bad' }));
		const { done, failed, notStarted } = error?.context ?? {};
		expect(failed).toBe(4);
		expect(done).toEqual([0, 1, 2, 3, 5, 6, 7, 8, 9]);
		expect(notStarted).toEqual(Array.from({ length: 20 }, (_, index) => index + 10));
		expect(error?.description).toMatch(
			'Done: items 1 to 4 and 6 to 10. Failed: item 5. Not started: items 11 to 30. ' +
				"Running this again with all items is safe: it doesn't change what is already done. ",
		);
	});
});

test('what only reads is not said to be carried out', async () => {
	const { error } = await run('verification.check', words(3, { 2: 'bad' }));
	expect(sent('verification.check')).toHaveLength(3);
	expect(error?.context?.item).toBe(3);
	expect(error?.description).not.toContain('Done');
	expect(error?.context?.done).toBeUndefined();
});

test('an answer that does not confirm is not known', async () => {
	treat.strange = json(200, {});
	const { error } = await run('company.create', ['good0', 'strange1', 'bad']);
	expect(error?.description).toMatch(
		`Done: item 1 (companyId 100). Failed: item 3. Unknown: item 2. ${again('item 1 is')} ${check} `,
	);
});

describe('the names of many items, counted from 1', () => {
	test.each([
		[[3], 'item 4'],
		[[0, 1], 'items 1 and 2'],
		[[0, 2], 'items 1 and 3'],
		[[0, 1, 2, 5, 7, 8], 'items 1 to 3, 6, 8 and 9'],
		[
			Array.from({ length: 100 }, (_, index) => index * 2),
			'items 1, 3, 5, 7, 9, 11, 13, 15, 17, 19 and 90 more',
		],
		[Array.from({ length: 10_000 }, (_, index) => index), 'items 1 to 10000'],
	])('%#', (indexes, expected) => {
		const outcomes: ItemOutcomes = new Map(indexes.map((index) => [index, { entries: [] }]));
		expect(
			describeOutcomes({
				effect: 'once',
				outcomes,
				count: 10_000,
				failures: [],
				words: { one: 'done', many: 'done' },
			}),
		).toContain(`Done: ${expected}. `);
	});
});
