import { html } from 'hono/html';
import { demo } from '../demo.cts';
import type { Dispatch, Message } from '../stored/entities.cts';
import type { World } from '../stored/world.cts';
import {
	controlButton,
	countView,
	cutPage,
	moneyView,
	none,
	pagerView,
	tableView,
	timeView,
	type Html,
	type Query,
} from './parts.cts';

/** Totals over all messages of a dispatch. They are cached until a message changes, because there may be very many. */
interface Figures {
	version: number;
	sent: number;
	reserved: number;
	spent: number;
	/** How many messages were delivered in each of `spans` equal parts of the time from the first to the last. */
	delivered: { from: number; to: number; counts: number[] } | undefined;
}

const spans = 40;

const deliveredOver = (messages: readonly Message[]): Figures['delivered'] => {
	let from = Infinity;
	let to = -Infinity;
	for (const { state, statusAt } of messages) {
		if (state !== 'delivered' || statusAt === null) continue;
		from = Math.min(from, statusAt);
		to = Math.max(to, statusAt);
	}
	if (from > to) return undefined;
	const counts = new Array<number>(spans).fill(0);
	const width = Math.max(1, to - from + 1) / spans;
	for (const { state, statusAt } of messages) {
		if (state !== 'delivered' || statusAt === null) continue;
		const span = Math.min(spans - 1, Math.floor((statusAt - from) / width));
		counts[span] = (counts[span] ?? 0) + 1;
	}
	return { from, to, counts };
};

const remembered = new WeakMap<Dispatch, Figures>();

const figuresOf = (dispatch: Dispatch): Figures => {
	const known = remembered.get(dispatch);
	if (known?.version === dispatch.version) return known;
	const figures: Figures = {
		version: dispatch.version,
		sent: 0,
		reserved: 0,
		spent: 0,
		delivered: deliveredOver(dispatch.messages),
	};
	for (const { state, final, reserved, price } of dispatch.messages) {
		if (state === 'sent') figures.sent++;
		if (final) figures.spent += price;
		else if (dispatch.startedAt !== null) figures.reserved += reserved;
	}
	remembered.set(dispatch, figures);
	return figures;
};

/** The shares that are delivered, failed and on the way. */
const barView = ({ messageCount: { total, delivered, failed } }: Dispatch, sent: number): Html => {
	const share = (count: number) => (total === 0 ? 0 : (count / total) * 100);
	const [good, bad, away] = [share(delivered), share(failed), share(sent)];
	const words = `${countView(delivered)} delivered, ${countView(failed)} failed, ${countView(sent)} on the way, of ${countView(total)}`;
	return html`<svg
			class="progress"
			viewBox="0 0 100 1"
			preserveAspectRatio="none"
			role="img"
			aria-label="${words}"
		>
			<rect class="fill-delivered" x="0" y="0" width="${good}" height="1"></rect>
			<rect class="fill-failed" x="${good}" y="0" width="${bad}" height="1"></rect>
			<rect class="fill-sent" x="${good + bad}" y="0" width="${away}" height="1"></rect>
		</svg>
		<span class="facts">${words}</span>`;
};

const chartView = ({ delivered }: Figures): Html => {
	if (delivered === undefined) return html`<p class="soft">No messages delivered yet.</p>`;
	const most = Math.max(...delivered.counts);
	return html`<svg
			viewBox="0 0 ${spans} 12"
			width="100%"
			height="120"
			preserveAspectRatio="none"
			role="img"
			aria-label="Delivered messages over time, at most ${most} at a time"
		>
			${delivered.counts.map((count, index) => {
				const height = (count / most) * 11;
				return html`<rect
					class="fill-delivered"
					x="${index + 0.1}"
					y="${12 - height}"
					width="0.8"
					height="${height}"
				></rect>`;
			})}
		</svg>
		<p class="facts">Delivered from ${timeView(delivered.from)} to ${timeView(delivered.to)}</p>`;
};

const actionView = ({ id, status }: Dispatch): Html => {
	const request = `POST ${demo.controlPath}/dispatches/${id}`;
	if (status === 'STARTED') return controlButton({ label: 'Stop', request: `${request}/stop` });
	if (status === 'COMPLETED') return none;
	return controlButton({ label: 'Start', request: `${request}/start` });
};

const dayNames = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const toShownOffset = (offset: number): string => {
	const hours = offset / 3_600_000;
	return hours === 0 ? 'UTC' : `UTC${hours > 0 ? '+' : '-'}${Math.abs(hours)}`;
};

const scheduleView = ({ window }: Dispatch): Html => {
	if (window === null) return html`immediately`;
	const { notBefore, hours, days, offset } = window;
	const from = notBefore === undefined ? none : html`from ${timeView(notBefore)} UTC, `;
	const chosenDays = days?.map((day) => dayNames[day]).join(', ') ?? 'every day';
	return html`${from}hours ${hours?.join(', ') ?? '0 to 23'} (${toShownOffset(offset)}),
	${chosenDays}`;
};

const toRow = (world: World, dispatch: Dispatch) => {
	const company = world.store.companies.get(dispatch.companyId)?.name ?? '';
	return {
		id: `dispatch-${dispatch.id}`,
		cells: [
			html`<a href="?id=${dispatch.id}">${dispatch.name}</a><br /><span class="facts"
					>${dispatch.id} · ${company}</span
				>`,
			dispatch.status,
			barView(dispatch, figuresOf(dispatch).sent),
			moneyView(dispatch.priceEstimate),
			actionView(dispatch),
		],
	};
};

const toMessageRow = ({ uuid, destination, text, state, parts, price }: Message) => ({
	id: `row-${uuid}`,
	cells: [
		html`<a href="/?number=${destination}">${destination}</a>`,
		text.slice(0, 300),
		state,
		parts,
		moneyView(price),
	],
});

/** A fact of the dispatch and its value. */
type Fact = readonly [name: string, value: Html | string];

const factsView = (facts: readonly Fact[]): Html =>
	html`<dl>
		${facts.map(
			([name, value]) =>
				html`<div>
					<dt>${name}</dt>
					<dd>${value}</dd>
				</div>`,
		)}
	</dl>`;

const detailView = (world: World, dispatch: Dispatch, query: Query): Html => {
	const figures = figuresOf(dispatch);
	const cut = cutPage(dispatch.messages, query.page);
	return html`<p><a href="/dispatches">All dispatches</a></p>
		<section class="card">
			<div class="row">
				<h2>${dispatch.name}</h2>
				<span>${dispatch.status}</span> ${actionView(dispatch)}
			</div>
			${barView(dispatch, figures.sent)}
			${factsView([
				['Estimate', moneyView(dispatch.priceEstimate)],
				['Reserved', moneyView(figures.reserved)],
				['Final cost', moneyView(figures.spent)],
				['Created', timeView(dispatch.createdAt)],
				['Started', timeView(dispatch.startedAt)],
				['Schedule', scheduleView(dispatch)],
				['Speed', `up to ${countView(world.store.settings.messagesPerSecond)} messages per second`],
				['Text', dispatch.text],
			])}
			<h3>Delivery over time</h3>
			${chartView(figures)}
		</section>
		<section class="card">
			<h3>Messages</h3>
			${tableView(['Number', 'Text', 'State', '#Parts', '#Price'], cut.items.map(toMessageRow))}
			${pagerView(cut, query)}
		</section>`;
};

export const dispatchesView = (world: World, query: Query): Html => {
	const chosen = world.store.dispatches.get(Number(query.id));
	if (chosen !== undefined) return detailView(world, chosen, query);
	const cut = cutPage([...world.store.dispatches.values()].reverse(), query.page);
	return html`<h2>Dispatches</h2>
		<p class="soft">A dispatch is a campaign: one text sent to a list of phone numbers.</p>
		${query.id === undefined ? none : html`<p class="bad">There is no dispatch ${query.id}.</p>`}
		<section class="card">
			${tableView(
				['Name', 'Status', 'Progress', '#Estimate', 'Actions'],
				cut.items.map((dispatch) => toRow(world, dispatch)),
			)}
			${pagerView(cut, query)}
		</section>`;
};
