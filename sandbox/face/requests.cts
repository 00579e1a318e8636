import { html } from 'hono/html';
import type { LoggedRequest } from '../api/requestLog.cts';
import { demo } from '../demo.cts';
import type { World } from '../stored/world.cts';
import { isSuccess } from '../time/outbox.cts';
import { faultNames } from './controls.cts';
import {
	badgeView,
	countOf,
	countView,
	cutPage,
	factsView,
	keptView,
	none,
	pagerView,
	tableView,
	timeView,
	toShownTime,
	urlView,
	type Html,
	type Query,
} from './parts.cts';
import { dispatchLink } from './people.cts';
import { messageLink } from './states.cts';

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The same request for a terminal. Secrets are left out: the person who runs it fills them in. */
const curlOf = (origin: string, { method, path, query, body }: LoggedRequest): string => {
	const isLogIn = path === `${demo.partnerPath}/auth/token`;
	return [
		// -g: braces and brackets in the URL are meant as they are.
		`curl -g -X ${method} ${quoted(`${origin}${path}${query ?? ''}`)}`,
		...(isLogIn ? [] : [`-H 'Authorization: Bearer …'`]),
		// --data-raw: a body that begins with @ is not the name of a file.
		...(body === undefined
			? []
			: [`-H 'Content-Type: application/json'`, `--data-raw ${quoted(body)}`]),
	].join(' ');
};

/** Without the whole body it would be another request. */
const copyCurl = (origin: string, request: LoggedRequest): Html =>
	request.leftOut === undefined && request.isShortened === undefined
		? html`<button class="small" data-copy="${curlOf(origin, request)}">Copy as curl</button>`
		: none;

const statusView = ({ status, fault }: LoggedRequest): Html => {
	const noResponse = fault?.endsWith('hang') === true ? 'no response' : 'dropped';
	const shown = badgeView(isSuccess(status) ? 'good' : 'bad', String(status || noResponse));
	return fault === undefined
		? shown
		: html`${shown} <span class="facts">${faultNames[fault]}</span>`;
};

/** A link to a request that created or started something. The log keeps only the last ones. */
export const requestLink = ({ requests }: World, id: number): Html => {
	const request = requests.find(id);
	return request === undefined
		? html`Request ${countView(id)}, which is no longer in the log`
		: html`<a class="long" href="/requests?id=${id}">${request.method} ${request.path}</a>
				${statusView(request)}`;
};

const toRequestRow = (origin: string, request: LoggedRequest) => {
	const { id, at, method, path, query = '', ms, messages } = request;
	const created =
		messages === 0 ? none : html`<br /><span class="facts">${countOf(messages, 'message')}</span>`;
	return {
		id: `request-${id}`,
		cells: [
			timeView(Date.parse(at)),
			method,
			html`<a href="/requests?id=${id}">${urlView(`${path}${query}`)}</a>${created}`,
			statusView(request),
			ms === undefined ? none : `${countView(ms)} ms`,
			copyCurl(origin, request),
		],
	};
};

/** The statuses that can be chosen. */
const statusChoices: ReadonlyArray<{
	value: string;
	label: string;
	fits: (status: number) => boolean;
}> = [
	{ value: '', label: 'Any status', fits: () => true },
	{ value: '2xx', label: 'Successful (2xx)', fits: isSuccess },
	{ value: '4xx', label: 'Rejected (4xx)', fits: (status) => status >= 400 && status < 500 },
	{ value: '5xx', label: 'Failed (5xx)', fits: (status) => status >= 500 },
	{ value: 'none', label: 'No response', fits: (status) => status === 0 },
];

const matching = (world: World, { path = '', status = '', text = '' }: Query) => {
	const choice = statusChoices.find(({ value }) => value === status) ?? statusChoices[0];
	const wanted = text.toLowerCase();
	const has = (body: string | undefined) => body?.toLowerCase().includes(wanted) === true;
	return world.requests.last.filter(
		(request) =>
			`${request.method} ${request.path}`.toLowerCase().includes(path.toLowerCase()) &&
			choice?.fits(request.status) !== false &&
			(wanted === '' || has(request.body) || has(request.reply?.body) || has(request.query)),
	);
};

const filterForm = ({ path = '', status = '', text = '' }: Query): Html =>
	html`<form class="row filters" method="get" role="search">
		<label
			>Path <input name="path" id="filter-path" value="${path}" placeholder="/message"
		/></label>
		<label
			>Status
			<select name="status" id="filter-status">
				${statusChoices.map(
					({ value, label }) =>
						html`<option value="${value}" ${value === status ? 'selected' : ''}>${label}</option>`,
				)}
			</select></label
		>
		<label
			>Text <input name="text" id="filter-text" value="${text}" placeholder="in a body or query"
		/></label>
		<button>Filter</button>
		${path || status || text ? html`<a href="/requests">Clear</a>` : none}
	</form>`;

const dispatchLinkOf = (world: World, { path, uuids }: LoggedRequest): Html => {
	const named = /\/dispatch(?:es)?\/(\d+)/.exec(path)?.[1];
	const id = world.store.byUuid.get(uuids[0] ?? '')?.dispatchId ?? Number(named);
	const dispatch = world.store.dispatches.get(id);
	return dispatch === undefined ? none : dispatchLink(dispatch);
};

const createdView = (world: World, request: LoggedRequest): Html => {
	const { messages, uuids } = request;
	const more = messages - uuids.length;
	return messages === 0
		? none
		: html`<section class="card">
				<h3>Created: ${countOf(messages, 'message')}</h3>
				<ul class="plain lines">
					${uuids.map((uuid) => html`<li>${messageLink(world, uuid)}</li>`)}
					${more > 0 ? html`<li class="soft">and ${countView(more)} more</li>` : none}
				</ul>
			</section>`;
};

const requestView = (world: World, request: LoggedRequest): Html => {
	const { at, method, path, query = '', ms, endpoint, reply = {} } = request;
	const dispatch = dispatchLinkOf(world, request);
	return html`<p><a href="/requests">‹ All requests</a></p>
		<div class="row">
			<h2 class="long">${method} ${path}</h2>
			${statusView(request)} ${copyCurl(world.origin, request)}
		</div>
		<section class="card">
			${factsView([
				['Time', html`${toShownTime(Date.parse(at))}, ${timeView(Date.parse(at))}`],
				['Duration', ms === undefined ? 'not measured' : `${countView(ms)} ms`],
				['Endpoint', endpoint ?? 'There is no such endpoint.'],
				...(query === '' ? [] : [['Query', query] as const]),
				...(dispatch === none ? [] : [['Dispatch', dispatch] as const]),
			])}
			<p class="facts">Passwords, tokens and logins in URLs are hidden.</p>
		</section>
		<div class="halves">
			<section class="card">
				<h3>Request</h3>
				${keptView('Request body', request)}
			</section>
			<section class="card">
				<h3>Response</h3>
				${request.status === 0
					? html`<p class="soft">The client got no response.</p>`
					: keptView('Response body', reply)}
			</section>
		</div>
		${createdView(world, request)}`;
};

export const requestsView = (world: World, query: Query): Html => {
	const chosen = world.requests.find(Number(query.id));
	if (chosen !== undefined) return requestView(world, chosen);
	const cut = cutPage(matching(world, query).reverse(), query.page);
	return html`<h2>Requests</h2>
		<p class="soft">
			The last 1,000 requests to both APIs, newest first. Passwords, tokens and logins in URLs are
			hidden.
		</p>
		${query.id === undefined
			? none
			: html`<p class="bad">Request ${query.id} is no longer in the log.</p>`}
		${filterForm(query)}
		<section class="card">
			${cut.total === 0
				? html`<p class="soft">
						No requests${query.path || query.status || query.text ? ' match' : ' yet'}.
					</p>`
				: html`${tableView(
						['Time', 'Method', '*Path', 'Status', '#Duration', 'Copy'],
						cut.items.map((request) => toRequestRow(world.origin, request)),
					)}
					${pagerView(cut, query)}`}
		</section>`;
};
