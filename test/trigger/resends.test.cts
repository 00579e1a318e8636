import { setTimeout as pause } from 'node:timers/promises';
import * as bodies from './bodies.cts';
import { startHost, type Address } from './host.cts';

const { sent, click, dispatchSent } = bodies;
const addresses: Address[] = ['fast', 'confirmed'];

/** What n8n is in the middle of when a copy comes: storing the execution, or running the workflow. */
const step = (address: Address) => (address === 'fast' ? 'record' : 'work');

/** A step that the first call reaches and does not leave before the test says so. */
const gate = () => {
	let open: () => void = () => undefined;
	let arrive: () => void = () => undefined;
	const opened = new Promise<void>((resolve) => (open = resolve));
	const reached = new Promise<void>((resolve) => (arrive = resolve));
	let times = 0;
	const pass = async () => {
		if (times++ > 0) return;
		arrive();
		await opened;
	};
	return { open, reached, pass, times: () => times };
};

const numbered = (count: number, from = 0) =>
	Array.from({ length: count }, (_, index) => ({ ...sent, message_uuid: `m${from + index}` }));

describe.each(addresses)('on the address %s', (address) => {
	test.each([
		['a callback of a message', [sent]],
		['a callback of a dispatch', dispatchSent],
		['one that cannot be understood', [{ ...sent, callback_event: 'typing' }]],
	])('%s that comes again is answered 200 and starts nothing', async (_, body) => {
		const host = await startHost();
		for (let time = 0; time < 4; time++) {
			expect(await host.deliver(address, body)).toBe(200);
		}
		expect(host.started).toHaveLength(1);
	});

	test('of an array only the new ones start', async () => {
		const host = await startHost();
		await host.deliver(address, numbered(3));
		await host.deliver(address, numbered(5));
		const ids = host.started.map(([items]) => items.map(({ messageUuid }) => messageUuid));
		expect(ids).toEqual([
			['m0', 'm1', 'm2'],
			['m3', 'm4'],
		]);
	});

	test('equal elements of one array all leave, and start nothing when the array comes again', async () => {
		const host = await startHost();
		const repeated = [click, sent, click, 17, click, 17];
		for (let time = 0; time < 3; time++) {
			expect(await host.deliver(address, repeated)).toBe(200);
		}
		expect(host.started).toHaveLength(1);
		expect(host.items.map(({ event }) => event)).toEqual([
			'linkClicked',
			'sent',
			'linkClicked',
			'unknown',
			'linkClicked',
			'unknown',
		]);
	});

	test('one more of the same in a later array is new', async () => {
		const host = await startHost();
		for (const body of [[click], [click, click], [sent, click, click, click], [click, click]]) {
			expect(await host.deliver(address, body)).toBe(200);
		}
		expect(host.started.map(([items]) => items.map(({ event }) => event))).toEqual([
			['linkClicked'],
			['linkClicked'],
			['sent', 'linkClicked'],
		]);
	});

	test('which of the same it is does not depend on what a filter leaves out between them', async () => {
		const filters = { channelType: ['SMS'] };
		const host = await startHost({ parameters: { filters } });
		const inSms = { ...click, channel_type: 'SMS' };
		await host.deliver(address, [click, inSms]);
		await host.deliver(address, [inSms, inSms]);
		// The second of the two was seen in the first call, the first one was not.
		expect(host.started).toHaveLength(2);
		expect(host.items).toHaveLength(2);
	});

	test('twenty copies at the same moment: one starts, the others are not told that all is well', async () => {
		const { open, reached, pass, times } = gate();
		const host = await startHost({ [step(address)]: pass });
		const first = host.post(address, [sent]);
		await reached;
		const copies = await Promise.all(
			Array.from({ length: 20 }, async () => await host.post(address, [sent])),
		);
		expect(new Set(copies.map(({ status }) => status))).toEqual(new Set([503]));
		expect(copies[0].headers.get('retry-after')).toBe('60');
		open();
		expect(await first).toMatchObject({ status: 200 });
		await host.settled();

		expect(await host.deliver(address, [sent])).toBe(200);
		expect(times()).toBe(1);
		expect(host.items).toHaveLength(1);
	});

	test('an array with something that is being worked on waits for its next turn as a whole', async () => {
		const { open, reached, pass } = gate();
		const host = await startHost({ [step(address)]: pass });
		const one = host.post(address, numbered(1));
		await reached;
		expect(await host.post(address, numbered(3))).toMatchObject({ status: 503 });
		open();
		expect(await one).toMatchObject({ status: 200 });
		await host.settled();
		expect(await host.deliver(address, numbered(3))).toBe(200);
		expect(host.items.map(({ messageUuid }) => messageUuid)).toEqual(['m0', 'm1', 'm2']);
	});

	test.each([
		['a callback', [sent]],
		['an array of the same', [click, click]],
	])('%s that n8n could not put on record does not count as seen', async (_, body) => {
		let works = false;
		const host = await startHost({
			record: async () => {
				if (!works) throw new Error('the disk is full');
			},
		});
		expect(await host.deliver(address, body)).toBe(500);
		expect(await host.deliver(address, body)).toBe(500);
		works = true;
		expect(await host.deliver(address, body)).toBe(200);
		expect(host.started).toHaveLength(1);
		expect(host.items).toHaveLength(body.length);
	});

	test('a caller that hangs up before the answer: no second run beside the first, and none after it ended well', async () => {
		const { open, reached, pass, times } = gate();
		const host = await startHost({ [step(address)]: pass });
		const abort = new AbortController();
		const first = host.post(address, [sent], { signal: abort.signal });
		await reached;
		abort.abort();
		await expect(first).rejects.toThrow();
		await pause(20);
		expect(await host.post(address, [sent])).toMatchObject({ status: 503 });
		open();
		await host.settled();
		expect(await host.deliver(address, [sent])).toBe(200);
		expect(times()).toBe(1);
		expect(host.items).toHaveLength(1);
	});

	test('no more is remembered than is asked for', async () => {
		const host = await startHost({ parameters: { options: { rememberKeys: 100 } } });
		await host.deliver(address, numbered(100));
		await host.deliver(address, numbered(50, 100));
		expect(host.started).toHaveLength(2);
		// The last hundred are m50 to m149.
		await host.deliver(address, numbered(100, 50));
		expect(host.started).toHaveLength(2);
		await host.deliver(address, numbered(50));
		expect(host.started).toHaveLength(3);
	});

	test('nothing is remembered longer than is asked for', async () => {
		const now = jest.spyOn(Date, 'now');
		try {
			const host = await startHost({ parameters: { options: { rememberHours: 2 } } });
			const begun = Date.UTC(2026, 2, 2);
			const after = async (hours: number) => {
				now.mockReturnValue(begun + hours * 3_600_000);
				await host.deliver(address, [sent]);
				return host.started.length;
			};
			expect(await after(0)).toBe(1);
			expect(await after(1.9)).toBe(1);
			expect(await after(2.1)).toBe(2);
		} finally {
			now.mockRestore();
		}
	});

	test('what is tried out in the editor may be sent again and again', async () => {
		const host = await startHost({ mode: 'manual' });
		for (let time = 0; time < 3; time++) await host.deliver(address, [sent]);
		expect(host.items).toHaveLength(3);
		expect(host.row.questions).toBe(0);
	});

	test('another trigger has its own memory', async () => {
		const [one, other] = [await startHost(), await startHost()];
		await one.post(address, [sent]);
		await other.post(address, [sent]);
		await Promise.all([one.settled(), other.settled()]);
		expect([one.started, other.started].map(({ length }) => length)).toEqual([1, 1]);
	});
});

describe('confirmed', () => {
	test('a workflow that fails is answered 500, and the resend starts it again, until it has ended well', async () => {
		let attempts = 0;
		const host = await startHost({
			work: async () => {
				if (++attempts < 3) throw new Error('no luck');
			},
		});
		const statuses = [];
		for (let time = 0; time < 5; time++)
			statuses.push((await host.post('confirmed', [sent])).status);
		expect(statuses).toEqual([500, 500, 200, 200, 200]);
		expect(attempts).toBe(3);
	});

	test('a caller that hangs up and a run that fails: the resend starts it again', async () => {
		const { open, reached, pass, times } = gate();
		const host = await startHost({
			work: async () => {
				await pass();
				if (times() === 1) throw new Error('no luck');
			},
		});
		const abort = new AbortController();
		const first = host.post('confirmed', [sent], { signal: abort.signal });
		await reached;
		abort.abort();
		await expect(first).rejects.toThrow();
		open();
		await host.settled();
		expect(await host.post('confirmed', [sent])).toMatchObject({ status: 200 });
		expect(times()).toBe(2);
	});

	test('nothing is kept in the table of n8n: only an ended workflow counts', async () => {
		const host = await startHost();
		await host.post('confirmed', [sent]);
		expect(host.row.questions).toBe(0);
	});

	test('seen on one address is seen on the other', async () => {
		const host = await startHost();
		await host.post('confirmed', [sent]);
		await host.deliver('fast', [sent]);
		expect(host.started).toHaveLength(1);
	});
});

describe('fast: what the process has forgotten, n8n has on record', () => {
	/** As after a restart: another memory, the same table. */
	const stored = async (host: Awaited<ReturnType<typeof startHost>>, body: unknown[]) =>
		await host.execute([[{ json: { isConfirmed: false, elements: body as never } }]]);

	/** What is recorded is asked for again after a while; that would count as a question. */
	const stopClock = () => jest.spyOn(performance, 'now').mockReturnValue(performance.now());
	afterEach(() => jest.restoreAllMocks());

	test('a resend after a restart gives no items', async () => {
		const host = await startHost();
		await host.deliver('fast', numbered(2));
		expect(await stored(host, numbered(3))).toEqual([
			[expect.objectContaining({ messageUuid: 'm2' })],
		]);
		expect(await stored(host, numbered(3))).toEqual([[]]);
	});

	test('equal elements of one array are each on record', async () => {
		const host = await startHost();
		await host.deliver('fast', [click]);
		await host.deliver('fast', [click, click, 17, 17]);
		expect(host.items).toHaveLength(4);
		// As the executions of an earlier version, which wrote no keys down.
		expect(await stored(host, [click, 17, click, 17])).toEqual([[]]);
		expect((await stored(host, [click, click, click]))[0]).toHaveLength(1);
	});

	test('two processes that write the first keys at the same moment: nothing is lost', async () => {
		stopClock();
		const host = await startHost();
		host.row.keys = [];
		host.row.failures = 2;
		expect((await stored(host, numbered(1)))[0]).toHaveLength(1);
		expect(host.row.questions).toBe(3);
	});

	test('what another process has overwritten is recorded again', async () => {
		const host = await startHost();
		await stored(host, numbered(2));
		expect(host.row.keys).toHaveLength(2);
		const overwrite = () => {
			// It had read the row before these two were in it.
			host.row.keys = ['of another process'];
		};
		overwrite();
		// The database has lost them for a moment; this process has not.
		expect(await stored(host, numbered(2))).toEqual([[]]);
		for (let times = 0; times < 3; times++) {
			overwrite();
			while (host.row.keys?.length !== 3) await pause(20);
		}
		expect(await stored(host, numbered(2))).toEqual([[]]);
	});

	test('a database that never answers: rather twice than never', async () => {
		stopClock();
		const host = await startHost();
		host.row.failures = 100;
		expect((await stored(host, numbered(2)))[0]).toHaveLength(2);
		expect(host.row.questions).toBe(3);
	});

	test('executions at the same moment ask together, and each event leaves once', async () => {
		stopClock();
		const host = await startHost();
		// The first question lasts until all have begun to wait, however long that takes.
		host.row.turns = 2_000;
		const outputs = await Promise.all(
			Array.from({ length: 40 }, async (_, index) => await stored(host, numbered(2, index % 10))),
		);
		const ids = outputs.flat(2).map(({ messageUuid }) => messageUuid);
		expect(ids.sort()).toEqual(
			numbered(11)
				.map((one) => one.message_uuid)
				.sort(),
		);
		expect(host.row.questions).toBeLessThan(5);
	});

	test('an execution that is run again after a failure gives its items again', async () => {
		const host = await startHost();
		await host.deliver('fast', [sent]);
		const again = await startHost({ workflowId: host.workflowId, mode: 'retry' });
		expect((await stored(again, [sent]))[0]).toHaveLength(1);
	});

	test('no more is stored than n8n can rewrite cheaply', async () => {
		const host = await startHost();
		await host.deliver('fast', numbered(12_000));
		expect(host.row.keys).toHaveLength(10_000);
	});
});
