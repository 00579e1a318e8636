import { partner } from '../../core/contract/partner';
import type { RequestOf } from '../../core/contract/endpoint';
import { demo } from '../../sandbox/demo.cts';
import { day, mts, open, tele2 } from './support.cts';

const { flowers } = demo.companies;
type NewSender = RequestOf<typeof partner.senderCreate>['body'];
const body: NewSender = {
	companyId: flowers,
	senderName: 'NEWNAME',
	channelType: 'SMS',
	commonType: 'COMMON',
	brand: 'MTS',
	dateFrom: '2026-03-01T00:00:00+03:00',
};

describe('PUT /senders/{id}', () => {
	test('dateTo closes the name when its time has come, later if it is moved', async () => {
		const { sandbox, call, createDispatch } = open();
		const path = { id: demo.senders.mts };
		for (const days of [1, 2]) {
			const dateTo = new Date(sandbox.now + days * day).toISOString();
			expect(await call(partner.senderUpdate, { path, body: { dateTo } })).toMatchObject({
				dateTo,
				status: 'APPROVED',
			});
		}
		await sandbox.advance(2 * day - 1);
		expect((await createDispatch()).success).toBe(1);
		await sandbox.advance(1);
		expect((await call(partner.senderGet, { path })).status).toBe('CLOSED');
		expect((await createDispatch()).success).toBe(0);
	});
});

describe('suspend and unsuspend', () => {
	test('stops the traffic at once, and allows it again', async () => {
		const { sandbox, call, createDispatch, start, get } = open();
		const path = { id: demo.senders.mts };
		const { id } = await createDispatch({
			messages: [{ destination: mts }, { destination: tele2 }],
		});
		await start(id);
		await call(partner.senderSuspend, { path });
		await sandbox.advance(day);
		expect((await get(id)).messages).toEqual({ total: 2, delivered: 1, failed: 1, pending: 0 });
		const { items } = await call(partner.messageList, { query: { dispatchId: id } });
		expect(items.map(({ status }) => status)).toEqual(['FAILED', 'DELIVERED']);
	});
});

describe('the way to APPROVED', () => {
	test('step by step, and only APPROVED may send', async () => {
		const { call, control, createDispatch } = open();
		const { id } = await call(partner.senderCreate, { body });
		const seen: string[] = [];
		for (let step = 0; step < 5; step++) {
			expect((await createDispatch({ senderIds: [id] })).success).toBe(0);
			await control('POST', `/senders/${id}/review`, {});
			seen.push((await call(partner.senderGet, { path: { id } })).status);
		}
		expect(seen).toEqual([
			'PRE_REVIEW',
			'INTERNAL_REVIEW',
			'EXTERNAL_REVIEW',
			'AWAITING',
			'APPROVED',
		]);
		expect((await createDispatch({ senderIds: [id] })).success).toBe(1);
		await expect(control('POST', `/senders/${id}/review`, {})).rejects.toThrow('no next step');
	});

	test('by itself, when the settings say how long a step takes; a decision by hand ends it', async () => {
		const { sandbox, call, control } = open();
		await control('PUT', '/settings', { reviewStepMs: 1_000 });
		const [one, other] = [
			await call(partner.senderCreate, { body }),
			await call(partner.senderCreate, { body: { ...body, brand: 'TELE2' } }),
		];
		const statuses = async () => [
			(await call(partner.senderGet, { path: { id: one.id } })).status,
			(await call(partner.senderGet, { path: { id: other.id } })).status,
		];
		await sandbox.advance(1_500);
		expect(await statuses()).toEqual(['PRE_REVIEW', 'PRE_REVIEW']);
		await control('POST', `/senders/${other.id}/reject`, {});
		await sandbox.advance(10_000);
		expect(await statuses()).toEqual(['APPROVED', 'REJECTED']);
	});

	test('approve, reject, and any other status', async () => {
		const { sandbox, control } = open();
		const id = demo.senders.draft;
		expect(await control('POST', `/senders/${id}/approve`, { fee: 1500 })).toMatchObject({
			status: 'APPROVED',
			fee: 1500,
		});
		expect(await control('POST', `/senders/${id}/reject`, { comment: 'No letter' })).toMatchObject({
			status: 'REJECTED',
			managerComment: 'No letter',
			rejectedAt: new Date(sandbox.now).toISOString(),
		});
		expect(await control('PUT', `/senders/${id}/status`, { status: 'DENIED' })).toMatchObject({
			status: 'DENIED',
			rejectedAt: null,
		});
		await expect(control('POST', '/senders/999/approve', {})).rejects.toThrow('404');
	});

	test('a name is not usable before its start', async () => {
		const { sandbox, call, control, createDispatch } = open();
		const dateFrom = new Date(sandbox.now + 1_000).toISOString();
		const { id } = await call(partner.senderCreate, { body: { ...body, dateFrom } });
		await control('POST', `/senders/${id}/approve`, {});
		expect((await createDispatch({ senderIds: [id] })).success).toBe(0);
		await sandbox.advance(1_000);
		expect((await createDispatch({ senderIds: [id] })).success).toBe(1);
	});
});
