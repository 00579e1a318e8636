import { html } from 'hono/html';
import { countParts } from '../../core/recipients/parts';
import type { Dispatch, Message } from '../stored/entities.cts';
import type { World } from '../stored/world.cts';
import { uuidsIn, type CallbackEntry } from '../time/outbox.cts';
import { attemptView, eventsIn, stateBadge } from './callbacks.cts';
import {
	countOf,
	moneyView,
	none,
	timeView,
	toShownTime,
	type Html,
	type Query,
} from './parts.cts';
import { aboutOf, dispatchLink, isInbound, phoneLink } from './people.cts';
import { requestLink } from './requests.cts';
import { decisionView, readView, stateView, whyView } from './states.cts';

/** One message from the request that created it to its last callback, click and reply. */

interface Step {
	at: number;
	title: Html | string;
	detail?: Html | string;
	kind?: 'good' | 'bad' | 'wait';
}

const originStep = (world: World, message: Message): Step => {
	const { createdAt: at, requestId, single } = message;
	if (isInbound(message)) return { at, title: 'Written by the recipient' };
	const root = single?.cascade;
	if (root !== undefined && root.rootUuid !== message.uuid) {
		return {
			at,
			title: html`Step ${root.step} of a cascade`,
			detail: html`The step before didn't reach the recipient.
				<a href="/messages?uuid=${root.rootUuid}">First step</a>`,
		};
	}
	if (requestId === undefined) return { at, title: 'Created by the sandbox' };
	return { at, title: 'Created', detail: requestLink(world, requestId) };
};

const startStep = (world: World, dispatch: Dispatch): Step[] => {
	const { startedAt, startRequestId } = dispatch;
	if (startedAt === null) return [];
	const by = startRequestId === undefined ? none : requestLink(world, startRequestId);
	return [{ at: startedAt, title: html`Dispatch ${dispatchLink(dispatch)} started`, detail: by }];
};

const priceStep = (message: Message, at: number): Step[] => {
	const { parts, text, reserved, price, sentAt, final } = message;
	if (isInbound(message) || (final && sentAt === null && reserved === 0)) return [];
	const { encoding } = countParts(text);
	return [
		{
			at,
			title:
				// Nothing is reserved before a dispatch starts.
				reserved === 0
					? `Estimated price: ${moneyView(price)}`
					: `Price reserved: ${moneyView(reserved)}`,
			detail: `${countOf(parts, 'part')}, ${encoding}`,
		},
	];
};

const stateSteps = (world: World, message: Message): Step[] => {
	const { state, sentAt, statusAt, price, final, single } = message;
	if (isInbound(message)) return [];
	const steps: Step[] = [];
	if (sentAt !== null) steps.push({ at: sentAt, title: 'Sent to the operator' });
	if (statusAt !== null && state !== 'sent') {
		const cost = final ? html` Final price: ${moneyView(price)}.` : none;
		steps.push({
			at: statusAt,
			title: stateView(message),
			detail: html`${whyView(message)}${cost}`,
			kind: state === 'delivered' ? 'good' : 'bad',
		});
	}
	if (single?.readAt != null)
		steps.push({ at: single.readAt, title: readView(message), kind: 'good' });
	if (world.store.held.has(message.uuid)) {
		steps.push({ at: world.timeline.now, title: 'Waits for your decision', kind: 'wait' });
	}
	return steps;
};

const callbackStep = (entry: CallbackEntry, uuid: string): Step => {
	const { id, body, attempts, createdAt, state, nextAt } = entry;
	// A callback may report several messages.
	const own = Array.isArray(body) ? body.filter((one) => uuidsIn(one).includes(uuid)) : body;
	const last = attempts.at(-1);
	const next =
		state === 'pending' && nextAt !== undefined ? html` Next attempt ${timeView(nextAt)}.` : none;
	const tries =
		attempts.length > 1 ? html`${countOf(attempts.length, 'attempt')}, the last: ` : none;
	return {
		at: createdAt,
		title: html`Callback <a href="/callbacks?id=${id}">${eventsIn(own)}</a> ${stateBadge(entry)}`,
		detail: html`${tries}${last === undefined ? 'Being sent.' : attemptView(last, entry)}${next}`,
		kind: state === 'delivered' ? 'good' : state === 'pending' ? 'wait' : 'bad',
	};
};

const clickSteps = ({ single }: Message): Step[] =>
	(single?.links ?? []).flatMap(({ url, clicks = 0, lastClickAt }) =>
		lastClickAt === undefined
			? []
			: [{ at: lastClickAt, title: `Link clicked: ${countOf(clicks, 'time')}`, detail: url }],
	);

/** What the recipient wrote to this sender name before it sent the next message. */
const replySteps = ({ store }: World, message: Message): Step[] => {
	const { single, destination } = message;
	if (single === undefined || isInbound(message)) return [];
	const conversation = store.conversations.get(destination) ?? [];
	const replies: Step[] = [];
	for (const other of conversation.slice(conversation.indexOf(message) + 1)) {
		if (other.single?.channelType !== single.channelType) continue;
		if (other.single.senderName !== single.senderName) continue;
		if (!isInbound(other)) break;
		const title = html`<a href="/messages?uuid=${other.uuid}">Reply</a>`;
		replies.push({ at: other.createdAt, title, detail: other.text.slice(0, 500) });
	}
	return replies;
};

/** Why there are no callbacks, if there are none. */
const silenceView = (message: Message, dispatch: Dispatch | undefined, count: number): Html => {
	if (count > 0) return none;
	const url = message.single?.callbackUrl ?? dispatch?.callbackUrl;
	if (isInbound(message)) {
		return html`<p class="soft">
			No callback: no rule for inbound messages matches.
			<a href="/callbacks#inbound-rules">Rules</a>
		</p>`;
	}
	if (url === undefined) {
		return html`<p class="soft">No callbacks: it was sent without a callback URL.</p>`;
	}
	const isFailed = message.state === 'undelivered' || message.state === 'unsent';
	if (dispatch !== undefined && isFailed) {
		return html`<p class="soft">
			No callback: the service doesn't report failed messages of a dispatch.
		</p>`;
	}
	return html`<p class="soft">No callbacks yet.</p>`;
};

const stepView = ({ at, title, detail, kind = 'wait' }: Step, index: number): Html =>
	html`<li class="${kind}" id="step-${index}">
		<div class="row">
			<span class="title">${title}</span>
			<span class="facts">${toShownTime(at)} · ${timeView(at)}</span>
		</div>
		${detail === undefined || detail === none ? none : html`<div class="detail">${detail}</div>`}
	</li>`;

const storyView = (world: World, message: Message): Html => {
	const { channel, sender, dispatch } = aboutOf(world, message);
	const ids = world.outbox.byMessage.get(message.uuid) ?? [];
	const callbacks = ids.flatMap((id) => world.outbox.entries.get(id) ?? []);
	const steps = [
		originStep(world, message),
		...(dispatch === undefined ? [] : startStep(world, dispatch)),
		...priceStep(message, dispatch?.startedAt ?? message.createdAt),
		...stateSteps(world, message),
		...callbacks.map((entry) => callbackStep(entry, message.uuid)),
		...clickSteps(message),
		...replySteps(world, message),
	].sort((one, other) => one.at - other.at);
	return html`<p><a href="/?number=${message.destination}">‹ Conversation</a></p>
		<div class="row">
			<h2>Message</h2>
			${stateView(message)}
		</div>
		<section class="card">
			<p>
				${isInbound(message) ? 'From' : 'To'} ${phoneLink(world, message.destination)} · ${sender} ·
				${channel}
			</p>
			<p class="quote">${message.text.slice(0, 2_000)}</p>
			${isInbound(message) ? none : decisionView(world, message)}
			<p class="facts">
				UUID ${message.uuid}
				<button class="small" data-copy="${message.uuid}">Copy UUID</button>
			</p>
		</section>
		<section class="card" aria-label="Timeline">
			<h3>Timeline</h3>
			<ol class="plain story">
				${steps.map(stepView)}
			</ol>
			${silenceView(message, dispatch, callbacks.length)}
		</section>`;
};

export const messageView = (world: World, { uuid = '' }: Query): Html => {
	const message = world.store.byUuid.get(uuid);
	return message === undefined
		? html`<h2>There is no message ${uuid}</h2>
				<p><a href="/">Phones</a></p>`
		: storyView(world, message);
};
