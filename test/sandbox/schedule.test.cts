import {
	nextAllowed,
	offsetOf,
	parseLocalTime,
	type SendingWindow,
} from '../../sandbox/time/schedule.cts';
import { day, hour, minute, mts, open } from './support.cts';

const at = (text: string) => Date.parse(text);
const all = { hours: Array.from({ length: 24 }, (_, index) => index), days: [1, 2, 3, 4, 5, 6, 7] };
const office: SendingWindow = { hours: [9, 10, 11], days: [1, 2, 3, 4, 5], offset: 0 };

// 2 March 2026 is a Monday.
test.each<[string, SendingWindow, string, string]>([
	['open now', office, '2026-03-02T09:30:15Z', '2026-03-02T09:30:15Z'],
	['the first moment', office, '2026-03-02T09:00:00Z', '2026-03-02T09:00:00Z'],
	['before the hours', office, '2026-03-02T03:10:00Z', '2026-03-02T09:00:00Z'],
	['the last moment', office, '2026-03-02T11:59:59.999Z', '2026-03-02T11:59:59.999Z'],
	['after the hours', office, '2026-03-02T12:00:00Z', '2026-03-03T09:00:00Z'],
	['on Friday evening', office, '2026-03-06T20:00:00Z', '2026-03-09T09:00:00Z'],
	['on Sunday', office, '2026-03-08T10:00:00Z', '2026-03-09T09:00:00Z'],
	['only on Sundays', { days: [7], offset: 0 }, '2026-03-02T10:00:00Z', '2026-03-08T00:00:00Z'],
	['only at midnight', { hours: [0], offset: 0 }, '2026-03-02T00:59:59Z', '2026-03-02T00:59:59Z'],
	[
		'one hour of one day, just missed',
		{ hours: [9], days: [1], offset: 0 },
		'2026-03-02T10:00:00Z',
		'2026-03-09T09:00:00Z',
	],
	[
		'in another zone',
		{ ...office, offset: 3 * hour },
		'2026-03-02T05:00:00Z',
		'2026-03-02T06:00:00Z',
	],
	[
		'a zone with half an hour',
		{ hours: [9], offset: 5.5 * hour },
		'2026-03-02T00:00:00Z',
		'2026-03-02T03:30:00Z',
	],
	[
		'the weekday of the zone',
		{ days: [2], offset: 3 * hour },
		'2026-03-02T20:00:00Z',
		'2026-03-02T21:00:00Z',
	],
	[
		'not before',
		{ ...office, notBefore: at('2026-03-04T10:30:00Z') },
		'2026-03-02T09:00:00Z',
		'2026-03-04T10:30:00Z',
	],
	[
		'over the end of the month',
		{ hours: [9], days: [3], offset: 0 },
		'2026-03-28T00:00:00Z',
		'2026-04-01T09:00:00Z',
	],
	['no limits', { offset: 0 }, '2026-03-02T09:00:00Z', '2026-03-02T09:00:00Z'],
])('%s', (_, window, from, expected) => {
	expect(new Date(nextAllowed(window, at(from)))).toEqual(new Date(expected));
});

test('zones as they are written', () => {
	expect(offsetOf('2026-03-02T09:00:00Z')).toBe(0);
	expect(offsetOf('2026-03-02T09:00:00+03:00')).toBe(3 * hour);
	expect(offsetOf('2026-03-02T09:00:00-0330')).toBe(-3.5 * hour);
	expect(parseLocalTime('2026-03-02 09:00:00')).toBe(at('2026-03-02T09:00:00+03:00'));
});

describe('a dispatch with a schedule', () => {
	test.each([
		['waits for startAt', { ...all, startAt: '2026-03-05T12:30:00+03:00' }, '2026-03-05T09:30:00Z'],
		[
			'reads hours and weekdays in the zone of startAt',
			{ startAt: '2026-03-01T00:00:00+05:00', hours: [9], days: [3] },
			'2026-03-04T04:00:00Z',
		],
		[
			'goes at once when it is open',
			{ startAt: '2026-03-01T00:00:00Z', hours: [7], days: [1] },
			'2026-03-02T07:00:01Z',
		],
	])('%s', async (_, schedule, expected) => {
		const { sandbox, createDispatch, start } = open({ now: at('2026-03-02T07:00:00Z') });
		const { id } = await createDispatch({ schedule });
		await start(id);
		await sandbox.advance(14 * day);
		expect(sandbox.world.store.dispatches.get(id)?.messages[0].sentAt).toBe(at(expected));
	});

	test('stays STARTED while it waits, and pauses when the window closes', async () => {
		const { sandbox, control, createDispatch, start, get } = open({
			now: at('2026-03-02T09:59:50Z'),
		});
		await control('PUT', '/settings', { messagesPerSecond: 10 });
		const { id } = await createDispatch({
			messages: Array.from({ length: 200 }, () => ({ destination: mts })),
			schedule: { startAt: '2026-03-02T00:00:00Z', hours: [9], days: all.days },
		});
		await start(id);
		await sandbox.advance(hour);
		const { status, messages } = await get(id);
		expect(status).toBe('STARTED');
		// Nine seconds of ten messages each are left of the hour.
		expect(messages).toMatchObject({ delivered: 90, pending: 110 });
		await sandbox.advance(at('2026-03-03T09:00:00Z') - 1 - sandbox.now);
		expect((await get(id)).messages.pending).toBe(110);
		await sandbox.advance(minute);
		expect(await get(id)).toMatchObject({ status: 'COMPLETED', messages: { delivered: 200 } });
	});
});
