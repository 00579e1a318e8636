import type { Comparison } from './figure.cts';
import { ratios, spreadOf, type Spread } from './statistics.cts';

export interface Row extends Comparison {
	figure: string;
	ratio: Spread;
	/** `undefined` if there is no limit. */
	met?: boolean;
}

/** The median decides: one disturbed repetition neither breaks nor saves a figure. The spread is shown beside it. */
export function toRow(figure: string, comparison: Comparison): Row {
	const { ours, theirs, limit } = comparison;
	const ratio = spreadOf(ratios(ours.values, theirs.values));
	return {
		figure,
		...comparison,
		ratio,
		met: limit === undefined ? undefined : ratio.median <= limit,
	};
}

const plain = (value: number) => (value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));
const amount = (values: readonly number[], unit: string) => {
	const { median, least, most } = spreadOf(values);
	const [middle, from, to] = [median, least, most].map((value) =>
		plain(value).toLocaleString('en'),
	);
	return `${middle} ${unit} (${from}–${to})`;
};
/** Two places, or as many as show something. */
const factor = (value: number) =>
	value === 0 || value >= 0.01 ? value.toFixed(2) : value.toPrecision(1);

const headings = ['Figure', 'Ours', 'Compared with', 'Theirs', 'Ours ÷ theirs', 'Limit', 'Met'];

/** Some repetitions met the limit and others didn't: the median alone doesn't prove much. */
const isClose = ({ ratio, limit = NaN }: Row): boolean =>
	ratio.least <= limit && limit < ratio.most;

const verdict = (row: Row): string[] => {
	const { ratio, limit, met } = row;
	return [
		`${factor(ratio.median)} (${factor(ratio.least)}–${factor(ratio.most)})`,
		limit === undefined ? '' : `≤ ${factor(limit)}`,
		met === undefined ? '' : `${met ? 'yes' : 'NO'}${isClose(row) ? ', within the spread' : ''}`,
	];
};

const cells = (row: Row): string[] => [
	`${row.figure}: ${row.what}`,
	amount(row.ours.values, row.unit),
	row.theirs.name,
	amount(row.theirs.values, row.unit),
	...verdict(row),
];

const larger = { µs: 'ms', ms: 's', KB: 'MB', MB: 'GB' } as const;
const readable = (values: readonly number[], unit: Comparison['unit']) => {
	const { median } = spreadOf(values);
	const [value, shown] = median < 1_000 ? [median, unit] : [median / 1_000, larger[unit]];
	return `${plain(value).toLocaleString('en')} ${shown}`;
};

/** Up to 1 as a percentage, because "0.33 times" is hard to read. */
const inWords = ({ median, least, most }: Spread) => {
	const isPercentage = median <= 1;
	const show = (value: number) =>
		isPercentage
			? `${value < 0.01 ? factor(100 * value) : Math.round(100 * value)}%`
			: plain(value).toLocaleString('en');
	const range = least === most ? '' : ` (${show(least)} to ${show(most)})`;
	return `${show(median)}${isPercentage ? '' : ' times'}${range}`;
};
const target = (row: Row) => {
	const { limit, met } = row;
	if (limit === undefined) return '';
	const close = isClose(row) ? ', within the range' : '';
	return `at most ${inWords(spreadOf([limit]))}: ${met ? 'met' : '**missed**'}${close}`;
};

/** The table in docs/benchmarks.md: what this package needs, what the alternative needs, and whether our target is met. */
export const renderForReaders = (rows: readonly Row[]): string =>
	[
		'| What | This package | Compared with | Ratio | Our target |',
		'| --- | --- | --- | --- | --- |',
		...rows.map((row) => {
			const [ours, theirs] = [row.ours, row.theirs].map(({ values }) => readable(values, row.unit));
			return `| ${row.figure}: ${row.what} | ${ours} | ${row.theirs.name}: ${theirs} | ${inWords(row.ratio)} | ${target(row)} |`;
		}),
	].join('\n');

/** One Markdown table with notes below it. */
export function renderTable(rows: readonly Row[]): string {
	const lines = [headings, ...rows.map(cells)];
	const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
	const render = (line: readonly string[]) =>
		`| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
	const rule = render(widths.map((width) => '-'.repeat(width)));
	const [head, ...body] = lines.map(render);
	const notes = rows.flatMap(({ figure, theirs, note }) =>
		note === undefined ? [] : [`- ${figure} compared with ${theirs.name}: ${note}.`],
	);
	return [head, rule, ...body, '', ...notes].join('\n');
}
