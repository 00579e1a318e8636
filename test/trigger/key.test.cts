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

	it.each([
		['a date', '2026-03-02T07:00:02Z'],
		['a date with the year at its end', '02.03.2026 07:00'],
		['a Unix time', 1_772_434_802],
		['a Unix time as text', '1772434802'],
		['a Unix time in milliseconds as text', '1772434802000'],
	])('an event with %s is the same event whatever its other fields say', (_, status_time) => {
		expect(isDuplicate({ ...sent, status_time }, { ...sent, status_time, attempt: 2 })).toBe(true);
	});

	it.each([
		['a time of day', '07:25:00'],
		['a text that ends with a number', 'entry 1772434802'],
		['a text that begins with a number', '1772434802 entries'],
		['a number that begins with zero', '01772434802'],
		['a short number', '17724348'],
		['a list', ['2026-03-02T07:00:02Z']],
	])('an event whose time is %s is compared by all its fields', (_, status_time) => {
		expect(isDuplicate({ ...sent, status_time }, { ...sent, status_time })).toBe(true);
		expect(isDuplicate({ ...sent, status_time }, { ...sent, status_time, attempt: 2 })).toBe(false);
	});

	it.each([undefined, null, ''])(
		'an event whose status is %j is compared by all its fields',
		(status) => {
			expect(isDuplicate({ ...sent, status }, { ...sent, status })).toBe(true);
			expect(isDuplicate({ ...sent, status }, { ...sent, status, attempt: 2 })).toBe(false);
		},
	);

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
