import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { hintsOf } from '../support/n8n.cts';
import { byId, jsonOf, linksOf, useSandbox } from '../support/sandbox.cts';
import {
	block,
	firstNew,
	fromItems,
	itemOf,
	itemsUpTo,
	messagesOf,
	numberOf,
	senderIds,
	takenBy,
	textFor,
} from './recipients.cts';

const bench = useSandbox();
const { mts, beeline, viber, draft, closed, suspended, travelMts, general } = demo.senders;

/** An item's own text, or the one for all. */
const ownOrShared = `={{ $json.own || ${JSON.stringify(fromItems.text)} }}`;

const textsOf = (id: number) => messagesOf(bench.sandbox, id).map(({ text }) => text);

type Kind = 'valid' | 'unreadable' | 'again' | 'blocked' | 'noOperator' | 'ownText';
const kinds: Kind[] = ['valid', 'unreadable', 'again', 'blocked', 'noOperator', 'ownText'];

const refused = {
	outcome: 'failed',
	reasonCode: 'rejectedByService',
	reason:
		'The service rejected this recipient without a reason. Usually no sender name matches the operator, or the number is blacklisted.',
};

/** An input item of a kind, what its output item must say, and the text that must be there. */
const toCase = (kind: Kind, index: number) => {
	const item: IDataObject = { ...itemOf(index), own: '' };
	const ok = { item, outcome: 'notStarted', number: numberOf(index), text: textFor(item) };
	switch (kind) {
		case 'unreadable':
			return {
				item: { ...item, phone: 'call me' },
				outcome: 'skipped',
				reasonCode: 'unreadableNumber',
				reason: '"call me" contains letters',
			};
		case 'again':
			// The number of an item in front of all, which is always there.
			return {
				item: { ...item, phone: numberOf(0) },
				outcome: 'skipped',
				reasonCode: 'duplicate',
				reason: `${numberOf(0)} is already a recipient (item 1)`,
			};
		case 'blocked':
			return { item, ...refused, blocked: numberOf(index) };
		case 'noOperator':
			return { item: { ...item, phone: `7970${2_000_000 + index}` }, ...refused };
		case 'ownText':
			return {
				...ok,
				item: { ...item, own: 'Only for {name} {x y|you} {}' },
				text: `Only for Name ${index} you {}`,
			};
		default:
			return ok;
	}
};
interface Case {
	item: IDataObject;
	/** `notStarted` for everybody whom the service took: Create starts nothing. */
	outcome: string;
	reason?: string;
	reasonCode?: string;
	number?: string;
	text?: string;
	blocked?: string;
}

test('any mix of recipients: everybody once with the right text, or with the reason, each linked to its item', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.constantFrom(...kinds), { maxLength: 40 }),
			fc.integer({ min: 1, max: 12 }),
			async (rest, batchSize) => {
				bench.sandbox.reset('demo');
				const cases: Case[] = ['valid' as const, ...rest].map(toCase);
				block(
					bench.sandbox,
					cases.flatMap(({ blocked }) => blocked ?? []),
				);
				const { items, error } = await bench.run(
					'dispatch.create',
					{ ...fromItems, text: ownOrShared, options: { batchSize }, output: 'recipients' },
					{ items: cases.map(({ item }) => item) },
				);
				expect(error).toBeUndefined();
				expect(linksOf(items)).toEqual(cases.map((_, index) => index));
				const uuids = new Map(messagesOf(bench.sandbox, firstNew).map((one) => [one.uuid, one]));
				const senderName = (id = 0) => bench.store.senders.get(id)?.senderName;
				const hasReasons = cases.some(({ reason }) => reason !== undefined);
				for (const [index, one] of cases.entries()) {
					const { outcome, reason, reasonCode, number, text } = one;
					const json = items[index]?.json ?? {};
					const { name, code, own } = one.item;
					expect(json).toMatchObject({ dispatchId: firstNew, outcome, name, code, own });
					// The columns are there if anybody has a reason.
					const none = hasReasons ? '' : undefined;
					expect([json.reason, json.reasonCode]).toEqual([reason ?? none, reasonCode ?? none]);
					if (reason !== undefined) continue;
					const message = uuids.get(String(json.messageUuid));
					expect(message).toMatchObject({ destination: number, text });
					expect(json).toMatchObject({
						sender: senderName(message?.senderId ?? 0),
						parts: message?.parts,
					});
				}
				const wanted = cases.filter(({ reason }) => reason === undefined);
				const expected = new Map(wanted.map(({ number = '', text = '' }) => [number, [text]]));
				expect(takenBy(bench.sandbox, firstNew)).toEqual(expected);
			},
		),
		{ numRuns: 40 },
	);
});

describe('values of placeholders', () => {
	const items = [itemOf(0), { ...itemOf(1), name: null }, itemOf(2), { phone: numberOf(3) }];
	const run = async (missingValues?: string) =>
		await bench.run(
			'dispatch.create',
			{ ...fromItems, options: missingValues === undefined ? {} : { missingValues } },
			{ items },
		);

	test.each([undefined, 'stop'])('%s: stops before anything is sent', async (choice) => {
		const before = bench.contents();
		const { error } = await run(choice);
		expect(error?.message).toContain('{name}');
		// Counted from 1, as people do; n8n counts from 0.
		expect(error?.message).toContain('item 2:');
		expect(error?.description).toBe('Nothing was sent.');
		expect(error?.context?.item).toBe(2);
		expect(bench.contents()).toBe(before);
	});
});

describe('groups', () => {
	const created = () =>
		[...bench.store.dispatches.values()]
			.filter(({ id }) => id >= firstNew)
			.map(({ name, messages }) => [name, messages.map(({ destination }) => destination)]);

	test('items that agree share a dispatch, whatever their order', async () => {
		const { items } = await bench.run(
			'dispatch.create',
			{ ...fromItems, name: '={{ $json.city }}' },
			{ items: itemsUpTo(5).map((one, index) => ({ ...one, city: index % 2 ? 'Omsk' : 'Tver' })) },
		);
		expect(created()).toEqual([
			['Tver', [0, 2, 4].map(numberOf)],
			['Omsk', [1, 3].map(numberOf)],
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 2 }, { item: 4 }],
			[{ item: 1 }, { item: 3 }],
		]);
	});

	test('another callback or text makes no other dispatch: the callback is that of the first item', async () => {
		const { items, error } = await bench.run(
			'dispatch.create',
			{
				...fromItems,
				text: '={{ $json.text }}',
				options: {
					callbackAuthentication: 'none',
					callbackUrl: '={{ $json.url }}',
					callbackEvents: ['sent'],
				},
			},
			{
				items: [
					{ ...itemOf(0), text: 'A', url: 'https://a.example/' },
					{ ...itemOf(1), text: 'B', url: 'https://a.example/' },
					{ ...itemOf(2), text: 'A', url: 'https://b.example/' },
					{ ...itemOf(3), text: 'A', url: 'https://a.example/' },
				],
			},
		);
		expect(error).toBeUndefined();
		expect(jsonOf(items).map(({ notStarted }) => notStarted)).toEqual([4]);
		expect(created()).toEqual([['Spring sale', [0, 1, 2, 3].map(numberOf)]]);
		expect(textsOf(firstNew)).toEqual(['A', 'B', 'A', 'A']);
		expect(bench.store.dispatches.get(firstNew)?.callbackUrl).toBe('https://a.example/');
	});

	test.each(['define', 'json'])('%s: items with one name share a dispatch', async (recipients) => {
		const { items } = await bench.run(
			'dispatch.create',
			{
				...fromItems,
				text: 'Hello',
				recipients,
				messages: { recipient: [{ destination: '={{ $json.phone }}' }] },
				messagesJson: '={{ [{ destination: $json.phone }] }}',
			},
			{ items: itemsUpTo(3) },
		);
		expect(created()).toEqual([['Spring sale', [0, 1, 2].map(numberOf)]]);
		expect(jsonOf(items)).toMatchObject([{ recipients: 3, notStarted: 3 }]);
		expect(items[0]?.pairedItem).toEqual([0, 1, 2].map((item) => ({ item })));
	});

	test.each(['define', 'json'])('%s: one dispatch per name', async (recipients) => {
		const { items } = await bench.run(
			'dispatch.create',
			{
				...fromItems,
				name: '={{ $json.name }}',
				text: 'Hello',
				recipients,
				messages: { recipient: [{ destination: '={{ $json.phone }}' }] },
				messagesJson: '={{ [{ destination: $json.phone }] }}',
			},
			{ items: itemsUpTo(3) },
		);
		expect(created()).toEqual([0, 1, 2].map((i) => [`Name ${i}`, [numberOf(i)]]));
		expect(jsonOf(items)).toHaveLength(3);
	});

	test('a JSON list in two items with one name: one dispatch, nobody twice', async () => {
		const list = [0, 1, 2].map((index) => ({ destination: numberOf(index) }));
		const { items, error } = await bench.run(
			'dispatch.send',
			{ ...fromItems, text: 'Hello', recipients: 'json', messagesJson: '={{ $json.list }}' },
			{ items: [{ list }, { list: [...list, { destination: numberOf(3) }] }] },
		);
		expect(error).toBeUndefined();
		expect(created()).toEqual([['Spring sale', [0, 1, 2, 3].map(numberOf)]]);
		expect(jsonOf(items)).toMatchObject([
			{ started: true, recipients: 4, onTheWay: 4, leftOut: 0, duplicates: 3 },
		]);
		expect(items[0]?.pairedItem).toEqual([{ item: 0 }, { item: 1 }]);
	});

	describe('what belongs to the dispatch differs by item: still one dispatch, everybody once', () => {
		/** 150 numbers, twice each. */
		const twice = [...itemsUpTo(150), ...itemsUpTo(150)].map((one, index) => ({
			...one,
			index,
			url: `https://example.com/${index}`,
		}));

		test.each([
			[
				'Start At, to the millisecond',
				{
					options: {
						schedule: {
							when: {
								startAt: '={{ $now.plus({ hours: 1, milliseconds: $itemIndex }) }}',
								hours: [10, 11, 12],
								days: [1, 2, 3, 4, 5],
							},
						},
					},
				},
			],
			[
				'Start At by $now alone',
				{
					options: {
						schedule: {
							when: {
								startAt: '={{ $now.plus({hours: 1}) }}',
								hours: [10, 11, 12],
								days: [1, 2, 3, 4, 5],
							},
						},
					},
				},
			],
			['Price Limit', { priceLimit: '={{ 100000 + $json.index }}' }],
			['Minimum Accepted', { options: { minimumPeople: '={{ 1 + $json.index % 50 }}' } }],
			[
				'Callback URL',
				{ options: { callbackAuthentication: 'none', callbackUrl: '={{ $json.url }}' } },
			],
			['If the Name Exists', { nameExists: '={{ $json.index % 2 ? "stop" : "anew" }}' }],
			[
				'Sender Names',
				{ senderIds: `={{ $json.index % 2 ? [${mts}] : ${JSON.stringify(senderIds)} }}` },
			],
		])('%s', async (_, more) => {
			const { items, error } = await bench.run(
				'dispatch.send',
				{ ...fromItems, ...more },
				{ items: twice },
			);
			expect(error).toBeUndefined();
			expect(created()).toEqual([
				['Spring sale', Array.from({ length: 150 }, (__, index) => numberOf(index))],
			]);
			expect(jsonOf(items)).toMatchObject([
				{ started: true, recipients: 150, onTheWay: 150, leftOut: 0, duplicates: 150 },
			]);
		});
	});

	describe('a name that differs by item', () => {
		const run = async (count: number, options: INodeParameters = {}, operation = 'send') =>
			await bench.run(
				`dispatch.${operation}`,
				{ ...fromItems, name: '=Sale for {{ $json.name }}', options },
				{ items: itemsUpTo(count) },
			);

		test.each(['send', 'create'])(
			'%s: more than ten stop, and two are shown',
			async (operation) => {
				const before = bench.contents();
				const { error, items } = await run(11, {}, operation);
				expect(error?.message).toContain("'Dispatch Name' would create 11 dispatches");
				expect(error?.message).toContain('"Sale for Name 0" and "Sale for Name 1"');
				expect(error?.description).toContain('Nothing was sent.');
				expect(error?.description).toContain("'Most Dispatches per Run'");
				expect(items).toEqual([]);
				expect(bench.contents()).toBe(before);
				expect(bench.sent('POST', '/dispatches')).toBe(0);
			},
		);

		test('Preview and Dry Run stop too', async () => {
			const { error } = await run(11, {}, 'preview');
			expect(error?.message).toContain("'Dispatch Name' would create 11 dispatches");
			const { error: dry } = await bench.run(
				'dispatch.send',
				{ ...fromItems, name: '={{ $json.name }}', mode: 'dryRun' },
				{ items: itemsUpTo(11) },
			);
			expect(dry?.message).toContain("'Dispatch Name' would create 11 dispatches");
		});

		test.each([
			['ten', 10, {}],
			['eleven, and twenty are allowed', 11, { mostDispatches: 20 }],
		])('%s go on', async (_, count, options) => {
			const { items, error } = await run(count, options);
			expect(error).toBeUndefined();
			expect(jsonOf(items).map(({ started, onTheWay }) => [started, onTheWay])).toEqual(
				itemsUpTo(count).map(() => [true, 1]),
			);
			expect(created()).toEqual(
				itemsUpTo(count).map(({ name }, index) => [`Sale for ${String(name)}`, [numberOf(index)]]),
			);
		});

		test('a lower limit counts too', async () => {
			const { error } = await run(3, { mostDispatches: 2 });
			expect(error?.message).toContain("'Dispatch Name' would create 3 dispatches");
			expect(bench.sent('POST', '/dispatches')).toBe(0);
		});
	});

	test('names that look the same are the same name', async () => {
		const names = [
			'Spring sale',
			'SPRING SALE',
			'Spring\u200B sale',
			'Ｓｐｒｉｎｇ　ｓａｌｅ',
			' Spring  sale ',
		];
		const { items, error } = await bench.run(
			'dispatch.send',
			{ ...fromItems, name: '={{ $json.sale }}' },
			{
				// Everybody twice, under another name each time.
				items: [...names, ...names].map((sale, index) => ({ ...itemOf(index % 4), sale })),
			},
		);
		expect(error).toBeUndefined();
		expect(created()).toEqual([['Spring sale', [0, 1, 2, 3].map(numberOf)]]);
		expect(jsonOf(items)).toMatchObject([{ recipients: 4, onTheWay: 4, duplicates: 6 }]);
	});

	test('the default country may differ from item to item', async () => {
		await bench.run(
			'dispatch.create',
			{ ...fromItems, text: 'Hello', defaultCountry: '={{ $json.country }}' },
			{
				items: [
					{ phone: '916 123-45-67', country: 'RU' },
					{ phone: '029 123 45 67', country: 'BY' },
				],
			},
		);
		expect(messagesOf(bench.sandbox, firstNew).map(({ destination }) => destination)).toEqual([
			'79161234567',
			'375291234567',
		]);
	});

	const cities = itemsUpTo(4).map((one, index) => ({
		...one,
		company: index === 1 || index === 3 ? 999 : 101,
	}));
	const byCompany = {
		...fromItems,
		companyId: { __rl: true, mode: 'id', value: '={{ $json.company }}' },
	};

	test('with Continue, a group that fails is one item linked to all of its items', async () => {
		const { items } = await bench.run('dispatch.create', byCompany, {
			items: cities,
			onError: 'continueRegularOutput',
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 2 }],
			[{ item: 1 }, { item: 3 }],
		]);
		expect(jsonOf(items)).toMatchObject([
			{ notStarted: 2 },
			{ error: expect.any(String) as string },
		]);
	});

	test('with an error output, it leaves there', async () => {
		const { outputs } = await bench.run('dispatch.create', byCompany, {
			items: cities,
			onError: 'continueErrorOutput',
		});
		expect(outputs.map((output) => output.length)).toEqual([1, 1]);
		expect(outputs[1]?.[0]?.pairedItem).toEqual([{ item: 1 }, { item: 3 }]);
	});

	test('with Continue, an item whose parameters do not fit does not stop the others', async () => {
		const { items, error } = await bench.run(
			'dispatch.create',
			{ ...fromItems, companyId: { __rl: true, mode: 'id', value: '={{ $json.company }}' } },
			{
				items: [
					{ ...itemOf(0), company: 101 },
					{ ...itemOf(1), company: 'x' },
				],
				onError: 'continueRegularOutput',
			},
		);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([
			{ notStarted: 1 },
			{ error: expect.any(String) as string },
		]);
	});

	describe.each([
		['a field', '={{ $json.phone }}'],
		['an expression', '={{ $json.phone ?? "" }}'],
	])('with Continue, a recipient that cannot be read, Phone Number %s', (_, destination) => {
		const list = { ...itemOf(1), phone: [numberOf(1)] };
		const run = async (items: IDataObject[], output: string) =>
			await bench.run(
				'dispatch.create',
				{ ...fromItems, destination, output },
				{ items, onError: 'continueRegularOutput' },
			);

		test.each(['summary', 'recipients'])('leaves once, beside the others: %s', async (output) => {
			const { items, error } = await run([list, itemOf(0), itemOf(2)], output);
			expect(error).toBeUndefined();
			expect(linksOf(items)).toEqual(
				output === 'summary' ? [0, [{ item: 1 }, { item: 2 }]] : [0, 1, 2],
			);
			expect(items[0]?.json.error).toContain("'Phone Number' must be text");
			expect(takenBy(bench.sandbox, firstNew).size).toBe(2);
		});

		test.each(['summary', 'recipients'])('leaves once, among the others: %s', async (output) => {
			const { items, error } = await run([itemOf(0), list, itemOf(2)], output);
			expect(error).toBeUndefined();
			expect(linksOf(items)).toEqual(
				output === 'summary' ? [[{ item: 0 }, { item: 2 }], 1] : [0, 1, 2],
			);
			expect(takenBy(bench.sandbox, firstNew).size).toBe(2);
		});

		test.each(['summary', 'recipients'])('alone makes no dispatch: %s', async (output) => {
			const { items } = await run([list], output);
			expect(jsonOf(items)).toMatchObject([{ error: expect.any(String) as string }]);
			expect(bench.sent('POST', '/dispatches')).toBe(0);
		});
	});
});

describe('sender names', () => {
	const create = async (more: INodeParameters) => {
		const parameters = { ...fromItems };
		delete parameters.senderIds;
		return await bench.run('dispatch.create', { ...parameters, ...more }, { items: itemsUpTo(4) });
	};
	const choose = async (ids: number[]) => await create({ senderIds: ids });

	test.each([
		['a suspended one', [mts, suspended], 'is suspended'],
		['a closed one', [closed], 'CLOSED'],
		['one that is not approved', [draft], "isn't approved: its status is DRAFT"],
		['one for another channel', [viber], 'is a sender name for VIBER'],
		[
			'one of another company',
			[travelMts],
			`${travelMts} isn't one of this company's sender names`,
		],
		['one that does not exist', [999_999], "999999 isn't one of this company's sender names"],
	])('%s is named, and nothing is created', async (_, ids, complaint) => {
		const before = bench.contents();
		const { error } = await choose(ids);
		expect(error?.message).toContain("'Sender Names or IDs' can't be used: ");
		expect(error?.message).toContain(complaint);
		expect(error?.context?.item).toBe(1);
		expect(bench.contents()).toBe(before);
		expect(bench.sent('POST', '/dispatches')).toBe(0);
	});

	test('two of one operator are named', async () => {
		const brand = bench.store.senders.get(general)?.brand;
		const [other] = [...bench.store.senders.values()].filter(
			(one) => one.brand === brand && senderIds.includes(one.id),
		);
		expect(other).toBeDefined();
		const { error } = await choose([other?.id ?? 0, general]);
		expect(error?.message).toContain('"INFO"');
		expect(error?.message).toContain('choose one per operator');
		expect(bench.sent('POST', '/dispatches')).toBe(0);
	});

	test('all problems are told at once', async () => {
		const { error } = await choose([draft, suspended]);
		expect(error?.message).toMatch(/DRAFT.*; .*suspended/);
	});

	test('all approved ones: one per operator, for the channel', async () => {
		const { error } = await create({});
		expect(error).toBeUndefined();
		const ids = bench.store.dispatches.get(firstNew)?.senderIds ?? [];
		const used = ids.map((id) => bench.store.senders.get(id));
		expect(new Set(used.map((one) => one?.brand)).size).toBe(ids.length);
		expect(used.every((one) => one?.status === 'APPROVED' && !one.suspended)).toBe(true);
		expect(used.every((one) => one?.channelType === 'SMS')).toBe(true);
		expect(ids).toEqual(expect.arrayContaining(senderIds));
	});

	test('all approved ones, but there is none', async () => {
		const { error } = await create({ channelType: 'MAX' });
		expect(error?.message).toBe(
			"'Channel' can't be used: the company has no approved sender name for MAX",
		);
		expect(bench.sent('POST', '/dispatches')).toBe(0);
	});
});

describe('batches', () => {
	const numbers = (body: unknown) =>
		(body as { messages: Array<{ destination: string }> }).messages.map(
			({ destination }) => destination,
		);

	test.each([
		[undefined, 1000, 2_500],
		[1000, 1000, 2_500],
		[250, 250, 2_500],
		[1, 1, 40],
		[5000, 5000, 2_500],
	])(
		'batch size %s: %i at a time, everybody once, all in one dispatch',
		async (given, size, count) => {
			const { error } = await bench.run(
				'dispatch.create',
				{ ...fromItems, options: given === undefined ? {} : { batchSize: given } },
				{ items: itemsUpTo(count) },
			);
			expect(error).toBeUndefined();
			const posts = (await bench.wire()).filter(({ method }) => method === 'POST');
			expect(posts.map(({ path }) => path)).toEqual([
				'/dispatches',
				...Array.from(
					{ length: Math.ceil(count / size) - 1 },
					() => `/dispatches/${firstNew}/messages`,
				),
			]);
			// The first request carries a random selection, and several requests are on their way at a time.
			const sizes = posts.map(({ body }) => numbers(body).length).sort((a, b) => b - a);
			expect(sizes.slice(0, -1).every((one) => one === size)).toBe(true);
			expect(posts.flatMap(({ body }) => numbers(body)).sort()).toEqual(
				itemsUpTo(count)
					.map((_, index) => numberOf(index))
					.sort(),
			);
			expect(messagesOf(bench.sandbox, firstNew)).toHaveLength(count);
		},
		30_000,
	);

	test.each([0, -5, 1.5])('batch size %s is refused', async (batchSize) => {
		const { error } = await bench.run(
			'dispatch.create',
			{ ...fromItems, options: { batchSize } },
			{ items: itemsUpTo(2) },
		);
		expect(error?.message).toContain("'Batch Size'");
		expect(bench.sent('POST', '/dispatches')).toBe(0);
	});
});

describe('Add Messages', () => {
	test('adds only who is not there yet', async () => {
		await bench.run('dispatch.create', fromItems, { items: itemsUpTo(30) });
		bench.forget();
		const { items, error } = await bench.run(
			'dispatch.addMessages',
			{ ...fromItems, id: byId(firstNew), output: 'recipients' },
			{ items: itemsUpTo(50) },
		);
		expect(error).toBeUndefined();
		expect(messagesOf(bench.sandbox, firstNew)).toHaveLength(50);
		const uuids = messagesOf(bench.sandbox, firstNew).map(({ uuid }) => uuid);
		expect(jsonOf(items).map(({ messageUuid }) => messageUuid)).toEqual(uuids);
		expect(bench.sent('POST', `/dispatches/${firstNew}/messages`)).toBe(1);
	});
});
