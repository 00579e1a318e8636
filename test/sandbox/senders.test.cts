import { partner } from '../../core/contract/partner';
import type { RequestOf } from '../../core/contract/endpoint';
import { demo } from '../../sandbox/demo.cts';
import { day, mts, open, refusal, tele2 } from './support.cts';

const { flowers, bakery } = demo.companies;
type NewSender = RequestOf<typeof partner.senderCreate>['body'];
const body: NewSender = {
	companyId: flowers,
	senderName: 'NEWNAME',
	channelType: 'SMS',
	commonType: 'COMMON',
	brand: 'MTS',
	dateFrom: '2026-03-01T00:00:00+03:00',
};

describe('POST /senders', () => {
	test('makes a DRAFT as the contract shows it', async () => {
		const { sandbox, call } = open();
		const sender = await call(partner.senderCreate, { body });
		expect(sender).toEqual({
			id: sandbox.world.store.lastIds.sender,
			senderName: 'NEWNAME',
			channelType: 'SMS',
			counteragentName: 'Camomile Flowers LLC',
			counteragentInn: '7701234567',
			dateFrom: '2026-02-28T21:00:00.000Z',
			dateTo: null,
			commonType: 'COMMON',
			brand: 'MTS',
			status: 'DRAFT',
			suspended: false,
			fee: null,
			managerComment: null,
			rejectedAt: null,
			createdAt: new Date(sandbox.now).toISOString(),
		});
	});

	test('documents must be those of the company', async () => {
		const { call } = open();
		const file = {
			filename: 'a.pdf',
			contentType: 'application/pdf',
			bytes: new TextEncoder().encode('%PDF-'),
		};
		const own = await call(partner.documentUpload, { path: { id: flowers }, body: { file } });
		const other = await call(partner.documentUpload, { path: { id: bakery }, body: { file } });
		await call(partner.senderCreate, { body: { ...body, documentIds: [own.id] } });
		for (const id of [other.id, 'unknown']) {
			const refused = refusal(call(partner.senderCreate, { body: { ...body, documentIds: [id] } }));
			expect(await refused).toMatchObject({ status: 404, code: 4040 });
		}
	});
});

describe('GET /senders', () => {
	const list = async (query: Partial<RequestOf<typeof partner.senderList>['query']>) => {
		const { call } = open();
		const senders = await call(partner.senderList, { query: { companyId: flowers, ...query } });
		return senders.map(({ id }) => id);
	};

	test('filters, repeated parameters included', async () => {
		const { viber, whatsapp, draft, inReview, rejected, closed, suspended, general } = demo.senders;
		expect(await list({ brand: ['MEGAFON'] })).toEqual([demo.senders.megafon, rejected]);
		expect(await list({ brand: ['MEGAFON', 'BEELINE'], status: ['APPROVED'] })).toEqual([
			demo.senders.beeline,
			demo.senders.megafon,
		]);
		expect(await list({ status: ['DRAFT', 'EXTERNAL_REVIEW', 'CLOSED'] })).toEqual([
			draft,
			inReview,
			closed,
		]);
		expect(await list({ channelType: ['VIBER', 'WHATSAPP'] })).toEqual([viber, whatsapp]);
		expect(await list({ commonType: ['MULTISIGNATURE'] })).toEqual([general]);
		// Not paginated.
		expect(await list({})).toHaveLength(12);
		expect(await list({ countryCode: ['RU'] })).toHaveLength(12);
		expect(await list({ countryCode: ['KZ'] })).toEqual([]);
		expect(await list({ brand: ['TELE2'], status: ['APPROVED'] })).toEqual([
			demo.senders.tele2,
			suspended,
		]);
	});

	test('by id, with or without its company', async () => {
		const { call } = open();
		const path = { id: demo.senders.mts };
		expect(await call(partner.senderGet, { path })).toMatchObject({
			id: demo.senders.mts,
			fee: 2500,
		});
		await call(partner.senderGet, { path, query: { companyId: flowers } });
		expect(
			await refusal(call(partner.senderGet, { path, query: { companyId: bakery } })),
		).toMatchObject({ status: 404 });
	});
});

describe('PUT /senders/{id}', () => {
	test('a draft can be renamed, by the naming rules', async () => {
		const { call } = open();
		const path = { id: demo.senders.draft };
		const changed = await call(partner.senderUpdate, {
			path,
			body: { senderName: 'BETTER', commonType: 'COMMON', documentIds: [] },
		});
		expect(changed).toMatchObject({ senderName: 'BETTER', commonType: 'COMMON', status: 'DRAFT' });
		const refused = refusal(
			call(partner.senderUpdate, { path, body: { senderName: 'TWELVELETTER' } }),
		);
		expect(await refused).toMatchObject({ status: 400 });
		expect(await call(partner.senderGet, { path })).toMatchObject({ senderName: 'BETTER' });
	});

	test.each([demo.senders.mts, demo.senders.inReview])('%d is not renamed any more', async (id) => {
		const { call } = open();
		const refused = refusal(
			call(partner.senderUpdate, { path: { id }, body: { senderName: 'X' } }),
		);
		expect((await refused).message).toContain('senderName');
	});

	test('a closed one stays as it is', async () => {
		const { call } = open();
		const path = { id: demo.senders.closed };
		const refused = refusal(call(partner.senderUpdate, { path, body: { documentIds: [] } }));
		expect(await refused).toMatchObject({ status: 400 });
	});

	test('dateTo closes the name when its time has come', async () => {
		const { sandbox, call, createDispatch } = open();
		const path = { id: demo.senders.mts };
		const dateTo = new Date(sandbox.now + day).toISOString();
		expect(await call(partner.senderUpdate, { path, body: { dateTo } })).toMatchObject({
			dateTo,
			status: 'APPROVED',
		});
		await sandbox.advance(day - 1);
		expect((await createDispatch()).success).toBe(1);
		await sandbox.advance(1);
		expect((await call(partner.senderGet, { path })).status).toBe('CLOSED');
		expect((await createDispatch()).success).toBe(0);
	});

	test('a closing date that is moved later closes later', async () => {
		const { sandbox, call } = open();
		const path = { id: demo.senders.mts };
		const at = (ms: number) => new Date(sandbox.now + ms).toISOString();
		await call(partner.senderUpdate, { path, body: { dateTo: at(day) } });
		await call(partner.senderUpdate, { path, body: { dateTo: at(3 * day) } });
		await sandbox.advance(2 * day);
		expect((await call(partner.senderGet, { path })).status).toBe('APPROVED');
		await sandbox.advance(day);
		expect((await call(partner.senderGet, { path })).status).toBe('CLOSED');
	});

	test.each([-1, -100 * day])('dateTo %d ms from now is refused', async (ms) => {
		const { sandbox, call } = open();
		const dateTo = new Date(sandbox.now + ms).toISOString();
		const refused = refusal(
			call(partner.senderUpdate, { path: { id: demo.senders.mts }, body: { dateTo } }),
		);
		expect((await refused).message).toContain('dateTo');
	});
});

describe('suspend and unsuspend', () => {
	test.each(['mts', 'closed'] as const)('%s: the flag moves, the status does not', async (name) => {
		const { call } = open();
		const path = { id: demo.senders[name] };
		const { status } = await call(partner.senderGet, { path });
		expect(await call(partner.senderSuspend, { path, body: { reason: 'spam' } })).toMatchObject({
			status,
			suspended: true,
			suspendReason: 'spam',
		});
		const freed = await call(partner.senderUnsuspend, { path });
		expect(freed).toMatchObject({ status, suspended: false });
		expect(freed.suspendReason).toBeUndefined();
		const again = await call(partner.senderSuspend, { path });
		expect([again.suspended, again.suspendReason]).toEqual([true, undefined]);
	});

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
