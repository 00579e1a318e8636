import { setGlobalState } from 'n8n-workflow';
import { byId, useSandbox } from '../support/sandbox.cts';
import { demo } from '../../sandbox/demo.cts';

// The time zone of the workflow, five hours east of UTC all year.
setGlobalState({ defaultTimezone: 'Asia/Yekaterinburg' });

const bench = useSandbox();
const { mts } = demo.senders;

const close = async (dateTo: unknown, item = {}) => {
	const parameters = { id: byId(mts), dateTo: dateTo as string, suspend: false };
	const { error } = await bench.run('sender.close', parameters, { items: [item] });
	const [request] = await bench.wire();
	return { error, sent: (request?.body as { dateTo: string } | undefined)?.dateTo };
};

const moment = Date.UTC(2026, 5, 1, 5);

describe('a date on its way to the wire', () => {
	test.each([
		['ISO in UTC', '2026-06-01T05:00:00Z', '2026-06-01T05:00:00Z'],
		['ISO with milliseconds', '2026-06-01T05:00:00.250Z', '2026-06-01T05:00:00.250Z'],
		['ISO with an offset keeps it', '2026-06-01T08:00:00+03:00', '2026-06-01T08:00:00+03:00'],
		['a negative offset', '2026-05-31T22:00:00-07:00', '2026-05-31T22:00:00-07:00'],
		['without a zone: that of the workflow', '2026-06-01T10:00:00', '2026-06-01T10:00:00+05:00'],
		['as the editor writes it', '2026-06-01 10:00:00', '2026-06-01T10:00:00+05:00'],
		['only a day', '2026-06-01', '2026-06-01T00:00:00+05:00'],
		[
			'a DateTime of an expression keeps its zone',
			'={{ DateTime.fromISO("2026-06-01T10:00:00+02:00", {setZone: true}) }}',
			'2026-06-01T10:00:00+02:00',
		],
		[
			'a DateTime in the zone of the workflow',
			'={{ DateTime.fromISO("2026-06-01T10:00:00") }}',
			'2026-06-01T10:00:00+05:00',
		],
		['a Date', `={{ new Date(${moment}) }}`, '2026-06-01T10:00:00+05:00'],
		['milliseconds', '={{ $json.ms }}', '2026-06-01T10:00:00+05:00'],
		['milliseconds, computed', `={{ ${moment} + 0 }}`, '2026-06-01T10:00:00+05:00'],
	])('%s', async (_, given, expected) => {
		const { error, sent } = await close(given, { ms: moment });
		expect(error).toBeUndefined();
		expect(sent).toBe(expected);
		expect(bench.store.senders.get(mts)?.dateTo).toBe(Date.parse(expected));
	});

	test.each([
		['seconds', '={{ $json.seconds }}'],
		['seconds as text', '={{ String($json.seconds) }}'],
		['milliseconds as text', '={{ " " + $json.ms + " " }}'],
		['a Date of the item', '={{ $json.date }}'],
	])('%s', async (_, given) => {
		const { error, sent } = await close(given, {
			seconds: moment / 1000,
			ms: moment,
			date: new Date(moment),
		});
		expect(error).toBeUndefined();
		expect(sent).toBe('2026-06-01T10:00:00+05:00');
	});

	test('$now with an offset to it', async () => {
		const { error, sent } = await close('={{ $now.set({ year: 2030, millisecond: 0 }) }}');
		expect(error).toBeUndefined();
		expect(sent).toMatch(/^2030-\d\d-\d\dT\d\d:\d\d:\d\d\+05:00$/);
	});

	test('inside of a collection, too', async () => {
		const expression = '={{ DateTime.fromISO("2026-06-01T10:00:00+02:00", {setZone: true}) }}';
		const { error } = await bench.run('sender.update', {
			id: byId(mts),
			updateFields: { dateTo: expression },
		});
		expect(error).toBeUndefined();
		expect((await bench.wire())[0]?.body).toEqual({ dateTo: '2026-06-01T10:00:00+02:00' });
	});

	test.each([
		['day and month in an order nobody can know', '01.03.2026'],
		['the same with slashes', '03/01/2026'],
		['words', 'tomorrow'],
		['a day that does not exist', '2026-02-30'],
		['an hour that does not exist', '2026-03-01T25:00:00'],
		['a month that does not exist', '2026-13-01 10:00'],
		['a minute that does not exist', '2026-12-01 10:60'],
		['an hour of the afternoon', '2026-12-01 10:00 PM'],
		['slashes', '2026/12/01 10:00'],
		['a comma', '2026-12-01, 10:00'],
		['only a month', '2026-12'],
		['a day as a number', '20261201'],
		['a zone nobody knows', '2026-12-01 10:00 MSK'],
		['a zone by its name', '2026-12-01 10:00 UTC'],
		['a place', '2026-12-01 10:00 Europe/Moscow'],
		['a place behind the offset', '2026-12-01T09:00:00+01:00[Europe/Paris]'],
		['an offset that does not exist', '2026-12-01T10:00:00+99:99'],
		['words behind it', '2026-12-01 10:00 sharp'],
		['an hour without minutes', '2026-12-01 10'],
		['a small number', '={{ 12 }}'],
		['eleven digits', '={{ 17800000000 }}'],
		['eleven digits as text', '={{ "17800000000" }}'],
		['fractions of a second', '={{ 1780290000.5 }}'],
		['a negative number', '={{ -1780290000 }}'],
		['NaN', '={{ NaN }}'],
		['an invalid Date', '={{ new Date(NaN) }}'],
		['true', '={{ true }}'],
		['a list', '={{ [2026, 3, 1] }}'],
		['a DateTime that is invalid', '={{ DateTime.fromISO("nonsense") }}'],
	])('is refused: %s', async (_, given) => {
		const { error, sent } = await close(given);
		expect(error?.message).toContain("'Valid Until' ");
		expect(error?.context?.item).toBe(1);
		expect(sent).toBeUndefined();
		expect(await bench.everything()).toEqual([]);
	});
});

/** Two workflows whose zones differ: whatever zone this process has, it is not both of them. */
describe.each([
	['Asia/Yekaterinburg', '+05:00'],
	['America/New_York', '-05:00'],
])('without a zone, in a workflow of %s', (zone, offset) => {
	beforeAll(() => setGlobalState({ defaultTimezone: zone }));
	afterAll(() => setGlobalState({ defaultTimezone: 'Asia/Yekaterinburg' }));

	test.each([
		['2026-12-01 9:00', '2026-12-01T09:00:00'],
		['2026-12-01T9:00', '2026-12-01T09:00:00'],
		['2026-12-1 10:00', '2026-12-01T10:00:00'],
		['2026-12-1', '2026-12-01T00:00:00'],
		['  2026-12-01   10:00  ', '2026-12-01T10:00:00'],
		['2026-12-01 10:00:00.250', '2026-12-01T10:00:00.250'],
	])('%j', async (given, expected) => {
		for (const value of [given, '={{ $json.at }}']) {
			bench.forget();
			const { error, sent } = await close(value, { at: given });
			expect(error).toBeUndefined();
			expect(sent).toBe(expected + offset);
		}
	});

	test.each([
		['2026-12-01 9:00 +02:00', '2026-12-01T09:00:00+02:00'],
		['2026-12-01 9:00Z', '2026-12-01T09:00:00Z'],
		['2026-12-1T9:00z', '2026-12-01T09:00:00Z'],
		['2026-12-1 21:00 -0300', '2026-12-01T21:00:00-03:00'],
	])('%j keeps its own', async (given, expected) => {
		const { error, sent } = await close(given);
		expect(error).toBeUndefined();
		expect(sent).toBe(expected);
	});
});
