import { html } from 'hono/html';
import type { LoggedRequest } from '../requestLog.cts';
import type { World } from '../world.cts';
import { cutPage, none, pagerView, type Html, type Query } from './parts.cts';

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The same request for a terminal. The secret is for whoever runs it to fill in. */
const curlOf = (origin: string, { method, path, query, body }: LoggedRequest): string =>
	[
		`curl -X ${method} ${quoted(`${origin}${path}${query ?? ''}`)}`,
		`-H 'Authorization: Bearer …'`,
		...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
	].join(' ');

const statusKind = (status: number) => (status >= 200 && status < 300 ? 'good' : 'bad');

const rowView = (origin: string, request: LoggedRequest): Html => {
	const { at, method, path, query = '', status, ms, fault, body } = request;
	return html`<tr id="request-${request.id}">
		<td>${at.slice(0, 19).replace('T', ' ')}</td>
		<td>${method}</td>
		<td>
			${path}${query}${body === undefined
				? none
				: html`<details>
						<summary class="facts">Body</summary>
						<pre>${body}</pre>
					</details>`}
		</td>
		<td>
			<span class="${statusKind(status)}">${status === 0 ? 'dropped' : status}</span>${fault ===
			undefined
				? none
				: html`<br /><span class="facts">fault: ${fault}</span>`}
		</td>
		<td class="number">${ms === undefined ? '' : `${ms} ms`}</td>
		<td><button class="small" data-copy="${curlOf(origin, request)}">Copy as curl</button></td>
	</tr>`;
};

export const requestsView = (world: World, query: Query): Html => {
	const cut = cutPage([...world.requests.last].reverse(), query.page);
	return html`<h2>Requests</h2>
		<p class="soft">The last 1,000. Passwords and tokens are hidden.</p>
		<section class="card scroll">
			<table>
				<thead>
					<tr>
						<th>Time</th>
						<th>Method</th>
						<th>Path</th>
						<th>Status</th>
						<th class="number">Took</th>
						<th>Copy</th>
					</tr>
				</thead>
				<tbody>
					${cut.items.map((request) => rowView(world.origin, request))}
				</tbody>
			</table>
			${pagerView(cut, query)}
		</section>`;
};
