import * as bodies from './bodies.cts';
import { itemsFrom, startHost } from './host.cts';

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
		'{"items": []}',
		'{"items": [1, {}]}',
		'[[[]], [null]]',
		'',
		['text/plain', '[{"callback_event"'],
		['application/x-www-form-urlencoded', 'hello=world'],
		['application/x-www-form-urlencoded', '{"hello": "world"}'],
	])('%j is answered 400 and starts nothing', async (given) => {
		const [type, body] = Array.isArray(given) ? given : ['application/json', given];
		const headers = { 'content-type': type };
		const host = await startHost();
		expect(await host.deliver('fast', body, { headers })).toBe(400);
		expect(await host.deliver('confirmed', body, { headers })).toBe(400);
		expect(host.started).toEqual([]);
	});

	test.each([
		['', "the body is empty or isn't JSON"],
		['17', 'the body is a number instead of a list of events'],
		['null', 'the body is null instead of a list of events'],
		['{"private": "79161234567"}', 'the body names neither an event nor a message'],
		['["79161234567", {"private": 1}]', 'none of its 2 elements names an event or a message'],
	])('%s: the log says once why, and nothing of the body', async (body, reason) => {
		const host = await startHost();
		const warn = jest.spyOn(host.logger, 'warn').mockImplementation(() => undefined);
		try {
			expect(await host.post('fast', body)).toMatchObject({ status: 400 });
			const [[line]] = warn.mock.calls as [[string]];
			expect(line).toContain(`rejected a callback with 400: the body isn't a callback: ${reason}.`);
			expect(line).not.toContain('79161234567');
			expect(await host.deliver('fast', [sent, 17])).toBe(200);
			expect(warn).toHaveBeenCalledTimes(1);
		} finally {
			warn.mockRestore();
		}
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
		['a blank ID', { ...sent, message_uuid: ' ' }],
		['an ID that is null', { ...sent, message_uuid: null }],
		['an ID that is an object', { ...sent, message_uuid: { id: 17 } }],
		['an ID that is true', { ...dispatchSent, messageUuid: true }],
		['an ID whose digits JSON has rounded', { ...sent, message_uuid: 2 ** 53 }],
		['an ID that is a fraction', { ...sent, message_uuid: 0.5 }],
		['the ID of the other interface', { ...sent, message_uuid: undefined, messageUuid: 'a' }],
		['an event in capitals', { ...sent, callback_event: 'SENT' }],
		['an event that is a list', { ...sent, callback_event: ['sent'] }],
		['an event of the other interface', { ...dispatchSent, event: 'read' }],
		['a dispatch callback of an unknown event', { ...dispatchSent, event: 'failed' }],
		['a list of callbacks', [sent, delivered]],
		['a callback in a list in a list', [[sent]]],
		['callbacks under a name', { items: [sent, delivered] }],
	];
	test.each(strange)('%s, alone: kept as raw, answered 200', async (_name, element) => {
		const asReceived = JSON.parse(JSON.stringify(element)) as unknown;

		expect(await itemsFrom('fast', [element])).toEqual([unknown(asReceived)]);
	});

	const mixed = [sent, 17, { ...sent, callback_event: 'typing' }, null, 'text', delivered, [], {}];

	test('no choice of events and no filter drops them', async () => {
		expect(
			await itemsFrom('fast', mixed, {
				parameters: {
					events: ['click'],
					filters: { source: ['dispatch'], status: ['read'], externalMessageId: 'x*' },
				},
			}),
		).toEqual(mixed.filter((one) => one !== sent && one !== delivered).map(unknown));
	});

	test('garbage that was put on record by itself leaves as it is', async () => {
		const host = await startHost();
		const stored = [{ json: { isConfirmed: false, elements: [17, 'text'] } }];
		expect(await host.execute([stored])).toEqual([[unknown(17), unknown('text')]]);
	});

	test('an event whose output is gone since it was received leaves with the unrecognized ones', async () => {
		const parameters = { events: ['click'], options: { branchPerEvent: true } };
		const host = await startHost({ parameters, mode: 'retry' });
		const stored = [{ json: { isConfirmed: false, elements: [sent, bodies.click] } }];
		const [clicks, others] = await host.execute([stored]);
		expect([clicks, others]).toMatchObject([[{ event: 'linkClicked' }], [{ event: 'sent' }]]);
	});

	test('a branch of their own, when asked for', async () => {
		const host = await startHost({ parameters: { options: { unrecognised: 'branch' } } });
		await host.deliver('fast', mixed);
		const [[events, others]] = host.started;
		expect(events.map(({ event }) => event)).toEqual(['sent', 'deliveryResult']);
		expect(others).toEqual(mixed.filter((one) => one !== sent && one !== delivered).map(unknown));
	});

	test('with raw output they are told from the others just the same', async () => {
		expect(await itemsFrom('fast', [sent, 17], { parameters: { output: 'raw' } })).toEqual([
			sent,
			unknown(17),
		]);
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
});
