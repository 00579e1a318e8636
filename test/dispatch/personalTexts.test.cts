import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId, jsonOf, linksOf, type Wire } from '../support/sandbox.cts';
import { firstNew, fromItems, itemOf, itemsUpTo, numberOf, takenBy } from './recipients.cts';
import { useDispatches } from './useDispatches.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** Text as n8n users write it: an expression that yields another text for every item. */

const dispatches = useDispatches();
const { bench, created, statuses, textsOf } = dispatches;
const hello = 'Hello {{ $json.name }}';
const greetings = (count: number) => itemsUpTo(count).map(({ name }) => `Hello ${String(name)}`);
const links = (count: number) => Array.from({ length: count }, (_, item) => ({ item }));

interface Sent {
	text?: string;
	messages: Array<{ destination: string; customText?: string; substitutions?: IDataObject }>;
}
/** The requests that create dispatches and add recipients to them. */
const posts = async (): Promise<Array<Wire & { body: Sent }>> =>
	(await bench.wire()).filter(({ body }) => (body as Sent | undefined)?.messages) as Array<
		Wire & { body: Sent }
	>;

const run = async (
	operation: string,
	items: IDataObject[],
	more: INodeParameters = {},
	options?: Parameters<typeof dispatches.run>[3],
) => await dispatches.run(operation, { text: `=${hello}`, ...more }, items, options);

/** Texts that an expression takes from the item itself, or computes. */
const ownTexts = [
	['a field', '={{ $json.text }}'],
	['an expression', '={{ $json.text ?? "" }}'],
] as const;

describe('items that differ only in Text', () => {
	test.each(['create', 'send'])('%s: share one dispatch', async (operation) => {
		const { items, error } = await run(operation, itemsUpTo(50));
		expect(error).toBeUndefined();
		expect(created()).toEqual([firstNew]);
		const [post, ...others] = await posts();
		expect(others).toEqual([]);
		expect(post).toMatchObject({ path: '/dispatches', body: { text: 'Hello Name 0' } });
		expect(post?.body.messages).toHaveLength(50);
		expect(textsOf(firstNew)).toEqual(greetings(50));
		expect(jsonOf(items)).toMatchObject([
			{
				dispatchId: firstNew,
				recipients: 50,
				[operation === 'send' ? 'onTheWay' : 'notStarted']: 50,
			},
		]);
		expect(items[0]?.pairedItem).toEqual(links(50));
	});

	test.each(['define', 'json'])('%s: share one dispatch too', async (source) => {
		await run('create', itemsUpTo(2), {
			recipients: source,
			messages: { recipient: [{ destination: '={{ $json.phone }}' }] },
			messagesJson: '={{ [{ destination: $json.phone }] }}',
		});
		expect((await posts()).map(({ body }) => [body.text, body.messages])).toEqual([
			[
				'Hello Name 0',
				[{ destination: numberOf(0) }, { destination: numberOf(1), customText: 'Hello Name 1' }],
			],
		]);
		expect(textsOf(firstNew)).toEqual(greetings(2));
	});
});

describe('a custom text in a list', () => {
	const listed = async (customText: unknown) =>
		await run('create', [{}], {
			recipients: 'json',
			text: 'For all',
			messagesJson: JSON.stringify([{ destination: numberOf(0), customText }]),
		});

	test.each([4711, true, { text: 'Hi' }, ['Hi']])('%j is an error', async (customText) => {
		const { error } = await listed(customText);
		expect(error?.message).toBe('\'Custom Text\' needs text such as "Hello" for recipient 1');
		expect(await posts()).toEqual([]);
	});

	test.each([undefined, null, ''])('%j: the text for all', async (customText) => {
		const { error } = await listed(customText);
		expect(error).toBeUndefined();
		expect(textsOf(firstNew)).toEqual(['For all']);
	});
});

describe('what travels', () => {
	test('one text for all: substitutions, as with a text without an expression', async () => {
		await run('create', itemsUpTo(3), { text: '=Dear {name}{{ "!" }}' });
		const [post] = await posts();
		expect(post?.body).toMatchObject({ text: 'Dear {name}!' });
		expect(post?.body.messages).toEqual(
			itemsUpTo(3).map(({ name }, index) => ({
				destination: numberOf(index),
				substitutions: { name },
			})),
		);
	});

	test('a text that is not the text of the dispatch is sent whole', async () => {
		const items = itemsUpTo(3).map((one, index) => ({
			...one,
			text: index === 2 ? 'Bye, {name}' : 'Dear {name}',
		}));
		await run('create', items, { text: '={{ $json.text }}' });
		const [post] = await posts();
		expect(post?.body).toMatchObject({ text: 'Dear {name}' });
		expect(post?.body.messages).toEqual([
			{ destination: numberOf(0), substitutions: { name: 'Name 0' } },
			{ destination: numberOf(1), substitutions: { name: 'Name 1' } },
			{ destination: numberOf(2), customText: 'Bye, Name 2' },
		]);
	});

	test.each([
		['skip', [0, 2], ['Hello Name 0 0', 'Hello Name 2 2']],
		['empty', [0, 1, 2], ['Hello Name 0 0', 'Hello Name 1 ', 'Hello Name 2 2']],
	])('a placeholder without a value, %s', async (missingValues, taken, texts) => {
		const items = [itemOf(0), { ...itemOf(1), code: null }, itemOf(2)];
		const { items: output } = await run('create', items, {
			text: `=${hello} {code}`,
			options: { missingValues },
			output: 'recipients',
		});
		expect(
			jsonOf(output).flatMap(({ outcome }, index) => (outcome === 'notStarted' ? [index] : [])),
		).toEqual(taken);
		expect(textsOf(firstNew)).toEqual(texts);
	});
});

describe.each(ownTexts)('recipients that are rejected, Text %s', (_, text) => {
	const withText = (index: number, own: unknown) => ({ ...itemOf(index), text: own as string });

	test('the text of the dispatch is that of the first who is not', async () => {
		const items = [
			{ ...withText(0, 'For nobody'), phone: 'call me' },
			withText(1, ' '),
			withText(2, 'Hello Anna'),
			{ ...withText(3, 'Again'), phone: numberOf(2) },
			withText(4, 'Hello Olga'),
		];
		const { items: output, error } = await run('create', items, { text, output: 'recipients' });
		expect(error).toBeUndefined();
		expect(jsonOf(output).map(({ reasonCode, reason }) => [reasonCode, reason])).toEqual([
			['unreadableNumber', '"call me" contains letters'],
			['emptyText', 'The text is empty'],
			['', ''],
			['duplicate', `${numberOf(2)} is already a recipient (item 3)`],
			['', ''],
		]);
		const [post] = await posts();
		expect(post?.body.text).toBe('Hello Anna');
		expect(textsOf(firstNew)).toEqual(['Hello Anna', 'Hello Olga']);
	});

	test.each([undefined, null, '', ' \n'])('%j is an empty text', async (empty) => {
		const { items, error } = await run('create', [withText(0, empty), withText(1, 'Hello')], {
			text,
		});
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([
			{ recipients: 2, notStarted: 1, reasons: { emptyText: 1 } },
		]);
		expect(textsOf(firstNew)).toEqual(['Hello']);
	});

	test.each(['create', 'send', 'preview'])('%s: empty for all is an error', async (operation) => {
		const before = bench.contents();
		const { error } = await run(operation, [withText(0, ''), withText(1, null)], { text });
		expect(error?.message).toBe("'Text' is required, but is empty for every item");
		expect(error?.description).toBe('Nothing was sent.');
		expect(bench.contents()).toBe(before);
	});

	test('with Continue, an item whose Text is a list fails by itself', async () => {
		const { items, error } = await run(
			'create',
			[withText(0, ['no']), withText(1, 'Hello A'), withText(2, 'Hello B')],
			{ text },
			{ onError: 'continueRegularOutput' },
		);
		expect(error).toBeUndefined();
		expect(items[0]?.json.error).toContain("'Text' must be text");
		expect(linksOf(items)).toEqual([0, [{ item: 1 }, { item: 2 }]]);
		expect(textsOf(firstNew)).toEqual(['Hello A', 'Hello B']);
	});
});

test('an item that lists its recipients needs a Text of its own', async () => {
	const { error } = await run('create', itemsUpTo(2), {
		text: '={{ $json.nothing }}',
		recipients: 'json',
		messagesJson: '={{ [{ destination: $json.phone }] }}',
	});
	expect(error?.message).toBe("'Text' is required");
	expect(await posts()).toEqual([]);
});

describe('an expression that fails for one item', () => {
	const text = '={{ $json.isBroken ? $("Nowhere").item.json.name : "Hello " + $json.name }}';
	const items = [itemOf(0), { ...itemOf(1), isBroken: true }, itemOf(2)];

	test('stops all before anything is sent', async () => {
		const { error } = await run('send', items, { text });
		expect(error?.message).toContain("Referenced node doesn't exist");
		expect(await posts()).toEqual([]);
	});

	test.each([[items], [[items[1] ?? {}, itemOf(0), itemOf(2)]]])(
		'with Continue, the others get theirs',
		async (mixed) => {
			const { items: output, error } = await run(
				'send',
				mixed,
				{ text, output: 'recipients' },
				{ onError: 'continueRegularOutput' },
			);
			expect(error).toBeUndefined();
			expect(linksOf(output)).toEqual([0, 1, 2]);
			expect(jsonOf(output).filter((one) => 'error' in one)).toHaveLength(1);
			expect(textsOf(firstNew)).toEqual(['Hello Name 0', 'Hello Name 2']);
			expect(created()).toEqual([firstNew]);
		},
	);
});

describe('once more', () => {
	test('Retry On Fail, and the expression yields other texts the second time', async () => {
		// Both requests that add recipients are rejected, and then one of those to the next dispatch.
		bench.fault('status', 'POST', '*/dispatches/*/messages', { status: 400, times: 3 });
		const { error } = await run(
			'send',
			itemsUpTo(6),
			{ text: `=${hello} {{ Math.random() }}`, options: { batchSize: 2 } },
			{ tries: 2 },
		);
		expect(error).toBeUndefined();
		expect(statuses()).toEqual(['CREATED', 'CREATED', 'STARTED']);
		const texts = takenBy(bench.sandbox, firstNew + 2);
		expect(texts.size).toBe(6);
		for (const [index, greeting] of greetings(6).entries()) {
			const own = texts.get(numberOf(index));
			expect(own).toHaveLength(1);
			expect(own?.[0]?.startsWith(`${greeting} 0.`)).toBe(true);
		}
		// Nobody gets the text of somebody else.
		expect(new Set([...texts.values()].flat()).size).toBe(6);
	});

	test.each([
		['several', [itemOf(4), itemOf(0), itemOf(3)], ['Hello Name 4', 'Hello Name 3']],
		['one', [itemOf(4)], ['Hello Name 4']],
	])('who is added to the dispatch of an earlier run gets their own text: %s', async (...row) => {
		const [, items, added] = row;
		await run('create', itemsUpTo(3));
		const { error } = await run('addMessages', items, { id: byId(firstNew) });
		expect(error).toBeUndefined();
		expect(created()).toEqual([firstNew]);
		expect(textsOf(firstNew)).toEqual([...greetings(3), ...added]);
	});
});

test('a text that every run evaluates anew: who is added gets the text of this run', async () => {
	const text = '=Offer {{ Math.random() }}';
	await run('create', itemsUpTo(1), { text });
	const [first = ''] = textsOf(firstNew);
	const { error } = await run('addMessages', itemsUpTo(2), { text, id: byId(firstNew) });
	expect(error).toBeUndefined();
	const [, second = ''] = textsOf(firstNew);
	expect(second).toMatch(/^Offer 0[\d.e-]+$/);
	expect(second).not.toBe(first);
});

describe('Add Messages', () => {
	const add = async (items: IDataObject[], more: INodeParameters = {}) => {
		await bench.run(
			'dispatch.create',
			{ ...fromItems, text: 'Made {code}' },
			{ items: [itemOf(9)] },
		);
		bench.forget();
		return await run('addMessages', items, { id: byId(firstNew), ...more });
	};

	test('different texts are added in one go, each whole', async () => {
		const { items, error } = await add(itemsUpTo(5));
		expect(error).toBeUndefined();
		const [post, ...others] = await posts();
		expect(others).toEqual([]);
		expect(post?.body.messages.map(({ customText }) => customText)).toEqual(greetings(5));
		expect(textsOf(firstNew)).toEqual(['Made 9', ...greetings(5)]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([links(5)]);
	});

	test('a text for all that an expression yields is sent whole, too', async () => {
		await add(itemsUpTo(2), { text: '={{ "Made {code}" }}' });
		expect((await posts())[0]?.body.messages).toEqual([
			{ destination: numberOf(0), customText: 'Made 0' },
			{ destination: numberOf(1), customText: 'Made 1' },
		]);
	});

	test('a constant text is the text of the dispatch', async () => {
		await add(itemsUpTo(1), { text: 'Made {code}' });
		expect((await posts())[0]?.body.messages).toEqual([
			{ destination: numberOf(0), substitutions: { code: '0' } },
		]);
	});
});

interface Drawn {
	number: number;
	text: string | null;
	name: string | null;
}
const anyText = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.constantFrom('Hello', 'Dear {name}', '{name}', 'Bye {name} {}', 'A \\} brace'),
	},
	{
		weight: 2,
		arbitrary: fc.string({ maxLength: 6 }).map((more) => `Hi ${more.replaceAll('{', '')}`),
	},
	{ weight: 1, arbitrary: fc.constantFrom('', ' ', null) },
);
const anyItem: fc.Arbitrary<Drawn> = fc.record({
	// Several share a number; nobody can read a negative one.
	number: fc.integer({ min: -1, max: 12 }),
	text: anyText,
	name: fc.constantFrom('Anna', 'Olga', '$&', null),
});

/** The text that an item yields; nothing when it must not get any. */
const yieldedBy = ({ text, name }: Drawn, missingValues: string) => {
	const own = text ?? '';
	if (own.includes('{name}') && name === null && missingValues === 'skip') return undefined;
	// `\}` is how people write a brace that belongs to the text.
	const filled = own
		.replaceAll('\\}', '}')
		.split('{name}')
		.join(name ?? '');
	return filled.trim() === '' ? undefined : filled;
};

test('any items: everybody gets exactly the text of their own item, all in one dispatch', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(anyItem, { minLength: 1, maxLength: 25 }),
			fc.constantFrom(...ownTexts.map(([, text]) => text)),
			fc.constantFrom('skip', 'empty'),
			fc.integer({ min: 1, max: 10 }),
			fc.constantFrom('create', 'addMessages'),
			async (drawn, text, missingValues, batchSize, way) => {
				bench.sandbox.reset('demo');
				const adds = way === 'addMessages';
				// It has a text of its own: nobody of these may get it.
				if (adds) await bench.run('dispatch.create', fromItems, { items: [itemOf(99)] });
				bench.forget();
				const { items, error } = await run(
					way,
					drawn.map(({ number, ...one }) => ({
						...one,
						phone: number < 0 ? 'x' : numberOf(number),
					})),
					{ text, options: { missingValues, batchSize }, ...(adds && { id: byId(firstNew) }) },
				);
				const wanted = new Map<string, string[]>();
				for (const one of drawn) {
					const yielded = yieldedBy(one, missingValues);
					const number = numberOf(one.number);
					if (one.number < 0 || yielded === undefined || wanted.has(number)) continue;
					wanted.set(number, [yielded]);
				}
				const isTextless = drawn.every((one) => (one.text ?? '').trim() === '');
				if (isTextless && (!adds || wanted.size === 0)) {
					expect(error?.message).toContain('is empty for every item');
					expect(await posts()).toEqual([]);
					return;
				}
				if (wanted.size === 0) {
					expect(error?.message).toContain('There are no valid recipients: ');
					expect(await posts()).toEqual([]);
					return;
				}
				expect(error).toBeUndefined();
				const [json = {}] = jsonOf(items);
				expect(json).toMatchObject({ notStarted: wanted.size, failed: 0 });
				const { recipients, leftOut, duplicates = 0 } = json;
				expect(Number(recipients) + Number(duplicates)).toBe(drawn.length);
				expect(Number(leftOut)).toBe(Number(recipients) - wanted.size);
				const taken = takenBy(bench.sandbox, firstNew);
				if (adds) taken.delete(numberOf(99));
				expect(taken).toEqual(wanted);
				expect(bench.sent('POST', '/dispatches')).toBe(adds ? 0 : 1);
			},
		),
		{ numRuns: 60 },
	);
});
