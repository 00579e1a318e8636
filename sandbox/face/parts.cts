import { html } from 'hono/html';
import type { KeptBody } from '../api/masked.cts';
import { currency, fromUnits, type Units } from '../stored/money.cts';
import { isoOf } from '../stored/views.cts';
import type { World } from '../stored/world.cts';

/** Every inserted value is escaped, because texts, names and links are data. */
export type Html = ReturnType<typeof html>;

/** The parameters of the page's URL. */
export type Query = Record<string, string>;

export const none = html``;

/** Shifts a time so that its digits in UTC show the machine's local time. */
const toMachineZone = (time: number): number => time - new Date(time).getTimezoneOffset() * 60_000;

/** `2026-03-02 07:00:05`, in the machine's time zone, as in the demo's n8n. */
export const toShownTime = (time: number): string =>
	isoOf(toMachineZone(time)).slice(0, 19).replace('T', ' ');

/** The page's script shows how long ago it was; the full time appears on hover. */
export const timeView = (time: number | null): Html =>
	time === null
		? html`<span class="soft">not yet</span>`
		: html`<time datetime="${isoOf(time)}" title="${toShownTime(time)}" data-relative
				>${toShownTime(time)}</time
			>`;

/** The clock that the relative times use. It is part of every page. */
export const clockView = ({ timeline, pace }: World): Html =>
	html`<data
		id="clock"
		value="${timeline.now}"
		data-speed="${pace.speed}"
		data-zone="${toMachineZone(timeline.now) - timeline.now}"
		hidden
	></data>`;

const amount = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 });
export const moneyView = (units: Units): string => `${amount.format(fromUnits(units))} ${currency}`;

export const countView = (count: number): string => count.toLocaleString('en');

/** `1 message`, `2 messages` */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
	`${countView(count)} ${count === 1 ? one : many}`;

/** A URL that wraps after its slashes. */
export const urlView = (url: string): Html =>
	html`${url.split(/(?<=\/)/).map((part) => html`${part}<wbr />`)}`;

/** Indented if it is JSON. */
const toReadable = (text: string): string => {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
};

/** Text that can be scrolled must be reachable by keyboard. */
export const textBlock = (label: string, text: string): Html =>
	html`<pre tabindex="0" role="region" aria-label="${label}">${toReadable(text)}</pre>`;

export const keptView = (label: string, { body, leftOut, isShortened }: KeptBody): Html => {
	if (leftOut !== undefined) return html`<p class="soft">Body not kept: ${leftOut}</p>`;
	if (body === undefined) return html`<p class="soft">No body</p>`;
	const note = html`<p class="facts">Of long lists, only the first entries are kept.</p>`;
	return html`${textBlock(label, body)}${isShortened === true ? note : none}`;
};

type BadgeKind = 'good' | 'bad' | 'wait' | 'soft';

export const badgeView = (kind: BadgeKind, text: string): Html =>
	html`<span class="badge ${kind}">${text}</span>`;

/** A fact and its value. */
type Fact = readonly [name: string, value: Html | string];

export const factsView = (facts: readonly Fact[]): Html =>
	html`<dl>
		${facts.map(
			([name, value]) =>
				html`<div>
					<dt>${name}</dt>
					<dd>${value}</dd>
				</div>`,
		)}
	</dl>`;

interface Choice {
	label: string;
	/** The parameters of its URL. */
	query: Query;
	isChosen: boolean;
}

/** Links that choose what a list shows. */
export const choicesView = (label: string, choices: readonly Choice[]): Html =>
	html`<nav class="choices" aria-label="${label}">
		${choices.map(
			({ label: name, query, isChosen }) =>
				html`<a href="?${new URLSearchParams(query).toString()}" aria-current="${String(isChosen)}"
					>${name}</a
				>`,
		)}
	</nav>`;

type Values = Readonly<Record<string, string | number | boolean>>;

interface ControlButton {
	label: string;
	/** `POST /_sandbox/…` */
	request: string;
	values?: Values;
	/** What the page says afterwards. */
	done?: string;
	/** What the page asks before. */
	confirm?: string;
	isMain?: true;
}

const asOf = (value: string | number | boolean) =>
	typeof value === 'string' ? none : html` data-as="${typeof value}"`;

/** An update of the page matches forms by their id, so every request needs its own id. */
const idOf = (request: string, values: Values): string =>
	`${request} ${Object.values(values).join(' ')}`.trim().replaceAll(/[^\w]+/g, '-');

/** A button that sends one request to the control routes. */
export const controlButton = ({
	label,
	request,
	values = {},
	done = 'Done.',
	confirm,
	isMain,
}: ControlButton): Html =>
	html`<form
		class="inline"
		id="${idOf(request, values)}"
		data-control="${request}"
		data-done="${done}"
		${confirm === undefined ? none : html`data-confirm="${confirm}"`}
	>
		${Object.entries(values).map(
			([name, value]) =>
				html`<input type="hidden" name="${name}" value="${String(value)}" ${asOf(value)} />`,
		)}<button class="${isMain ? 'main' : 'small'}">${label}</button>
	</form>`;

interface Row {
	id: string;
	cells: Array<Html | string | number>;
}

/** A column whose name begins with `#` contains numbers, one that begins with `*` long texts that may wrap anywhere. */
const toColumn = (name: string) => {
	const kind = { '#': 'number', '*': 'long' }[name.slice(0, 1)];
	return { name: kind === undefined ? name : name.slice(1), kind: kind ?? '' };
};

const isEmpty = (cell: Row['cells'][number] | undefined) => cell === undefined || cell === none;

/** On a narrow screen every row becomes a card, and each cell shows the name of its column. Empty columns aren't shown. */
export const tableView = (names: readonly string[], rows: readonly Row[]): Html => {
	const columns = names
		.map((name, index) => ({ ...toColumn(name), index }))
		.filter(({ index }) => rows.some(({ cells }) => !isEmpty(cells[index])));
	return html`<div class="wide">
		<table class="rows">
			<thead>
				<tr>
					${columns.map(({ name, kind }) => html`<th class="${kind}">${name}</th>`)}
				</tr>
			</thead>
			<tbody>
				${rows.map(
					({ id, cells }) =>
						html`<tr id="${id}">
							${columns.map(({ name, kind, index }) =>
								isEmpty(cells[index])
									? html`<td class="${kind} empty"></td>`
									: html`<td class="${kind}" data-column="${name}"><div>${cells[index]}</div></td>`,
							)}
						</tr>`,
				)}
			</tbody>
		</table>
	</div>`;
};

/** Which part of a long list is shown. */
interface Page<Item> {
	items: readonly Item[];
	page: number;
	pages: number;
	total: number;
}

const pageSize = 50;

/** `all` is an array, or a list that can return a part of itself without reading everything. */
export const cutPage = <Item,>(
	all: Pick<readonly Item[], 'length' | 'slice'>,
	wanted: string | undefined,
): Page<Item> => {
	const pages = Math.max(1, Math.ceil(all.length / pageSize));
	const page = Math.min(Math.max(1, Math.trunc(Number(wanted)) || 1), pages);
	const items = all.slice((page - 1) * pageSize, page * pageSize);
	return { items, page, pages, total: all.length };
};

/** Links to the neighboring pages. `name` is the parameter of the URL; all others stay. */
export const pagerView = (
	{ page, pages, total }: Page<unknown>,
	query: Query,
	name = 'page',
): Html => {
	if (pages === 1) return html`<p class="facts">${countView(total)} in total</p>`;
	const link = (label: string, to: number) =>
		to < 1 || to > pages
			? html`<span class="soft">${label}</span>`
			: html`<a href="?${new URLSearchParams({ ...query, [name]: String(to) }).toString()}"
					>${label}</a
				>`;
	return html`<nav class="row pager" aria-label="Pages">
		${link('Previous', page - 1)}
		<span>Page ${countView(page)} of ${countView(pages)}, ${countView(total)} in total</span>
		${link('Next', page + 1)}
	</nav>`;
};
