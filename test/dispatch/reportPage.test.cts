import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { byId, useSandbox } from '../support/sandbox.cts';
import { elementsIn, findAll, parsePage, textOf } from './page.cts';
import { firstNew } from './recipients.cts';
import {
	addDispatch,
	answerMessages,
	answerWith,
	delivered,
	dispatchOf,
	start,
} from './report.cts';

const bench = useSandbox();
const { spring } = demo.dispatches;

const run = async (id: number, parameters = {}) => {
	const all = { id: byId(id), simplify: false, ...parameters };
	const { items, error } = await bench.run('dispatch.getReport', all);
	expect(error).toBeUndefined();
	return items[0] ?? { json: {} };
};

const contentOf = ({ data }: IBinaryData) => Buffer.from(data, 'base64').toString();

const pageOf = async (id = spring) => {
	const { json, binary } = await run(id, { includeHtml: true });
	const file = binary?.report;
	if (file === undefined) throw new Error('there is no file');
	const html = contentOf(file);
	return { report: json, html, page: parsePage(html) };
};

describe('the file', () => {
	test('is there only by choice', async () => {
		const { binary } = await run(spring, { includeHtml: false });
		expect(binary).toBeUndefined();
	});

	test('has a name, a type and a field', async () => {
		const { binary } = await run(spring, { includeHtml: true });
		expect(Object.keys(binary ?? {})).toEqual(['report']);
		expect(binary?.report).toMatchObject({
			fileName: `dispatch-${spring}-report.html`,
			fileExtension: 'html',
			mimeType: 'text/html',
		});
	});

	test('is put into the field that is named', async () => {
		const { binary } = await run(spring, { includeHtml: true, binaryPropertyName: 'page' });
		expect(Object.keys(binary ?? {})).toEqual(['page']);
	});

	test('leaves the figures as they are', async () => {
		const { json: plain } = await run(spring);
		const { report } = await pageOf();
		expect(report).toEqual({ ...plain, reportedAt: report.reportedAt });
	});
});

/** What could run or load something. */
const isActive = ({ tag, attributes }: ReturnType<typeof elementsIn>[number]) =>
	['script', 'link', 'img', 'iframe', 'object', 'embed', 'form', 'base', 'a', 'use'].includes(
		tag,
	) || Object.keys(attributes).some((name) => /^(?:on|src|href|xlink|action|style$)/.test(name));

test('the page stands alone: it runs nothing, loads nothing and forbids both', async () => {
	const { page, html } = await pageOf();
	expect(elementsIn(page).filter(isActive)).toEqual([]);
	expect(html).not.toMatch(/https?:|url\(|@import|javascript:/i);
	const policies = findAll(page, 'meta').map(({ attributes }) => attributes);
	expect(policies).toContainEqual({
		'http-equiv': 'Content-Security-Policy',
		content: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
	});
	const [style] = findAll(page, 'style');
	expect(textOf(style)).toContain('prefers-color-scheme:dark');
	expect(textOf(style)).toContain('@media print');
});

test('it says what the report says', async () => {
	const { page, report } = await pageOf();
	expect(textOf(findAll(page, 'h1')[0])).toBe('Spring bouquets');
	expect(textOf(findAll(page, 'title')[0])).toBe('Spring bouquets');
	expect(textOf(page)).toContain(String(report.summary));
	const rows = findAll(page, 'tr').map((row) =>
		[...findAll(row, 'th'), ...findAll(row, 'td')].map(textOf),
	);
	const cost = (report.cost as IDataObject).final as number;
	expect(rows).toContainEqual(['MTS', '2', '1', '1', '0', '0', '2', '2.90']);
	expect(rows).toContainEqual(['Unknown', '1', '0', '1', '0', '0', '1', '0.00']);
	expect(rows).toContainEqual(['Delivered', '4']);
	expect(rows).toContainEqual(['Rejected by the service, never sent', '1']);
	expect(textOf(page)).toContain(cost.toFixed(2));
});

test('why messages failed: the meaning of their error codes and what to do', async () => {
	const failed = { ...delivered, status: 'FAILED', deliveredAt: null, errorCode: 453 };
	answerMessages(bench.sandbox, [failed, failed]);
	const { page } = await pageOf();
	expect(textOf(page)).toContain(
		"Error 453. The recipient's number is on a block list. Remove it from your list.2",
	);
});

describe('pictures', () => {
	const pointsOf = (page: ReturnType<typeof parsePage>) =>
		(findAll(page, 'polyline')[0]?.attributes.points ?? '')
			.split(' ')
			.map((point) => point.split(',').map(Number));

	test('the line rises from the start to all that were delivered', async () => {
		bench.store.settings.messagesPerSecond = 10;
		await addDispatch(bench.sandbox, 300);
		await start(bench.sandbox);
		await bench.sandbox.advance(3_600_000);
		const { page } = await pageOf(firstNew);
		const points = pointsOf(page);
		expect(points).toHaveLength(101);
		const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis] ?? NaN)) as [
			number[],
			number[],
		];
		expect(xs).toEqual([...xs].sort((a, b) => a - b));
		expect(ys).toEqual([...ys].sort((a, b) => b - a));
		// 300 is the highest of the levels, 0 the lowest.
		const heightOf = (label: string) =>
			Number(findAll(page, 'text').find((text) => textOf(text) === label)?.attributes.y) - 4;
		expect(ys.at(-1)).toBeCloseTo(heightOf('300'), 1);
		expect(ys[0]).toBeCloseTo(heightOf('0'), 1);
	});

	test('one message, delivered at the moment of the start', async () => {
		const moment = { sentAt: '2026-03-02T07:00:00Z', deliveredAt: '2026-03-02T07:00:00Z' };
		answerMessages(bench.sandbox, [{ ...delivered, ...moment }]);
		const { page } = await pageOf();
		const points = pointsOf(page);
		expect(points.flat().filter(Number.isNaN)).toEqual([]);
		expect(new Set(points.map(([, y]) => y)).size).toBe(1);
	});

	test.each([
		['seconds', '2026-03-02T07:05:00Z', ['02:00:00', '02:02:30', '02:05:00']],
		['minutes', '2026-03-02T11:00:00Z', ['02:00', '04:00', '06:00']],
		['days', '2026-03-04T07:00:00Z', ['2 Mar, 02:00', '3 Mar, 02:00', '4 Mar, 02:00']],
	])('the time axis in %s, in the time zone of the workflow', async (_, deliveredAt, labels) => {
		answerMessages(bench.sandbox, [{ ...delivered, deliveredAt }]);
		const { page } = await pageOf();
		const [line] = findAll(page, 'svg');
		expect(line && findAll(line, 'text').slice(-3).map(textOf)).toEqual(labels);
		// The default of n8n, which the workflow of the tests has.
		expect(textOf(findAll(page, 'footer')[0])).toContain('(America/New_York)');
	});

	test('one bar for each operator, as long as its messages', async () => {
		const { page } = await pageOf();
		const bars = findAll(page, 'rect').map(({ attributes }) => [
			attributes.class,
			Number(attributes.width),
		]);
		expect(bars).toEqual([
			['delivered', 180],
			['failed', 180],
			['delivered', 180],
			['delivered', 180],
			['delivered', 180],
			['failed', 180],
		]);
	});

	test('of an empty dispatch are sentences', async () => {
		await addDispatch(bench.sandbox, []);
		const { page } = await pageOf(firstNew);
		expect(findAll(page, 'svg')).toEqual([]);
		expect(textOf(page)).toContain('There are no delivery times to show.');
		expect(textOf(page)).toContain('There are no messages.');
	});
});

describe('what the service sends is text', () => {
	const nasty = `<script>alert(1)</script><img src=x onerror=alert(1)>"'&amp;</style></title>`;

	test('a name, a channel, a status, an operator and a currency', async () => {
		answerMessages(bench.sandbox, [delivered], {
			...dispatchOf(1),
			name: nasty,
			channelType: nasty,
			status: nasty,
			startedAt: nasty,
			createdAt: nasty,
			priceEstimate: { total: 1, currency: nasty },
		});
		answerWith(bench.sandbox, '/senders/{id}', { id: demo.senders.mts, brand: nasty });
		const { page, html } = await pageOf();
		expect(elementsIn(page).filter(isActive)).toEqual([]);
		expect(textOf(findAll(page, 'h1')[0])).toBe(nasty);
		expect(textOf(findAll(page, 'title')[0])).toBe(nasty);
		expect(textOf(page).split(nasty.toUpperCase()).length).toBeGreaterThan(1);
		expect(findAll(page, 'text').map(textOf)).toContain(nasty);
		expect(html).not.toContain('<script');
	});

	test('a dispatch without a name has its number as the title', async () => {
		answerMessages(bench.sandbox, [delivered], { ...dispatchOf(1), name: '' });
		const { page } = await pageOf();
		expect(textOf(findAll(page, 'h1')[0])).toBe(`Dispatch ${spring}`);
	});
});
