import { brandOptions } from '../../shared/senderNames';
import { dispatchStatusOptions, messageStatusOptions } from '../../shared/options';
import { deliveredLine, operatorBars } from './chart';
import { momentIn } from './collect';
import { markup, Markup } from '../../shared/markup';
import type { ReportFigures } from './schema';
import { toShownCount, toShownMoney } from './summarize';

/** The dark theme is for screens only, so that prints are on white. */
const style = new Markup(`
:root{color-scheme:light dark;--page:#f4f6f8;--card:#fff;--text:#1d2329;--soft:#5c6670;--rule:#e0e5ea;--delivered:#14895a;--failed:#d4483b;--pending:#aeb8c2;--unknown:#8b6fd0}
@media screen and (prefers-color-scheme:dark){:root{--page:#14181c;--card:#1e242a;--text:#e8ecf0;--soft:#9aa5b1;--rule:#323a42;--delivered:#3bbd86;--failed:#ef6f62;--pending:#5f6b77;--unknown:#a78fe6}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:960px;margin:0 auto;padding:32px 16px}
h1{margin:0 0 8px;font-size:28px;line-height:1.2;overflow-wrap:anywhere}
h2{margin:0 0 12px;font-size:16px}
p{margin:0}
.soft,small,footer,thead th,svg text{color:var(--soft);fill:var(--soft)}
.lead{max-width:70ch;font-size:18px}
.tiles,.pair{display:grid;gap:16px;margin-top:16px}
.tiles{grid-template-columns:repeat(auto-fit,minmax(130px,1fr));margin-top:24px}
.pair{grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));align-items:start}
section{padding:16px;background:var(--card);border:1px solid var(--rule);border-radius:10px;break-inside:avoid}
.pair section{height:100%}
.wide{margin-top:16px;overflow-x:auto}
b{display:block;font-size:22px;line-height:1.3;font-weight:600;overflow-wrap:anywhere}
small{display:block;font-size:13px}
svg{display:block;width:100%;max-width:480px;height:auto;font-size:12px}
svg .name{fill:var(--text);font-weight:600}
.grid{stroke:var(--rule);fill:none}
.line{fill:none;stroke:var(--delivered);stroke-width:2;stroke-linejoin:round}
.area{fill:var(--delivered);opacity:.14}
.delivered{fill:var(--delivered);background:var(--delivered)}.failed{fill:var(--failed);background:var(--failed)}.pending{fill:var(--pending);background:var(--pending)}.unknown{fill:var(--unknown);background:var(--unknown)}
.key{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:13px}
.key i{display:inline-block;width:10px;height:10px;margin-right:6px;border-radius:2px}
table{width:100%;border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:6px 0 6px 12px;border-top:1px solid var(--rule);text-align:right;white-space:nowrap}
th{font-weight:400}
thead th{border:0}
th:first-child{padding-left:0;text-align:left;white-space:normal}
footer{margin-top:16px;font-size:13px}
@media print{body{background:#fff;font-size:12px;print-color-adjust:exact;-webkit-print-color-adjust:exact}main{padding:0}.tiles{gap:8px}.tiles section{padding:8px}b{font-size:18px}}
`);

/** The label that the node shows for a value. Values that aren't in the contract are shown unchanged. */
const wordFor =
	(options: ReadonlyArray<{ name: string; value: string }>) =>
	(value: string): string =>
		[...options, { name: 'Unknown', value: 'unknown' }].find((one) => one.value === value)?.name ??
		value;
const operatorWord = wordFor(brandOptions);

/** 4.2 s, 3 min 12 s, 2 h 5 min. */
const toDuration = (seconds: number | null): string => {
	if (seconds === null) return '–';
	if (seconds < 60) return `${seconds} s`;
	const whole = Math.round(seconds);
	const minutes = Math.floor(whole / 60);
	return minutes < 60
		? `${minutes} min ${whole % 60} s`
		: `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

const tile = (label: string, value: string, detail = ''): Markup =>
	markup`<section><span class="soft">${label}</span><b>${value}</b><small>${detail}</small></section>`;

const table = (heads: readonly string[], rows: ReadonlyArray<readonly string[]>): Markup => {
	const cells = ([first = '', ...others]: readonly string[]) =>
		markup`<tr><th scope="row">${first}</th>${others.map((one) => markup`<td>${one}</td>`)}</tr>`;
	return markup`<table><thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows.map(cells)}</tbody></table>`;
};

const outcomeNames = {
	delivered: 'Delivered',
	failed: 'Failed',
	pending: 'Pending',
	unknown: 'Unknown',
} as const;
const outcomeKeys = Object.keys(outcomeNames) as Array<keyof typeof outcomeNames>;

const tiles = ({ messages, deliveryRatePercent, cost, deliverySeconds }: ReportFigures) => {
	const { estimated, final, currency, complete } = cost;
	const { median, percentile95, measured } = deliverySeconds;
	const isLess = final !== null && !complete;
	return markup`<div class="tiles">${[
		tile(
			'Delivered',
			deliveryRatePercent === null ? '–' : `${deliveryRatePercent}%`,
			`${toShownCount(messages.delivered)} of ${toShownCount(messages.total)}`,
		),
		tile('Failed', toShownCount(messages.failed)),
		tile(
			'Pending',
			toShownCount(messages.pending),
			messages.unknown > 0 ? `${toShownCount(messages.unknown)} unknown` : '',
		),
		tile(
			`${isLess ? 'Cost so far' : 'Cost'}${currency && ` (${currency})`}`,
			final === null ? '–' : toShownMoney(final),
			estimated === null ? '' : `Estimated ${toShownMoney(estimated)}`,
		),
		tile(
			'Time to delivery',
			toDuration(median),
			measured === 0 ? '' : `Median. 95% within ${toDuration(percentile95)}`,
		),
	]}</div>`;
};

const tables = ({ byOperator, byStatus, byReason, byErrorCode }: ReportFigures) => {
	const operators = byOperator.map(({ operator, total, parts, cost: own, ...row }) => [
		operatorWord(operator),
		toShownCount(total),
		...outcomeKeys.map((key) => toShownCount(row[key])),
		toShownCount(parts),
		own === null ? '–' : toShownMoney(own),
	]);
	const statuses = Object.entries(byStatus).map(([status, count]) => [
		wordFor(messageStatusOptions)(status),
		toShownCount(count),
	]);
	const reasons = [
		['Rejected by the service, never sent', toShownCount(byReason.rejectedByService)],
		['Not delivered', toShownCount(byReason.notDelivered)],
		...byErrorCode.map(({ errorCode, meaning, messages }) => [
			`Error ${errorCode}. ${meaning}`,
			toShownCount(messages),
		]),
	];
	const heads = ['Operator', 'Messages', ...Object.values(outcomeNames), 'Parts', 'Cost'];
	return markup`<section class="wide"><h2>Operators</h2>${table(heads, operators)}</section>
<div class="pair"><section><h2>By status</h2>${table(['Status', 'Messages'], statuses)}</section><section><h2>Why messages failed</h2>${table(['Reason', 'Messages'], reasons)}</section></div>`;
};

/** What was sent, and under which names. */
const sentSection = ({ text, senderNames }: ReportFigures) =>
	markup`<section class="wide"><h2>The first text sent${senderNames.length > 0 ? ` by ${senderNames.join(', ')}` : ''}</h2><p dir="auto">${text || '–'}</p></section>`;

/** Who didn't get it: the first ones by name. */
const notReachedSection = ({ notReached, messages }: ReportFigures) => {
	if (notReached.length === 0) return markup``;
	const more = messages.failed - notReached.length;
	return markup`<section class="wide"><h2>Who wasn't reached</h2>${table(
		['Phone number', 'Why'],
		notReached.map(({ destination, reason }) => [destination, reason]),
	)}${more > 0 ? markup`<p class="soft">And ${toShownCount(more)} more.</p>` : markup``}</section>`;
};

/**
 * The report as a self-contained page. It loads no files and runs no scripts, and its Content-Security-Policy forbids both, so
 * data from the service can only appear as text.
 */
export const toPage = (
	report: ReportFigures,
	deliveredAt: Float64Array,
	timeZone: string,
): string => {
	const { dispatchId, name, status, channelType, summary, messages, reportedAt } = report;
	const title = name || `Dispatch ${dispatchId}`;
	const about = [`Dispatch ${dispatchId}`, channelType, wordFor(dispatchStatusOptions)(status)]
		.filter(Boolean)
		.join(' · ');
	const time = new Intl.DateTimeFormat('en-GB', {
		timeZone,
		dateStyle: 'medium',
		timeStyle: 'short',
	}).format(Date.parse(reportedAt));
	return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<p class="soft">${about}</p>
<h1 dir="auto">${title}</h1>
<p class="lead">${summary}</p>
${tiles(report)}
<div class="pair">
<section><h2>Delivered over time</h2>${deliveredLine(deliveredAt, momentIn(report, 'startedAt') ?? NaN, timeZone)}</section>
<section><h2>By operator</h2>${operatorBars(report.byOperator, operatorWord)}
<p class="key">${outcomeKeys.filter((key) => messages[key] > 0).map((key) => markup`<span><i class="${key}"></i>${outcomeNames[key]}</span>`)}</p></section>
</div>
${sentSection(report)}
${tables(report)}
${notReachedSection(report)}
<footer>Based on ${toShownCount(messages.total)} messages, read on ${time} (${timeZone}).</footer>
</main>
</body>
</html>
`.text;
};
