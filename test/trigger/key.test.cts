import { keysOf } from '../../nodes/BulkMessagingTrigger/callbacks/key';
import { recognize } from '../../nodes/BulkMessagingTrigger/callbacks/parse';
import { click, dispatchSent, price, sent } from './bodies.cts';

const keysFor = (...bodies: unknown[]) => keysOf(bodies.map(recognize));

const isDuplicate = (one: unknown, other: unknown) => keysFor(one)[0] === keysFor(other)[0];

describe('keys of callbacks', () => {
	it('stay the same from version to version, because n8n has them on record', () => {
		expect(keysFor(sent, click, click, click, price, dispatchSent, 17, 17)).toEqual([
			'kwPDUzQBijB0RDserByvst2g',
			'dhxacJIT/48J8yGHR0EarzHy',
			'l6yBdqd9Jq3mTye4xX7AimGo',
			'Qe/WBhbvCUoYpsl3/MYvIw+Q',
			'Q+Q+g+1ANsjaOgVU1MAU1lG6',
			'ILz91wO5doOCep2FP3LVRW3Z',
			'E0SCRYS8zb9LGnbBPAyrQk1l',
			'HV7CQzEmc8uInFZoqeBOxQHp',
		]);
	});

	it('differ where the ID, event, status, time, link, price, parts or currency does', () => {
		const clicked = { ...click, status_time: '2026-03-02T07:00:05Z' };
		const different = [
			sent,
			{ ...sent, message_uuid: 'another' },
			{ ...sent, callback_event: 'delivered' },
			{ ...sent, status: 'another' },
			{ ...sent, status_time: '2026-03-02T07:00:03Z' },
			{ ...sent, status_time: 1_772_434_802 },
			{ ...sent, status_time: 1_772_434_803 },
			click,
			{ ...click, url: 'https://shop.example/roses' },
			{ ...click, short_url: 'https://s.example/b2' },
			{ ...click, click_time: '2026-03-02T07:02:01Z' },
			{ ...clicked, click_time: '2026-03-02T07:09:00Z' },
			price,
			{ ...price, price: 3.15 },
			{ ...price, parts: 3 },
			{ ...price, currency: 'USD' },
			dispatchSent,
			{ event: 'sent', messageUuid: sent.message_uuid, status: 'sent', sentAt: sent.status_time },
		];
		expect(new Set(different.map((body) => keysFor(body)[0])).size).toBe(different.length);
	});

	it('are the same for an ID as a number and as a text', () => {
		const [number, text] = [17, '17'].map((message_uuid) => ({ ...sent, message_uuid }));
		expect(isDuplicate(number, text)).toBe(true);
	});

	it.each([
		['a message', sent],
		['a dispatch', dispatchSent],
		['a price', price],
		['a click', click],
		['a date with the year at its end', { ...sent, status_time: '02.03.2026 07:00' }],
		['a Unix time', { ...sent, status_time: 1_772_434_802 }],
		['a Unix time as text', { ...sent, status_time: '1772434802' }],
		['a Unix time in milliseconds as text', { ...sent, status_time: '1772434802000' }],
	])('an event with %s is the same event whatever its other fields say', (_, body) => {
		expect(isDuplicate(body, { ...body, attempt: 2 })).toBe(true);
	});

	it.each<[string, object]>([
		...[
			undefined,
			'',
			'N/A',
			'0001-01-01T00:00:00Z',
			0,
			{},
			'07:25:00',
			'entry 1772434802',
			'1772434802 entries',
			'01772434802',
			'17724348',
			['2026-03-02T07:00:02Z'],
		].map((status_time): [string, object] => [
			`the time is ${JSON.stringify(status_time)}`,
			{ ...sent, status_time },
		]),
		...[undefined, null, ''].map((status): [string, object] => [
			`the status is ${JSON.stringify(status)}`,
			{ ...sent, status },
		]),
		['a dispatch has no time', { ...dispatchSent, sentAt: undefined }],
		[
			'a click has no time but that of its status',
			{ ...click, click_time: null, status_time: sent.status_time },
		],
		['a price has no currency', { ...price, currency: undefined }],
		['a click has no short link', { ...click, short_url: '' }],
	])('where %s, all fields are compared', (_, body) => {
		expect(isDuplicate(body, { ...body })).toBe(true);
		expect(isDuplicate(body, { ...body, attempt: 2 })).toBe(false);
	});

	it('two elements that are not events are compared by everything they contain', () => {
		const typing = { ...sent, callback_event: 'typing' };
		expect(isDuplicate(typing, typing)).toBe(true);
		expect(isDuplicate(typing, { ...typing, attempt: 2 })).toBe(false);
		expect(isDuplicate(typing, 17)).toBe(false);
	});

	it('are short however long a field is', () => {
		expect(keysFor({ ...sent, message_uuid: 'x'.repeat(10_000) })[0]).toHaveLength(24);
	});
});
