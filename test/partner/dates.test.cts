import { setGlobalState } from 'n8n-workflow';
import { byId, useSandbox } from '../support/sandbox.cts';
import { demo } from '../../sandbox/demo';

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
		['true', '={{ true }}'],
		['a list', '={{ [2026, 3, 1] }}'],
		['a DateTime that is invalid', '={{ DateTime.fromISO("nonsense") }}'],
	])('is refused: %s', async (_, given) => {
		const { error, sent } = await close(given);
		expect(error?.message).toContain('"Valid Until" ');
		expect(error?.context?.itemIndex).toBe(0);
		expect(sent).toBeUndefined();
		expect(await bench.everything()).toEqual([]);
	});
});
