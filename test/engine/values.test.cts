import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { useMessaging } from '../messaging/messages.cts';
import { plainRow as messagingRow } from '../messaging/table/plain.cts';
import { withField } from '../nodes/plain.cts';
import { plainRow as partnerRow } from '../partner/table/plain.cts';
import { byId, useSandbox, type NodeResult } from '../support/sandbox.cts';

const partner = useSandbox();
const messaging = useMessaging();
const { flowers } = demo.companies;

/** Operations that begin with one of these belong to the partner node. */
const partnerOperations = /^(?:blacklist|company|dispatch|document|price|sender)\./;
const benchOf = (operation: string) => (partnerOperations.test(operation) ? partner : messaging);

const parametersOf = (operation: string): INodeParameters => {
	const { parameters } = (partnerOperations.test(operation) ? partnerRow : messagingRow)(operation);
	return parameters;
};

const run = async (operation: string, field: string, value: unknown, items: IDataObject[] = [{}]) =>
	await benchOf(operation).run(operation, withField(parametersOf(operation), field, value), {
		items,
	});

/** Nothing at all: not even a log-in. */
const expectNothingSent = async (operation: string) =>
	expect(await benchOf(operation).everything()).toEqual([]);

const bodyOf = async (operation: string) =>
	(await benchOf(operation).wire()).find(({ body }) => body !== undefined)?.body as IDataObject;

/** Every way in which an expression, or the screen, can give no value. */
const empties: Array<[string, unknown]> = [
	['a direct reference to a field that is not there', '={{ $json.nothing }}'],
	['a path that breaks off', '={{ $json.deep.nothing }}'],
	['a computed undefined', '={{ undefined }}'],
	['null', '={{ null }}'],
	['null of the item', '={{ $json.null }}'],
	['an empty text', '={{ "" }}'],
	['blanks', '={{ " \\t" }}'],
	['blanks of the item', '={{ $json.blank }}'],
	['an empty expression', '='],
	['an empty field', ''],
];
const emptyItem = { null: null, blank: '  ' };

const noNumbers: Array<[string, unknown]> = [
	['NaN', '={{ $json.nothing * 1 }}'],
	['Infinity', '={{ 1 / 0 }}'],
	['an object', '={{ $json.object }}'],
	['a list', '={{ $json.list }}'],
	['true', '={{ true }}'],
	['a comma', '={{ $json.comma }}'],
	['words', '={{ "abc" }}'],
	['a hexadecimal number', '={{ "0x10" }}'],
	['an exponent', '={{ "1e3" }}'],
	['a Date', '={{ new Date(0) }}'],
];
const oddItem = { object: { a: 1 }, list: [1], comma: '8,70' };

/** Operation, field, and its name on the screen. */
const numbers: Array<[string, string, string]> = [
	['dispatch.send', 'priceLimit', 'Price Limit'],
	['dispatch.send', 'options.minimumPeople', 'Minimum Accepted (Recipients)'],
	['dispatch.send', 'options.minimumAccepted', 'Minimum Accepted (%)'],
	['dispatch.create', 'options.batchSize', 'Batch Size'],
	['dispatch.waitForCompletion', 'limitMinutes', 'Wait at Most (Minutes)'],
	['company.create', 'additionalFields.budget', 'Monthly Budget'],
	['company.update', 'updateFields.budget', 'Monthly Budget'],
	['company.getAll', 'limit', 'Limit'],
	['sender.create', 'additionalFields.countryId', 'Country ID'],
	['price.estimateCost', 'recipients', 'Recipients'],
	['message.getAll', 'limit', 'Limit'],
	['message.send', 'options.ttl', 'Time to Live (Seconds)'],
	['message.sendAndWait', 'limitHours', 'Wait at Most (Hours)'],
	['account.getBalance', 'threshold.below', 'Minimum'],
];
const isGroup = (field: string) => field === 'threshold.below';
const inGroup = (field: string, value: unknown) =>
	isGroup(field) ? { minimum: value, currency: 'RUB' } : value;

const isRemovable = (field: string) => field.includes('.') && !isGroup(field);

describe.each(numbers)('%s: %s', (operation, field, displayName) => {
	test.each(empties)('refuses %s', async (_, value) => {
		const { error } = await run(operation, field, inGroup(field, value), [emptyItem]);
		const complaint =
			operation === 'price.estimateCost' || field === 'priceLimit'
				? 'is required'
				: `is empty. Enter a number${isRemovable(field) ? ', or remove the field' : ''}`;
		expect(error?.message).toBe(`'${displayName}' ${complaint}`);
		expect(error?.description).toMatch(/^Nothing was (?:sent|done)\.$/);
		await expectNothingSent(operation);
	});

	test.each(noNumbers)('refuses %s', async (_, value) => {
		const { error } = await run(operation, field, inGroup(field, value), [oddItem]);
		expect(error?.message).toMatch(/^'[^']+' must be a number, but is /);
		expect(error?.message.startsWith(`'${displayName}' `)).toBe(true);
		await expectNothingSent(operation);
	});
});

test('a limit that only a later item spoils stops before anything is created', async () => {
	const parameters = {
		...parametersOf('dispatch.send'),
		name: '={{ $json.name }}',
		priceLimit: '={{ $json.limit }}',
	};
	const items = [{ name: 'A', limit: 1000 }, { name: 'A', limit: 1000 }, { name: 'B' }];
	const { error } = await partner.run('dispatch.send', parameters, { items });
	expect(error?.message).toBe("'Price Limit' is required");
	expect(error?.context?.item).toBe(3);
	await expectNothingSent('dispatch.send');
});

test('with Continue, a dispatch whose first item has no limit is not sent, and others are', async () => {
	const parameters = {
		...parametersOf('dispatch.send'),
		text: 'Hello',
		recipients: 'items',
		destination: '={{ $json.phone }}',
		priceLimit: '={{ $json.limit }}',
		name: '=Dispatch {{ $itemIndex }}',
	};
	const items = [{ phone: '79161234567', limit: 1000 }, { phone: '79161234568' }];
	const { items: output } = await partner.run('dispatch.send', parameters, {
		items,
		onError: 'continueRegularOutput',
	});
	expect(output.map(({ json }) => json)).toEqual([
		expect.objectContaining({ started: true, recipients: 1, onTheWay: 1 }),
		{
			phone: '79161234568',
			error: expect.stringContaining("'Price Limit' is required. ") as string,
		},
	]);
});

test.each([
	['Price Limit', 'priceLimit', -0.01, 'must be at least 0, but is -0.01'],
	['Minimum Accepted (Recipients)', 'options.minimumPeople', -1, 'must be at least 0, but is -1'],
	['Minimum Accepted (%)', 'options.minimumAccepted', -1, 'must be at least 0, but is -1'],
	['Minimum Accepted (%)', 'options.minimumAccepted', 150, 'must be at most 100, but is 150'],
])('the range of "%s" also holds for an expression', async (name, field, value, complaint) => {
	for (const given of [value, '={{ $json.value }}', `={{ ${value} }}`]) {
		const { error } = await run('dispatch.send', field, given, [{ value }]);
		expect(error?.message).toBe(`'${name}' ${complaint}`);
	}
	await expectNothingSent('dispatch.send');
});

test.each([
	['8.70', 8.7],
	[' 12 ', 12],
	['+5', 5],
	['.5', 0.5],
	['0', 0],
])('numeric text %j is a number', async (text, expected) => {
	const { error } = await run('company.update', 'updateFields', { budget: '={{ $json.budget }}' }, [
		{ budget: text },
	]);
	expect(error).toBeUndefined();
	expect(await bodyOf('company.update')).toEqual({ budget: expected });
});

test('an ID that JavaScript would round is refused', async () => {
	const { error } = await partner.run('company.get', { companyId: byId('90071992547409931') });
	expect(error?.message).toBe('\'Company\' is too large: "90071992547409931"');
	await expectNothingSent('company.get');
});

describe('an optional text that is added and empty is left out', () => {
	test.each(empties)('%s', async (_, value) => {
		const created = await run(
			'company.create',
			'additionalFields',
			{ counteragentAddress: value, counteragentKpp: value, budget: 1 },
			[emptyItem],
		);
		expect(created.error).toBeUndefined();
		const { company } = (await bodyOf('company.create')) as { company: IDataObject };
		expect(Object.keys(company)).toEqual(['name', 'counteragentType', 'counteragentInn']);

		partner.forget();
		const updated = await run(
			'company.update',
			'updateFields',
			{ name: value, actualAddress: value, status: value, budget: 5 },
			[emptyItem],
		);
		expect(updated.error).toBeUndefined();
		expect(await bodyOf('company.update')).toEqual({ budget: 5 });

		partner.forget();
		const nothing = await run('company.update', 'updateFields', { actualAddress: value }, [
			emptyItem,
		]);
		expect(nothing.error?.message).toBe(
			"'Update Fields' is empty. Add at least one field to change",
		);
		await expectNothingSent('company.update');
	});

	test.each(empties)('of a sender name and of a message: %s', async (_, value) => {
		const documents = { document: [{ documentId: { __rl: true, mode: 'id', value } }] };
		const updated = await run(
			'sender.update',
			'updateFields',
			{ senderName: value, commonType: 'PROMO', documentIds: documents },
			[emptyItem],
		);
		expect(updated.error).toBeUndefined();
		// Not an empty list: that would take all documents away.
		expect(await bodyOf('sender.update')).toEqual({ commonType: 'PROMO' });

		const options = { tags: value, callbackUrl: value, trafficType: value, shortUrl: false };
		const sent = await run('message.send', 'options', options, [emptyItem]);
		expect(sent.error).toBeUndefined();
		const [message] = (await bodyOf('message.send')) as unknown as IDataObject[];
		expect(Object.keys(message ?? {})).toEqual(expect.arrayContaining(['shortUrl', 'content']));
		for (const name of Object.keys(options).slice(0, 3)) expect(message).not.toHaveProperty(name);
	});
});

describe('a time that decides when something is sent', () => {
	test.each([
		['message.send', 'options.localSendTime', 'Send At', true],
		['message.send', 'options.localCompletionTime', 'Send No Later Than', true],
		['sender.update', 'updateFields.dateFrom', 'Valid From', true],
		['sender.update', 'updateFields.dateTo', 'Valid Until', true],
		['message.send', 'options.hours', 'Hours', true],
		['message.send', 'options.days', 'Weekdays', true],
		['dispatch.create', 'options.schedule.when.startAt', 'Start At', false],
	])('%s refuses an empty %s', async (operation, field, displayName, isRemovableField) => {
		for (const [, value] of empties) {
			const { error } = await run(operation, field, value, [emptyItem]);
			expect(error?.message).toMatch(new RegExp(`^'${displayName}' is (?:empty|required)`));
			expect(error?.message.endsWith(', or remove the field')).toBe(isRemovableField);
			await expectNothingSent(operation);
		}
	});

	test('in a filter it is left out', async () => {
		for (const [, value] of empties) {
			messaging.forget();
			const filters = { time_from: value, time_to: value };
			const { error } = await run('message.getAll', 'filters', filters, [emptyItem]);
			expect(error).toBeUndefined();
			const [request] = await messaging.wire();
			const names = new Set(request?.query?.map(([name]) => name));
			expect([...names]).toEqual(['direction', 'page', 'per_page']);
		}
	});
});

describe('a start in the past', () => {
	const hintsOf = ({ run: { data } }: NodeResult) =>
		(data.resultData.runData.Tested?.at(-1)?.hints ?? []).map(({ message }) => message);
	const two = [{ at: '2020-01-01 10:00' }, { at: '2020-01-02 10:00' }];
	const past = '={{ $json.at }}';
	const hint = (name: string) => `'${name}' is in the past. The service may send at once.`;

	test('Start At: one hint for all dispatches, and they are created', async () => {
		const when = { startAt: past, hours: [10], days: [1] };
		const result = await benchOf('dispatch.create').run(
			'dispatch.create',
			{
				...withField(parametersOf('dispatch.create'), 'options', { schedule: { when } }),
				name: '=Dispatch {{ $itemIndex }}',
				ifSent: 'anyway',
			},
			{ items: two },
		);
		expect(result.error).toBeUndefined();
		const hints = hintsOf(result);
		expect(hints.filter((one) => one === hint('Start At'))).toHaveLength(1);
		expect(hints.filter((one) => one.startsWith('This run made 2 dispatches.'))).toHaveLength(1);
	});
});

describe('choices by expression', () => {
	test.each([
		[' sms ', 'SMS'],
		['whatsapp', 'WHATSAPP'],
		['Viber', 'VIBER'],
		['text to speech', 'TEXT_TO_SPEECH'],
		['Flash Call', 'FLASHCALL'],
		[' max ', 'MAX'],
	])('channel %j is %s', async (given, expected) => {
		for (const channelType of ['={{ $json.channel }}', `={{ ${JSON.stringify(given)} + "" }}`]) {
			messaging.forget();
			await run('message.send', 'channelType', channelType, [{ channel: given }]);
			const [message] = (await bodyOf('message.send')) as unknown as IDataObject[];
			expect(message?.channelType).toBe(expected);
		}
	});

	test.each([
		['sender.create', 'brand', ' tele2 ', 'brand', 'TELE2'],
		['company.create', 'counteragentType', 'sole proprietor', 'company', 'INDIVIDUAL'],
		['company.update', 'updateFields.status', 'disabled', 'status', 'DISABLED'],
	])('%s: %s = %j', async (operation, field, value, name, expected) => {
		await run(operation, field, '={{ $json.value }}', [{ value }]);
		const found = (await bodyOf(operation))[name];
		expect(typeof found === 'object' ? (found as IDataObject).counteragentType : found).toBe(
			expected,
		);
	});

	test('several, each by itself', async () => {
		const filters = { brand: '={{ ["mts", " Beeline "] }}', channelType: '={{ "sms, max" }}' };
		const { error } = await partner.run('sender.getAll', { companyId: byId(flowers), filters });
		expect(error).toBeUndefined();
		expect((await partner.wire())[0]?.query).toEqual([
			['brand', 'MTS'],
			['brand', 'BEELINE'],
			['channelType', 'SMS'],
			['channelType', 'MAX'],
			['companyId', String(flowers)],
		]);
	});

	test('weekdays by name', async () => {
		await run('message.send', 'options', { days: '={{ ["Monday", "sunday", "3"] }}' });
		const [message] = (await bodyOf('message.send')) as unknown as IDataObject[];
		expect(message?.days).toEqual([1, 7, 3]);
	});

	test('hours by name, from the first on', async () => {
		await run('message.send', 'options', { hours: '={{ ["00:00–00:59", "23", 9] }}' });
		const [message] = (await bodyOf('message.send')) as unknown as IDataObject[];
		expect(message?.hours).toEqual([0, 23, 9]);
	});

	test.each([
		['sender.create', 'brand', '={{ "MTSS" }}', "'Operator' must be one of BEELINE, MEGAFON"],
		['company.update', 'updateFields.status', '={{ "ON" }}', "'Status' must be one of ACTIVE"],
		['sender.getAll', 'filters.brand', '={{ ["MTS", "M"] }}', "'Operators' must be one of"],
		['sender.getAll', 'filters.brand', '={{ [null] }}', "'Operators' must be text, but is null"],
		['sender.getAll', 'filters.brand', '={{ [{}] }}', "'Operators' must be text"],
		[
			'message.send',
			'contentFormat',
			'={{ "html" }}',
			"'Content' must be one of fields, json, text",
		],
		['message.send', 'contentFormat', '={{ null }}', "'Content' is empty. Choose a value"],
		['message.send', 'channelType', '={{ $json.x }}', "'Channel' is required"],
		[
			'message.sendCascade',
			'cascade.step.0.channelType',
			'={{ $json.x }}',
			"'Channel' is required",
		],
		['account.getBalance', 'output', '={{ null }}', "'Output' is empty. Choose a value"],
	])('%s refuses %s = %s', async (operation, field, value, message) => {
		const { error } = await run(operation, field, value);
		expect(error?.message.slice(0, message.length)).toBe(message);
		await expectNothingSent(operation);
	});
});

describe('booleans', () => {
	test.each([
		['={{ " TRUE " }}', true],
		['={{ "False" }}', false],
		['={{ 1 }}', true],
		['={{ 0 }}', false],
		['={{ "false" }}', false],
	])('%s is %s', async (value, expected) => {
		const { error } = await run('message.send', 'options', { shortUrl: value });
		expect(error).toBeUndefined();
		const [message] = (await bodyOf('message.send')) as unknown as IDataObject[];
		expect(message?.shortUrl).toBe(expected);
	});

	test.each(['yes', '1', 'on', 2, NaN, [true], {}])('%j is refused', async (value) => {
		const given = typeof value === 'number' ? `={{ ${value} }}` : '={{ $json.value }}';
		const { error } = await run('message.send', 'options', { useLocalTime: given }, [
			{ value } as IDataObject,
		]);
		expect(error?.message).toContain("'Use Recipient's Time' must be true or false, but is ");
		await expectNothingSent('message.send');
	});

	test.each(empties)('an added one that gives nothing is refused: %s', async (_, value) => {
		const { error } = await run('message.send', 'options', { shortUrl: value }, [emptyItem]);
		expect(error?.message).toBe(
			"'Shorten Links' is empty. Enter true or false, or remove the field",
		);
		const strict = await run('dispatch.send', 'waitUntilDelivered', value, [emptyItem]);
		expect(strict.error?.message).toBe("'Wait Until Delivered' is empty. Enter true or false");
		await expectNothingSent('message.send');
		await expectNothingSent('dispatch.send');
	});
});

describe('texts', () => {
	test.each([
		['NaN', '={{ NaN }}', 'must be text, but is the result of a calculation that failed'],
		['Infinity', '={{ 1 / 0 }}', 'must be text, but is the result of a calculation that failed'],
		['an object', '={{ $json }}', 'must be text, but is an object'],
		['a list', '={{ [1] }}', 'must be text, but is a list'],
		['an invalid Date', '={{ new Date(NaN) }}', 'must be text, but is an invalid date'],
	])('refused: %s', async (_, value, complaint) => {
		for (const [operation, field, name] of [
			['message.send', 'text', 'Text'],
			['company.update', 'updateFields.actualAddress', 'Actual Address'],
		] as const) {
			const { error } = await run(operation, field, value);
			expect(error?.message).toBe(`'${name}' ${complaint}`);
			await expectNothingSent(operation);
		}
	});

	test.each([
		['a Date', '={{ new Date(0) }}', '1970-01-01T00:00:00.000Z'],
		[
			'a DateTime',
			'={{ DateTime.fromISO("2026-06-01T10:00:00+02:00", { setZone: true }) }}',
			'2026-06-01T10:00:00.000+02:00',
		],
		['a number', '={{ 42 }}', '42'],
		['true', '={{ true }}', 'true'],
	])('%s becomes text', async (_, value, expected) => {
		await run('message.send', 'text', value);
		const [message] = (await bodyOf('message.send')) as unknown as IDataObject[];
		expect(message?.content).toBe(expected);
	});
});

describe('a byte order mark at the start of a text', () => {
	const mark = '\uFEFF';
	test.each([
		['message.send', 'text', `${mark}Hello`, { content: 'Hello' }],
		['message.send', 'text', '={{ $json.text }}', { content: 'Hello' }],
		['dispatch.create', 'text', `${mark}Hello`, { text: 'Hello' }],
		['dispatch.create', 'text', '={{ $json.text }}', { text: 'Hello' }],
	])('%s: %s is sent without it (%j)', async (operation, field, value, expected) => {
		await run(operation, field, value, [{ text: `${mark}Hello` }]);
		const body = await bodyOf(operation);
		expect(Array.isArray(body) ? body[0] : body).toMatchObject(expected);
	});
});
