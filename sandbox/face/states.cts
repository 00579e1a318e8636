import { html } from 'hono/html';
import { messageErrors, messageErrorText } from '../../core/contract/errors';
import { demo } from '../demo.cts';
import type { Message } from '../stored/entities.cts';
import type { World } from '../stored/world.cts';
import { obstacleToMove, type HandStatus } from '../time/delivery.cts';
import { isBeforeSending } from '../time/outcomes.cts';
import { controlButton, none, timeView, type Html } from './parts.cts';
import { phoneLink } from './people.cts';

/** The states of a message in words, and the forms with which a person decides about it. */

/** One tick: sent. Two: delivered. `look` is how its bubble looks. */
const states = {
	created: { sign: '…', words: 'waiting', kind: 'wait', look: 'waiting' },
	sent: { sign: '✓', words: 'sent', kind: 'wait', look: 'waiting' },
	delivered: { sign: '✓✓', words: 'delivered', kind: 'good', look: 'arrived' },
	undelivered: { sign: '✕', words: 'undelivered', kind: 'bad', look: 'failed' },
	unsent: { sign: '✕', words: 'unsent', kind: 'bad', look: 'failed' },
	inbound_sent: { sign: '↩', words: 'received', kind: 'good', look: 'arrived' },
} as const satisfies Record<Message['state'], object>;

export const stateOf = ({ state }: Message) => states[state];

/** `✓✓ delivered` */
export const stateView = (message: Message): Html => {
	const { sign, words, kind } = stateOf(message);
	return html`<span class="${kind} no-break">${sign} ${words}</span>`;
};

/** A link to a message, for requests and callbacks. */
export const messageLink = (world: World, uuid: string): Html => {
	const message = world.store.byUuid.get(uuid);
	return message === undefined
		? html`<span>${uuid}</span>`
		: html`<a href="/messages?uuid=${uuid}">${message.text.slice(0, 60) || 'Message'}</a> ·
				${phoneLink(world, message.destination)} · ${stateView(message)}`;
};

/** Why a message failed: the sandbox's reason, and the meaning of the error code. */
export const whyView = ({ reason, errorCode }: Message): Html => {
	if (reason === null && errorCode === null) return none;
	const meaning = messageErrorText(errorCode);
	const code =
		errorCode === null
			? none
			: html` <span>Error ${errorCode}${meaning === undefined ? '.' : `: ${meaning}`}</span>`;
	// Some reasons only repeat the code.
	const isSaid = reason === null || (errorCode !== null && reason.includes(String(errorCode)));
	const words = isSaid ? '' : `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`;
	return html`<span class="bad">${words}${code}</span>`;
};

export const readView = ({ single }: Message): Html => {
	const { read = null, readAt = null } = single ?? {};
	if (read === null) return none;
	return html`<span class="${read === 'read' ? 'good' : 'wait'}">${read}</span> ${timeView(readAt)}`;
};

const decisions: ReadonlyArray<readonly [label: string, status: HandStatus]> = [
	['Deliver', 'delivered'],
	['Read', 'read'],
	['Not Read', 'unread'],
	['Expire', 'undelivered'],
];

const firstSentence = (text: string): string => /^[^.]*/.exec(text)?.[0] ?? text;

/** A form that fails messages with a code. A sent message can't get a code of the time before it was sent. */
export const failForm = (request: string, isSent: boolean, label = 'Fail'): Html => {
	const codes = Object.entries(messageErrors).filter(
		([code]) => !isSent || !isBeforeSending(Number(code)),
	);
	return html`<form
		class="inline"
		id="fail-${request.replaceAll(/\W+/g, '-')}"
		data-control="${request}"
		data-done="It failed, as you chose."
	>
		<input type="hidden" name="status" value="failed" />
		<select name="errorCode" data-as="number" aria-label="Error code">
			${codes.map(
				([code, { text }]) =>
					html`<option value="${code}" ${code === '504' ? 'selected' : ''}>
						${code}: ${firstSentence(text)}
					</option>`,
			)}
		</select>
		<button class="small">${label}</button>
	</form>`;
};

/** Buttons for what can still happen to a message. */
export const decisionView = (world: World, message: Message): Html => {
	const can = (status: HandStatus) => obstacleToMove(world, message, status) === undefined;
	const possible = decisions.filter(([, status]) => can(status));
	const request = `POST ${demo.controlPath}/messages/${message.uuid}/status`;
	if (possible.length === 0 && !can('failed')) return none;
	return html`<div class="row decide">
		${possible.map(([label, status]) => controlButton({ label, request, values: { status } }))}
		${can('failed') ? failForm(request, message.state === 'sent') : none}
	</div>`;
};
