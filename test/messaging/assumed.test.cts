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
/** The sandbox plays the public reference and rejects such values; the node continues, so that its hints stay. */
const sendUnusual = async (more: INodeParameters, items?: IDataObject[]) =>
	await send(more, items, 'continueRegularOutput');
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

describe('unusual values travel, with one hint for all items', () => {
	const ttlHint =
		"'Time to Live (Seconds)' is usually 60 to 86,400, or 30 to 86,400 for Voice Code";
	const tagsHint = "'Tags' is usually made of Latin letters, digits and _";
	const lengthHint = "'Sender Name' is usually 3 to 11 characters long for SMS";
	const voiceHint = "'Code' is usually only digits, with 'Brand' filled in, for Voice Code";
	const sendTimeHint = "'Send At' is usually between 12 hours ago and 7 days from now, in UTC";
	const completionHint =
		"'Send No Later Than' is usually between 'Send At' and 70 days from now, in UTC";
	const hintOf = (words: string) => `${words}. The service may reject this value.`;
	const vk = { channelType: 'VK', senderName: 'tulips_vk' };
	const voice = { channelType: 'VOICECODE', senderName: 'voicecode' };
	const inDays = (days: number) =>
		new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
	const travels = async (more: INodeParameters, expected: IDataObject, words: string) => {
		const { mts, beeline } = demo.numbers;
		const items = [{ phone: mts }, { phone: beeline }];
		const result = await sendUnusual({ destination: '={{ $json.phone }}', ...more }, items);
		expect((await bodies())[0]).toMatchObject(expected);
		expect(hintsOf(result).filter((one) => one === hintOf(words))).toHaveLength(1);
	};

	test.each<[IDataObject, string]>([
		[{ ttl: 1 }, ttlHint],
		[{ ttl: 0 }, ttlHint],
		[{ ttl: -1 }, ttlHint],
		[{ ttl: 172_800 }, ttlHint],
		// The default.
		[{ ttl: 90_000 }, ttlHint],
		[{ localSendTime: inDays(30) }, sendTimeHint],
		[{ localSendTime: inDays(-1) }, sendTimeHint],
		[{ localCompletionTime: inDays(90) }, completionHint],
		[{ localSendTime: inDays(2), localCompletionTime: inDays(1) }, completionHint],
		[{ hours: [9, 9] }, "'Hours' is usually a list without duplicates"],
		[{ days: [1, 1] }, "'Weekdays' is usually a list without duplicates"],
	])('the option %j', async (options, words) => {
		await travels({ options: options as INodeParameters }, options, words);
	});

	test.each<[IDataObject, string]>([
		[{ ttl: '60' }, ttlHint],
		[{ localSendTime: 1_700_000_000 }, sendTimeHint],
		[{ useLocalTime: 'yes' }, "'Use Recipient's Time' is usually true or false"],
		[{ tags: 'spring' }, tagsHint],
	])('another type in Additional Fields: %j', async (fields, words) => {
		await travels({ options: { additionalFields: JSON.stringify(fields) } }, fields, words);
	});

	describe.each([
		{ name: 'Flash Call', channelType: 'FLASHCALL', text: '4821' },
		{ name: 'Voice Code', ...voice, brand: 'Tulip', text: '4821' },
	])('$name', ({ name, ...channel }) => {
		test.each<[string, IDataObject]>([
			['Hours', { hours: [9] }],
			['Weekdays', { days: [1] }],
			['Send At', { localSendTime: inDays(1) }],
			['Send No Later Than', { localCompletionTime: inDays(1) }],
			['Shorten Links', { shortUrl: true }],
			["Use Recipient's Time", { useLocalTime: true }],
		])("'%s' is usually left out", async (label, options) => {
			const words = `'${label}' is usually left out for ${name}`;
			await travels({ ...channel, options: options as INodeParameters }, options, words);
		});
	});

	const json = (content: string) => ({ contentFormat: 'json', content });
	const sentence = 'Your code is 4821';
	const asText = (text: string) => ({ content: { contentType: 'text', text } });
	const ofVoice =
		'\'Content\' is usually an object with a text of 1 to 1,000 characters such as "Код авторизации от {brand}: {code}" for Voice Code';
	const ofVk = "'Content' is usually plain text of 1 to 2,048 characters for VK";
	const longVk = "'Text' is usually 1 to 2,048 characters long for VK";
	const ofWhatsApp = "'Content' is usually an object for WhatsApp";
	const otherVoice = "'Sender Name' is usually voicecode for Voice Code";
	const fromTulips = { senderName: 'TULIPS' };
	const whatsApp = { channelType: 'WHATSAPP', ...json('"Hello"') };
	const tags = ['spring-26', 'весна'];
	test.each<[string, INodeParameters, IDataObject, string]>([
		['a sentence as a Voice Code', { ...voice, text: sentence }, asText(sentence), voiceHint],
		['a Voice Code without its brand', { ...voice, text: '4821' }, asText('4821'), voiceHint],
		[
			'a Voice Code by another name',
			{ ...voice, ...fromTulips, text: '1' },
			fromTulips,
			otherVoice,
		],
		[
			'an object as a Voice Code',
			{ ...voice, ...json('{"text":"1"}') },
			{ content: { text: '1' } },
			ofVoice,
		],
		['a long text for VK', { ...vk, text: 'я'.repeat(2_049) }, { channelType: 'VK' }, longVk],
		['an object for VK', { ...vk, ...json('{"text":"A"}') }, { content: { text: 'A' } }, ofVk],
		['a plain text for WhatsApp', whatsApp, { content: 'Hello' }, ofWhatsApp],
		['a long name', { senderName: 'TULIPS AND CO' }, { senderName: 'TULIPS AND CO' }, lengthHint],
		['a short name', { senderName: 'AB' }, { senderName: 'AB' }, lengthHint],
		['unusual tags', { options: { tags: tags.join() } }, { tags }, tagsHint],
	])('%s', async (_, more, expected, words) => {
		await travels(more, expected, words);
	});

	const ofHalfAMinute = { ...voice, brand: 'Tulip', text: '4 8-2 1', options: { ttl: 30 } };
	const inTime = { localSendTime: inDays(6), localCompletionTime: inDays(69) };
	const flashOptions = { tags: 'spring_26', ttl: 60 };
	test.each<[string, INodeParameters]>([
		['a day', { options: { ttl: 86_400 } }],
		['a long text for VK', { ...vk, text: '🌷'.repeat(2_048) }],
		['a Voice Code with a brand that lives for 30 seconds', ofHalfAMinute],
		['times', { options: inTime }],
		['a Flash Call', { channelType: 'FLASHCALL', text: '4821', options: flashOptions }],
	])('no hint: %s', async (_, more) => {
		expect(hintsOf(await sendUnusual(more)).join(' ')).not.toContain('usually');
		expect(await bodies()).toHaveLength(1);
	});

	test("a cascade's times have the same hint", async () => {
		const step = { senderName: demo.senderNames.sms, text: 'Hello' };
		const parameters = cascadeOf([step], { localSendTime: inDays(30) });
		const onError = 'continueRegularOutput';
		const result = await bench.run('message.sendCascade', parameters, { onError });
		expect(hintsOf(result)).toContain(hintOf(sendTimeHint));
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
	const codeHint =
		"'Code' is usually four digits for Flash Call. The service may reject this value.";
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
		const result = await send({ ...flash, text: '0482' });
		expect((await bodies())[0]).toMatchObject({ content: '0482' });
		expect(hintsOf(result)).not.toContain(codeHint);
	});

	test.each(['Your code is 1234', '123456'])('%s travels, with a hint', async (text) => {
		const result = await sendUnusual({ ...flash, text });
		expect((await bodies())[0]).toMatchObject({ content: text });
		expect(hintsOf(result)).toContain(codeHint);
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
