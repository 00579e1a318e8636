import { Placements } from '../../nodes/BulkMessagingPartner/resources/dispatch/delivery/placements';
import {
	readCreated,
	readMessages,
	readState,
} from '../../nodes/BulkMessagingPartner/resources/dispatch/delivery/replies';

describe('the messages of a reply', () => {
	it('are read whatever the service calls their fields', () => {
		expect(
			readMessages([
				{ destination: '+7 (916) 200-00-00', message_uuid: 17, parts: '2', sender_id: '5' },
				{ destination: 79162000001, messageUuid: 'u-1', status: 'failed', senderId: null },
			]),
		).toEqual([
			{ destination: '79162000000', messageUuid: '17', parts: 2, senderId: 5 },
			{ destination: '79162000001', messageUuid: 'u-1', parts: 0, status: 'FAILED' },
		]);
		expect(readMessages([])).toEqual([]);
	});

	const good = { destination: '79162000000', messageUuid: 'u-0' };
	it.each([
		['no list', undefined],
		['an object', { 0: good }],
		['a text', 'messages'],
		['an entry that is no object', [good, 'u-1']],
		['an entry without a number', [good, { messageUuid: 'u-1' }]],
		['a number without digits', [good, { ...good, destination: 'hidden' }]],
		['an empty number', [good, { ...good, destination: '' }]],
		['an entry without an ID', [good, { destination: '79162000001' }]],
		['a blank ID', [good, { ...good, messageUuid: ' ' }]],
	])('cannot be told apart: %s', (_, entries) => {
		expect(readMessages(entries)).toBeUndefined();
	});
});

describe('the reply to creating', () => {
	const created = {
		id: 17,
		total: 2,
		success: 1,
		failed: 1,
		priceEstimate: { total: 1.5, currency: 'RUB' },
		messages: [{ destination: '79162000000', messageUuid: 'u-0', parts: 1 }],
	};
	const read = {
		id: 17,
		currency: 'RUB',
		total: 2,
		success: 1,
		failed: 1,
		messages: [{ destination: '79162000000', messageUuid: 'u-0', parts: 1 }],
	};

	it('is read as it is, and inside of `data`', () => {
		expect(readCreated(created)).toEqual(read);
		expect(readCreated({ data: created })).toEqual(read);
		expect(readCreated({ ...created, data: { id: 18 } })).toEqual(read);
		expect(readCreated({ ...created, data: 'more' })).toEqual(read);
	});

	it.each([[undefined], [null], ['created'], [[created]], [{}], [{ data: 'created' }]])(
		'%j tells nothing',
		(reply) => {
			expect(Object.values(readCreated(reply)).filter((value) => value !== undefined)).toEqual([]);
		},
	);

	it.each([0, '0', -1, 1.5, 'x', null])('has no ID with %j', (id) => {
		expect(readCreated({ ...created, id }).id).toBeUndefined();
	});

	it.each([undefined, 1.5, { total: 1.5 }, [{ currency: 'RUB' }]])(
		'has no currency with a price estimate of %j',
		(priceEstimate) => {
			expect(readCreated({ ...created, priceEstimate }).currency).toBeUndefined();
		},
	);
});

describe('a dispatch as the service shows it', () => {
	const shown = {
		id: '17',
		name: 'Spring sale',
		status: 'created',
		messages: { total: '3' },
		priceEstimate: 1.5,
		createdAt: '2026-03-02T07:00:00Z',
	};
	const read = {
		id: 17,
		name: 'Spring sale',
		status: 'CREATED',
		total: 3,
		priceEstimate: 1.5,
		givenEstimate: 1.5,
		createdAt: '2026-03-02T07:00:00Z',
	};

	it('is read as it is, in another spelling, and inside of `data`', () => {
		expect(readState(shown)).toEqual(read);
		expect(readState({ data: shown })).toEqual(read);
		const { priceEstimate, createdAt, ...rest } = shown;
		expect(readState({ ...rest, price_estimate: priceEstimate, created_at: createdAt })).toEqual(
			read,
		);
	});

	it('may show nothing', () => {
		expect(Object.values(readState({})).filter((value) => value !== undefined)).toEqual([]);
	});

	it.each([undefined, 3, [3], { count: 3 }])('has no total with messages %j', (messages) => {
		expect(readState({ ...shown, messages }).total).toBeUndefined();
	});

	it.each([0, 0.01, 1_000_000])('has the price estimate %d', (priceEstimate) => {
		expect(readState({ ...shown, priceEstimate }).priceEstimate).toBe(priceEstimate);
	});

	it.each([-0.01, NaN, Infinity, '1.5', '1,50', null, undefined, { total: 1.5 }])(
		'cannot be compared with a limit if its price estimate is %j, which is kept for the words',
		(priceEstimate) => {
			const state = readState({ ...shown, priceEstimate });
			expect(state.priceEstimate).toBeUndefined();
			expect(state.givenEstimate).toBe(priceEstimate);
		},
	);
});

describe('placements', () => {
	const placed = new Placements();
	placed.add({ messageUuid: 'u-0', parts: 2, senderId: 5 });
	placed.add(undefined);
	placed.add({ messageUuid: 'u-2', parts: 0, senderId: null });

	it('keep what the service made of each recipient', () => {
		expect([0, 1, 2, 3].map((index) => placed.at(index))).toEqual([
			{ messageUuid: 'u-0', parts: 2, senderId: 5 },
			undefined,
			{ messageUuid: 'u-2', parts: 0, senderId: undefined },
			undefined,
		]);
	});

	it('count who was accepted', () => {
		expect([placed.length, placed.accepted]).toEqual([3, 2]);
		expect(placed.ids()).toEqual(new Set(['u-0', undefined, 'u-2']));
	});
});
