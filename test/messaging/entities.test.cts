import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { inMemory } from '../partner/table/files.cts';
import { hintsOf } from '../support/n8n.cts';
import { jsonOf } from '../support/sandbox.cts';
import { sendPath, useMessaging } from './messages.cts';
import { addKnown, uuids } from './table/messages.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));

const bench = useMessaging();
const { inReview, closed } = demo.templates;
const templatePath = `/api/v1/templates/${inReview}`;
const senderNamePath = '/api/v1/sender-names';
const flashCallPath = '/api/v1/flashcall-conversion';

const { fault, respond } = bench;
const otherThanAsked = "The service's response is about something else than what was requested";
const notUnderstood = "The service's response couldn't be understood";
const noReadableList = "The service's response doesn't contain a readable list";

describe.each([
	['template.getAll', '/api/v1/templates'],
	['senderName.getAll', '/api/v1/sender-names'],
])('%s', (operation, path) => {
	const list = async (count: number, parameters: INodeParameters) => {
		const entries = Array.from({ length: count }, (_, id) => ({ id: id + 1 }));
		respond('status', 'GET', path, entries);
		return await bench.run(operation, parameters);
	};

	// The shape of the response is not published.
	test.each<[number, INodeParameters, number]>([
		[0, { returnAll: true }, 0],
		[99, { returnAll: true }, 99],
		[3, {}, 3],
		[3, { limit: 2 }, 2],
	])('a bare list of %d entries, %j: complete', async (count, parameters, expected) => {
		const { items, error } = await list(count, parameters);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(expected);
	});

	test('a bare list of a whole page: it may not be all of it', async () => {
		const { error } = await list(100, { returnAll: true });
		expect(error?.message).toBe(noReadableList);
	});

	test.each<[string, unknown]>([
		['no list', {}],
		['a list without a total', { items: [{ id: inReview }] }],
		['an empty one without a total', { items: [] }],
		['nothing', ''],
	])('%s: an error, not an empty result', async (_, body) => {
		respond('status', 'GET', path, body);
		const { error, items } = await bench.run(operation, {});
		expect(error).toBeDefined();
		if (body !== '') expect(error?.message).toBe(noReadableList);
		expect(items).toEqual([]);
	});
});

describe('filters that the service reads once: one request for each value', () => {
	test.each([
		['dispatch.getAll', 'dispatch_id', '17, 18, 17', ['17', '18']],
		['dispatch.getAll', 'traffic_center_id', '1, 2', ['1', '2']],
		['dispatch.getAll', 'status', 'SENDING', ['sending']],
		['dispatch.getAll', 'dispatch_name', 'Tulips, red', ['Tulips, red']],
		['senderName.getAll', 'country_code', 'RU, KZ', ['RU', 'KZ']],
	])('%s, %s: %s', async (operation, filter, value, expected) => {
		await bench.run(operation, { filters: { [filter]: value } });
		const sent = (await bench.wire()).map(({ query }) => new Map(query).get(filter));
		expect(sent).toEqual(expected);
	});
});

test.each([{ status: 'ERROR' }, { code: 500 }])('a flash call, answered %j', async (reply) => {
	respond('status', 'POST', flashCallPath, reply);
	const { items } = await bench.run('verification.reportFlashCall', { messageUuid: 'u' });
	expect(jsonOf(items)).toEqual([{ ...reply, accepted: true, confirmed: false }]);
});

test('a flash call that the service does not know: says what is missing, without a company', async () => {
	const { error } = await bench.run('verification.reportFlashCall', { messageUuid: 'u' });
	expect(error?.message).toBe("The service didn't find the requested entry");
	expect(error?.description).toContain('such as a message or a sender name');
});

describe('Template: Get', () => {
	const get = async () => await bench.run('template.get', { template_id: String(inReview) });

	test.each<[string, unknown, string]>([
		['another template', { id: 17, pattern: 'Hello' }, otherThanAsked],
		['nothing in it', {}, notUnderstood],
		['a list', [{ id: inReview }], notUnderstood],
		['other fields', { template: 'Hello' }, notUnderstood],
	])('%s: an error', async (_, body, message) => {
		respond('status', 'GET', templatePath, body);
		const { error, items } = await get();
		expect(error?.message).toBe(message);
		expect(items).toEqual([]);
	});

	test('fields that are missing stay missing', async () => {
		respond('status', 'GET', templatePath, { id: inReview });
		expect(jsonOf((await get()).items)).toEqual([{ id: inReview }]);
	});

	test.each([
		[' T-1 ', 'T-1'],
		['a-b_2', 'a-b_2'],
	])('that an ID is a number is only published: %j is sent', async (id, inPath) => {
		const shown = { id: id.trim(), status: 'CLOSED' };
		respond('status', 'GET', '/api/v1/templates/*', shown);
		const { items } = await bench.run('template.get', { template_id: id });
		expect(jsonOf(items)).toEqual([shown]);
		expect(bench.recorded[0]?.url).toBe(`/api/v1/templates/${inPath}`);
	});

	test.each([' ', '..'])('%j is not an ID: nothing is sent', async (id) => {
		const { error } = await bench.run('template.get', { template_id: id });
		expect(error).toBeDefined();
		expect(bench.recorded).toEqual([]);
	});
});

describe('Template: Get Many', () => {
	test('all of them', async () => {
		const { items } = await bench.run('template.getAll', { returnAll: true });
		expect(jsonOf(items).map(({ id }) => id)).toEqual(Object.values(demo.templates));
	});

	test('several IDs: none twice, and no more than the limit', async () => {
		const ids = `${closed}, ${inReview}, ${closed}`;
		const list = async (limit: number) =>
			jsonOf((await bench.run('template.getAll', { template_id: ids, limit })).items);
		expect(await list(10)).toMatchObject([{ id: closed }, { id: inReview }]);
		expect(await list(1)).toMatchObject([{ id: closed }]);
		// A service that ignores the filter.
		respond('status', 'GET', '/api/v1/templates', { total: 1, items: [{ id: closed }] });
		expect(await list(10)).toEqual([{ id: closed }]);
	});

	test('the credential can have another path', async () => {
		const credentials = bench.credentials({ changesPaths: true, templateListPath: '/template' });
		await bench.run('template.getAll', {}, { credentials });
		expect(bench.recorded[0]?.url.split('?')[0]).toBe('/api/v1/template');
	});
});

describe('Template: Update', () => {
	const update = async (updateFields: INodeParameters) =>
		await bench.run('template.update', { template_id: String(inReview), updateFields });
	const changed = { pattern: 'Changed %w' };

	const stored = JSON.stringify({ id: inReview, pattern: 'not what is stored' });
	test.each<[string, object]>([
		['nothing', { body: '' }],
		['an empty object', { body: '{}' }],
		['the template', { body: stored }],
		['a list', { body: '[]' }],
		['a text', { body: 'Updated', headers: {} }],
	])('%s as the response: the template is read, and the change is sent once', async (_, more) => {
		respond('commit-then-status', 'PUT', templatePath, undefined, more);
		const { items } = await update(changed);
		expect(jsonOf(items)).toMatchObject([{ id: inReview, pattern: 'Changed %w' }]);
		expect(bench.sent('PUT', templatePath)).toBe(1);
	});

	test('another template as the response: an error', async () => {
		respond('commit-then-status', 'PUT', templatePath, { id: 17 });
		const { error } = await update(changed);
		expect(error?.message).toBe(otherThanAsked);
	});

	test('a lost request is sent again: the same change has the same effect', async () => {
		fault('commit-then-reset', 'PUT', templatePath);
		const { items } = await update(changed);
		expect(jsonOf(items)).toMatchObject([{ pattern: 'Changed %w' }]);
		expect(bench.sent('PUT', templatePath)).toBe(2);
	});

	test('it cannot be read afterwards: the error says that it was changed', async () => {
		respond('status', 'GET', templatePath, { id: 17 });
		const { error } = await update(changed);
		expect(error?.description).toContain(
			`The service accepted the change of template ${inReview}, but the node couldn't read the template afterwards.`,
		);
	});

	test('no field to change: nothing is sent', async () => {
		const { error } = await update({});
		expect(error?.message).toBe("'Update Fields' is empty. Add at least one field to change");
		expect(bench.recorded).toEqual([]);
	});

	test('a change that the status does not allow: the service says so', async () => {
		const { error } = await bench.run('template.update', {
			template_id: String(closed),
			updateFields: changed,
		});
		expect(error?.description).toContain('pattern');
		expect(error?.description).toContain('CLOSED');
	});
});

describe('Sender Name: Create', () => {
	const create = async (more: INodeParameters = {}, input?: INodeExecutionData, tries = 1) =>
		await bench.run(
			'senderName.create',
			{ senderName: 'TULIPS', channelType: 'SMS', ...more },
			{ inputItems: [input ?? { json: {} }], tries },
		);
	const created = () =>
		[...bench.store.senders.values()].filter((one) => one.senderName === 'TULIPS');

	test.each([
		[{}, {}],
		[{ brand: '' }, {}],
		[{ brand: 'MEGAFON' }, { brand: 'MEGAFON' }],
	])('an operator is sent only if it is chosen: %j', async (more, sent) => {
		await create(more);
		const body = { senderName: 'TULIPS', channelType: 'SMS', ...sent, commonType: 'COMMON' };
		expect((await bench.wire()).map((one) => one.body)).toEqual([{ body }]);
	});

	test.each<[string, unknown]>([
		['nothing', undefined],
		['an empty object', {}],
		['no ID', { senderName: 'TULIPS' }],
		['a list', [{ id: 1, senderName: 'TULIPS' }]],
	])('%s as the response: not confirmed, and never sent again', async (_, body) => {
		respond('commit-then-status', 'POST', senderNamePath, body);
		const result = await create({}, undefined, 2);
		expect(result.error).toBeUndefined();
		expect(jsonOf(result.items)).toMatchObject([{ accepted: true, confirmed: false }]);
		expect(hintsOf(result).join(' ')).toContain("its response doesn't confirm the result");
		expect(created()).toHaveLength(1);
	});

	test('a lost request is never sent again', async () => {
		fault('commit-then-reset', 'POST', senderNamePath);
		const { error } = await create({}, undefined, 3);
		expect(error?.description).toContain('It is not known whether the service carried this out');
		expect(bench.sent('POST', senderNamePath)).toBe(1);
		expect(created()).toHaveLength(1);
	});

	test('a field without a file: nothing is sent', async () => {
		const { error } = await create({ binaryPropertyNames: 'letter' });
		expect(error?.message).toContain('letter');
		expect(bench.recorded).toEqual([]);
	});

	test('any type of file is sent', async () => {
		const text = inMemory(Buffer.from('Hello'), 'hello.txt', 'text/plain');
		await create({ binaryPropertyNames: 'note' }, { json: {}, binary: { note: text } });
		expect((await bench.wire())[0]?.body).toMatchObject({
			file1: { filename: 'hello.txt', type: 'text/plain', size: 5 },
		});
	});

	test('a promotional name without files: the service rejects it', async () => {
		const { error } = await create({ commonType: 'PROMO' });
		expect(error?.description).toContain('a PROMO name needs files');
		expect(created()).toEqual([]);
	});

	test.each([
		['TWO LIPS', 'MEGAFON', '\'Sender Name\' must not contain "+" or spaces for MegaFon'],
		['TU+LIPS', 'MEGAFON', '\'Sender Name\' must not contain "+" or spaces for MegaFon'],
		['TWELVE TULIPS', 'MTS', "'Sender Name' has 13 characters, but a sender name for SMS can"],
	])('%s for %s: the interface forbids it, so nothing is sent', async (name, brand, message) => {
		const { error } = await create({ senderName: name, brand });
		expect(error?.message).toContain(message);
		expect(bench.recorded).toEqual([]);
	});

	test.each([
		['TWO LIPS', 'MTS', 'SMS'],
		['TULIPS!', 'MEGAFON', 'SMS'],
		['TWELVE TULIPS', 'MTS', 'VIBER'],
		['AB', 'MTS', 'SMS'],
	])('%s for %s and %s is sent', async (name, brand, channelType) => {
		const result = await create({ senderName: name, brand, channelType });
		expect(result.error).toBeUndefined();
		expect(bench.sent('POST', senderNamePath)).toBe(1);
		expect(hintsOf(result)).toEqual([]);
	});

	test('a field that Additional Fields replace: a hint', async () => {
		const options = { additionalFields: '{ "brand": "TELE2" }' };
		const result = await create({ brand: 'MTS', options });
		expect(hintsOf(result)).toEqual(["'Additional Fields (JSON)' replaces brand."]);
		expect(created()).toMatchObject([{ brand: 'TELE2' }]);
	});
});

test('Sender Name: Get Many lists a name that was created', async () => {
	await bench.run('senderName.create', { senderName: 'TULIPS', channelType: 'VK' });
	const { items } = await bench.run('senderName.getAll', { filters: { channel_type: 'VK' } });
	expect(jsonOf(items)).toMatchObject([{ senderName: 'TULIPS', status: 'DRAFT' }]);
});

describe('Verification: Report Flash Call Result', () => {
	beforeEach(async () => await addKnown(bench.sandbox, 1));
	const report = async (more: INodeParameters = {}, tries = 1) =>
		await bench.run('verification.reportFlashCall', { messageUuid: uuids[0], ...more }, { tries });

	test('a wrong code, without the code', async () => {
		const { items } = await report({ result: 'WRONG_CODE' });
		expect(jsonOf(items)).toEqual([
			{ messageUuid: uuids[0], result: 'WRONG_CODE', reported: true },
		]);
		expect((await bench.wire())[0]?.body).toEqual({ messageUuid: uuids[0], result: 'WRONG_CODE' });
	});

	test.each<[string, unknown]>([
		['an empty object', {}],
		['text', 'OK'],
		['the same message', { messageUuid: uuids[0] }],
	])('%s as the response: reported, because the response is not published', async (_, body) => {
		respond('commit-then-status', 'POST', flashCallPath, body);
		expect(jsonOf((await report()).items)).toMatchObject([{ reported: true }]);
	});

	test.each<[string, unknown, string]>([
		['another message', { messageUuid: 'another' }, otherThanAsked],
		['an error', { error: { code: 4000, msg: 'No' } }, 'The service rejected the request'],
	])('%s as the response: an error', async (_, body, message) => {
		respond('status', 'POST', flashCallPath, body);
		const { error, items } = await report();
		expect(error?.message).toContain(message);
		expect(items).toEqual([]);
	});

	test('a lost request is never sent again', async () => {
		fault('commit-then-reset', 'POST', flashCallPath);
		const { error } = await report({}, 3);
		expect(error?.description).toContain('It is not known whether the service carried this out');
		expect(bench.sent('POST', flashCallPath)).toBe(1);
	});
});

describe('Message: Get by its UUID', () => {
	const uuid = uuids[0] ?? '';
	const onePath = `${sendPath}/${uuid}`;
	beforeEach(async () => await addKnown(bench.sandbox, 2));
	const get = async (message_uuid = uuid) => await bench.run('message.get', { message_uuid });

	test('one request, and no list', async () => {
		const { items } = await get();
		expect(jsonOf(items)).toMatchObject([{ messageUuid: uuid, externalMessageId: 'order-1' }]);
		expect(bench.recorded.map(({ url }) => url)).toEqual([onePath]);
	});

	test.each<[string, () => unknown]>([
		['there is no such path', () => fault('status', 'GET', onePath, { status: 404, body: '' })],
		['it fails', () => fault('status', 'GET', onePath, { status: 500 })],
		['the connection is lost', () => fault('reset', 'GET', onePath)],
		['it is another message', () => respond('status', 'GET', onePath, { messageUuid: uuids[1] })],
		['it has no ID', () => respond('status', 'GET', onePath, { status: 'sent' })],
		['it is a list', () => respond('status', 'GET', onePath, [{ messageUuid: uuid }])],
		['it is a page', () => respond('status', 'GET', onePath, { total: 1, items: [] })],
		['it is empty', () => respond('status', 'GET', onePath, undefined)],
	])('%s: the list is asked, and shows the message', async (_, prepare) => {
		bench.store.settings.messagePath = 'short';
		prepare();
		const { items, error } = await get();
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ messageUuid: uuid, externalMessageId: 'order-1' }]);
		expect(bench.sent('GET', sendPath)).toBe(1);
	});

	// The second one is a custom message ID, which is not taken for a UUID.
	test.each(['nowhere', 'order-1'])('neither shows %s: there is none', async (id) => {
		const { error } = await get(id);
		expect(error?.message).toBe(`There is no message with the UUID ${id}`);
	});

	test('a service with the doubled version in its path', async () => {
		bench.store.settings.messagePath = 'literal';
		expect(jsonOf((await get()).items)).toMatchObject([{ messageUuid: uuid }]);
		expect(bench.recorded.map(({ url }) => url)).toEqual([onePath, `/api/v1/v1/message/${uuid}`]);
	});
});
