import { serialize } from 'node:v8';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { demo } from '../../sandbox/demo.cts';
import { createSandbox } from '../../sandbox/sandbox.cts';
import { contentsOf } from '../support/contents.cts';
import { day, hour, message, minute, mts, open, refusal, tele2 } from './support.cts';

const { flowers, bakery } = demo.companies;

describe('the demo data', () => {
	test.each([
		['the first of a month', Date.UTC(2026, 4, 1, 0, 0, 1)],
		['new year', Date.UTC(2027, 0, 1)],
		['29 February', Date.UTC(2028, 1, 29)],
	])('stands on %s too', async (_, now) => {
		const { get, call, createDispatch, start } = open({ now });
		expect((await get(demo.dispatches.spring)).status).toBe('COMPLETED');
		expect((await call(partner.companyList)).total).toBe(3);
		const bread = { companyId: bakery, senderIds: [demo.senders.bakeryMts] };
		expect(await refusal(start((await createDispatch(bread)).id))).toMatchObject({ status: 400 });
	});
});

describe('control', () => {
	test('reset brings the demo data back, or only the basics', async () => {
		const { sandbox, call, control, forgetToken, createDispatch } = open();
		const id = (await createDispatch()).id;
		sandbox.faults.add({ kind: 'reset', match: { path: '/nothing' } });
		await control('PUT', '/settings', { readAfterMs: 1 });
		await control('POST', '/reset', {});
		expect(await refusal(call(partner.companyList))).toMatchObject({ status: 401 });
		forgetToken();
		expect((await call(partner.companyList)).total).toBe(3);
		expect((await createDispatch()).id).toBe(id);
		expect(sandbox.faults.waiting.planned).toEqual([]);
		expect(sandbox.world.store.settings.readAfterMs).toBe(30_000);
		await control('POST', '/reset', { data: 'empty' });
		forgetToken();
		expect((await call(partner.companyList)).total).toBe(0);
		expect((await call(partner.tariffList)).tariffs.length).toBeGreaterThan(5);
		await expect(control('POST', '/reset', { data: 'other' })).rejects.toThrow('data');
	});

	test('seed adds what a test needs', async () => {
		const { call, control, createDispatch, ledger } = open({ seed: 'empty' });
		const reply = await control('POST', '/seed', {
			companies: [
				{
					name: 'One',
					budget: 100,
					spent: 40,
					senders: [{ senderName: 'ONE', brand: 'MTS', fee: 10 }],
				},
				{ name: 'Two', status: 'DISABLED' },
			],
		});
		const { companies } = reply as { companies: Array<{ companyId: number; senderIds: number[] }> };
		const [{ companyId, senderIds }] = companies;
		expect((await createDispatch({ companyId, senderIds })).success).toBe(1);
		expect(ledger(companyId).spent).toBe(400_000);
		expect((await call(partner.companyList)).items[1].status).toBe('DISABLED');
		await expect(control('POST', '/seed', { companies: [{}] })).rejects.toThrow(
			'companies[0].name',
		);
	});

	test('the clock goes forward, by a span or to a moment', async () => {
		const { sandbox, control } = open();
		const start = sandbox.now;
		await control('POST', '/clock/advance', { ms: minute });
		expect(sandbox.now).toBe(start + minute);
		const to = new Date(start + hour).toISOString();
		expect(await control('POST', '/clock/advance', { to })).toEqual({ now: to });
		expect(await control('GET', '/clock')).toMatchObject({ now: to });
		for (const wrong of [
			{},
			{ ms: -1 },
			{ ms: 1, to },
			{ ms: 1e300 },
			{ ms: 9e15 },
			{ to: new Date(start).toISOString() },
		]) {
			await expect(control('POST', '/clock/advance', wrong)).rejects.toThrow('400');
		}
		expect(sandbox.now).toBe(start + hour);
	});

	test('settings change what is given, and only to what makes sense', async () => {
		const { control } = open();
		await control('PUT', '/settings', { deliveredShare: 0.5, outcomes: { [mts]: 'unsent' } });
		await expect(control('PUT', '/settings', { deliveredShare: 2 })).rejects.toThrow(
			'deliveredShare',
		);
		await expect(control('PUT', '/settings', { testNumbers: ['+7'] })).rejects.toThrow(
			'testNumbers',
		);
		await expect(control('PUT', '/settings', { speed: 2 })).rejects.toThrow('speed');
		const settings = { deliveredShare: 0.5, sentAfterMs: 1_000 };
		expect(await control('GET', '/settings')).toMatchObject(settings);
	});

	test('outcomes by number and by share are the same on every run', async () => {
		const delivered = async () => {
			const { sandbox, control, createDispatch, start, get } = open();
			await control('PUT', '/settings', { deliveredShare: 0.7, outcomes: { [tele2]: 'unsent' } });
			const numbers = Array.from(
				{ length: 500 },
				(_, index) => `7916${String(index).padStart(7, '0')}`,
			);
			const { id } = await createDispatch({
				messages: [tele2, ...numbers].map((destination) => ({ destination })),
			});
			await start(id);
			await sandbox.advance(2 * day);
			const failed = sandbox.world.store.dispatches
				.get(id)
				?.messages.filter(({ state }) => state === 'unsent');
			expect(failed?.map(({ destination }) => destination)).toEqual([tele2]);
			return (await get(id)).messages.delivered;
		};
		const first = await delivered();
		expect(first).toBeGreaterThan(300);
		expect(first).toBeLessThan(400);
		expect(await delivered()).toBe(first);
	});
});

describe('snapshots', () => {
	test('everything survives: a run that is restored ends like one that is not', async () => {
		const prepare = async () => {
			let count = 0;
			const uuid = () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
			const answers = { status: 500 };
			const opened = open({ uuid, send: async () => answers.status });
			const { call, createDispatch, start } = opened;
			await call(partner.recipientUpdate, {
				body: { companyId: flowers, msisdn: tele2, blacklist: true },
			});
			const { id } = await createDispatch({
				callbackUrl: 'http://a.example/',
				messages: [mts, tele2, demo.numbers.megafon, demo.numbers.slow].map((destination) => ({
					destination,
				})),
			});
			await start(id);
			const viber = {
				channelType: 'VIBER',
				senderName: demo.senderNames.viber,
				content: { contentType: 'text', text: 'https://a.example/' },
				ttl: 60,
			};
			const sms = { channelType: 'SMS', senderName: demo.senderNames.sms, content: 'x' };
			const destination = demo.numbers.undelivered;
			const body = [{ destination, callbackUrl: 'http://b.example/', cascade: [viber, sms] }];
			await call(messaging.cascadeSend, { body });
			await call(messaging.messageSend, {
				body: [{ ...viber, destination: mts, shortUrl: true, externalMessageId: 'x' }],
			});
			await opened.sandbox.advance(4_000);
			return { ...opened, uuid, answers };
		};
		const straight = await prepare();
		const before = await prepare();
		const contents = contentsOf(before.sandbox);
		expect(contents).toBe(contentsOf(straight.sandbox));
		const after = createSandbox({ uuid: before.uuid, seed: 'empty', send: async () => 200 });
		after.restore(before.sandbox.snapshot());
		expect(contentsOf(after)).toBe(contents);
		straight.answers.status = 200;
		for (const sandbox of [straight.sandbox, after]) {
			expect(sandbox.world.store.byExternalId.get('x')).toHaveLength(1);
			expect(sandbox.world.store.byLink.size).toBe(1);
			await sandbox.advance(3 * day);
		}
		expect(contentsOf(after)).toBe(contentsOf(straight.sandbox));
		expect(after.callbacks.every(({ state }) => state === 'delivered')).toBe(true);
	});

	test('an attempt that was under way is made again', async () => {
		const hanging = open({ send: async () => await new Promise<never>(() => undefined) });
		await hanging.sendAll(message({ callbackUrl: 'http://a.example/' }));
		hanging.sandbox.tick(minute);
		expect(hanging.sandbox.callbacks).toMatchObject([{ state: 'pending' }]);
		const after = createSandbox({ seed: 'empty' });
		after.restore(hanging.sandbox.snapshot());
		await after.advance(1);
		expect(after.callbacks).toMatchObject([{ state: 'delivered', attempts: [{ status: 200 }] }]);
	});

	test('time that passed meanwhile has passed', async () => {
		const { sandbox, createDispatch, start } = open();
		const { id } = await createDispatch();
		await start(id);
		const later = createSandbox({ now: sandbox.now + day });
		later.restore(sandbox.snapshot());
		expect(later.now).toBe(sandbox.now + day);
		await later.advance(minute);
		expect(later.world.store.dispatches.get(id)?.status).toBe('COMPLETED');
	});

	test.each([
		['text', () => Buffer.from('{"version": 1}')],
		['another object', () => serialize({ format: 'another' })],
		['half of one', (whole: Buffer) => whole.subarray(0, whole.length / 2)],
	])('%s is none', (_name, from) => {
		const { sandbox } = open();
		const before = contentsOf(sandbox);
		const bytes = from(sandbox.snapshot());
		expect(() => sandbox.restore(bytes)).toThrow('it is not a snapshot of this sandbox');
		expect(contentsOf(sandbox)).toBe(before);
	});
});

describe('held deliveries', () => {
	const hook = 'https://127.0.0.1/x';
	const hold = async () => {
		const opened = open();
		const { sandbox, sendAll, control, createDispatch, start } = opened;
		await control('PUT', '/hold', { on: true });
		const { items } = await sendAll(
			message({ callbackUrl: hook, callbackEvents: ['delivered', 'read'] }),
		);
		const { id } = await createDispatch({
			callbackUrl: hook,
			messages: [{ destination: mts }, { destination: tele2 }],
		});
		await start(id);
		await sandbox.advance(2 * day);
		const { store } = sandbox.world;
		const single = store.byUuid.get(String(items[0]?.messageUuid));
		const dispatch = store.dispatches.get(id);
		if (single === undefined || dispatch === undefined) throw new Error('nothing was sent');
		const decide = async (uuid: string, body: object) =>
			await control('POST', `/messages/${uuid}/status`, body);
		return { ...opened, store, single, dispatch, decide };
	};

	test('new messages wait, however long, and are delivered as usual once the switch is off', async () => {
		const { sandbox, single, dispatch, control, ledger } = await hold();
		const states = () => [single, ...dispatch.messages].map(({ state }) => state);
		expect(states()).toEqual(['created', 'created', 'created']);
		expect(dispatch.status).toBe('STARTED');
		expect(ledger().reserved).toBeGreaterThan(0);
		expect(await control('GET', '/held')).toMatchObject({ on: true, total: 3 });
		await control('PUT', '/hold', { on: false });
		await sandbox.advance(minute);
		expect(states()).toEqual(['delivered', 'delivered', 'delivered']);
		expect(dispatch.status).toBe('COMPLETED');
		expect(sandbox.callbacks).toHaveLength(3);
	});

	test.each([
		[{ status: 'delivered' }, { state: 'delivered', errorCode: null }, ['delivered']],
		[{ status: 'read' }, { state: 'delivered', single: { read: 'read' } }, ['delivered', 'read']],
		[{ status: 'undelivered' }, { state: 'undelivered', errorCode: null }, ['undelivered']],
		[
			{ status: 'failed', errorCode: 504 },
			{ state: 'undelivered', errorCode: 504 },
			['undelivered'],
		],
		[{ status: 'failed', errorCode: 453 }, { state: 'unsent', errorCode: 453 }, ['unsent']],
	])('a person decides %j', async (decision, expected, reported) => {
		const { sandbox, single, decide, store } = await hold();
		await decide(single.uuid, decision);
		expect(single).toMatchObject(expected);
		expect(store.held.has(single.uuid)).toBe(false);
		await sandbox.advance(minute);
		const statuses = sandbox.callbacks.flatMap(({ body }) => body as Array<{ status: string }>);
		expect(statuses.map(({ status }) => status)).toEqual(reported);
	});

	test('a message of a dispatch fails, the other arrives and is reported, and only it is paid', async () => {
		const { sandbox, dispatch, decide, ledger } = await hold();
		const [first, second] = dispatch.messages.map(({ uuid }) => uuid);
		await decide(String(first), { status: 'failed', errorCode: 504 });
		const before = ledger().spent;
		await decide(String(second), { status: 'delivered' });
		await sandbox.advance(minute);
		expect(dispatch).toMatchObject({
			status: 'COMPLETED',
			messageCount: { total: 2, delivered: 1, failed: 1 },
		});
		expect(sandbox.callbacks.map(({ body }) => body)).toEqual([
			expect.objectContaining({ messageUuid: second, status: 'DELIVERED' }),
		]);
		expect(ledger().spent).toBeGreaterThan(before);
		expect(ledger().reserved).toBe(0);
	});

	test('all of a dispatch at once, then everything that is left', async () => {
		const { control, dispatch, single, store } = await hold();
		const decide = async (body: object) => await control('POST', '/held/status', body);
		const of = { dispatchId: dispatch.id };
		expect(await decide({ status: 'read', ...of })).toEqual({ decided: 0, waiting: 3 });
		const failed = { status: 'failed', errorCode: 453 };
		expect(await decide({ ...failed, ...of })).toEqual({ decided: 2, waiting: 1 });
		expect(dispatch.messageCount.failed).toBe(2);
		await decide({ status: 'read' });
		expect(single.single?.read).toBe('read');
		expect(store.held.size).toBe(0);
	});

	test('after the switch, allowed hours are kept', async () => {
		const { sandbox, sendAll, control, createDispatch, start } = open({
			now: Date.UTC(2026, 2, 2, 9, 0),
		});
		const days = [1, 2, 3, 4, 5, 6, 7];
		await control('PUT', '/hold', { on: true });
		await sendAll(message({ hours: [12] }));
		const { id } = await createDispatch({
			schedule: { startAt: '2026-03-02T00:00:00Z', hours: [9], days },
		});
		await start(id);
		await sandbox.advance(5 * hour);
		const { store } = sandbox.world;
		expect(store.held.size).toBe(2);
		await control('PUT', '/hold', { on: false });
		await sandbox.advance(day);
		const sent = [store.singles.at(-1), store.dispatches.get(id)?.messages[0]];
		expect(sent.map((one) => new Date(one?.sentAt ?? 0).toISOString().slice(0, 13))).toEqual(
			Array(2).fill('2026-03-03T09'),
		);
	});

	test('a dispatch that is stopped takes its held messages back, and sends each once after the next start', async () => {
		const { sandbox, control, dispatch, store, start, stop, ledger } = await hold();
		await stop(dispatch.id);
		expect(store.held.size).toBe(1);
		expect(ledger().reserved).toBe(0);
		await control('PUT', '/hold', { on: false });
		await sandbox.advance(minute);
		expect(dispatch.messages.map(({ state }) => state)).toEqual(['created', 'created']);
		await start(dispatch.id);
		await sandbox.advance(minute);
		expect(dispatch).toMatchObject({
			status: 'COMPLETED',
			messageCount: { total: 2, delivered: 2, failed: 0 },
		});
		expect(ledger().reserved).toBe(0);
	});

	test('a message that can be stopped is stopped, and a snapshot keeps those that wait', async () => {
		const { sandbox, call, single, store } = await hold();
		await call(messaging.messageStop, { body: { uuids: [single.uuid] } });
		await sandbox.advance(minute);
		expect(single.state).toBe('unsent');
		expect(store.held.size).toBe(2);
		const restored = open();
		restored.sandbox.restore(sandbox.snapshot());
		expect(restored.sandbox.world.store).toMatchObject({ isHolding: true, held: store.held });
	});
});
