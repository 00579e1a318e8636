import {
	readCreated,
	readDispatch,
	readMessage,
	isUnstarted,
} from '../../nodes/dispatches/ask/partner';

describe('a message', () => {
	it("is read in the contract's spelling; a number may be formatted", () => {
		expect(
			readMessage({
				destination: '+7 (916) 200-00-00',
				messageUuid: 'u-0',
				parts: 2,
				senderId: 5,
				text: 'Hello',
				status: 'FAILED',
			}),
		).toEqual({
			destination: '79162000000',
			messageUuid: 'u-0',
			parts: 2,
			senderId: 5,
			text: 'Hello',
			status: 'FAILED',
		});
		expect(readMessage({ destination: 79162000001, messageUuid: 17 })).toMatchObject({
			destination: '79162000001',
			messageUuid: '17',
			parts: 0,
		});
	});

	const good = { destination: '79162000000', messageUuid: 'u-0' };
	it.each([
		['without a number', { messageUuid: 'u-1' }],
		['with a number without digits', { ...good, destination: 'hidden' }],
		['with an empty number', { ...good, destination: '' }],
		['without an ID', { destination: '79162000001' }],
		['with a blank ID', { ...good, messageUuid: ' ' }],
		['with its ID in another spelling', { destination: '79162000001', message_uuid: 'u-1' }],
	])('cannot be read %s', (_, entry) => {
		expect(readMessage(entry)).toBeUndefined();
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
		estimate: 1.5,
		currency: 'RUB',
		total: 2,
		success: 1,
		failed: 1,
		messages: [{ destination: '79162000000', messageUuid: 'u-0', parts: 1 }],
	};

	it('is read as it is', () => {
		expect(readCreated(created)).toEqual(read);
		expect(readCreated({ ...created, data: { id: 18 } })).toEqual(read);
	});

	const good = { destination: '79162000000', messageUuid: 'u-0' };
	it.each([
		['no list', undefined],
		['an object', { 0: good }],
		['a text', 'messages'],
		['an entry that is no object', [good, 'u-1']],
		['an entry without an ID', [good, { destination: '79162000001' }]],
	])('its messages cannot be told apart: %s', (_, messages) => {
		expect(readCreated({ ...created, messages }).messages).toBeUndefined();
	});

	it.each([[undefined], [null], ['created'], [[created]], [{}], [{ data: created }]])(
		'%j tells nothing',
		(reply) => {
			expect(Object.values(readCreated(reply)).filter((value) => value !== undefined)).toEqual([]);
		},
	);

	it.each([0, '0', -1, 1.5, 'x', null])('has no ID with %j', (id) => {
		expect(readCreated({ ...created, id }).id).toBeUndefined();
	});

	it.each([undefined, 1.5, { total: '1.5' }, { total: -1 }, [{ currency: 'RUB' }]])(
		'has neither price nor currency with a price estimate of %j',
		(priceEstimate) => {
			const { estimate, currency } = readCreated({ ...created, priceEstimate });
			expect([estimate, currency]).toEqual([undefined, undefined]);
		},
	);
});

describe('a dispatch as the service shows it', () => {
	const shown = {
		id: 17,
		name: 'Spring sale',
		status: 'CREATED',
		messages: { total: 3 },
		parts: { total: 4 },
		priceEstimate: 1.5,
		createdAt: '2026-03-02T07:00:00Z',
	};

	it('is read as it is', () => {
		expect(readDispatch(shown)).toEqual({
			id: 17,
			name: 'Spring sale',
			status: 'CREATED',
			total: 3,
			parts: 4,
			estimate: 1.5,
			givenEstimate: 1.5,
			createdAt: '2026-03-02T07:00:00Z',
		});
	});

	it.each([[undefined], [null], ['17'], [[shown]], [{}], [{ data: shown }], [{ ...shown, id: 0 }]])(
		'%j is none',
		(reply) => {
			expect(readDispatch(reply)).toBeUndefined();
		},
	);

	it('shows nothing in another spelling', () => {
		const { priceEstimate, createdAt } = shown;
		const state = readDispatch({ id: 17, price_estimate: priceEstimate, created_at: createdAt });
		expect([state?.estimate, state?.createdAt]).toEqual([undefined, undefined]);
	});

	it.each([undefined, 3, [3], { count: 3 }])('has no total with messages %j', (messages) => {
		expect(readDispatch({ ...shown, messages })?.total).toBeUndefined();
	});

	it.each([0, 0.01, 1_000_000])('has the price estimate %d', (priceEstimate) => {
		expect(readDispatch({ ...shown, priceEstimate })?.estimate).toBe(priceEstimate);
	});

	it.each([-0.01, NaN, Infinity, '1.5', '1,50', null, undefined, { total: 1.5 }])(
		'cannot be compared with a limit if its price estimate is %j, which is kept for the words',
		(priceEstimate) => {
			const state = readDispatch({ ...shown, priceEstimate });
			expect(state?.estimate).toBeUndefined();
			expect(state?.givenEstimate).toBe(priceEstimate);
		},
	);

	it.each([
		[{ status: 'CREATED' }, false],
		[{ status: 'CREATED', startedAt: '2026-03-02T07:00:00Z' }, true],
		[{ status: 'STARTED' }, true],
		[{ status: 'STOPPED' }, true],
		[{ status: 'created' }, true],
		[{}, true],
	])('%j: started before is %s, because anything unclear may have been', (more, expected) => {
		const state = readDispatch({ id: 17, ...more });
		expect(state && !isUnstarted(state)).toBe(expected);
	});
});
