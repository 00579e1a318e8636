import { html } from 'hono/html';
import { currency, fromUnits, type Units } from '../stored/money.cts';
import { isoOf } from '../stored/views.cts';

/** Every inserted value is escaped, because texts, names and links are data. */
export type Html = ReturnType<typeof html>;

/** The parameters of the page's URL. */
export type Query = Record<string, string>;

export const none = html``;

/** `2026-03-02 07:00:05`, in UTC like every time of the sandbox. */
export const toShownTime = (time: number): string => isoOf(time).slice(0, 19).replace('T', ' ');

export const timeView = (time: number | null): Html =>
	time === null
		? html`<span class="soft">not yet</span>`
		: html`<time datetime="${isoOf(time)}">${toShownTime(time)}</time>`;

const amount = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 });
export const moneyView = (units: Units): string => `${amount.format(fromUnits(units))} ${currency}`;

export const countView = (count: number): string => count.toLocaleString('en');

/** `1 message`, `2 messages` */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
	`${countView(count)} ${count === 1 ? one : many}`;

/** Text that can be scrolled must be reachable by keyboard. */
export const textBlock = (label: string, text: string): Html =>
	html`<pre tabindex="0" role="region" aria-label="${label}">${text}</pre>`;

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
		)}<button class="small">${label}</button>
	</form>`;

interface Row {
	id: string;
	cells: Array<Html | string | number>;
}

/** A column whose name begins with `#` contains numbers. */
const toColumn = (name: string) =>
	name.startsWith('#') ? { name: name.slice(1), kind: 'number' } : { name, kind: '' };

/** On a narrow screen every row becomes a card, and each cell shows the name of its column. */
export const tableView = (names: readonly string[], rows: readonly Row[]): Html => {
	const columns = names.map(toColumn);
	return html`<table class="rows">
		<thead>
			<tr>
				${columns.map(({ name, kind }) => html`<th class="${kind}">${name}</th>`)}
			</tr>
		</thead>
		<tbody>
			${rows.map(
				({ id, cells }) =>
					html`<tr id="${id}">
						${cells.map(
							(cell, index) =>
								html`<td class="${columns[index]?.kind}" data-column="${columns[index]?.name}">
									<div>${cell}</div>
								</td>`,
						)}
					</tr>`,
			)}
		</tbody>
	</table>`;
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
	if (pages === 1) return html`<p class="soft">${countView(total)} in total</p>`;
	const link = (label: string, to: number) =>
		to < 1 || to > pages
			? html`<span class="soft">${label}</span>`
			: html`<a href="?${new URLSearchParams({ ...query, [name]: String(to) }).toString()}"
					>${label}</a
				>`;
	return html`<nav class="row" aria-label="Pages">
		${link('Previous', page - 1)}
		<span>Page ${countView(page)} of ${countView(pages)}, ${countView(total)} in total</span>
		${link('Next', page + 1)}
	</nav>`;
};
