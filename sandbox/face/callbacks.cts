import { html } from 'hono/html';
import { toShownCallback } from '../../core/contract/callbackUrl';
import { demo } from '../demo.cts';
import { resendMs, type CallbackAttempt, type CallbackEntry } from '../outbox.cts';
import type { World } from '../world.cts';
import {
	controlButton,
	countView,
	cutPage,
	none,
	pagerView,
	timeView,
	type Html,
	type Query,
} from './parts.cts';

/** Why an attempt did not succeed, and what to do about it. */
export const whyFailed = (
	{ status, error = '' }: Omit<CallbackAttempt, 'at'>,
	isAuthorized: boolean,
): string => {
	if (status === undefined) {
		if (error.includes('ECONNREFUSED'))
			return 'Nobody listens at this address. Is n8n running, and is the port right?';
		if (error.includes('no answer')) return 'The receiver did not answer in time.';
		return `There was no answer: ${error}`;
	}
	if (status === 401 || status === 403) {
		return isAuthorized
			? `${status}: the receiver rejected the login. Choose the same Callback credential in the trigger and in the node that sends.`
			: `${status}: the trigger expects the Callback credential; choose it in the node that sends.`;
	}
	if (status === 404)
		return '404: nothing is at this URL. Publish the workflow of the trigger. A test URL works only while the editor listens.';
	if (status === 413) return '413: the callback is too large for the receiver.';
	if (status >= 500) return `${status}: the receiver failed. Look at the execution in n8n.`;
	return `${status}: the receiver did not answer with a 2xx code, so the callback is sent again.`;
};

const isSuccess = (status: number | undefined) =>
	status !== undefined && status >= 200 && status < 300;

const eventsIn = (body: unknown): string => {
	const events = (Array.isArray(body) ? body : [body]).map((one: unknown) => {
		const { callback_event: message, event = message } = one as Record<string, unknown>;
		return String(event);
	});
	const names = [...new Set(events)].join(', ');
	return events.length === 1 ? names : `${names} (${countView(events.length)})`;
};

const attemptView = ({ at, status, error, answer }: CallbackAttempt, isAuthorized: boolean): Html =>
	html`<li>
		${timeView(at)}
		${isSuccess(status)
			? html`<span class="good">${status}</span>`
			: html`<span class="bad">${whyFailed({ status, error }, isAuthorized)}</span>`}
		${answer ? html`<pre>${answer}</pre>` : none}
	</li>`;

/** The last ones: a callback is tried up to 289 times. */
const shownAttempts = 5;

const stateKinds = { pending: 'wait', delivered: 'good', expired: 'bad', stopped: 'soft' } as const;

const entryView = (entry: CallbackEntry): Html => {
	const { id, state, attempts, url, body, authorization } = entry;
	const path = `POST ${demo.controlPath}/callbacks/${id}`;
	const last = attempts.at(-1);
	const next =
		state === 'pending' && last !== undefined
			? html`<br /><span class="facts">Next try ${timeView(last.at + resendMs)}</span>`
			: none;
	const hidden = attempts.length - shownAttempts;
	return html`<tr id="callback-${id}">
		<td>${eventsIn(body)}<br /><span class="facts">${timeView(entry.createdAt)}</span></td>
		<td>
			${url}<br /><span class="facts"
				>${authorization === null ? 'without a login' : 'with a login'}</span
			>
		</td>
		<td><span class="${stateKinds[state]}">${state}</span>${next}</td>
		<td>
			<ul class="plain">
				${hidden > 0 ? html`<li class="soft">${countView(hidden)} earlier tries</li>` : none}
				${attempts
					.slice(-shownAttempts)
					.map((attempt) => attemptView(attempt, authorization !== null))}
			</ul>
			<details>
				<summary class="facts">Body</summary>
				<pre>${JSON.stringify(body, null, 2).slice(0, 5_000)}</pre>
			</details>
		</td>
		<td>
			${controlButton('Send again now', `${path}/resend`)}
			${state === 'pending' ? controlButton('Stop trying', `${path}/stop`) : none}
		</td>
	</tr>`;
};

const ruleForm = ({ store }: World): Html => {
	const [rule] = store.inboundRules;
	const url = rule === undefined ? undefined : new URL(rule.callbackUrl);
	const shown = rule === undefined ? '' : toShownCallback(rule.callbackUrl);
	return html`<form
		class="card"
		id="inbound-rule"
		data-control="PUT ${demo.controlPath}/inbound-rule"
		data-done="The rule is saved."
	>
		<h3>Inbound messages</h3>
		<p class="soft">
			Answers are reported here.
			${rule === undefined ? 'There is no rule yet: nobody is told.' : html`Now: ${shown}`}
		</p>
		<div class="row">
			<label
				>URL
				<input
					name="url"
					size="50"
					required
					value="${url === undefined ? '' : `${url.origin}${url.pathname}${url.search}`}"
			/></label>
			<label
				>Login
				<input name="login" autocomplete="off" value="${decodeURIComponent(url?.username ?? '')}"
			/></label>
			<label
				>Password
				<input
					name="password"
					type="password"
					autocomplete="off"
					value="${decodeURIComponent(url?.password ?? '')}"
			/></label>
			<label
				>Traffic center
				<input
					name="trafficCenterId"
					data-as="number"
					type="number"
					size="4"
					value="${rule?.trafficCenterId ?? store.settings.defaultTrafficCenterId}"
			/></label>
			<label
				>Sender names
				<input
					name="senderNames"
					data-as="list"
					placeholder="all"
					value="${rule?.senderNames?.join(', ') ?? ''}"
			/></label>
			<button>Save</button>
		</div>
	</form>`;
};

const states = ['pending', 'delivered', 'expired', 'stopped'] as const;

export const callbacksView = (world: World, query: Query): Html => {
	const all = [...world.outbox.entries.values()].reverse();
	const wanted = states.find((state) => state === query.state);
	const cut = cutPage(
		wanted === undefined ? all : all.filter(({ state }) => state === wanted),
		query.page,
	);
	return html`<h2>Callbacks</h2>
		${ruleForm(world)}
		<nav class="row" aria-label="State">
			<a href="/callbacks" aria-current="${String(wanted === undefined)}">All</a>
			${states.map(
				(state) =>
					html`<a href="?state=${state}" aria-current="${String(state === wanted)}">${state}</a>`,
			)}
		</nav>
		<section class="card scroll">
			<table>
				<thead>
					<tr>
						<th>Event</th>
						<th>Target</th>
						<th>State</th>
						<th>Tries</th>
						<th>Change</th>
					</tr>
				</thead>
				<tbody>
					${cut.items.map(entryView)}
				</tbody>
			</table>
			${pagerView(cut, query)}
		</section>`;
};
