import { html } from 'hono/html';
import { demo } from '../demo.cts';
import type { Dispatch, Message } from '../entities.cts';
import type { World } from '../world.cts';
import {
	controlButton,
	countView,
	cutPage,
	moneyView,
	none,
	pagerView,
	timeView,
	type Html,
	type Query,
} from './parts.cts';

/** What a look at every message of a dispatch gives. Remembered until one of them changes: there may be very many. */
interface Figures {
	version: number;
	sent: number;
	reserved: number;
	spent: number;
	/** How many were delivered in each of equal spans from the first to the last. */
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

/** A bar of what was delivered, what failed and what is on its way. */
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
	if (delivered === undefined) return html`<p class="soft">Nothing is delivered yet.</p>`;
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

const movesView = ({ id, status }: Dispatch): Html => {
	const path = `POST ${demo.controlPath}/dispatches/${id}`;
	if (status === 'STARTED') return controlButton('Stop', `${path}/stop`);
	return status === 'COMPLETED' ? none : controlButton('Start', `${path}/start`);
};

const days = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const scheduleView = ({ window }: Dispatch): Html =>
	window === null
		? html`at once`
		: html`from ${timeView(window.notBefore ?? null)}, hours ${window.hours?.join(', ') ?? 'any'},
			days ${window.days?.map((day) => days[day]).join(', ') ?? 'any'}`;

const rowView = (world: World, dispatch: Dispatch): Html =>
	html`<tr id="dispatch-${dispatch.id}">
		<td>
			<a href="?id=${dispatch.id}">${dispatch.name}</a><br /><span class="facts"
				>${dispatch.id} · ${world.store.companies.get(dispatch.companyId)?.name ?? ''}</span
			>
		</td>
		<td>${dispatch.status}</td>
		<td>${barView(dispatch, figuresOf(dispatch).sent)}</td>
		<td class="number">${moneyView(dispatch.priceEstimate)}</td>
		<td>${movesView(dispatch)}</td>
	</tr>`;

const messageRow = ({ uuid, destination, text, state, parts, price }: Message): Html =>
	html`<tr id="row-${uuid}">
		<td><a href="/?number=${destination}">${destination}</a></td>
		<td>${text.slice(0, 300)}</td>
		<td>${state}</td>
		<td class="number">${parts}</td>
		<td class="number">${moneyView(price)}</td>
	</tr>`;

const detailView = (world: World, dispatch: Dispatch, query: Query): Html => {
	const figures = figuresOf(dispatch);
	const cut = cutPage(dispatch.messages, query.page);
	return html`<p><a href="/dispatches">All dispatches</a></p>
		<section class="card">
			<div class="row">
				<h2>${dispatch.name}</h2>
				<span>${dispatch.status}</span> ${movesView(dispatch)}
			</div>
			${barView(dispatch, figures.sent)}
			<table>
				<tbody>
					<tr>
						<th scope="row">Estimate</th>
						<td>${moneyView(dispatch.priceEstimate)}</td>
					</tr>
					<tr>
						<th scope="row">Reserved</th>
						<td>${moneyView(figures.reserved)}</td>
					</tr>
					<tr>
						<th scope="row">Final cost</th>
						<td>${moneyView(figures.spent)}</td>
					</tr>
					<tr>
						<th scope="row">Created, started</th>
						<td>${timeView(dispatch.createdAt)}, ${timeView(dispatch.startedAt)}</td>
					</tr>
					<tr>
						<th scope="row">Sent</th>
						<td>
							${scheduleView(dispatch)}, up to ${countView(world.store.settings.messagesPerSecond)}
							messages per second
						</td>
					</tr>
					<tr>
						<th scope="row">Text</th>
						<td>${dispatch.text}</td>
					</tr>
				</tbody>
			</table>
			<h3>Delivery over time</h3>
			${chartView(figures)}
		</section>
		<section class="card scroll">
			<h3>Messages</h3>
			<table>
				<thead>
					<tr>
						<th>Number</th>
						<th>Text</th>
						<th>State</th>
						<th class="number">Parts</th>
						<th class="number">Price</th>
					</tr>
				</thead>
				<tbody>
					${cut.items.map(messageRow)}
				</tbody>
			</table>
			${pagerView(cut, query)}
		</section>`;
};

export const dispatchesView = (world: World, query: Query): Html => {
	const chosen = world.store.dispatches.get(Number(query.id));
	if (chosen !== undefined) return detailView(world, chosen, query);
	const cut = cutPage([...world.store.dispatches.values()].reverse(), query.page);
	return html`<h2>Dispatches</h2>
		<section class="card scroll">
			<table>
				<thead>
					<tr>
						<th>Name</th>
						<th>Status</th>
						<th>Progress</th>
						<th class="number">Estimate</th>
						<th>Change</th>
					</tr>
				</thead>
				<tbody>
					${cut.items.map((dispatch) => rowView(world, dispatch))}
				</tbody>
			</table>
			${pagerView(cut, query)}
		</section>`;
};
