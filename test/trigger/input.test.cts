import * as bodies from './bodies.cts';
import { startHost } from './host.cts';

const { sent, delivered, dispatchSent } = bodies;
const unknown = (raw: unknown) => ({ event: 'unknown', raw });

describe('a body that is no callback at all', () => {
	test.each([
		'"text"',
		'17',
		'null',
		'true',
		'{}',
		'[[]]',
		'[{}]',
		'[1, "two", null]',
		'{"hello": "world"}',
		'[{"hello": "world"}]',
		'{"__proto__": {"event": "sent"}}',
		'{"constructor": {"event": "sent"}}',
	])('%s is answered 400 and starts nothing', async (body) => {
		const host = await startHost();
		expect(await host.post('fast', body)).toMatchObject({ status: 400 });
		expect(await host.post('confirmed', body)).toMatchObject({ status: 400 });
		await host.settled();
		expect(host.started).toEqual([]);
	});

	test.each([
		['nothing', 'application/json', ''],
		['broken JSON called text', 'text/plain', '[{"callback_event"'],
		['a form', 'application/x-www-form-urlencoded', 'callback_event=sent'],
	])('%s', async (_, type, body) => {
		const host = await startHost();
		const headers = { 'content-type': type };
		expect(await host.post('fast', body, { headers })).toMatchObject({ status: 400 });
		await host.settled();
		expect(host.started).toEqual([]);
	});
});

test('an empty array has nothing to lose: 200, so that it is not sent again for a day, and nothing starts', async () => {
	const host = await startHost();
	expect(await host.post('fast', [])).toMatchObject({ status: 200 });
	expect(await host.post('confirmed', [])).toMatchObject({ status: 200 });
	expect(host.started).toEqual([]);
});

describe('elements that cannot be understood', () => {
	const strange: Array<[string, unknown]> = [
		['an event nobody has heard of', { ...sent, callback_event: 'typing' }],
		['an event called like a method', { ...sent, callback_event: 'constructor' }],
		['an event called like a prototype', { ...sent, callback_event: '__proto__' }],
		['a message without an ID', { ...sent, message_uuid: undefined }],
		['an empty ID', { ...sent, message_uuid: '' }],
		['an ID that is a number', { ...sent, message_uuid: 17 }],
		['a status that is an object', { ...sent, status: {} }],
		['no time', { ...sent, status_time: null }],
		['an event that is a list', { ...sent, callback_event: ['sent'] }],
		['a price that is a text', { ...bodies.price, price: '3.14' }],
		['a click without its link', { ...bodies.click, url: undefined }],
		['an inbound message without its message', { ...bodies.inbound, item: 'Are tulips in?' }],
		['a dispatch callback of an unknown event', { ...dispatchSent, event: 'failed' }],
		['a dispatch callback without a number', { ...dispatchSent, destination: undefined }],
	];
	test.each(strange)('%s, alone: kept as raw, answered 200', async (_name, element) => {
		const host = await startHost();
		const asReceived = JSON.parse(JSON.stringify(element)) as unknown;

		expect(await host.post('fast', [element])).toMatchObject({ status: 200 });

		await host.settled();
		expect(host.items).toEqual([unknown(asReceived)]);
	});

	const mixed = [sent, 17, { ...sent, callback_event: 'typing' }, null, 'text', delivered, [], {}];

	test('valid elements beside them are delivered, in their places', async () => {
		const host = await startHost();

		expect(await host.post('confirmed', mixed)).toMatchObject({ status: 200 });

		const [a, , , , , f] = mixed;
		expect(host.items).toEqual(
			mixed.map((element) =>
				element === a || element === f
					? expect.objectContaining({ messageUuid: sent.message_uuid, source: 'message' })
					: unknown(element),
			),
		);
	});

	test('no choice of events and no filter drops them', async () => {
		const host = await startHost({
			parameters: {
				events: ['click'],
				filters: { source: ['dispatch'], status: ['read'], externalMessageId: 'x*' },
			},
		});
		await host.post('fast', mixed);
		await host.settled();
		expect(host.items).toEqual(
			mixed.filter((one) => one !== sent && one !== delivered).map(unknown),
		);
	});

	test('a branch of their own, when asked for', async () => {
		const host = await startHost({ parameters: { options: { unrecognised: 'branch' } } });
		await host.post('fast', mixed);
		await host.settled();
		const [[events, others]] = host.started;
		expect(events.map(({ event }) => event)).toEqual(['sent', 'delivered']);
		expect(others).toEqual(mixed.filter((one) => one !== sent && one !== delivered).map(unknown));
	});

	test('with raw output they are told from the others just the same', async () => {
		const host = await startHost({ parameters: { output: 'raw' } });
		await host.post('fast', [sent, 17]);
		await host.settled();
		expect(host.items).toEqual([sent, unknown(17)]);
	});
});

describe('bodies meant to do harm', () => {
	const post = async (body: string) => {
		const host = await startHost();
		const { status } = await host.post('fast', body);
		await host.settled();
		return { status, items: host.items };
	};

	test('prototype keys change no prototype, and are kept', async () => {
		const hostile = `{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}, ${JSON.stringify(sent).slice(1)}`;
		const { status, items } = await post(
			`[${hostile}, {"callback_event": "x", "__proto__": {"polluted": 1}}]`,
		);
		expect(status).toBe(200);
		expect(items).toHaveLength(2);
		expect(items[0]).toMatchObject({ event: 'sent' });
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
		expect((items[1].raw as Record<string, unknown>).polluted).toBeUndefined();
		expect(Object.keys(items[1].raw as object)).toContain('__proto__');
	});

	test.each([100, 5_000])(
		'nested %s deep: the good element beside it is delivered',
		async (depth) => {
			const deep = '['.repeat(depth) + ']'.repeat(depth);
			const { status, items } = await post(`[${deep}, ${JSON.stringify(sent)}]`);
			expect(status).toBe(200);
			expect(items).toMatchObject([{ event: 'unknown' }, { event: 'sent' }]);
			expect(JSON.stringify(items)).toContain('nested too deeply');
		},
	);

	test('an event with a deeply nested field is still the event', async () => {
		const deep = '{"a":'.repeat(3_000) + '1' + '}'.repeat(3_000);
		const { status, items } = await post(`[{"extra": ${deep}, ${JSON.stringify(sent).slice(1)}]`);
		expect(status).toBe(200);
		expect(items).toMatchObject([{ event: 'sent', messageUuid: sent.message_uuid }]);
	});

	test('10,000 events in one array', async () => {
		const events = Array.from({ length: 10_000 }, (_, index) => ({
			...sent,
			message_uuid: `m${index}`,
		}));
		const { status, items } = await post(JSON.stringify(events));
		expect(status).toBe(200);
		expect(items.map(({ messageUuid }) => messageUuid)).toEqual(
			events.map((one) => one.message_uuid),
		);
	});

	test('fields of megabytes', async () => {
		const long = 'x'.repeat(4_000_000);
		const { status, items } = await post(
			JSON.stringify([{ ...sent, message_uuid: long, status_time: long }]),
		);
		expect(status).toBe(200);
		expect(items).toMatchObject([{ event: 'sent' }]);
	});
});
