import { html } from 'hono/html';
import { eventNames, events } from '../../core/contract/events';
import { demo } from '../demo.cts';
import type { InboundRule } from '../stored/entities.cts';
import {
	callbackStates,
	decodePart,
	isReply,
	isSuccess,
	uuidsIn,
	type CallbackAttempt,
	type CallbackEntry,
} from '../time/outbox.cts';
import type { World } from '../stored/world.cts';
import {
	badgeView,
	choicesView,
	controlButton,
	countOf,
	countView,
	cutPage,
	factsView,
	none,
	pagerView,
	tableView,
	textBlock,
	timeView,
	toShownTime,
	urlView,
	type Html,
	type Query,
} from './parts.cts';
import { messageLink } from './states.cts';

const whyNoResponse = (error: string): string => {
	if (error.includes('ECONNREFUSED'))
		return 'Nothing is running at this URL. Check that n8n is running and that the port is right.';
	if (error.includes('no response')) return "The receiver didn't respond in time.";
	const host = /ENOTFOUND (\S+)/.exec(error)?.[1];
	if (host !== undefined) return `The host name "${host}" wasn't found. Check the URL.`;
	return `There was no response: ${error}`;
};

/** Who decides about the login of a callback. */
type Login = 'none' | 'node' | 'rule';

const loginOf = ({ body, authorization }: Pick<CallbackEntry, 'body' | 'authorization'>): Login => {
	if (isReply({ body })) return 'rule';
	return authorization === null ? 'none' : 'node';
};

const loginAdvice: Readonly<Record<Login, string>> = {
	none: 'the trigger expects the Callback credential; choose it in the node that sends.',
	node: 'the receiver rejected the login. Choose the same Callback credential in the trigger and in the node that sends.',
	rule: "the receiver rejected the login. Enter the login of the trigger's Callback credential under Callbacks, Where replies go, then press Resend Now. n8n doesn't show passwords: if you don't know it, choose a new one in both places.",
};

const loginSources: Readonly<Record<Login, string>> = {
	none: 'none',
	node: 'Basic, from the callback URL',
	rule: 'from the rule under Where replies go',
};

/** Why an attempt failed, and what to do about it. */
export const whyFailed = (
	{ status, error = '' }: Omit<CallbackAttempt, 'at'>,
	login: Login,
): string => {
	if (status === undefined) return whyNoResponse(error);
	if (status === 401 || status === 403) return `${status}: ${loginAdvice[login]}`;
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

export const eventsIn = (body: unknown): string => {
	const labels = (Array.isArray(body) ? body : [body]).map(toEventLabel);
	const different = [...new Set(labels)].join(', ');
	return labels.length === 1 ? different : `${different} (${countView(labels.length)})`;
};

/** The status of an attempt, or why it failed. */
export const attemptView = ({ status, error }: CallbackAttempt, entry: CallbackEntry): Html =>
	isSuccess(status)
		? html`<span class="good">Response ${status}</span>`
		: html`<span class="bad">${whyFailed({ status, error }, loginOf(entry))}</span>`;

const stateKinds = { pending: 'wait', delivered: 'good', expired: 'bad', stopped: 'soft' } as const;

/** A callback that failed and is sent again is pending, like one that was never sent. */
export const stateBadge = ({ state, attempts }: CallbackEntry): Html =>
	state === 'pending' && attempts.length > 0
		? badgeView('bad', 'failed, will be resent')
		: badgeView(stateKinds[state], state);

const nextView = ({ state, nextAt }: CallbackEntry): Html =>
	state === 'pending' && nextAt !== undefined
		? html`<span class="facts">Next attempt ${timeView(nextAt)}</span>`
		: none;

const actionsOf = ({ id, state }: CallbackEntry): Html => {
	const request = `POST ${demo.controlPath}/callbacks/${id}`;
	return html`<div class="row">
		${controlButton({
			label: 'Resend Now',
			request: `${request}/resend`,
			done: 'Sent again. The result is in the list in a moment.',
		})}
		${state === 'pending'
			? controlButton({ label: 'Stop Retrying', request: `${request}/stop` })
			: none}
	</div>`;
};

const toCallbackRow = (entry: CallbackEntry) => {
	const { id, url, body, authorization, attempts } = entry;
	const last = attempts.at(-1);
	const tries = attempts.length > 1 ? html` (${countOf(attempts.length, 'attempt')})` : none;
	return {
		id: `callback-${id}`,
		cells: [
			html`<a href="/callbacks?id=${id}">${eventsIn(body)}</a><br /><span class="facts"
					>${timeView(entry.createdAt)}</span
				>`,
			stateBadge(entry),
			html`${last === undefined ? 'Being sent.' : attemptView(last, entry)}${tries}
				<br />${nextView(entry)}`,
			html`${urlView(url)}<br /><span class="facts"
					>${authorization === null ? 'without a login' : 'with a login'}</span
				>`,
			actionsOf(entry),
		],
	};
};

/** The newest ones: a callback is sent up to 289 times. */
const shownAttempts = 20;

const tryView = (attempt: CallbackAttempt, entry: CallbackEntry): Html =>
	html`<li>
		<div class="row">
			<span class="facts">${toShownTime(attempt.at)} · ${timeView(attempt.at)}</span>
			${attemptView(attempt, entry)}
		</div>
		${attempt.answer ? textBlock('Response', attempt.answer) : none}
	</li>`;

const callbackView = (world: World, entry: CallbackEntry): Html => {
	const { attempts, url, body, createdAt } = entry;
	const uuids = uuidsIn(body);
	const hidden = attempts.length - shownAttempts;
	return html`<p><a href="/callbacks">‹ All callbacks</a></p>
		<div class="row">
			<h2>${eventsIn(body)}</h2>
			${stateBadge(entry)} ${actionsOf(entry)}
		</div>
		<section class="card">
			${factsView([
				['Sent to', urlView(url)],
				['Login', loginSources[loginOf(entry)]],
				['Created', html`${toShownTime(createdAt)}, ${timeView(createdAt)}`],
			])}
			${nextView(entry)}
		</section>
		<div class="halves">
			<section class="card">
				<h3>Request</h3>
				${textBlock('Request body', JSON.stringify(body, null, 2).slice(0, 20_000))}
			</section>
			<section class="card">
				<h3>Responses</h3>
				<ul class="plain lines">
					${attempts
						.slice(-shownAttempts)
						.reverse()
						.map((attempt) => tryView(attempt, entry))}
					${hidden > 0 ? html`<li class="soft">${countView(hidden)} earlier attempts</li>` : none}
					${attempts.length === 0 ? html`<li class="soft">Being sent.</li>` : none}
				</ul>
			</section>
		</div>
		<section class="card">
			<h3>${uuids.length === 1 ? 'Message' : 'Messages'}</h3>
			<ul class="plain lines">
				${uuids.map((uuid) => html`<li>${messageLink(world, uuid)}</li>`)}
			</ul>
		</section>`;
};

interface RuleField {
	label: string;
	name: string;
	value: string | number;
	more?: Html;
	hint?: string;
}

const ruleField = (
	position: number,
	{ label, name, value, more = none, hint }: RuleField,
): Html => {
	const id = `rule-${position}-${name}`;
	return html`<div class="field">
		<label for="${id}">${label}</label>
		<input
			id="${id}"
			name="${name}"
			value="${value}"
			${more}
			${hint === undefined ? none : html`aria-describedby="${id}-hint"`}
		/>
		${hint === undefined ? none : html`<span class="facts" id="${id}-hint">${hint}</span>`}
	</div>`;
};

/** One form for each rule, and an empty one for the next. `position` starts at 1. */
const ruleForm = (position: number, usualCenter: number, rule?: InboundRule): Html => {
	const request = `${demo.controlPath}/inbound-rules/${position}`;
	const url = rule === undefined ? undefined : new URL(rule.callbackUrl);
	const fields: RuleField[] = [
		{
			label: 'URL',
			name: 'url',
			value: url === undefined ? '' : `${url.origin}${url.pathname}${url.search}`,
			more: html`required placeholder="http://127.0.0.1:5678/webhook/…"`,
			hint: "The trigger's Production URL",
		},
		{
			label: 'Login',
			name: 'login',
			value: decodePart(url?.username ?? ''),
			more: html`autocomplete="off"`,
			hint: "From the trigger's Callback credential",
		},
		{
			label: 'Password',
			name: 'password',
			value: decodePart(url?.password ?? ''),
			more: html`type="password" autocomplete="off"`,
		},
		{
			label: 'Sender Names',
			name: 'senderNames',
			value: rule?.senderNames?.join(', ') ?? '',
			more: html`data-as="list" placeholder="all"`,
			hint: 'Separated by commas. Empty: all',
		},
		{
			label: 'Traffic Center',
			name: 'trafficCenterId',
			value: rule?.trafficCenterId ?? usualCenter,
			more: html`data-as="number" type="number" min="0"`,
			hint: "A part of the provider's account that keeps its messages apart. Leave it as it is.",
		},
	];
	return html`<div class="rule">
		<form
			id="rule-${position}"
			data-control="PUT ${request}"
			data-done="The rule is saved."
			${rule === undefined ? html`data-clear` : none}
		>
			<h4>${rule === undefined ? 'New rule' : `Rule ${position}`}</h4>
			<div class="fields">${fields.map((one) => ruleField(position, one))}</div>
			<button class="main">${rule === undefined ? 'Add' : 'Save'}</button>
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
		<h3>Where replies go</h3>
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
	const chosen = world.outbox.entries.get(Number(query.id));
	if (chosen !== undefined) return callbackView(world, chosen);
	const all = [...world.outbox.entries.values()].reverse();
	const wanted = callbackStates.find((state) => state === query.state);
	const cut = cutPage(
		wanted === undefined ? all : all.filter(({ state }) => state === wanted),
		query.page,
	);
	return html`<h2>Callbacks</h2>
		<p class="soft">
			What the sandbox reports to n8n: deliveries, reads, clicks, prices and replies. A callback
			that gets no 2xx response is resent every 5 minutes for a day.
		</p>
		${query.id === undefined ? none : html`<p class="bad">There is no callback ${query.id}.</p>`}
		${choicesView('State', [
			{ label: 'All', query: {}, isChosen: wanted === undefined },
			...callbackStates.map((state) => ({
				label: state,
				query: { state },
				isChosen: state === wanted,
			})),
		])}
		<section class="card">
			${cut.total === 0
				? html`<p class="soft">
						No callbacks. They are sent for messages that have a callback URL, and for replies.
					</p>`
				: html`${tableView(
						['Event', 'State', '*Result', '*URL', 'Actions'],
						cut.items.map(toCallbackRow),
					)}
					${pagerView(cut, query)}`}
		</section>
		${rulesView(world)}`;
};
