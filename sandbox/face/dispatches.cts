import { html } from 'hono/html';
import { demo } from '../demo.cts';
import type { Dispatch, Message } from '../stored/entities.cts';
import type { World } from '../stored/world.cts';
import {
	badgeView,
	choicesView,
	controlButton,
	countOf,
	countView,
	cutPage,
	factsView,
	moneyView,
	none,
	pagerView,
	tableView,
	timeView,
	type Html,
	type Query,
} from './parts.cts';
import { dispatchLink, dispatchName, phoneLink, toChannelName } from './people.cts';
import { requestLink } from './requests.cts';
import { stateView, whyView } from './states.cts';

/** Totals over all messages of a dispatch. They are cached until a message changes, because there may be very many. */
interface Figures {
	version: number;
	reserved: number;
	spent: number;
	/** How many messages were delivered in each of `spans` equal parts of the time from the first to the last. */
	delivered: { from: number; to: number; counts: number[] } | undefined;
	groups: Record<GroupName, Message[]>;
	/** How many recipients were left out when they were added, by reason. */
	leftOut: Map<string, number>;
}

type GroupName = 'waiting' | 'sent' | 'delivered' | 'failed' | 'leftOut';

const groupLabels: Readonly<Record<GroupName, string>> = {
	waiting: 'Waiting',
	sent: 'On the way',
	delivered: 'Delivered',
	failed: 'Failed',
	leftOut: 'Left out',
};

/** A recipient that was rejected when it was added has no sender name. */
const groupOf = ({ state, senderId }: Message): GroupName => {
	if (state === 'created') return 'waiting';
	if (state === 'sent' || state === 'delivered') return state;
	return senderId === null ? 'leftOut' : 'failed';
};

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
		reserved: 0,
		spent: 0,
		delivered: deliveredOver(dispatch.messages),
		groups: { waiting: [], sent: [], delivered: [], failed: [], leftOut: [] },
		leftOut: new Map(),
	};
	for (const message of dispatch.messages) {
		const { final, reserved, price, reason } = message;
		const group = groupOf(message);
		figures.groups[group].push(message);
		if (group === 'leftOut' && reason !== null) {
			figures.leftOut.set(reason, (figures.leftOut.get(reason) ?? 0) + 1);
		}
		if (final) figures.spent += price;
		else if (dispatch.startedAt !== null) figures.reserved += reserved;
	}
	remembered.set(dispatch, figures);
	return figures;
};

/** The shares that are delivered, failed or left out, and on the way. */
const barView = (
	{ messageCount: { total } }: Dispatch,
	{ delivered, failed, leftOut, sent }: Figures['groups'],
): Html => {
	const share = (count: number) => (total === 0 ? 0 : (count / total) * 100);
	const lost = failed.length + leftOut.length;
	const [good, bad, away] = [share(delivered.length), share(lost), share(sent.length)];
	const outWords = leftOut.length === 0 ? '' : `${countView(leftOut.length)} left out, `;
	const words = `${countView(delivered.length)} delivered, ${countView(failed.length)} failed, ${outWords}${countView(sent.length)} on the way, of ${countView(total)}`;
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
			height="72"
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
	const from = notBefore === undefined ? none : html`from ${timeView(notBefore)}, `;
	const chosenDays = days?.map((day) => dayNames[day]).join(', ') ?? 'every day';
	return html`${from}hours ${hours?.join(', ') ?? '0 to 23'} (${toShownOffset(offset)}),
	${chosenDays}`;
};

const statusKinds: Readonly<Record<Dispatch['status'], 'good' | 'bad' | 'wait' | 'soft'>> = {
	CREATED: 'soft',
	STARTED: 'wait',
	STOPPED: 'bad',
	COMPLETED: 'good',
};

const toDispatchRow = (world: World, dispatch: Dispatch) => {
	const company = world.store.companies.get(dispatch.companyId)?.name ?? 'Account';
	return {
		id: `dispatch-${dispatch.id}`,
		cells: [
			html`${dispatchLink(dispatch)}<br /><span class="facts">${dispatch.id} · ${company}</span>`,
			badgeView(statusKinds[dispatch.status], dispatch.status),
			barView(dispatch, figuresOf(dispatch).groups),
			timeView(dispatch.createdAt),
			moneyView(dispatch.priceEstimate),
			actionView(dispatch),
		],
	};
};

const toMessageRow = (world: World, message: Message) => ({
	id: `row-${message.uuid}`,
	cells: [
		phoneLink(world, message.destination),
		html`${message.text.slice(0, 300)}<br /><span class="facts">${whyView(message)}</span>`,
		html`${stateView(message)}${world.store.held.has(message.uuid)
			? html`<br />${badgeView('wait', 'Held')}`
			: none}`,
		message.parts,
		moneyView(message.price),
		html`<a href="/messages?uuid=${message.uuid}">Timeline</a>`,
	],
});

const leftOutView = ({ leftOut, groups }: Figures, id: number): Html => {
	if (leftOut.size === 0) return none;
	return html`<section class="card">
		<h3>${countOf(groups.leftOut.length, 'recipient was', 'recipients were')} left out</h3>
		<ul>
			${[...leftOut].map(
				([reason, count]) => html`<li>${countOf(count, 'recipient')}: ${reason}</li>`,
			)}
		</ul>
		<p class="facts">
			They were rejected when they were added, and cost nothing.
			<a href="?id=${id}&show=leftOut#messages">Show them</a>
		</p>
	</section>`;
};

const detailView = (world: World, dispatch: Dispatch, query: Query): Html => {
	const figures = figuresOf(dispatch);
	const { id, startRequestId } = dispatch;
	const names = Object.keys(groupLabels) as GroupName[];
	const shown = names.find((name) => name === query.show);
	const cut = cutPage(shown === undefined ? dispatch.messages : figures.groups[shown], query.page);
	const senders = [
		...new Set(dispatch.senderIds.map((one) => world.store.senders.get(one)?.senderName)),
	].join(', ');
	const [first] = dispatch.messages;
	return html`<p><a href="/dispatches">‹ All dispatches</a></p>
		<div class="row">
			<h2>${dispatchName(dispatch)}</h2>
			${badgeView(statusKinds[dispatch.status], dispatch.status)} ${actionView(dispatch)}
		</div>
		<section class="card">
			${barView(dispatch, figures.groups)}
			<p class="quote">${dispatch.text}</p>
			${factsView([
				['Estimate', moneyView(dispatch.priceEstimate)],
				['Reserved', moneyView(figures.reserved)],
				['Final cost', moneyView(figures.spent)],
				['Sender name', `${senders}, ${toChannelName(dispatch.channelType)}`],
				['Created', timeView(dispatch.createdAt)],
				['Started', timeView(dispatch.startedAt)],
				...(first?.requestId === undefined
					? []
					: [['Created by', requestLink(world, first.requestId)] as const]),
				...(startRequestId === undefined
					? []
					: [['Started by', requestLink(world, startRequestId)] as const]),
				['Schedule', scheduleView(dispatch)],
				['Speed', `up to ${countView(world.store.settings.messagesPerSecond)} messages per second`],
				[
					'Callbacks',
					dispatch.callbackUrl === undefined ? 'none' : dispatch.callbackEvents.join(', '),
				],
			])}
		</section>
		${leftOutView(figures, id)}
		<section class="card">
			<h3>Delivery over time</h3>
			${chartView(figures)}
		</section>
		<section class="card" id="messages">
			<h3>Messages</h3>
			${choicesView('Messages', [
				{ label: 'All', query: { id: String(id) }, isChosen: shown === undefined },
				...names
					.filter((name) => figures.groups[name].length > 0 || name === shown)
					.map((name) => ({
						label: `${groupLabels[name]} ${countView(figures.groups[name].length)}`,
						query: { id: String(id), show: name },
						isChosen: name === shown,
					})),
			])}
			${tableView(
				['Phone', '*Text', 'State', '#Parts', '#Price', 'Details'],
				cut.items.map((message) => toMessageRow(world, message)),
			)}
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
			${cut.total === 0
				? html`<p class="soft">No dispatches yet.</p>`
				: html`${tableView(
						['*Name', 'Status', 'Progress', 'Created', '#Estimate', 'Actions'],
						cut.items.map((dispatch) => toDispatchRow(world, dispatch)),
					)}
					${pagerView(cut, query)}`}
		</section>`;
};
