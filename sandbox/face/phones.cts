import { html } from 'hono/html';
import { countParts } from '../../core/recipients/parts';
import type { Message } from '../entities.cts';
import { isFinal } from '../delivery.cts';
import { demo } from '../demo.cts';
import { fromUnits } from '../money.cts';
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

/** Conversations by phone number, as the people have them on their phones. */

const isInbound = ({ single }: Message) => single?.direction === 'inbound';

const aboutOf = ({ store }: World, { single, dispatchId, senderId }: Message) => {
	const dispatch = dispatchId === null ? undefined : store.dispatches.get(dispatchId);
	const sender = senderId === null ? undefined : store.senders.get(senderId);
	return {
		channel: single?.channelType ?? dispatch?.channelType ?? '',
		sender: single?.senderName ?? sender?.senderName ?? '',
		dispatch,
	};
};

/** One tick: sent. Two: delivered. What failed says so in words. */
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

/** The text, with its short links as links: pressing one counts as a click. */
const textView = (message: Message): Html => {
	let rest = message.text;
	const pieces: Html[] = [];
	for (const { shortUrl, code } of message.single?.links ?? []) {
		const at = rest.indexOf(shortUrl);
		if (at < 0) continue;
		pieces.push(
			html`${rest.slice(0, at)}<a
					href="${demo.shortLinkPath}/${code}"
					target="_blank"
					rel="noopener noreferrer"
					>${shortUrl}</a
				>`,
		);
		rest = rest.slice(at + shortUrl.length);
	}
	return html`<p>${pieces}${rest}</p>`;
};

const moves: ReadonlyArray<readonly [label: string, status: string]> = [
	['Delivered', 'delivered'],
	['Undelivered', 'undelivered'],
	['Read', 'read'],
	['Not read', 'unread'],
];

/** Only what can still happen. */
const actionsView = (message: Message): Html => {
	const { uuid, state, single } = message;
	if (isInbound(message)) return none;
	const path = `${demo.controlPath}/messages/${uuid}`;
	const possible = moves.filter(([, status]) => {
		const isReading = status === 'read' || status === 'unread';
		if (isReading) return single?.read === null && (!isFinal(message) || state === 'delivered');
		return !isFinal(message);
	});
	const unsent = isFinal(message)
		? none
		: html`<form class="inline" data-control="POST ${path}/status">
				<input type="hidden" name="status" value="unsent" />
				<label class="soft"
					>Error code <input name="errorCode" data-as="number" type="number" size="5" value="454"
				/></label>
				<button class="small">Unsent</button>
			</form>`;
	const price =
		single === undefined
			? none
			: html`<form
					class="inline"
					data-control="POST ${path}/price"
					data-done="The price is changed."
				>
					<label class="soft"
						>Price
						<input
							name="price"
							data-as="number"
							type="number"
							step="0.01"
							min="0"
							max="${fromUnits(message.reserved)}"
							size="6"
							value="${fromUnits(message.price)}"
							required
					/></label>
					<button class="small">Change price</button>
				</form>`;
	return html`<details>
		<summary class="facts">Change what happens</summary>
		<div class="row">
			${possible.map(([label, status]) => controlButton(label, `POST ${path}/status`, { status }))}
			${unsent} ${price}
		</div>
	</details>`;
};

const bubbleView = (world: World, message: Message): Html => {
	const { channel, sender, dispatch } = aboutOf(world, message);
	const { encoding } = countParts(message.text);
	const parts = `${message.parts} ${message.parts === 1 ? 'part' : 'parts'}, ${encoding}`;
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
			<strong>${isInbound(message) ? 'Answer' : sender}</strong> · ${channel}${from}
		</div>
		${textView(message)}
		<div class="facts">${statusView(message)} · ${parts}${price}</div>
		${actionsView(message)}
	</li>`;
};

/** Under which name people can answer: the contract has inbound messages for WHATSAPP only. */
const answerView = (world: World, number: string, messages: readonly Message[]): Html => {
	const names = [...world.store.senders.values()]
		.filter(({ channelType, status }) => channelType === 'WHATSAPP' && status === 'APPROVED')
		.map(({ senderName }) => senderName);
	const used = messages
		.map((message) => message.single)
		.findLast((single) => single?.channelType === 'WHATSAPP')?.senderName;
	return html`<form
		class="card"
		id="answer"
		data-control="POST ${demo.controlPath}/inbound"
		data-done="The answer was sent."
		data-clear
	>
		<h3>Answer as ${number}</h3>
		<input type="hidden" name="destination" value="${number}" />
		<div class="row">
			<label
				>To
				<select name="senderName">
					${names.map((name) => html`<option ${name === used ? 'selected' : ''}>${name}</option>`)}
				</select></label
			>
			<label>Text <input name="text" data-filled id="answer-text" size="30" required /></label>
			<button>Send</button>
			<button class="small" data-fill="STOP" formnovalidate>STOP</button>
			<button class="small" data-fill="START" formnovalidate>START</button>
		</div>
		<p class="facts">
			Answers exist on WhatsApp only. The rule under <a href="/callbacks">Callbacks</a> says who is
			told.
		</p>
	</form>`;
};

const fits = (number: string, messages: readonly Message[], wanted: string): boolean =>
	number.includes(wanted.replace(/\D/g, '') || '\0') ||
	messages.some(({ text }) => text.toLowerCase().includes(wanted.toLowerCase()));

/** The newest first. */
const numbersIn = ({ store }: World, wanted: string): string[] => {
	const numbers = [...store.conversations.keys()].reverse();
	return wanted === ''
		? numbers
		: numbers.filter((number) => fits(number, store.conversations.get(number) ?? [], wanted));
};

const talkView = (world: World, number: string, query: Query): Html => {
	const messages = world.store.conversations.get(number) ?? [];
	const last = messages.at(-1);
	const address = new URLSearchParams({ ...query, number }).toString();
	return html`<li>
		<a href="?${address}" aria-current="${String(number === query.number)}">
			<strong>${number}</strong>
			<span class="soft">${countView(messages.length)} · ${timeView(last?.createdAt ?? null)}</span>
			<span class="last">${last?.text.slice(0, 120) ?? ''}</span>
		</a>
	</li>`;
};

/** Messages shown at a time: a phone does not show a hundred thousand either. */
const shownMessages = 100;

export const phonesView = (world: World, query: Query): Html => {
	const { search = '' } = query;
	const cut = cutPage(numbersIn(world, search), query.page);
	const number = query.number ?? cut.items[0];
	const messages = number === undefined ? [] : (world.store.conversations.get(number) ?? []);
	const shown = messages.slice(-shownMessages);
	const older = messages.length - shown.length;
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
				${cut.items.map((one) => talkView(world, one, { ...query, ...(number && { number }) }))}
			</ul>
			${pagerView(cut, query)}
		</section>
		<section aria-label="Conversation">
			${number === undefined
				? html`<h2>Nothing has arrived yet</h2>
						<p>Send a message from n8n: it appears here.</p>`
				: html`<h2>${number}</h2>
						${older > 0
							? html`<p class="soft">${countView(older)} older messages are not shown.</p>`
							: none}
						<ul class="plain" aria-live="polite">
							${shown.map((message) => bubbleView(world, message))}
						</ul>
						${answerView(world, number, messages)}`}
		</section>
	</div>`;
};
