import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { hintsOf } from '../support/n8n.cts';
import { byId, jsonOf, linksOf, useSandbox, type NodeResult } from '../support/sandbox.cts';
import { firstNew, fromItems, messagesOf, numberOf } from './recipients.cts';

/** What the service's own templates can't say: other names, fallbacks, escaped braces. */

const bench = useSandbox();

const clients: IDataObject[] = [
	{ phone: numberOf(0), 'Имя клиента': 'Анна', 'First Name': 'Anna', 'user.id': 7, name: 'A' },
	{ phone: numberOf(1), 'Имя клиента': 'Олег', 'First Name': ' ', 'user.id': 8, name: 'O' },
];
const rich = '{Имя клиента}, {First Name|friend}: {user.id} \\{{ name }\\}';
const filled = ['Анна, Anna: 7 {A}', 'Олег, friend: 8 {O}'];

const run = async (
	operation: string,
	more: INodeParameters = {},
	items = clients,
	options: { onError?: 'continueRegularOutput' } = {},
): Promise<NodeResult> =>
	await bench.run(
		`dispatch.${operation}`,
		{ ...fromItems, text: rich, ...more },
		{ items, ...options },
	);

/** Adds to a dispatch that was created before with another text. */
const prepare = async (operation: string): Promise<INodeParameters> => {
	if (operation !== 'addMessages') return {};
	await bench.run(
		'dispatch.create',
		{ ...fromItems, text: 'Made' },
		{ items: [{ phone: numberOf(9) }] },
	);
	bench.forget();
	return { id: byId(firstNew) };
};

interface Sent {
	text?: string;
	messages: Array<{ destination: string; customText?: string; substitutions?: IDataObject }>;
}
const sent = async (): Promise<Sent[]> =>
	(await bench.wire()).flatMap(({ body }) => {
		const post = body as Sent | undefined;
		return post?.messages === undefined ? [] : [post];
	});
const textsOf = (id = firstNew) => messagesOf(bench.sandbox, id).map(({ text }) => text);

describe.each(['create', 'send', 'addMessages'])('%s', (operation) => {
	test('what the service cannot express travels whole, and the service never sees it', async () => {
		const target = await prepare(operation);
		const { error } = await run(operation, target);
		expect(error).toBeUndefined();
		const [post] = await sent();
		expect(post?.messages).toEqual(
			filled.map((customText, index) => ({ destination: numberOf(index), customText })),
		);
		// A new dispatch needs a text of its own: the first recipient's stands for all.
		expect(post?.text).toBe(operation === 'addMessages' ? undefined : filled[0]);
		expect(textsOf().slice(-2)).toEqual(filled);
	});

	test('a plain template travels as text and values', async () => {
		const target = await prepare(operation);
		await run(operation, { ...target, text: 'Hello {name}' });
		const [post] = await sent();
		expect(post?.messages).toEqual([
			{ destination: numberOf(0), substitutions: { name: 'A' } },
			{ destination: numberOf(1), substitutions: { name: 'O' } },
		]);
		if (operation !== 'addMessages') expect(post?.text).toBe('Hello {name}');
	});
});

describe.each(['create', 'send', 'preview', 'addMessages'])(
	'%s stops before anything is sent',
	(operation) => {
		const label = operation === 'addMessages' ? 'Dispatch Text' : 'Text';
		const stopped = async (more: INodeParameters, items = clients) => {
			const target = await prepare(operation);
			const before = bench.contents();
			const { error } = await run(operation, { ...target, ...more }, items);
			expect(error?.description).toMatch(/^(Item 1: )?Nothing was sent\.$/);
			expect(await sent()).toEqual([]);
			expect(bench.contents()).toBe(before);
			return error?.message;
		};

		test('at an expression in a fixed text', async () => {
			expect(await stopped({ text: 'Hello {{ name }}' })).toBe(
				`'${label}' contains {{ name }}. This looks like an expression. Switch the field to 'Expression', or write {name}.`,
			);
		});

		test('at an expression that another one leaves behind', async () => {
			const items = clients.map((client) => ({ ...client, text: 'Hello {{ $json.name }}' }));
			expect(await stopped({ text: '={{ $json.text }}' }, items)).toBe(
				`'${label}' still contains {{ $json.name }} after its expression was evaluated. Correct the expression or the data, or write {name}.`,
			);
		});

		test('at a brace that is never closed', async () => {
			expect(await stopped({ text: 'Hello {name, your order' })).toBe(
				`'${label}' contains a brace that isn't closed: "{name, your order". Close it, or write \\{ for a literal brace`,
			);
		});

		// A preview shows who lacks one instead.
		if (operation === 'preview') return;
		test('at a placeholder without a value', async () => {
			const message = await stopped({ text: 'Hello {Last Name}' });
			expect(message).toContain('There is no value for {Last Name}');
			expect(message).toContain('{name|friend}');
		});
	},
);

describe('recipients of a list', () => {
	test.each([
		['define', "'Custom Text' contains {{ name }}. This looks like an expression."],
		['json', "'Recipients (JSON)' contains {{ name }}. This looks like an expression."],
	])('%s: an expression in a text stops', async (recipients, message) => {
		const entry = { destination: numberOf(0), customText: 'Hi {{ name }}' };
		const { error } = await run('create', {
			recipients,
			messages: { recipient: [entry] },
			messagesJson: JSON.stringify([entry]),
			text: 'Hello',
		});
		expect(error?.message).toContain(message);
		expect(await sent()).toEqual([]);
	});

	test('their values have any name, too', async () => {
		const substitutions = { 'First Name': 'Anna', secret: 'x' };
		await run(
			'create',
			{
				recipients: 'json',
				messagesJson: JSON.stringify([{ destination: numberOf(0), substitutions }]),
				text: 'Hello {First Name}',
			},
			[{}],
		);
		expect(await sent()).toMatchObject([
			{ text: 'Hello Anna', messages: [{ destination: numberOf(0), customText: 'Hello Anna' }] },
		]);
	});
});

test('with Continue, a text with an expression in it fails alone', async () => {
	const items = [
		{ phone: numberOf(0), text: 'Hello' },
		{ phone: numberOf(1), text: 'Hello {{ name }}' },
	];
	const { items: output } = await run('create', { text: '={{ $json.text }}' }, items, {
		onError: 'continueRegularOutput',
	});
	expect(linksOf(output)).toEqual([[{ item: 0 }], 1]);
	expect(output[1]?.json.error).toContain("'Text' still contains {{ name }}");
	expect(textsOf()).toEqual(['Hello']);
});

describe('fallbacks', () => {
	const items = [{ phone: numberOf(0), name: 'Anna' }, { phone: numberOf(1) }];

	test.each(['stop', 'skip', 'empty'])('nothing is missing then: %s', async (missingValues) => {
		const { items: output, error } = await run(
			'create',
			{ text: 'Hi {name|friend}', options: { missingValues } },
			items,
		);
		expect(error).toBeUndefined();
		expect(jsonOf(output)).toMatchObject([{ notStarted: 2, leftOut: 0 }]);
		expect(textsOf()).toEqual(['Hi Anna', 'Hi friend']);
	});

	test('a text of nothing but an empty fallback is an empty text', async () => {
		const { items: output } = await run('create', { text: '{name|}' }, items);
		expect(jsonOf(output)).toMatchObject([
			{ notStarted: 1, leftOut: 1, reasons: { emptyText: 1 } },
		]);
	});
});

test('the text of the dispatch is that of the first who is not rejected', async () => {
	await run('create', {}, [{ ...clients[0], phone: 'call me' }, clients[1] ?? {}]);
	expect((await sent())[0]).toMatchObject({ text: filled[1], messages: [{}] });
});

test('texts of both kinds in one dispatch: the first one decides how they travel', async () => {
	const plain = { phone: numberOf(0), text: 'Dear {name}', name: 'A' };
	const other = { phone: numberOf(1), text: 'Dear {name|friend}' };
	await run('create', { text: '={{ $json.text }}' }, [plain, other]);
	await run('create', { text: '={{ $json.text }}', name: 'Other' }, [other, plain]);
	expect(await sent()).toMatchObject([
		{
			text: 'Dear {name}',
			messages: [{ substitutions: { name: 'A' } }, { customText: 'Dear friend' }],
		},
		{ text: 'Dear friend', messages: [{ customText: 'Dear friend' }, { customText: 'Dear A' }] },
	]);
	expect(textsOf(firstNew + 1)).toEqual(['Dear friend', 'Dear A']);
});

test('who is added in a second run gets their own text', async () => {
	await run('create', {}, [clients[0] ?? {}]);
	const { error } = await run('addMessages', { id: byId(firstNew) });
	expect(error).toBeUndefined();
	expect(textsOf()).toEqual(filled);
});

test('Preview shows the texts that Send sends', async () => {
	const { items } = await run('preview', { output: 'recipients' });
	expect(jsonOf(items).map(({ text }) => text)).toEqual(filled);
});

describe('braces that are left', () => {
	const hint = async (text: string, items: IDataObject[], operation = 'create') =>
		hintsOf(await run(operation, { text }, items)).filter((one) => one.includes('brace'));

	test.each(['create', 'send', 'preview'])(
		'%s: one hint says how many texts, and where',
		async (operation) => {
			const items = [
				{ phone: numberOf(0), name: 'Anna' },
				{ phone: numberOf(1), name: '{Olga}' },
				{ phone: numberOf(2), name: { first: 'Max' } },
			];
			expect(await hint('Dear {name}', items, operation)).toEqual([
				'In 2 texts, recipients will see braces, e.g. "Dear {Olga}". If that is intended, write \\{ instead of { and this hint disappears.',
			]);
		},
	);

	test.each([
		['{} for {name}', 1],
		['{"a": 1} for {name}', 1],
		['\\{\\} for {name}', 0],
		['Dear {name}', 0],
	])('%j: %i', async (text, count) => {
		expect(await hint(text, [{ phone: numberOf(0), name: 'Anna' }])).toHaveLength(count);
		expect(textsOf()[0]).not.toContain('\\');
	});

	test('of several dispatches: still one hint', async () => {
		const items = [0, 1].map((index) => ({ phone: numberOf(index), city: `City ${index}` }));
		const result = await run('create', { text: 'Hi {}', name: '={{ $json.city }}' }, items);
		expect(jsonOf(result.items)).toHaveLength(2);
		expect(hintsOf(result)).toEqual([
			expect.stringMatching(/^In 2 texts, recipients will see braces/),
			expect.stringMatching(/^This run made 2 dispatches/),
		]);
	});
});
