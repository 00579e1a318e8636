import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import { levelOfRequest, messagingEndpoint, type Endpoint } from '../../core/contract/endpoint';
import { messaging } from '../../core/contract/messaging';
import { from } from '../../core/contract/provenance';
import { BulkMessagingApi } from '../../credentials/BulkMessagingApi.credentials';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { verification } from '../../nodes/BulkMessaging/resources/verification';
import { demo } from '../../sandbox/demo.cts';
import { z } from '../../vendor/zod';
import { hintsOf } from '../support/n8n.cts';
import { singlesOf, useMessaging } from './messages.cts';

/** What the provider's interface doesn't state is never a reason to refuse; the user is told. */

const bench = useMessaging();
const plain: INodeParameters = {
	channelType: 'SMS',
	senderName: demo.senderNames.sms,
	destination: demo.numbers.mts,
	text: 'Hello',
};
const send = async (more: INodeParameters, items: IDataObject[] = [{}], onError?: OnError) =>
	await bench.run('message.send', { ...plain, ...more }, { items, onError });
const cascadeOf = (step: INodeParameters[], options: INodeParameters = {}) => ({
	destination: demo.numbers.mts,
	cascade: { step },
	options,
});
/** Nothing is sent, and the error says this. */
const expectRefused = async (words: string, more: INodeParameters, items?: IDataObject[]) => {
	const { error } = await send(more, items);
	expect(error?.message).toContain(words);
	expect(await bench.everything()).toEqual([]);
};
const bodies = async () =>
	(await bench.wire()).flatMap(({ body }) => (body ?? []) as IDataObject[]);

describe('limits that only others publish: the values travel as they are, and the service decides', () => {
	test.each<[INodeParameters, IDataObject]>([
		[{ options: { ttl: 172_800 } }, { ttl: 172_800 }],
		[{ options: { hours: [9, 9] } }, { hours: [9, 9] }],
		[{ options: { additionalFields: '{ "ttl": "60" }' } }, { ttl: '60' }],
		[{ options: { tags: 'spring-26,весна' } }, { tags: ['spring-26', 'весна'] }],
		[{ senderName: 'AB' }, { senderName: 'AB' }],
		[{ channelType: 'FLASHCALL', text: 'Your code is 1234' }, { content: 'Your code is 1234' }],
		[
			{ channelType: 'VOICECODE', text: '4821' },
			{ content: { contentType: 'text', text: '4821' } },
		],
	])('%j', async (more, expected) => {
		const result = await send(more, [{}], 'continueRegularOutput');
		expect((await bodies())[0]).toMatchObject(expected);
		expect(hintsOf(result)).toEqual([]);
	});

	test.each([
		['PUSH', '{ "title": "Hello", "body": "World" }', { title: 'Hello', body: 'World' }],
		['VIBER', '{ "text": "Hello" }', { text: 'Hello' }],
		['VOICECODE', '"1234"', '1234'],
		['FLASHCALL', '{ "code": "1234" }', { code: '1234' }],
		['SMS', '"Hello"', 'Hello'],
		['MAX', '{ "contentType": "card" }', { contentType: 'card' }],
		['SMS', '{ "contentType": "text", "text": "Hello" }', { contentType: 'text', text: 'Hello' }],
	])('%s: content %s is sent as it is', async (channelType, content, expected) => {
		await send({ channelType, contentFormat: 'json', content });
		expect((await bodies())[0]).toMatchObject({ content: expected });
	});
});

describe('values that no list offers travel, with a hint', () => {
	const run = async (operation: string, parameters: INodeParameters) => {
		const result = await bench.run(operation, parameters, { onError: 'continueRegularOutput' });
		const [request] = await bench.wire();
		return { body: request?.body, hints: hintsOf(result) };
	};

	test('the result of a flash call', async () => {
		const parameters = { messageUuid: 'u', result: '={{ "NUMBER_VERIFIED" }}' };
		const { body, hints } = await run('verification.reportFlashCall', parameters);
		expect(body).toMatchObject({ result: 'NUMBER_VERIFIED' });
		expect(hints).toEqual([
			'\'Result\' is usually one of NUMBER_VERIFIERD, WRONG_CODE. The service may reject "NUMBER_VERIFIED".',
		]);
	});

	test("a cascade's condition, in small letters as the others", async () => {
		const condition = '={{ "not_sent" }}';
		const step = { senderName: demo.senderNames.sms, text: 'Hello', condition };
		const { body, hints } = await run('message.sendCascade', cascadeOf([step, step]));
		expect(body).toMatchObject([{ cascade: [{ condition: 'not_sent' }, {}] }]);
		expect(hints).toContain(
			'\'Continue When\' is usually one of not_delivered, not_read. The service may reject "not_sent".',
		);
	});

	test("a sender name's operator and type", async () => {
		const { body, hints } = await run('senderName.create', {
			senderName: 'TULIPS',
			brand: '={{ "YOTA" }}',
			commonType: '={{ "SERVICE" }}',
		});
		expect(JSON.stringify(body)).toContain('"commonType":"SERVICE"');
		expect(JSON.stringify(body)).toContain('"brand":"YOTA"');
		expect(hints).toHaveLength(2);
	});

	test.each([
		['abc', 'abc'],
		['512', 512],
		[512, 512],
		['0512', '0512'],
		[0, undefined],
	])('a template ID: %s', async (templateId, expected) => {
		await send({ options: { templateId } });
		expect((await bodies())[0]?.templateId).toBe(expected);
	});
});

describe('a Flash Call asks for a code', () => {
	const flash = { channelType: 'FLASHCALL', senderName: 'any name' };
	const labels = (channelType: string) =>
		new BulkMessaging().description.properties.flatMap(({ name, displayName, displayOptions }) => {
			const { resource, operation, channelType: shown } = displayOptions?.show ?? {};
			if (name !== 'text' || !resource?.includes('message') || !operation?.includes('send'))
				return [];
			const isHidden = displayOptions?.hide?.channelType?.includes(channelType) ?? false;
			return isHidden || !(shown?.includes(channelType) ?? true) ? [] : [displayName];
		});

	test('on the screen, and every other channel for a text', () => {
		for (const channel of ['FLASHCALL', 'VOICECODE']) expect(labels(channel)).toEqual(['Code']);
		for (const channel of ['SMS', 'VK', 'VIBER', 'MAX']) expect(labels(channel)).toEqual(['Text']);
	});

	test('four digits are sent as they are', async () => {
		await send({ ...flash, text: '0482' });
		expect((await bodies())[0]).toMatchObject({ content: '0482' });
	});

	test.each([
		['={{ "" }}', "'Code' is required"],
		['{code}', "'Code' needs a value for {code}"],
		['{{ code }}', "'Code' contains {{ code }}"],
	])('%s: the error names the field as the screen does', async (text, message) => {
		await expectRefused(message, { ...flash, text });
	});

	test('a step of a cascade has the same', async () => {
		const step = { channelType: 'FLASHCALL', senderName: 'any', text: '={{ "" }}' };
		const { error } = await bench.run('message.sendCascade', cascadeOf([step]));
		expect(error?.message).toBe("'Code' is required");
	});

	test('a cascade says when to continue after every step but the last', async () => {
		const step = { senderName: demo.senderNames.sms, text: 'Hello' };
		const last = { ...step, condition: 'not_delivered' };
		await bench.run('message.sendCascade', cascadeOf([step, last]));
		const [{ cascade } = {}] = await bodies();
		const conditions = (cascade as IDataObject[]).map(({ condition }) => condition);
		expect(conditions).toEqual(['not_delivered', undefined]);
	});

	const voice = { channelType: 'VOICECODE', senderName: 'voicecode', brand: '{shop}' };
	test('a Voice Code becomes a sentence with its brand, in a step too, with placeholders', async () => {
		const coded = { ...voice, text: '{code}' };
		const items = [{ shop: 'Tulip', code: '4821' }];
		const content = { contentType: 'text', text: 'Код авторизации от Tulip: 4821' };
		await send(coded, items);
		expect((await bodies())[0]).toMatchObject({ content });
		bench.forget();
		await bench.run('message.sendCascade', cascadeOf([coded]), { items });
		expect((await bodies())[0]).toMatchObject({ cascade: [{ content }] });
	});

	test('a brand without a value stops it, as a text does', async () => {
		await expectRefused('needs a value for {shop}', { ...voice, text: '4821' });
	});

	test('a brand, a header or a footer is for its own channel only', async () => {
		await send({ text: 'Hello', brand: '{nobody}', header: '{nobody}', footer: '{nobody}' });
		expect((await bodies())[0]).toMatchObject({ content: 'Hello' });
	});
});

describe('Additional Fields', () => {
	const added = (additionalFields: string) => ({ options: { additionalFields } });

	test('replace what has a field, and a hint says what', async () => {
		const fields = { senderName: demo.senderNames.general, ttl: 80_000, rateTerm: 5 };
		const result = await send({ options: { ttl: 60, additionalFields: JSON.stringify(fields) } });
		expect((await bodies())[0]).toMatchObject(fields);
		expect(hintsOf(result)).toContain("'Additional Fields (JSON)' replaces senderName, ttl.");
	});

	test('another channel in them gets the content it needs, in a step too', async () => {
		const viber = { channelType: 'VIBER', senderName: demo.senderNames.viber };
		const additionalFields = JSON.stringify(viber);
		await send({ options: { additionalFields } });
		const content = { contentType: 'text', text: 'Hello' };
		expect((await bodies())[0]).toMatchObject({ ...viber, content });
		bench.forget();
		const first = { channelType: 'SMS', senderName: 'X', text: '{}', additionalFields };
		const second = { ...first, text: 'not sent', additionalFields: '{ "content": "as it is" }' };
		await bench.run('message.sendCascade', cascadeOf([first, second]));
		const sent = [{ ...viber, content: { ...content, text: '{}' } }, { content: 'as it is' }];
		expect((await bodies())[0]).toMatchObject({ cascade: sent });
	});

	test('a step says what it replaces, too', async () => {
		const additionalFields = '{ "ttl": 600, "senderName": "INFO" }';
		const step = { senderName: demo.senderNames.sms, text: 'A', additionalFields };
		const result = await bench.run('message.sendCascade', cascadeOf([step]));
		expect(hintsOf(result)).toContain("'Additional Fields (JSON)' replaces senderName.");
	});

	test('braces in them reach the phone, and a hint says so', async () => {
		const hints = hintsOf(await send(added('{ "content": "Hi {name}" }')));
		expect(hints.join(' ')).toContain('1 message contains braces in JSON content');
		bench.forget();
		const words = "'Additional Fields (JSON)' contains {{ name }}";
		await expectRefused(words, added('{ "content": "Hi {{ name }}" }'));
	});

	test('so it is in a cascade and in its steps, whatever else is an expression', async () => {
		const additionalFields = '{ "note": "Hi {{ name }}" }';
		const step = { channelType: 'SMS', senderName: demo.senderNames.sms, text: 'A' };
		for (const parameters of [
			cascadeOf([step], { additionalFields }),
			cascadeOf([{ ...step, additionalFields }]),
		]) {
			const changed = { ...parameters, destination: '={{ "79161234567" }}' };
			const { error } = await bench.run('message.sendCascade', changed);
			expect(error?.message).toContain('contains {{ name }}');
			expect(await bench.everything()).toEqual([]);
		}
	});

	test('null leaves a field out, and names of every object are no field', async () => {
		const additionalFields = '{ "ttl": null, "constructor": 1, "externalMessageId": "5" }';
		const result = await send({ options: { ttl: 60, additionalFields } });
		const [body] = await bodies();
		expect(body).toMatchObject({ externalMessageId: '5' });
		expect(body).not.toHaveProperty('ttl');
		const words = "'Additional Fields (JSON)' replaces ttl, externalMessageId.";
		expect(hintsOf(result)).toContain(words);
	});

	test('null leaves the number and the ID as they are, and no hint says otherwise', async () => {
		const options = { additionalFields: '{ "destination": null, "externalMessageId": null }' };
		const single = await send({ externalMessageId: 'order-1', options });
		const step = { channelType: 'SMS', senderName: demo.senderNames.sms, text: 'A' };
		const cascade = await bench.run('message.sendCascade', cascadeOf([step], options));
		for (const result of [single, cascade])
			expect(hintsOf(result).join(' ')).not.toContain('replaces');
		expect(single.items[0]?.json).toMatchObject({ externalMessageId: 'order-1' });
	});

	test.each([0, 5])("a number isn't an ID: %i, in Send and in Send Cascade", async (id) => {
		const options = { additionalFields: `{ "externalMessageId": ${id} }` };
		const step = { channelType: 'SMS', senderName: demo.senderNames.sms, text: 'A' };
		for (const { error } of [
			await send({ options }),
			await bench.run('message.sendCascade', cascadeOf([step], options)),
		]) {
			expect(error?.message).toBe("'Custom Message ID' must be text, but is a number");
		}
		expect(await bench.everything()).toEqual([]);
	});

	test.each([
		['={{ { externalMessageId: NaN } }}', "'Custom Message ID'"],
		['={{ { externalMessageId: 1.5 } }}', "'Custom Message ID'"],
		['{ "externalMessageId": {} }', "'Custom Message ID'"],
		['{ "externalMessageId": " " }', "'Custom Message ID' is blank"],
		// It needs its login like any other.
		['{ "callbackUrl": "https://n8n.example.com/webhook/x/fast" }', 'Callback'],
	])('%s: nothing is sent', async (fields, words) => {
		await expectRefused(words, added(fields));
	});

	test('no message is without an ID, whatever they say: by it a lost answer is settled', async () => {
		const { items } = await send(added('{ "externalMessageId": null }'));
		const [body] = await bodies();
		expect(body?.externalMessageId).toMatch(/^\S{8,}/);
		expect(items[0]?.json.externalMessageId).toBe(body?.externalMessageId);
	});

	test('a number in them is read in any form', async () => {
		const { items } = await send(added('{ "destination": "8 (916) 000-00-01" }'));
		expect((await bodies())[0]).toMatchObject({ destination: '79160000001' });
		expect(items[0]?.json.destination).toBe('79160000001');
	});

	const withId = added('{ "externalMessageId": "order-1" }');

	test('an ID in them is the Custom Message ID: it protects from sending twice, too', async () => {
		await send(withId);
		const { items } = await send(withId);
		expect(items[0]?.json).toMatchObject({ externalMessageId: 'order-1', alreadySent: true });
		expect(singlesOf(bench.sandbox)).toHaveLength(1);
	});

	test('the same ID for two items is refused before anything is sent', async () => {
		await expectRefused('"order-1" is also used by item 1', withId, [{}, {}]);
	});
});

describe('operations that are not completely stated', () => {
	const movable = Object.values<Endpoint>(messaging).filter(
		({ pathSetting }) => pathSetting !== undefined,
	);
	const notices = new BulkMessaging().description.properties.filter(
		({ name, type }) => name === 'sourceNotice' && type === 'notice',
	);
	const ofOperation = ({ displayOptions }: (typeof notices)[number]) =>
		`${displayOptions?.show?.resource}.${displayOptions?.show?.operation}`;

	test('say so in one line of their panels, and no other does', () => {
		expect(notices.map(ofOperation).sort()).toEqual([
			'dispatch.addMessages',
			'dispatch.get',
			'dispatch.getAll',
			'dispatch.start',
			'dispatch.stop',
			'message.get',
			'message.getAll',
			'message.send',
			'message.sendAndWait',
			'message.sendCascade',
			'message.stop',
			'senderName.create',
			'senderName.getAll',
			'template.get',
			'template.getAll',
			'template.update',
			'verification.check',
			'verification.checkCode',
			'verification.reportFlashCall',
			'verification.send',
			'verification.sendCode',
		]);
		const isGuess = ({ displayName }: (typeof notices)[number]) =>
			displayName.includes("doesn't document this.");
		expect(notices.filter(isGuess).map(ofOperation).sort()).toEqual([
			'senderName.getAll',
			'template.getAll',
		]);
	});

	test('a flash call is reported with the key that sent it', () => {
		const { description } =
			verification.operations.find(({ value }) => value === 'reportFlashCall') ?? {};
		expect(description).toContain('It needs the API key for messages');
	});

	test('those that can be moved say so', () => {
		const isMovable = ({ displayName }: (typeof notices)[number]) =>
			displayName.includes('You can change its path in the credential.');
		expect(notices.filter(isMovable).map(ofOperation).sort()).toEqual([
			'message.sendCascade',
			'message.stop',
			'senderName.getAll',
			'template.getAll',
			'verification.check',
			'verification.checkCode',
			'verification.sendCode',
		]);
	});

	test('a known call with an assumed field is published, an assumed call is assumed', () => {
		const draft = { body: z.object({ a: z.string() }), reply: z.object({}) };
		const needed = { ...draft, body: z.object(from('guess', { a: z.string() })) };
		const optional = { ...draft, body: z.object(from('guess', { a: z.string().optional() })) };
		const levelsOf = (one: typeof draft) => levelOfRequest(messagingEndpoint('POST', '/x', one));
		expect(levelsOf(draft)).toBe('stated');
		expect(levelsOf(needed)).toBe('published');
		expect(levelsOf(optional as unknown as typeof draft)).toBe('published');
		expect(levelOfRequest(messagingEndpoint('POST', '/x', { ...draft, source: 'guess' }))).toBe(
			'assumed',
		);
	});

	test('each has a field for its path in the credential', () => {
		const fields = new BulkMessagingApi().properties.map(({ name }) => name);
		expect(fields).toEqual(expect.arrayContaining(movable.map(({ pathSetting }) => pathSetting)));
		expect(new Set(movable.map(({ pathSetting }) => pathSetting)).size).toBe(movable.length);
	});

	const parameters = { uuid: 'u', code: '1' };
	const check = async (more: IDataObject) =>
		await bench.run('verification.checkCode', parameters, { credentials: bench.credentials(more) });
	const paths = () => bench.recorded.map(({ url }) => url.split('?')[0]);

	test('another path is used where the credential has one', async () => {
		await check({ changesPaths: true, codeCheckPath: ' /verify/{code} ' });
		expect(paths()).toEqual(['/api/v1/verify/%7Bcode%7D']);
	});

	test.each([
		{ changesPaths: false, codeCheckPath: '/verify' },
		{ changesPaths: true, codeCheckPath: '' },
		{},
	])('%j: the usual path', async (more) => {
		await check(more);
		expect(paths()).toEqual(['/api/v1/verifier/check']);
	});

	test.each([
		'verify',
		'//evil.example/x',
		'https://evil.example/',
		'/a/../b',
		'/a?b',
		'/a#b',
		'/a/%2E%2e/b',
	])('%s is no path: nothing is sent', async (codeCheckPath) => {
		const { error } = await check({ changesPaths: true, codeCheckPath });
		expect(error?.message).toContain("A path in the credential isn't valid");
		expect(bench.recorded).toEqual([]);
	});
});
