import { html } from 'hono/html';
import { currency, fromUnits, type Units } from '../money.cts';
import { isoOf } from '../views.cts';

/** Everything that is put into one is escaped: texts, names and links are data. */
export type Html = ReturnType<typeof html>;

export const none = html``;

/** `2026-03-02 07:00:05`, in UTC, as all times of the sandbox. */
export const timeView = (time: number | null): Html => {
	if (time === null) return html`<span class="soft">not yet</span>`;
	const iso = isoOf(time);
	return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')}</time>`;
};

const amount = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 });
export const moneyView = (units: Units): string => `${amount.format(fromUnits(units))} ${currency}`;

export const countView = (count: number): string => count.toLocaleString('en');

type Values = Readonly<Record<string, string | number | boolean>>;

const asOf = (value: string | number | boolean) =>
	typeof value === 'string' ? none : html` data-as="${typeof value}"`;

/** A button that asks the control interface for something: `POST /_sandbox/…`. */
export const controlButton = (
	label: string,
	request: string,
	values: Values = {},
	done = 'Done.',
): Html =>
	html`<form class="inline" data-control="${request}" data-done="${done}">
		${Object.entries(values).map(
			([name, value]) =>
				html`<input type="hidden" name="${name}" value="${String(value)}" ${asOf(value)} />`,
		)}<button class="small">${label}</button>
	</form>`;

/** Which part of a long list is shown. */
export interface Page<Item> {
	items: readonly Item[];
	page: number;
	pages: number;
	total: number;
}

const pageSize = 50;

export const cutPage = <Item,>(all: readonly Item[], wanted: string | undefined): Page<Item> => {
	const pages = Math.max(1, Math.ceil(all.length / pageSize));
	const page = Math.min(Math.max(1, Math.trunc(Number(wanted)) || 1), pages);
	const items = all.slice((page - 1) * pageSize, page * pageSize);
	return { items, page, pages, total: all.length };
};

/** Links to the neighbouring pages; what else the address says stays. */
export const pagerView = (
	{ page, pages, total }: Pick<Page<unknown>, 'page' | 'pages' | 'total'>,
	query: Query,
): Html => {
	if (pages === 1) return html`<p class="soft">${countView(total)} in all</p>`;
	const link = (label: string, to: number) =>
		to < 1 || to > pages
			? html`<span class="soft">${label}</span>`
			: html`<a href="?${new URLSearchParams({ ...query, page: String(to) }).toString()}"
					>${label}</a
				>`;
	return html`<nav class="row" aria-label="Pages">
		${link('Newer', page - 1)}
		<span>Page ${page} of ${countView(pages)}, ${countView(total)} in all</span>
		${link('Older', page + 1)}
	</nav>`;
};

/** What the address of the page says behind the question mark. */
export type Query = Record<string, string>;
