import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { hintsOf } from '../support/n8n.cts';
import { jsonOf, linksOf } from '../support/sandbox.cts';
import { destinationsOf, fund, numberOf, singlesOf, useMessaging } from './messages.cts';

/** Single messages fill the placeholders of their texts from the item, as a dispatch does. */

const bench = useMessaging();
beforeEach(() => fund(bench.sandbox));
const { senderNames } = demo;

const itemOf = (index: number, more: IDataObject = {}): IDataObject => ({
	phone: numberOf(index),
	name: `Name ${index}`,
	...more,
});
const sms: INodeParameters = {
	channelType: 'SMS',
	senderName: senderNames.sms,
	destination: '={{ $json.phone }}',
	text: 'Hello {name}',
};
const viber = { channelType: 'VIBER', senderName: senderNames.viber };
type Options = Parameters<typeof bench.run>[2];

/** The three operations, each with the text in its own place. */
const operations = {
	send: (text: string, more: INodeParameters = {}) => ({ ...sms, text, ...more }),
	sendAndWait: (message: string, more: INodeParameters = {}) => ({ ...sms, message, ...more }),
	sendCascade: (text: string, more: INodeParameters = {}) => ({
		destination: '={{ $json.phone }}',
		cascade: {
			step: [
				{ ...viber, text: 'First' },
				{ channelType: 'SMS', senderName: senderNames.sms, text },
			],
		},
		...more,
	}),
};
type Name = keyof typeof operations;
const names = Object.keys(operations) as Name[];

const run = async (
	name: Name,
	text: string,
	items: IDataObject[],
	{ more, ...options }: Options & { more?: INodeParameters } = {},
) => await bench.run(`message.${name}`, operations[name](text, more), { items, ...options });

/** The last text of every message or cascade that was sent. */
const contentsOnWire = async (): Promise<unknown[]> =>
	(await bench.wire())
		.filter(({ method }) => method === 'POST')
		.flatMap(
			({ body }) => body as Array<{ content?: unknown; cascade?: Array<{ content: unknown }> }>,
		)
		.map(({ content, cascade }) => content ?? cascade?.at(-1)?.content);

/** In a cascade the content is an object on every channel. */
const textsOnWire = async (): Promise<unknown[]> =>
	(await contentsOnWire()).map((content) =>
		typeof content === 'string' ? content : (content as { text: unknown }).text,
	);

describe.each(names)('%s', (name) => {
	const place = name === 'sendCascade' ? 'of step 2 ' : '';

	test.each([
		['Hello {name}', { name: 'Anna' }, 'Hello Anna'],
		['Hello {First Name}', { 'First Name': 'Anna' }, 'Hello Anna'],
		['{Имя клиента}, {user.id}', { 'Имя клиента': 'Анна', 'user.id': 7 }, 'Анна, 7'],
		['Hi { name|friend }', { name: ' ' }, 'Hi friend'],
		['Code \\{{name}\\}', { name: 1 }, 'Code {1}'],
		['={{ "Hello {name}" }}', { name: 'Anna' }, 'Hello Anna'],
		['=Hello {{ $json.name }}', { name: 'Anna' }, 'Hello Anna'],
		['Hello', { name: 'Anna' }, 'Hello'],
	])('%j is filled from the item', async (text, values, filled) => {
		const { error } = await run(name, text, [itemOf(0, values)]);
		expect(error).toBeUndefined();
		expect(await textsOnWire()).toEqual([filled]);
	});

	const looksLike = `'Text' ${place}contains {{ name }}. This looks like an expression. Switch the field to 'Expression', or write {name}.`;
	const leftBehind = `'Text' ${place}still contains {{ name }} after its expression was evaluated. Correct the expression or the data, or write {name}.`;
	const unclosed = `'Text' ${place}contains a brace that isn't closed`;
	const noValue = `'Text' needs a value for {Last Name}, but the item has none. Add the field, write a fallback such as {name|friend}, or choose another option in 'If a Placeholder Has No Value'`;
	const nothingLeft = "'Text' is empty after its placeholders are filled in";
	test.each<[string, string, INodeParameters, string]>([
		['an expression in a fixed text', 'Hello {{ name }}', {}, looksLike],
		['one that another expression leaves behind', '={{ $json.text }}', {}, leftBehind],
		['a brace that is never closed', 'Hello {name', {}, unclosed],
		['no value', 'Hello {Last Name}', {}, noValue],
		['no value, stop', 'Hello {Last Name}', { missingValues: 'stop' }, noValue],
		['no value, empty, and nothing is left', ' {x} ', { missingValues: 'empty' }, nothingLeft],
	])('%s: stops before anything is sent', async (_, text, options, message) => {
		const items = [itemOf(0, { text: 'Hi {{ name }}' })];
		const { error } = await run(name, text, items, { more: { options } });
		expect(error?.message.slice(0, message.length)).toBe(message);
		expect(error?.description).toBe('Nothing was sent.');
		expect(await bench.everything()).toEqual([]);
	});

	test('no value, empty: the placeholder is left out', async () => {
		const more = { options: { missingValues: 'empty' } };
		await run(name, 'Hello{x}!', [itemOf(0)], { more });
		expect(await textsOnWire()).toEqual(['Hello!']);
	});

	test('the option is not sent to the service', async () => {
		await run(name, 'Hello', [itemOf(0)], { more: { options: { missingValues: 'skip' } } });
		expect(JSON.stringify(await bench.wire())).not.toContain('missingValues');
		expect(await textsOnWire()).toEqual(['Hello']);
	});

	test.each([
		['Hello {}', 1],
		['Hello {name}', 0],
		['Hello \\{\\}', 0],
	])('%j: hints about braces that are left: %i', async (text, count) => {
		const result = await run(name, text, [itemOf(0)]);
		expect(hintsOf(result).filter((hint) => hint.includes('brace'))).toHaveLength(count);
	});
});

describe('no value, skip', () => {
	const items = [itemOf(0), { phone: numberOf(1) }, itemOf(2)];
	const more = { options: { missingValues: 'skip' }, externalMessageId: '={{ $json.id }}' };
	const skipped = {
		destination: numberOf(1),
		outcome: 'skipped',
		reason: 'There is no value for {name}.',
		reasonCode: 'missingValue',
	};

	test('Send: the others are sent, and the item says why it was not', async () => {
		const result = await run('send', 'Hello {name}', items, { more });
		const [first, second, third] = jsonOf(result.items);
		expect(linksOf(result.items)).toEqual([0, 1, 2]);
		expect([first?.outcome, third?.outcome]).toEqual(['accepted', 'accepted']);
		const own = { channelType: 'SMS', externalMessageId: '', messageUuid: '' };
		expect(second).toEqual({ ...skipped, ...own });
		for (const row of [first, third]) {
			expect(Object.keys(row ?? {})).toEqual(Object.keys(second ?? {}));
		}
		expect(await textsOnWire()).toEqual(['Hello Name 0', 'Hello Name 2']);
		expect(hintsOf(result)).toEqual([
			'1 of 3 messages is left out, because a placeholder has no value. The field \"reason\" in the result names the placeholder.',
		]);
	});

	test('Send Cascade: a step without a value skips the cascade', async () => {
		const result = await run('sendCascade', 'Hello {name}', items, { more });
		expect(result.items[1]?.json).toEqual({ ...skipped, steps: 2, messageUuid: '' });
		expect(await textsOnWire()).toEqual(['Hello Name 0', 'Hello Name 2']);
	});

	test('Send and Wait: there is nothing to wait for', async () => {
		// A text of nothing but the placeholder is skipped, not empty.
		const result = await run('sendAndWait', '{name}', [items[1] ?? {}], { more });
		expect(result.run.status).toBe('success');
		const shown = { ...skipped, reasonCode: undefined, channelType: 'SMS' };
		expect(jsonOf(result.items)).toEqual([shown]);
		expect(await bench.everything()).toEqual([]);
	});

	test('its Own ID is in the result, and free for the next', async () => {
		const withIds = items.map((item, index) => ({ ...item, id: index === 0 ? 'a' : 'b' }));
		const { items: output } = await run('send', 'Hello {name}', withIds, { more });
		const ids = jsonOf(output).map(({ externalMessageId }) => externalMessageId);
		expect(ids).toEqual(['a', 'b', 'b']);
		expect(destinationsOf(bench.sandbox)).toEqual([numberOf(0), numberOf(2)]);
	});

	describe.each(['send', 'sendCascade'] as const)('%s, all of them', (name) => {
		const noMessage = 'No message was sent: 3 items have no value for a placeholder';
		const advice =
			"There is no value for {x}. Add the field to the items, write a fallback such as {name|friend}, or set 'If a Placeholder Has No Value' to 'Leave It Empty'.";
		const runOn = async (some: IDataObject[], onError?: 'continueRegularOutput') =>
			await run(name, 'Hello {x}', some, { more, onError });
		afterEach(async () => expect(await bench.everything()).toEqual([]));

		test('an error, because nobody was reached', async () => {
			const { error } = await runOn(items);
			expect([error?.message, error?.description]).toEqual([noMessage, advice]);
		});

		test('a run with one item, as an event starts it: skipped, with a hint', async () => {
			const result = await runOn(items.slice(0, 1));
			expect(result.items).toHaveLength(1);
			const hint = expect.stringMatching(/^1 of 1 message is left out, /) as string;
			expect(hintsOf(result)).toEqual([hint]);
		});

		test('with Continue: each leaves as an error', async () => {
			const result = await runOn(items, 'continueRegularOutput');
			expect(linksOf(result.items)).toEqual([0, 1, 2]);
			for (const { json } of result.items) expect(json.error).toBe(`${noMessage}. ${advice}`);
			expect(hintsOf(result)).toEqual([]);
		});

		test('with Continue, beside one that cannot be read: an error too', async () => {
			const some = [{ phone: 'call me' }, ...items.slice(1)];
			const result = await runOn(some, 'continueRegularOutput');
			const begins = jsonOf(result.items).map(({ error }) => String(error).slice(0, 14));
			expect(begins).toEqual(["'Phone Number'", 'No message was', 'No message was']);
		});
	});

	test('a number that cannot be read is an error all the same', async () => {
		const { error } = await run('send', 'Hello {x}', [{ phone: 'call me' }], { more });
		expect(error?.message).toContain("'Phone Number'");
	});
});

test.each([
	['header', 'Header'],
	['footer', 'Footer'],
])('no value for a placeholder in %s: the error names that field', async (field, label) => {
	const more = { channelType: 'WHATSAPP', [field]: '{Last Name}' };
	const { error } = await run('send', 'Hello', [itemOf(0)], { more });
	expect(error?.message).toContain(`'${label}' needs a value for {Last Name}`);
});

test('with Continue, an item without a value fails alone', async () => {
	const items = [itemOf(0), { phone: numberOf(1) }, itemOf(2)];
	const { items: output } = await run('send', 'Hello {name}', items, {
		onError: 'continueRegularOutput',
	});
	expect(linksOf(output)).toEqual([0, 1, 2]);
	expect(output[1]?.json.error).toContain("'Text' needs a value for {name}");
	expect(destinationsOf(bench.sandbox)).toEqual([numberOf(0), numberOf(2)]);
});

test('one item without a value stops all', async () => {
	const { error } = await run('send', 'Hello {name}', [itemOf(0), { phone: numberOf(1) }]);
	expect(error?.context?.item).toBe(2);
	expect(await bench.everything()).toEqual([]);
});

describe.each(names)('%s, content that is given as JSON', (name) => {
	const place = name === 'sendCascade' ? 'of step 1 ' : '';
	const runJson = async (content: string, items = [itemOf(0)]) => {
		const json = { ...viber, contentFormat: 'json', content };
		const destination = '={{ $json.phone }}';
		const parameters =
			name === 'sendCascade'
				? { destination, cascade: { step: [json] } }
				: { ...sms, text: '', ...json };
		return await bench.run(`message.${name}`, parameters, { items });
	};
	const contentOf = (more: IDataObject) => ({ contentType: 'text', ...more });
	const hintAbout = (example: string) =>
		`1 message contains braces in JSON content, for example "${example}". JSON is sent unchanged, because placeholders work only in 'Text'. To insert a value, use an expression.`;

	test.each<[IDataObject, string[]]>([
		[{ text: 'Hello {name}' }, [hintAbout('Hello {name}')]],
		[{ text: 'Hello', buttons: [{ caption: '{First Name}' }] }, [hintAbout('{First Name}')]],
		[{ text: 'Hello', '{name}': 'Anna' }, []],
		[{ text: 'Hello {} \\{name\\}', parts: [1, null, true] }, []],
	])('%j is sent as it is, with a hint if a placeholder is in it', async (more, hints) => {
		const result = await runJson(JSON.stringify(contentOf(more)));
		expect(result.error).toBeUndefined();
		expect(await contentsOnWire()).toEqual([contentOf(more)]);
		expect(hintsOf(result)).toEqual(hints);
	});

	test('an expression in it stops before anything is sent', async () => {
		const text = 'Hello {name} {{ $json.name }}';
		const { error } = await runJson(JSON.stringify(contentOf({ text })));
		expect(error?.message).toBe(
			`'Content (JSON)' ${place}contains {{ $json.name }}. This looks like an expression. Switch the field to 'Expression'`,
		);
		expect(error?.description).toBe('Nothing was sent.');
		expect(await bench.everything()).toEqual([]);
	});

	test.each([
		['={{ $json.content }}', { content: contentOf({ text: 'Hello {{ name }}' }) }, '{{ name }}'],
		['={ "contentType": "text", "text": "Hello {{ $json.name }}" }', { name: '{x}' }, '{x}'],
	])('%j: what an expression gives is sent, with a hint', async (content, values, left) => {
		const result = await runJson(content, [itemOf(0, values)]);
		expect(await contentsOnWire()).toEqual([contentOf({ text: `Hello ${left}` })]);
		expect(hintsOf(result)).toEqual([hintAbout(`Hello ${left}`)]);
	});
});

test('a plain text as JSON has the same hint', async () => {
	const more = { contentFormat: 'json', content: '"Hello {name}"', text: '' };
	const result = await bench.run('message.send', { ...sms, ...more }, { items: [itemOf(0)] });
	expect(await textsOnWire()).toEqual(['Hello {name}']);
	expect(hintsOf(result)).toHaveLength(1);
});

test('every step of a cascade is filled, and every missing value is named', async () => {
	const step = (text: string) => ({ channelType: 'SMS', senderName: senderNames.sms, text });
	const cascade = (...texts: string[]) => ({
		destination: '={{ $json.phone }}',
		cascade: { step: texts.map(step) },
	});
	const items = [itemOf(0), itemOf(1)];
	await bench.run('message.sendCascade', cascade('A {name}', 'B {name}'), { items });
	const [post] = (await bench.wire()).filter(({ method }) => method === 'POST');
	const steps = (...texts: string[]) => ({ cascade: texts.map((text) => ({ content: { text } })) });
	expect(post?.body).toMatchObject([steps('A Name 0', 'B Name 0'), steps('A Name 1', 'B Name 1')]);
	const { error } = await bench.run('message.sendCascade', cascade('{a} {b}', '{c} {a}'), {
		items,
	});
	expect(error?.message).toContain('needs a value for {a}, {b}, {c}, but');
});

test('the braces of many texts are one hint', async () => {
	const result = await run('send', 'Hi {name} {}', [itemOf(0), itemOf(1), itemOf(2)]);
	expect(hintsOf(result)).toEqual([
		'In 3 texts, recipients will see braces, e.g. "Hi Name 0 {}". If that is intended, write \\{ instead of { and this hint disappears.',
	]);
	expect(singlesOf(bench.sandbox)[0]?.text).toBe('Hi Name 0 {}');
});
