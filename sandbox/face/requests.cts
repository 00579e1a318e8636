import { html } from 'hono/html';
import { demo } from '../demo.cts';
import { isSuccess } from '../time/outbox.cts';
import type { LoggedRequest } from '../api/requestLog.cts';
import type { World } from '../stored/world.cts';
import {
	cutPage,
	none,
	pagerView,
	tableView,
	textBlock,
	toShownTime,
	type Html,
	type Query,
} from './parts.cts';

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

const statusView = ({ status, fault = '' }: LoggedRequest): Html => {
	const noResponse = fault.endsWith('hang') ? 'no response' : 'dropped';
	return html`<span class="${isSuccess(status) ? 'good' : 'bad'}"
			>${status === 0 ? noResponse : status}</span
		>${fault === '' ? none : html`<br /><span class="facts">fault: ${fault}</span>`}`;
};

const bodyView = ({ body, leftOut }: LoggedRequest): Html => {
	if (leftOut !== undefined)
		return html`<br /><span class="facts">Body not kept: ${leftOut}</span>`;
	if (body === undefined) return none;
	return html`<details>
		<summary class="facts">Body</summary>
		${textBlock('Body', body)}
	</details>`;
};

const toRow = (origin: string, request: LoggedRequest) => {
	const { id, at, method, path, query = '', ms, leftOut } = request;
	const copy = html`<button class="small" data-copy="${curlOf(origin, request)}">
		Copy as curl
	</button>`;
	return {
		id: `request-${id}`,
		cells: [
			toShownTime(Date.parse(at)),
			method,
			html`${path}${query}${bodyView(request)}`,
			statusView(request),
			ms === undefined ? '' : `${ms} ms`,
			leftOut === undefined ? copy : none,
		],
	};
};

export const requestsView = (world: World, query: Query): Html => {
	const cut = cutPage([...world.requests.last].reverse(), query.page);
	return html`<h2>Requests</h2>
		<p class="soft">The last 1,000. Passwords, tokens and logins in URLs are hidden.</p>
		<section class="card">
			${tableView(
				['Time (UTC)', 'Method', 'Path', 'Status', '#Duration', 'Copy'],
				cut.items.map((request) => toRow(world.origin, request)),
			)}
			${pagerView(cut, query)}
		</section>`;
};
