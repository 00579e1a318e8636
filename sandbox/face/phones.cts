import { html } from 'hono/html';
import { countParts } from '../../core/recipients/parts';
import { demo } from '../demo.cts';
import type { Message } from '../stored/entities.cts';
import { fromUnits } from '../stored/money.cts';
import type { Store } from '../stored/store.cts';
import type { World } from '../stored/world.cts';
import {
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
import {
	aboutOf,
	blacklistingsOf,
	blacklistMark,
	dispatchLink,
	initialsOf,
	isInbound,
	operatorName,
	personView,
	toShownNumber,
} from './people.cts';
import { decisionView, readView, stateOf, stateView, whyView } from './states.cts';

/** Conversations by phone number, as recipients see them. */

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

const codeInText = /(?<!\d)\d{4,8}(?!\d)/;

/** A code that a person has to type somewhere: a number in a text that speaks of a code. */
const copyCode = ({ text, single }: Message): Html => {
	const isCall = single?.channelType === 'FLASHCALL' || single?.channelType === 'VOICECODE';
	const [code] =
		(isCall || /code|pin\b|код|пароль/i.test(text) ? codeInText.exec(text) : null) ?? [];
	return code === undefined
		? none
		: html`<button class="small" data-copy="${code}">Copy ${code}</button>`;
};

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

const actionsView = (world: World, message: Message): Html => {
	if (isInbound(message)) return none;
	const { uuid, single } = message;
	const decision = decisionView(world, message);
	if (world.store.held.has(uuid)) {
		return html`<p class="wait">Waits for your decision:</p>
			${decision}`;
	}
	const price =
		single === undefined ? none : priceForm(`${demo.controlPath}/messages/${uuid}`, message);
	if (decision === none && price === none) return none;
	return html`<details id="outcome-${uuid}">
		<summary class="facts">Change</summary>
		${decision} ${price}
	</details>`;
};

const bubbleView = (world: World, message: Message, query: Query, isFirst: boolean): Html => {
	const { uuid, statusAt, sentAt, createdAt } = message;
	const { channel, sender, dispatch } = aboutOf(world, message);
	const { encoding } = countParts(message.text);
	const parts = `${countOf(message.parts, 'part')}, ${encoding}`;
	const from = dispatch === undefined ? none : html` · ${dispatchLink(dispatch)}`;
	const pending = message.reserved === 0 ? ' estimated' : ' reserved';
	const cost = html` · <span class="no-break">${parts}</span> ·
		<span class="no-break">${moneyView(message.price)}${message.final ? '' : pending}</span>`;
	const side = isInbound(message) ? 'inbound' : 'outbound';
	const read = readView(message);
	return html`<li id="message-${uuid}" class="bubble ${side} ${stateOf(message).look}">
		${isFirst
			? html`<div class="from">
					<strong>${isInbound(message) ? `To ${sender}` : sender || 'No sender name'}</strong> ·
					${channel}${from}
				</div>`
			: none}
		<div class="said">${textView(message, query)}${copyCode(message)}</div>
		<div class="facts">
			${stateView(message)}
			${timeView(statusAt ?? sentAt ?? createdAt)}${read === none
				? none
				: html` · ${read}`}${isInbound(message) ? none : cost}
			·
			<a href="/messages?uuid=${uuid}">Timeline</a>
		</div>
		${stateOf(message).look === 'failed'
			? html`<div class="facts">${whyView(message)}</div>`
			: none}
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
		return html`<p class="composer soft">
			Recipients can reply on WhatsApp only, and there is no approved sender name for it. Approve
			one under <a href="/account">Account</a>.
		</p>`;
	}
	return html`<form
		class="composer"
		id="reply-${number}"
		data-control="POST ${demo.controlPath}/inbound"
		data-done="The reply was sent."
		data-clear
	>
		<input type="hidden" name="destination" value="${number}" />
		<div class="row">
			<label class="grow"
				><span class="unseen">Reply as ${toShownNumber(number)}</span
				><input
					name="text"
					id="reply-text"
					placeholder="Reply on WhatsApp"
					autocomplete="off"
					required
			/></label>
			<button class="main">Send</button>
		</div>
		<div class="row">
			<label class="facts"
				>To
				<select name="senderName">
					${names.map((name) => html`<option ${name === used ? 'selected' : ''}>${name}</option>`)}
				</select></label
			>
			<button class="small" name="text" value="STOP" formnovalidate>STOP</button>
			<button class="small" name="text" value="START" formnovalidate>START</button>
			<a class="facts" href="/callbacks#inbound-rules">Where do replies go?</a>
		</div>
	</form>`;
};

const looksLikeNumber = (text: string) => /^[\d\s+()-]+$/.test(text) && /\d/.test(text);

const contains = (text: string, wanted: string) =>
	text.toLowerCase().includes(wanted.toLowerCase());

const fits = ({ names, conversations }: Store, number: string, wanted: string): boolean =>
	contains(names.get(number) ?? '', wanted) ||
	(looksLikeNumber(wanted) && number.includes(wanted.replaceAll(/\D/g, ''))) ||
	(conversations.get(number) ?? []).some(({ text }) => contains(text, wanted));

/** Newest first. Without a search, only the numbers on the page are read. */
const numbersIn = ({ store }: World, wanted: string): Pick<string[], 'length' | 'slice'> => {
	const { size: length } = store.conversations;
	if (wanted === '') {
		return { length, slice: (from, to) => store.newestNumbers(to ?? length).slice(from) };
	}
	return store.newestNumbers(length).filter((number) => fits(store, number, wanted));
};

/** Until when each conversation was read on this page, for each state of the sandbox. */
const seenIn = new WeakMap<Store, Map<string, number>>();

const markSeen = ({ store }: World, number: string, messages: readonly Message[]): void => {
	const seen = seenIn.get(store) ?? new Map<string, number>();
	seenIn.set(store, seen.set(number, messages.at(-1)?.createdAt ?? 0));
};

const mostUnread = 99;

const unreadView = ({ store }: World, number: string, messages: readonly Message[]): Html => {
	const since = seenIn.get(store)?.get(number) ?? store.seededAt;
	let unread = 0;
	for (let index = messages.length - 1; index >= 0 && unread <= mostUnread; index--) {
		const message = messages[index];
		if (message === undefined || message.createdAt <= since) break;
		if (message.state === 'delivered') unread++;
	}
	if (unread === 0) return none;
	const shown = unread > mostUnread ? `${mostUnread}+` : countView(unread);
	return html`<span class="unread">${shown}<span class="unseen"> unread</span></span>`;
};

const listEntry = (world: World, number: string, query: Query): Html => {
	const messages = world.store.conversations.get(number) ?? [];
	const last = messages.at(-1);
	const parameters = new URLSearchParams({ ...query, number });
	for (const name of ['shown', 'whole']) parameters.delete(name);
	const isHeld = last !== undefined && world.store.held.has(last.uuid);
	return html`<li>
		<a
			href="?${parameters.toString()}"
			id="phone-${number}"
			data-swap
			aria-current="${String(number === query.number)}"
		>
			<span class="avatar" aria-hidden="true">${initialsOf(world, number)}</span>
			<span class="who">${personView(world, number)}</span>
			<span class="when">${timeView(last?.createdAt ?? null)}</span>
			<span class="last"
				>${last === undefined
					? none
					: html`<span class="${stateOf(last).kind}" aria-hidden="true">${stateOf(last).sign}</span>
							${last.text.slice(0, 120)}`}</span
			>
			<span class="marks"
				>${blacklistMark(world, number)}${isHeld
					? html`<span class="badge wait">Held</span>`
					: none}${unreadView(world, number, messages)}</span
			>
		</a>
	</li>`;
};

const step = 100;

const isSameSender = (world: World, one: Message, other: Message | undefined): boolean => {
	if (other === undefined || isInbound(one) !== isInbound(other)) return false;
	const [mine, theirs] = [aboutOf(world, one), aboutOf(world, other)];
	return (
		mine.sender === theirs.sender &&
		mine.channel === theirs.channel &&
		one.dispatchId === other.dispatchId
	);
};

const headView = (world: World, number: string, query: Query): Html => {
	const { search = '', page = '' } = query;
	const list = new URLSearchParams({ ...(search && { search }), ...(page && { page }) }).toString();
	const operator = operatorName(number);
	const blacklisted = blacklistingsOf(world, number);
	return html`<header class="head">
		<a class="back" href="/?${list}" data-swap>‹<span class="unseen"> All</span> Phones</a>
		<span class="avatar" aria-hidden="true">${initialsOf(world, number)}</span>
		<div>
			<h2>${personView(world, number)}</h2>
			<p class="facts">${operator ?? 'Unknown operator'}</p>
		</div>
		<button class="small" data-copy="${number}">Copy Number</button>
		${blacklisted.length === 0
			? none
			: html`<p class="notice bad">
					<span
						>Blacklisted ${blacklisted.join('; ')}. <a href="/account#blacklist">Blacklist</a></span
					>
				</p>`}
	</header>`;
};

const conversationView = (world: World, number: string, query: Query): Html => {
	const messages = world.store.conversations.get(number);
	if (messages === undefined) {
		return html`<header class="head">
			<a class="back" href="/" data-swap>‹ Phones</a>
			<h2>There is no phone ${number}</h2>
		</header>`;
	}
	const wanted = Math.max(step, Math.trunc(Number(query.shown)) || 0);
	const shown = messages.slice(-wanted);
	const older = messages.length - shown.length;
	const more = new URLSearchParams({ ...query, number, shown: String(wanted + step) }).toString();
	return html`${headView(world, number, query)}
		<div
			class="bubbles"
			id="bubbles-${number}"
			tabindex="0"
			role="log"
			aria-label="Messages with ${toShownNumber(number)}"
		>
			${older > 0
				? html`<p class="older">
						<a href="?${more}">Show older messages (${countView(older)})</a>
					</p>`
				: none}
			<ul class="plain">
				${shown.map((message, index) =>
					bubbleView(world, message, query, !isSameSender(world, message, shown[index - 1])),
				)}
			</ul>
		</div>
		${replyForm(world, number, messages)}`;
};

export const phonesView = (world: World, query: Query): Html => {
	const { search = '' } = query;
	const cut = cutPage(numbersIn(world, search), query.page);
	const number = query.number || cut.items[0];
	const chosen = { ...query, ...(number !== undefined && { number }) };
	// A narrow screen shows the list or a conversation. Without a number it is the list, so nothing is read yet.
	if (query.number)
		markSeen(world, query.number, world.store.conversations.get(query.number) ?? []);
	return html`<div class="phones ${query.number ? 'is-open' : ''}">
		<section class="list" aria-label="Phones">
			<h2 class="unseen">Phones</h2>
			<form class="search" method="get" role="search">
				<label class="grow"
					><span class="unseen">Search</span
					><input
						name="search"
						id="search"
						value="${search}"
						placeholder="Search name, number or text"
				/></label>
				<button class="small">Find</button>
			</form>
			<ul class="plain talks" id="talks">
				${cut.items.map((one) => listEntry(world, one, chosen))}
			</ul>
			${cut.total === 0 && search !== ''
				? html`<p class="soft">No name, number or text contains "${search}".</p>`
				: pagerView(cut, query)}
		</section>
		<section
			class="talk"
			aria-label="Conversation"
			${number === undefined ? none : html`data-number="${number}"`}
		>
			${number === undefined
				? html`<div class="empty">
						<h2>No messages yet</h2>
						<p>Send a message from n8n: it appears here.</p>
					</div>`
				: conversationView(world, number, query)}
		</section>
	</div>`;
};
