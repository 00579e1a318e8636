import { markup, type Markup } from '../../shared/markup';
import type { ReportFigures } from './schema';
import { toShownCount } from './summarize';

const width = 360;
const height = 210;
/** The area of the line. The space around it is for the labels. */
const plot = { left: 46, right: 354, top: 10, bottom: 182 };
const mostPoints = 100;

/** The smallest of 1, 2, 5, 10, 20, … that needs at most four steps. */
const stepFor = (most: number): number => {
	const power = 10 ** Math.floor(Math.log10(most));
	return (
		[0.5, 1, 2, 5].map((part) => part * power).find((step) => step >= 1 && step * 4 >= most) ?? 1
	);
};

const day = 86_400_000;

/** Shows seconds for short spans, and the date for long ones. */
const timeFormat = (span: number, timeZone: string): Intl.DateTimeFormat =>
	new Intl.DateTimeFormat('en-GB', {
		timeZone,
		hour: '2-digit',
		minute: '2-digit',
		...(span < 600_000 && { second: '2-digit' }),
		...(span > day / 2 && { day: 'numeric', month: 'short' }),
	});

/** The number of delivered messages over time: a line from the start to the last delivery. */
export const deliveredLine = (
	deliveredAt: Float64Array,
	/** `NaN` if it isn't known. */
	startedAt: number,
	timeZone: string,
): Markup => {
	const first = deliveredAt[0];
	const last = deliveredAt.at(-1);
	if (first === undefined || last === undefined) {
		return markup`<p>There are no delivery times to show.</p>`;
	}
	const from = startedAt <= first ? startedAt : first;
	const span = Math.max(last - from, 1_000);
	const step = stepFor(deliveredAt.length);
	const most = Math.ceil(deliveredAt.length / step) * step;
	const xAt = (share: number) => plot.left + share * (plot.right - plot.left);
	const yOf = (count: number) => plot.bottom - (count / most) * (plot.bottom - plot.top);
	let count = 0;
	const points = Array.from({ length: mostPoints + 1 }, (_, index) => {
		const share = index / mostPoints;
		while (count < deliveredAt.length && (deliveredAt[count] ?? 0) <= from + share * span) count++;
		return `${xAt(share).toFixed(1)},${yOf(count).toFixed(1)}`;
	}).join(' ');
	const format = timeFormat(span, timeZone);
	const levels = Array.from({ length: most / step + 1 }, (_, index) => index * step);
	return markup`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Delivered messages over time">
${levels.map((level) => markup`<path class="grid" d="M${plot.left} ${yOf(level)}H${plot.right}"/><text x="${plot.left - 6}" y="${yOf(level) + 4}" text-anchor="end">${toShownCount(level)}</text>`)}
<polygon class="area" points="${plot.left},${plot.bottom} ${points} ${plot.right},${plot.bottom}"/>
<polyline class="line" points="${points}"/>
${(['start', 'middle', 'end'] as const).map((anchor, index) => markup`<text x="${xAt(index / 2)}" y="${plot.bottom + 20}" text-anchor="${anchor}">${format.format(from + (span * index) / 2)}</text>`)}
</svg>`;
};

const rowHeight = 44;
const mostBars = 8;
const thinnest = 2;

/** One bar per operator, divided by the results of its messages. */
export const operatorBars = (
	operators: ReportFigures['byOperator'],
	nameOf: (operator: string) => string,
): Markup => {
	if (operators.length === 0) return markup`<p>There are no messages.</p>`;
	const shown = operators.slice(0, mostBars);
	const most = shown[0]?.total ?? 1;
	const bars = shown.map((row, index) => {
		const y = index * rowHeight;
		let x = 0;
		const segments = (['delivered', 'failed', 'pending', 'unknown'] as const).map((outcome) => {
			if (row[outcome] === 0) return markup``;
			const length = Math.max((row[outcome] / most) * width, thinnest);
			x += length;
			return markup`<rect class="${outcome}" x="${(x - length).toFixed(1)}" y="${y + 20}" width="${length.toFixed(1)}" height="14"/>`;
		});
		return markup`<text class="name" y="${y + 14}">${nameOf(row.operator)}</text><text x="${width}" y="${y + 14}" text-anchor="end">${toShownCount(row.delivered)} of ${toShownCount(row.total)} delivered</text>${segments}`;
	});
	return markup`<svg viewBox="0 0 ${width} ${shown.length * rowHeight}" role="img" aria-label="Messages by operator">
${bars}
</svg>`;
};
