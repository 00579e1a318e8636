import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { withoutCode } from '../../core/contract/dispatchName';
import { demo } from '../../sandbox/demo.cts';
import { byId, jsonOf, linksOf } from '../support/sandbox.cts';
import {
	block,
	firstNew,
	fromItems,
	itemOf,
	itemsUpTo,
	messagesOf,
	numberOf,
	plain,
	senderIds,
	takenBy,
	textFor,
} from './recipients.cts';
import { useDispatches } from './useDispatches.cts';

const {
	bench,
	run,
	created: ids,
	destinations,
	textsOf,
	creates,
	numbers,
	answer,
} = useDispatches();
const { mts, viber, draft, closed, suspended, travelMts, general } = demo.senders;

/** An item's own text, or the one for all. */
const ownOrShared = `={{ $json.own || ${JSON.stringify(fromItems.text)} }}`;

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
				const { items, error } = await run(
					'create',
					{ text: ownOrShared, options: { batchSize }, output: 'recipients' },
					cases.map(({ item }) => item),
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

test('a placeholder without a value stops all before anything is sent', async () => {
	const before = bench.contents();
	const { error } = await run('create', {}, [itemOf(0), { ...itemOf(1), name: null }]);
	expect(error?.message).toContain('{name}');
	// Counted from 1, as people do; n8n counts from 0.
	expect(error?.message).toContain('item 2:');
	expect(error?.description).toBe('Nothing was sent.');
	expect(error?.context?.item).toBe(2);
	expect(bench.contents()).toBe(before);
});

describe('groups', () => {
	const nameOf = (id: number) => withoutCode(bench.store.dispatches.get(id)?.name ?? '');
	const created = () => ids().map((id) => [nameOf(id), destinations(id)]);

	test('items that agree share a dispatch, whatever their order', async () => {
		const { items } = await run(
			'create',
			{ name: '={{ $json.city }}' },
			itemsUpTo(5).map((one, index) => ({ ...one, city: index % 2 ? 'Omsk' : 'Tver' })),
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
		const callback = { callbackAuthentication: 'none', callbackUrl: '={{ $json.url }}' };
		const { items, error } = await run(
			'create',
			{ text: '={{ $json.text }}', ...callback, callbackEvents: ['sent'] },
			[...'ABAA'].map((text, index) => ({
				...itemOf(index),
				text,
				url: `https://${index === 2 ? 'b' : 'a'}.example/`,
			})),
		);
		expect(error).toBeUndefined();
		expect(jsonOf(items).map(({ notStarted }) => notStarted)).toEqual([4]);
		expect(created()).toEqual([['Spring sale', [0, 1, 2, 3].map(numberOf)]]);
		expect(textsOf()).toEqual(['A', 'B', 'A', 'A']);
		expect(bench.store.dispatches.get(firstNew)?.callbackUrl).toBe('https://a.example/');
	});

	test.each(['define', 'json'])('%s: one dispatch per name', async (recipients) => {
		const lists = {
			text: 'Hello',
			recipients,
			messages: { recipient: [{ destination: '={{ $json.phone }}' }] },
			messagesJson: '={{ [{ destination: $json.phone }] }}',
		};
		const { items } = await run('create', lists, 3);
		expect(jsonOf(items)).toMatchObject([{ recipients: 3, notStarted: 3 }]);
		expect(items[0]?.pairedItem).toEqual([0, 1, 2].map((item) => ({ item })));
		const apart = await run('create', { ...lists, name: '={{ $json.name }}' }, 3);
		expect(apart.items).toHaveLength(3);
		expect(created()).toEqual([
			['Spring sale', numbers(3)],
			...[0, 1, 2].map((index) => [`Name ${index}`, [numberOf(index)]]),
		]);
	});

	test('a JSON list in two items with one name: one dispatch, nobody twice', async () => {
		const list = [0, 1, 2].map((index) => ({ destination: numberOf(index) }));
		const { items, error } = await run(
			'send',
			{ text: 'Hello', recipients: 'json', messagesJson: '={{ $json.list }}' },
			[{ list }, { list: [...list, { destination: numberOf(3) }] }],
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

		const startAt = (moment: string) => {
			const when = { startAt: moment, hours: [10, 11, 12], days: [1, 2, 3, 4, 5] };
			return { options: { schedule: { when } } };
		};

		test.each<[string, INodeParameters]>([
			[
				'Start At, to the millisecond',
				startAt('={{ $now.plus({ hours: 1, milliseconds: $itemIndex }) }}'),
			],
			['Start At by $now alone', startAt('={{ $now.plus({hours: 1}) }}')],
			['Price Limit', { priceLimit: '={{ 100000 + $json.index }}' }],
			['Minimum Accepted', { options: { minimumPeople: '={{ 1 + $json.index % 50 }}' } }],
			[
				'Callback URL',
				{ options: { callbackAuthentication: 'none', callbackUrl: '={{ $json.url }}' } },
			],
			['If It Was Sent Before', { ifSent: '={{ $json.index % 2 ? "stop" : "new" }}' }],
			[
				'Sender Names',
				{ senderIds: `={{ $json.index % 2 ? [${mts}] : ${JSON.stringify(senderIds)} }}` },
			],
		])('%s', async (_, more) => {
			const { items, error } = await run('send', more, twice);
			expect(error).toBeUndefined();
			expect(created()).toEqual([['Spring sale', numbers(150)]]);
			expect(jsonOf(items)).toMatchObject([
				{ started: true, recipients: 150, onTheWay: 150, leftOut: 0, duplicates: 150 },
			]);
		});
	});

	describe('a name that differs by item', () => {
		const runApart = async (count: number, more: INodeParameters = {}, operation = 'send') =>
			await run(operation, { name: '=Sale for {{ $json.name }}', ...more }, count);

		test.each([
			['send', {}],
			['create', {}],
			['preview', {}],
			['send', { mode: 'dryRun' }],
		])('%s %j: more than ten stop, and two are shown', async (operation, more) => {
			const { error, items } = await runApart(11, more, operation);
			expect(error?.message).toContain("'Dispatch Name' would create 11 dispatches");
			expect(error?.message).toContain('"Sale for Name 0" and "Sale for Name 1"');
			expect(error?.description).toContain('Nothing was sent.');
			expect(error?.description).toContain("'Most Dispatches per Run'");
			expect(items).toEqual([]);
			expect(creates()).toBe(0);
		});

		test.each([
			['ten', 10, {}],
			['eleven, and twenty are allowed', 11, { mostDispatches: 20 }],
		])('%s go on', async (_, count, options) => {
			const { items, error } = await runApart(count, options);
			expect(error).toBeUndefined();
			expect(jsonOf(items).map(({ started, onTheWay }) => [started, onTheWay])).toEqual(
				itemsUpTo(count).map(() => [true, 1]),
			);
			expect(created()).toEqual(
				itemsUpTo(count).map(({ name }, index) => [`Sale for ${String(name)}`, [numberOf(index)]]),
			);
		});

		test('a lower limit counts too', async () => {
			const { error } = await runApart(3, { mostDispatches: 2 });
			expect(error?.message).toContain("'Dispatch Name' would create 3 dispatches");
			expect(creates()).toBe(0);
		});
	});

	test('names that look the same are the same name', async () => {
		const names = ['Spring sale', 'SPRING SALE', 'Spring\u200B sale', 'Ｓｐｒｉｎｇ　ｓａｌｅ'];
		const { items, error } = await run(
			'send',
			{ name: '={{ $json.sale }}' },
			[...names, ...names].map((sale, index) => ({ ...itemOf(index % 4), sale })),
		);
		expect(error).toBeUndefined();
		expect(created()).toEqual([['Spring sale', [0, 1, 2, 3].map(numberOf)]]);
		expect(jsonOf(items)).toMatchObject([{ recipients: 4, onTheWay: 4, duplicates: 4 }]);
	});

	test('the default country may differ from item to item', async () => {
		await run('create', { text: 'Hello', defaultCountry: '={{ $json.country }}' }, [
			{ phone: '916 123-45-67', country: 'RU' },
			{ phone: '029 123 45 67', country: 'BY' },
		]);
		expect(destinations()).toEqual(['79161234567', '375291234567']);
	});

	const cities = itemsUpTo(4).map((one, index) => ({
		...one,
		company: index === 1 || index === 3 ? 999 : 101,
	}));
	const byCompany = { companyId: byId('={{ $json.company }}') };
	const anyError = { error: expect.any(String) as string };

	test('with Continue, a group that fails is one item linked to all of its items', async () => {
		const { items } = await run('create', byCompany, cities, { onError: 'continueRegularOutput' });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			[{ item: 0 }, { item: 2 }],
			[{ item: 1 }, { item: 3 }],
		]);
		expect(jsonOf(items)).toMatchObject([{ notStarted: 2 }, anyError]);
	});

	test('with an error output, it leaves there', async () => {
		const { outputs } = await run('create', byCompany, cities, { onError: 'continueErrorOutput' });
		expect(outputs.map((output) => output.length)).toEqual([1, 1]);
		expect(outputs[1]?.[0]?.pairedItem).toEqual([{ item: 1 }, { item: 3 }]);
	});

	test('with Continue, an item whose parameters do not fit does not stop the others', async () => {
		const mixed = [
			{ ...itemOf(0), company: 101 },
			{ ...itemOf(1), company: 'x' },
		];
		const { items, error } = await run('create', byCompany, mixed, {
			onError: 'continueRegularOutput',
		});
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ notStarted: 1 }, anyError]);
	});

	describe.each([
		['a field', '={{ $json.phone }}'],
		['an expression', '={{ $json.phone ?? "" }}'],
	])('with Continue, a recipient that cannot be read, Phone Number %s', (_, destination) => {
		const list = { ...itemOf(1), phone: [numberOf(1)] };
		const create = async (people: IDataObject[], output: string) =>
			await run('create', { destination, output }, people, { onError: 'continueRegularOutput' });

		test.each<[string, number, unknown[]]>([
			['summary', 0, [0, [{ item: 1 }, { item: 2 }]]],
			['recipients', 0, [0, 1, 2]],
			['summary', 1, [[{ item: 0 }, { item: 2 }], 1]],
			['recipients', 1, [0, 1, 2]],
		])('leaves once: %s, at place %i', async (output, place, links) => {
			const people = [itemOf(0), itemOf(2)].toSpliced(place, 0, list);
			const { items, error } = await create(people, output);
			expect(error).toBeUndefined();
			expect(linksOf(items)).toEqual(links);
			expect(JSON.stringify(jsonOf(items))).toContain("'Phone Number' must be text");
			expect(takenBy(bench.sandbox, firstNew).size).toBe(2);
		});

		test.each(['summary', 'recipients'])('alone makes no dispatch: %s', async (output) => {
			const { items } = await create([list], output);
			expect(jsonOf(items)).toMatchObject([anyError]);
			expect(creates()).toBe(0);
		});
	});
});

describe('sender names', () => {
	const create = async (more: INodeParameters) =>
		await bench.run('dispatch.create', { ...plain, ...more }, { items: itemsUpTo(4) });
	const choose = async (ids: number[]) => await create({ senderIds: ids });

	test.each([
		['a suspended one', [mts, suspended], 'is suspended'],
		['a closed one', [closed], 'CLOSED'],
		['one that is not approved', [draft], "isn't approved: its status is DRAFT"],
		['each of two', [draft, suspended], 'suspended'],
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
		expect(creates()).toBe(0);
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
		expect(creates()).toBe(0);
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

	const longAgo = '2001-01-01T00:00:00Z';
	const farAhead = '2101-01-01T00:00:00Z';
	const shown = (id: number, more: object = {}) => ({
		id,
		senderName: `NAME${id}`,
		channelType: 'SMS',
		counteragentName: 'Flowers',
		counteragentInn: '7700000000',
		dateFrom: longAgo,
		dateTo: null,
		commonType: 'SERVICE',
		brand: 'MTS',
		status: 'APPROVED',
		suspended: false,
		fee: null,
		managerComment: null,
		rejectedAt: null,
		createdAt: longAgo,
		...more,
	});
	const list = (...items: object[]) => answer('*/senders', { total: items.length, items });
	/** The sender names of each dispatch that was to be created. */
	const askedFor = async () =>
		(await bench.wire())
			.filter(({ method, path }) => method === 'POST' && path.endsWith('/dispatches'))
			.map(({ body }) => (body as { senderIds: number[] }).senderIds);

	test.each([
		['over', { dateTo: longAgo }, `isn't valid after ${longAgo}`],
		['still to come', { dateFrom: farAhead }, `isn't valid before ${farAhead}`],
	])('one whose time is %s is named', async (_, dates, complaint) => {
		list(shown(mts, dates), shown(mts + 1));
		const { error } = await choose([mts]);
		expect(error?.message).toBe(
			`'Sender Names or IDs' can't be used: "NAME${mts}" (MTS) ${complaint}`,
		);
		expect(creates()).toBe(0);
	});

	test('one that ends before the dispatch begins is not chosen, one that ends after it is', async () => {
		const inAYear = Date.now() + 365 * 86_400_000;
		const ends = (days: number) => ({
			dateTo: new Date(inAYear + days * 86_400_000).toISOString(),
		});
		const startAt = new Date(inAYear).toISOString();
		const when = { startAt, hours: [10], days: [1] };
		list(shown(mts, ends(-1)), shown(mts + 1, ends(1)));
		await create({ options: { schedule: { when } } });
		expect(await askedFor()).toEqual([[mts + 1]]);
	});

	test('two approved ones of one operator: the oldest is used, whatever the order', async () => {
		list(shown(mts + 2), shown(general, { brand: 'TELE2' }), shown(mts + 1), shown(mts + 3));
		await create({});
		expect(await askedFor()).toEqual([[mts + 1, general]]);
	});

	test('all approved ones, but there is none', async () => {
		const { error } = await create({ channelType: 'MAX' });
		expect(error?.message).toBe(
			"'Channel' can't be used: the company has no approved sender name for MAX",
		);
		expect(creates()).toBe(0);
	});
});

describe('batches', () => {
	const sentTo = (body: unknown) =>
		(body as { messages: IDataObject[] }).messages.map(({ destination }) => destination);

	test.each([
		[undefined, 1000, 2_500],
		[250, 250, 2_500],
		[1, 1, 40],
		[5000, 5000, 2_500],
	])(
		'batch size %s: %i at a time, everybody once, all in one dispatch',
		async (given, size, count) => {
			const { error } = await run(
				'create',
				{ options: given === undefined ? {} : { batchSize: given } },
				count,
			);
			expect(error).toBeUndefined();
			const posts = (await bench.wire()).filter(({ method }) => method === 'POST');
			expect(posts).toHaveLength(Math.ceil(count / size));
			expect(creates()).toBe(1);
			// Several requests are on their way at a time.
			const sizes = posts.map(({ body }) => sentTo(body).length).sort((a, b) => b - a);
			expect(sizes.slice(0, -1).every((one) => one === size)).toBe(true);
			expect(posts.flatMap(({ body }) => sentTo(body)).sort()).toEqual(numbers(count).sort());
			expect(messagesOf(bench.sandbox, firstNew)).toHaveLength(count);
		},
		30_000,
	);

	test.each([0, -5, 1.5])('batch size %s is refused', async (batchSize) => {
		const { error } = await run('create', { options: { batchSize } }, 2);
		expect(error?.message).toContain("'Batch Size'");
		expect(creates()).toBe(0);
	});
});

describe('Add Messages', () => {
	test('adds only who is not there yet', async () => {
		await run('create', {}, 30);
		bench.forget();
		const { items, error } = await run(
			'addMessages',
			{ id: byId(firstNew), output: 'recipients' },
			50,
		);
		expect(error).toBeUndefined();
		expect(messagesOf(bench.sandbox, firstNew)).toHaveLength(50);
		const uuids = messagesOf(bench.sandbox, firstNew).map(({ uuid }) => uuid);
		expect(jsonOf(items).map(({ messageUuid }) => messageUuid)).toEqual(uuids);
		expect(bench.sent('POST', `/dispatches/${firstNew}/messages`)).toBe(1);
	});
});
