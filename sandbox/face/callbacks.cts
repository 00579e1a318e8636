import { html } from 'hono/html';
import { eventNames, events } from '../../core/contract/events';
import { demo } from '../demo.cts';
import type { InboundRule } from '../stored/entities.cts';
import {
	callbackStates,
	decodePart,
	isSuccess,
	type CallbackAttempt,
	type CallbackEntry,
} from '../time/outbox.cts';
import type { World } from '../stored/world.cts';
import {
	controlButton,
	countView,
	cutPage,
	none,
	pagerView,
	tableView,
	textBlock,
	timeView,
	type Html,
	type Query,
} from './parts.cts';

const whyNoResponse = (error: string): string => {
	if (error.includes('ECONNREFUSED'))
		return 'Nothing is running at this URL. Check that n8n is running and that the port is right.';
	if (error.includes('no response')) return "The receiver didn't respond in time.";
	const host = /ENOTFOUND (\S+)/.exec(error)?.[1];
	if (host !== undefined) return `The host name "${host}" wasn't found. Check the URL.`;
	return `There was no response: ${error}`;
};

/** Why an attempt failed, and what to do about it. */
export const whyFailed = (
	{ status, error = '' }: Omit<CallbackAttempt, 'at'>,
	isAuthorized: boolean,
): string => {
	if (status === undefined) return whyNoResponse(error);
	if (status === 401 || status === 403) {
		return isAuthorized
			? `${status}: the receiver rejected the login. Choose the same Callback credential in the trigger and in the node that sends.`
			: `${status}: the trigger expects the Callback credential; choose it in the node that sends.`;
	}
	if (status === 404)
		return "404: nothing is at this URL. Publish the trigger's workflow. A test URL works only while the editor listens.";
	if (status === 413) return '413: the callback is too large for the receiver.';
	if (status >= 500) return `${status}: the receiver failed. Check the execution in n8n.`;
	return `${status}: the receiver rejected the callback. It must respond with a 2xx status.`;
};

const toEventLabel = (one: unknown): string => {
	const { callback_event: ofMessage, event = ofMessage } = one as Record<string, unknown>;
	const name = eventNames.find((known) => known === event);
	return name === undefined ? String(event) : events[name].label;
};

const eventsIn = (body: unknown): string => {
	const labels = (Array.isArray(body) ? body : [body]).map(toEventLabel);
	const different = [...new Set(labels)].join(', ');
	return labels.length === 1 ? different : `${different} (${countView(labels.length)})`;
};

const attemptView = ({ at, status, error, answer }: CallbackAttempt, isAuthorized: boolean): Html =>
	html`<li>
		${timeView(at)}
		${isSuccess(status)
			? html`<span class="good">${status}</span>`
			: html`<span class="bad">${whyFailed({ status, error }, isAuthorized)}</span>`}
		${answer ? textBlock('Response', answer) : none}
	</li>`;

/** The newest ones: a callback is sent up to 289 times. */
const shownAttempts = 5;

const attemptsView = ({ attempts, authorization, body }: CallbackEntry): Html => {
	const hidden = attempts.length - shownAttempts;
	const shown = attempts.slice(-shownAttempts);
	return html`<ul class="plain">
			${hidden > 0 ? html`<li class="soft">${countView(hidden)} earlier attempts</li>` : none}
			${shown.map((attempt) => attemptView(attempt, authorization !== null))}
		</ul>
		<details>
			<summary class="facts">Body</summary>
			${textBlock('Body', JSON.stringify(body, null, 2).slice(0, 5_000))}
		</details>`;
};

const stateKinds = { pending: 'wait', delivered: 'good', expired: 'bad', stopped: 'soft' } as const;

const toRow = (entry: CallbackEntry) => {
	const { id, state, url, body, authorization, nextAt } = entry;
	const request = `POST ${demo.controlPath}/callbacks/${id}`;
	const next =
		state === 'pending' && nextAt !== undefined
			? html`<br /><span class="facts">Next attempt ${timeView(nextAt)}</span>`
			: none;
	return {
		id: `callback-${id}`,
		cells: [
			html`${eventsIn(body)}<br /><span class="facts">${timeView(entry.createdAt)}</span>`,
			html`${url}<br /><span class="facts"
					>${authorization === null ? 'without a login' : 'with a login'}</span
				>`,
			html`<span class="${stateKinds[state]}">${state}</span>${next}`,
			attemptsView(entry),
			html`${controlButton({ label: 'Resend Now', request: `${request}/resend` })}
			${state === 'pending'
				? controlButton({ label: 'Stop Retrying', request: `${request}/stop` })
				: none}`,
		],
	};
};

const field = (label: string, name: string, value: string | number, more: Html = none): Html =>
	html`<label>${label} <input name="${name}" value="${value}" ${more} /></label>`;

/** One form for each rule, and an empty one for the next. `position` starts at 1. */
const ruleForm = (position: number, usualCenter: number, rule?: InboundRule): Html => {
	const request = `${demo.controlPath}/inbound-rules/${position}`;
	const url = rule === undefined ? undefined : new URL(rule.callbackUrl);
	const target = url === undefined ? '' : `${url.origin}${url.pathname}${url.search}`;
	return html`<div class="row rule">
		<form
			class="row"
			id="rule-${position}"
			data-control="PUT ${request}"
			data-done="The rule is saved."
			${rule === undefined ? html`data-clear` : none}
		>
			${field('URL', 'url', target, html`size="40" required`)}
			${field('Login', 'login', decodePart(url?.username ?? ''), html`autocomplete="off"`)}
			${field(
				'Password',
				'password',
				decodePart(url?.password ?? ''),
				html`type="password" autocomplete="off"`,
			)}
			${field(
				'Traffic Center',
				'trafficCenterId',
				rule?.trafficCenterId ?? usualCenter,
				html`data-as="number" type="number" min="0" size="4"`,
			)}
			${field(
				'Sender Names',
				'senderNames',
				rule?.senderNames?.join(', ') ?? '',
				html`data-as="list" placeholder="all"`,
			)}
			<button>${rule === undefined ? 'Add' : 'Save'}</button>
		</form>
		${rule === undefined
			? none
			: controlButton({
					label: 'Remove',
					request: `DELETE ${request}`,
					done: 'The rule is removed.',
				})}
	</div>`;
};

const rulesView = ({ store: { inboundRules, settings } }: World): Html => {
	const center = settings.defaultTrafficCenterId;
	return html`<section class="card" id="inbound-rules" aria-label="Inbound messages">
		<h3>Inbound messages</h3>
		<p class="soft">
			${inboundRules.length === 0
				? "There is no rule yet, so recipients' replies aren't reported."
				: "Recipients' replies are sent to the first URL whose sender names match."}
		</p>
		${inboundRules.map((rule, index) => ruleForm(index + 1, center, rule))}
		${ruleForm(inboundRules.length + 1, center)}
	</section>`;
};

export const callbacksView = (world: World, query: Query): Html => {
	const all = [...world.outbox.entries.values()].reverse();
	const wanted = callbackStates.find((state) => state === query.state);
	const cut = cutPage(
		wanted === undefined ? all : all.filter(({ state }) => state === wanted),
		query.page,
	);
	return html`<h2>Callbacks</h2>
		${rulesView(world)}
		<nav class="row choices" aria-label="State">
			<a href="/callbacks" aria-current="${String(wanted === undefined)}">All</a>
			${callbackStates.map(
				(state) =>
					html`<a href="?state=${state}" aria-current="${String(state === wanted)}">${state}</a>`,
			)}
		</nav>
		<section class="card">
			${tableView(['Event', 'URL', 'State', 'Attempts', 'Actions'], cut.items.map(toRow))}
			${pagerView(cut, query)}
		</section>`;
};
