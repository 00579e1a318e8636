import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { demo } from '../../sandbox/demo.cts';
import { minute, mts, open, refusal } from './support.cts';

/* The calls of the messaging API that only the public reference shows. */

const openWithCampaign = async () => {
	const bench = open();
	const { dispatchId } = (await bench.control('POST', '/website-dispatches', {
		name: 'Tulips',
		text: 'Dear {name}, tulips are here',
	})) as { dispatchId: number };
	const path = { dispatchId };
	const { call, sandbox } = bench;
	return {
		...bench,
		dispatchId,
		path,
		append: async (...numbers: string[]) =>
			await call(messaging.dispatchAppend, {
				path,
				body: numbers.map((destination) => ({ destination, substitutions: { name: 'Anna' } })),
			}),
		start: async () => await call(messaging.dispatchStart, { path }),
		stop: async () => await call(messaging.dispatchStop, { path }),
		listed: async () =>
			(await call(messaging.dispatchList, { query: { dispatch_id: dispatchId } })).items[0],
		funds: () => sandbox.world.store.funds,
	};
};
const wrongStatus = { status: 403, code: 4031 };

describe('dispatches', () => {
	test('are created on the website only, filled, started and delivered', async () => {
		const { append, start, listed, sandbox, dispatchId, funds } = await openWithCampaign();
		const before = funds();
		expect(await append(mts, demo.numbers.noOperator)).toEqual([
			{ destination: mts, messageUuid: expect.any(String) as string },
			{ destination: demo.numbers.noOperator, errorCode: 7401 },
		]);
		expect(await listed()).toMatchObject({
			dispatchId,
			dispatchName: 'Tulips',
			status: 'planned',
			source: demo.senderNames.sms,
			message: 'Dear {name}, tulips are here',
			messages: { total: 2, sending: 1, unsent: 1, sent: 0 },
		});
		expect(await start()).toEqual({ dispatchId });
		expect(await listed()).toMatchObject({ status: 'sending' });
		await sandbox.advance(minute);
		expect(await listed()).toMatchObject({ status: 'finished', messages: { delivered: 1 } });
		expect(funds()).toBeLessThan(before);
		expect(sandbox.world.store.byUuid.size).toBeGreaterThan(0);
	});

	test("its messages were made on the website, a company's by the API", async () => {
		const { call, append, dispatchId, createDispatch } = await openWithCampaign();
		await append(mts);
		const { id } = await createDispatch({ messages: [{ destination: mts }] });
		const methodsIn = async (one: number) =>
			(await call(messaging.messageList, { query: { dispatch_id: [String(one)] } })).items.map(
				({ sendingMethod }) => sendingMethod,
			);
		expect(await methodsIn(dispatchId)).toEqual(['UI']);
		expect(await methodsIn(id)).toEqual(['API']);
	});

	test('a stop has no body, and is possible only while it is sent', async () => {
		const { append, start, stop, listed } = await openWithCampaign();
		await append(mts);
		expect(await refusal(stop())).toMatchObject(wrongStatus);
		await start();
		expect(await stop()).toBe('');
		expect(await listed()).toMatchObject({ status: 'stopped', messages: { sending: 1 } });
		expect(await refusal(stop())).toMatchObject(wrongStatus);
	});

	test('belong to one API each', async () => {
		const { call, dispatchId, createDispatch } = await openWithCampaign();
		const unknown = { status: 404, code: 4040 };
		expect(await refusal(call(partner.dispatchGet, { path: { id: dispatchId } }))).toMatchObject(
			unknown,
		);
		const { id } = await createDispatch();
		expect(
			await refusal(call(messaging.dispatchStart, { path: { dispatchId: id } })),
		).toMatchObject(unknown);
		const { items } = await call(messaging.dispatchList);
		expect(items.map((one) => one.dispatchId)).toEqual([dispatchId]);
	});

	test('a balance that does not cover it: nothing is started', async () => {
		const { append, start, listed, sandbox } = await openWithCampaign();
		await append(mts);
		sandbox.world.store.funds = 0;
		expect(await refusal(start())).toMatchObject({ status: 400 });
		expect(await listed()).toMatchObject({ status: 'planned' });
	});

	test.each([
		[{ created_from: '2026-03-02T07:00:00Z' }, 1],
		[{ created_from: '2026-03-02T07:00:01Z' }, 0],
		[{ created_to: '2026-03-02T06:59:59Z' }, 0],
		[{ dispatch_name: 'Tulips', status: 'planned', traffic_center_id: 1 }, 1],
		[{ dispatch_name: 'Roses' }, 0],
		[{ status: 'sending' }, 0],
		[{ traffic_center_id: 2 }, 0],
	])('the filters %j list %i', async (query, count) => {
		const { call } = await openWithCampaign();
		expect((await call(messaging.dispatchList, { query })).total).toBe(count);
	});

	test('a sender name that does not exist', async () => {
		const { control } = open();
		await expect(
			control('POST', '/website-dispatches', { name: 'a', text: 'b', senderName: 'NOBODY' }),
		).rejects.toThrow('NOBODY');
	});
});

describe('templates and sender names', () => {
	const { inReview, whatsapp } = demo.templates;

	test('a template can be changed as its channel and status allow', async () => {
		const { call } = open();
		const change = async (template_id: number, body: object) =>
			await call(messaging.templateUpdate, { path: { template_id }, body });
		await change(inReview, { pattern: '%w', dateFrom: '2026-05-01T00:00:00Z' });
		expect(await call(messaging.templateGet, { path: { template_id: inReview } })).toMatchObject({
			pattern: '%w',
			dateFrom: '2026-05-01T00:00:00.000Z',
		});
		expect(await refusal(change(whatsapp, { pattern: '%w' }))).toMatchObject({ status: 400 });
		await change(whatsapp, { dateTo: '2027-05-01T00:00:00Z' });
	});

	test('a sender name is a form with JSON and files', async () => {
		const { call, sandbox } = open();
		const file = { filename: 'a.txt', contentType: 'text/plain', bytes: Buffer.from('a') };
		const body = { senderName: 'TULIPS', channelType: 'SMS', commonType: 'PROMO' };
		const created = await call(messaging.senderNameCreate, { body: { body, file: [file, file] } });
		expect(created).toMatchObject({ senderName: 'TULIPS', status: 'DRAFT' });
		expect(sandbox.world.store.senders.get(created.id)?.documentIds).toEqual(['file1', 'file2']);
		expect(
			await refusal(call(messaging.senderNameCreate, { body: { body, file: [] } })),
		).toMatchObject({ status: 400 });
	});

	test('an approved one can be used', async () => {
		const { call, control } = open();
		const body = { senderName: 'TULIPS', channelType: 'VIBER' };
		const { id } = await call(messaging.senderNameCreate, { body: { body, file: [] } });
		await control('PUT', `/senders/${id}/status`, { status: 'APPROVED' });
		const { errors } = await call(messaging.messageSend, {
			body: [{ ...body, destination: mts, content: { contentType: 'text', text: 'Hello' } }],
		});
		expect(errors).toBe(false);
	});
});
