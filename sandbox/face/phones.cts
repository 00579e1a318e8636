import { html } from 'hono/html';
import { countParts } from '../../core/recipients/parts';
import type { Message } from '../stored/entities.cts';
import { obstacleToMove, type HandStatus } from '../time/delivery.cts';
import { demo } from '../demo.cts';
import { fromUnits } from '../stored/money.cts';
import type { World } from '../stored/world.cts';
import {
	controlButton,
	countOf,
	countView,
	cutPage,
	moneyView,
	none,
	pagerView,
	timeView,
	type Html,
	type Query,
} from './parts.cts';

/** Conversations by phone number, as recipients see them. */

const isInbound = ({ single }: Message) => single?.direction === 'inbound';

/** Names of channels that aren't spelled like their codes. */
const brands: Readonly<Record<string, string>> = {
	VIBER: 'Viber',
	WHATSAPP: 'WhatsApp',
	TELEGRAM: 'Telegram',
	FLASHCALL: 'Flash Call',
	VOICECODE: 'Voice Code',
	TEXT_TO_SPEECH: 'Text to Speech',
	PUSH: 'Push',
};

const aboutOf = ({ store }: World, { single, dispatchId, senderId }: Message) => {
	const dispatch = dispatchId === null ? undefined : store.dispatches.get(dispatchId);
	const sender = senderId === null ? undefined : store.senders.get(senderId);
	const channel = single?.channelType ?? dispatch?.channelType ?? '';
	return {
		channel: brands[channel] ?? channel,
		sender: single?.senderName ?? sender?.senderName ?? '',
		dispatch,
	};
};

/** One tick: sent. Two: delivered. */
const ticks: Readonly<Record<Message['state'], { sign: string; words: string; kind: string }>> = {
	created: { sign: '…', words: 'waiting', kind: 'wait' },
	sent: { sign: '✓', words: 'sent', kind: 'wait' },
	delivered: { sign: '✓✓', words: 'delivered', kind: 'good' },
	undelivered: { sign: '✕', words: 'undelivered', kind: 'bad' },
	unsent: { sign: '✕', words: 'unsent', kind: 'bad' },
	inbound_sent: { sign: '↩', words: 'received', kind: 'good' },
};

const statusView = (message: Message): Html => {
	const { sign, words, kind } = ticks[message.state];
	const { read = null, readAt = null } = message.single ?? {};
	const code = message.errorCode === null ? none : html`, error code ${message.errorCode}`;
	const reason = message.reason === null ? none : html` (${message.reason})`;
	const seen =
		read === null
			? none
			: html` ·
					<span class="${read === 'read' ? 'good' : 'wait'}">${read} ${timeView(readAt)}</span>`;
	return html`<span class="${kind}">${sign} ${words}</span> ${timeView(
			message.statusAt ?? message.sentAt ?? message.createdAt,
		)}${code}${reason}${seen}`;
};

/** Longer texts are cut: a hundred of the longest would keep the browser busy for half a minute. */
const longestShown = 2_000;

const linkView = (url: string, shown: string): Html =>
	html`<a href="${url}" target="_blank" rel="noopener noreferrer">${shown}</a>`;

/** A text with its web addresses as links. Punctuation after one isn't part of it. */
const linkedView = (text: string): Html => {
	const pieces = text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}])/);
	return html`${pieces.map((piece, index) => (index % 2 === 1 ? linkView(piece, piece) : piece))}`;
};

/** The text, with its short links as links: pressing one counts as a click. */
const textView = (message: Message, query: Query): Html => {
	const isWhole = query.whole === message.uuid || message.text.length <= longestShown;
	let rest = isWhole ? message.text : `${message.text.slice(0, longestShown)}…`;
	const pieces: Html[] = [];
	for (const { shortUrl, code, clicks = 0 } of message.single?.links ?? []) {
		const at = rest.indexOf(shortUrl);
		if (at < 0) continue;
		const counted = clicks === 0 ? none : html` (${countOf(clicks, 'click')})`;
		pieces.push(
			html`${linkedView(rest.slice(0, at))}${linkView(
				`${demo.shortLinkPath}/${code}`,
				shortUrl,
			)}${counted}`,
		);
		rest = rest.slice(at + shortUrl.length);
	}
	const whole = new URLSearchParams({
		...query,
		number: message.destination,
		whole: message.uuid,
	}).toString();
	const more = isWhole
		? none
		: html`<a class="facts" href="?${whole}"
				>Show all ${countView(message.text.length)} characters</a
			>`;
	return html`<p>${pieces}${linkedView(rest)}</p>
		${more}`;
};

const outcomes: ReadonlyArray<readonly [label: string, status: HandStatus]> = [
	['Delivered', 'delivered'],
	['Undelivered', 'undelivered'],
	['Read', 'read'],
	['Not Read', 'unread'],
];

const unsentForm = (path: string): Html =>
	html`<form class="inline" id="unsent-${path}" data-control="POST ${path}/status">
		<input type="hidden" name="status" value="unsent" />
		<label class="soft"
			>Error Code <input name="errorCode" data-as="number" type="number" size="5" value="454"
		/></label>
		<button class="small">Unsent</button>
	</form>`;

const priceForm = (path: string, { reserved, price }: Message): Html =>
	html`<form
		class="inline"
		id="price-${path}"
		data-control="POST ${path}/price"
		data-done="The price is changed."
	>
		<label class="soft"
			>Price
			<input
				name="price"
				data-as="number"
				type="number"
				step="any"
				min="0"
				max="${fromUnits(reserved)}"
				size="6"
				value="${fromUnits(price)}"
				required
		/></label>
		<button class="small">Change Price</button>
	</form>`;

/** Only outcomes that are still possible. */
const actionsView = (world: World, message: Message): Html => {
	const { uuid, state, single } = message;
	if (isInbound(message)) return none;
	const path = `${demo.controlPath}/messages/${uuid}`;
	const can = (status: HandStatus) => obstacleToMove(world, message, status) === undefined;
	const tooLate =
		state === 'sent'
			? html`<span class="facts"
					>A sent message can't become unsent. Pause the clock before you send, or use the number
					for unsent messages under <a href="/controls">Controls</a>.</span
				>`
			: none;
	const isPriced = single !== undefined;
	const possible = outcomes.filter(([, status]) => can(status));
	if (possible.length === 0 && !can('unsent') && !isPriced) return none;
	return html`<details id="outcome-${uuid}">
		<summary class="facts">Change Outcome</summary>
		<div class="row">
			${possible.map(([label, status]) =>
				controlButton({ label, request: `POST ${path}/status`, values: { status } }),
			)}
			${can('unsent') ? unsentForm(path) : tooLate} ${isPriced ? priceForm(path, message) : none}
		</div>
	</details>`;
};

const bubbleView = (world: World, message: Message, query: Query): Html => {
	const { channel, sender, dispatch } = aboutOf(world, message);
	const { encoding } = countParts(message.text);
	const parts = `${countOf(message.parts, 'part')}, ${encoding}`;
	const from =
		dispatch === undefined
			? none
			: html` · <a href="/dispatches?id=${dispatch.id}">dispatch ${dispatch.id}</a>`;
	const price = isInbound(message)
		? none
		: html` · ${moneyView(message.price)}${message.final ? '' : ' reserved'}`;
	return html`<li
		id="message-${message.uuid}"
		class="bubble ${isInbound(message) ? 'inbound' : 'outbound'}"
	>
		<div class="facts">
			<strong>${isInbound(message) ? 'Reply' : sender}</strong> · ${channel}${from}
		</div>
		${textView(message, query)}
		<div class="facts">${statusView(message)} · ${parts}${price}</div>
		${actionsView(world, message)}
	</li>`;
};

/** The contract has inbound messages for WhatsApp only. */
const replyForm = (world: World, number: string, messages: readonly Message[]): Html => {
	const names = [...world.store.senders.values()]
		.filter(({ channelType, status }) => channelType === 'WHATSAPP' && status === 'APPROVED')
		.map(({ senderName }) => senderName);
	const used = messages
		.map((message) => message.single)
		.findLast((single) => single?.channelType === 'WHATSAPP')?.senderName;
	if (names.length === 0) {
		return html`<p class="card soft">
			Recipients can reply on WhatsApp only, and there is no approved sender name for it. Approve
			one under <a href="/account">Account</a>.
		</p>`;
	}
	return html`<form
		class="card"
		id="reply-${number}"
		data-control="POST ${demo.controlPath}/inbound"
		data-done="The reply was sent."
		data-clear
	>
		<h3>Reply as ${number}</h3>
		<input type="hidden" name="destination" value="${number}" />
		<div class="row">
			<label
				>To
				<select name="senderName">
					${names.map((name) => html`<option ${name === used ? 'selected' : ''}>${name}</option>`)}
				</select></label
			>
			<label>Text <input name="text" id="reply-text" size="30" required /></label>
			<button>Send</button>
			<button class="small" name="text" value="STOP" formnovalidate>STOP</button>
			<button class="small" name="text" value="START" formnovalidate>START</button>
		</div>
		<p class="facts">
			Recipients can reply on WhatsApp only. Choose the URL that gets replies under
			<a href="/callbacks">Callbacks</a>.
		</p>
	</form>`;
};

const looksLikeNumber = (text: string) => /^[\d\s+()-]+$/.test(text) && /\d/.test(text);

const fits = (number: string, messages: readonly Message[], wanted: string): boolean =>
	(looksLikeNumber(wanted) && number.includes(wanted.replaceAll(/\D/g, ''))) ||
	messages.some(({ text }) => text.toLowerCase().includes(wanted.toLowerCase()));

/** Newest first. Without a search, only the numbers on the page are read. */
const numbersIn = ({ store }: World, wanted: string): Pick<string[], 'length' | 'slice'> => {
	const { size: length } = store.conversations;
	if (wanted === '') {
		return { length, slice: (from, to) => store.newestNumbers(to ?? length).slice(from) };
	}
	return store
		.newestNumbers(length)
		.filter((number) => fits(number, store.conversations.get(number) ?? [], wanted));
};

const listEntry = (world: World, number: string, query: Query): Html => {
	const messages = world.store.conversations.get(number) ?? [];
	const last = messages.at(-1);
	const parameters = new URLSearchParams({ ...query, number });
	for (const name of ['shown', 'whole']) parameters.delete(name);
	return html`<li>
		<a href="?${parameters.toString()}" aria-current="${String(number === query.number)}">
			<strong>${number}</strong>
			<span class="soft"
				>${countOf(messages.length, 'message')} · ${timeView(last?.createdAt ?? null)}</span
			>
			<span class="last">${last?.text.slice(0, 120) ?? ''}</span>
		</a>
	</li>`;
};

const step = 100;

const conversationView = (world: World, number: string, query: Query): Html => {
	const messages = world.store.conversations.get(number);
	if (messages === undefined) return html`<h2>There is no phone ${number}</h2>`;
	const wanted = Math.max(step, Math.trunc(Number(query.shown)) || 0);
	const shown = messages.slice(-wanted);
	const older = messages.length - shown.length;
	const more = new URLSearchParams({ ...query, number, shown: String(wanted + step) }).toString();
	return html`<h2>${number}</h2>
		${older > 0
			? html`<p><a href="?${more}">Show older messages (${countView(older)})</a></p>`
			: none}
		<div
			class="bubbles"
			id="bubbles-${number}"
			tabindex="0"
			role="log"
			aria-label="Messages with ${number}"
		>
			<ul class="plain">
				${shown.map((message) => bubbleView(world, message, query))}
			</ul>
		</div>
		${replyForm(world, number, messages)}`;
};

export const phonesView = (world: World, query: Query): Html => {
	const { search = '' } = query;
	const cut = cutPage(numbersIn(world, search), query.page);
	const number = query.number || cut.items[0];
	const chosen = { ...query, ...(number !== undefined && { number }) };
	return html`<div class="two">
		<section aria-label="Phones">
			<h2>Phones</h2>
			<form class="row" method="get" role="search">
				<label
					>Search <input name="search" id="search" value="${search}" placeholder="Number or text"
				/></label>
				<button>Find</button>
			</form>
			<ul class="plain talks">
				${cut.items.map((one) => listEntry(world, one, chosen))}
			</ul>
			${cut.total === 0 && search !== ''
				? html`<p class="soft">No number or text contains "${search}".</p>`
				: pagerView(cut, query)}
		</section>
		<section
			aria-label="Conversation"
			${number === undefined ? none : html`data-number="${number}"`}
		>
			${number === undefined
				? html`<h2>No messages yet</h2>
						<p>Send a message from n8n: it appears here.</p>`
				: conversationView(world, number, query)}
		</section>
	</div>`;
};
