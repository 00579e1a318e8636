import { html } from 'hono/html';
import { demo } from '../demo.cts';
import type { Company, Sender } from '../entities.cts';
import { fromUnits } from '../money.cts';
import { accountLedger } from '../store.cts';
import type { World } from '../world.cts';
import {
	controlButton,
	cutPage,
	moneyView,
	none,
	pagerView,
	timeView,
	type Html,
	type Query,
} from './parts.cts';

/** Money, sender names, documents and what the verification sent. */

const balanceView = ({ store, timeline }: World): Html => {
	const { spent, reserved } = store.ledger(accountLedger, timeline.now);
	return html`<section class="card">
		<h3>Balance of the messaging API</h3>
		<p>
			<strong>${moneyView(store.funds)}</strong>
			<span class="soft"
				>${moneyView(reserved)} reserved, ${moneyView(spent)} spent this month</span
			>
		</p>
		<form
			class="inline"
			data-control="PUT ${demo.controlPath}/balance"
			data-done="The balance is set."
		>
			<label
				>New balance
				<input
					name="RUB"
					data-as="number"
					type="number"
					min="0"
					step="0.01"
					required
					value="${fromUnits(store.funds)}"
			/></label>
			<button>Set</button>
		</form>
	</section>`;
};

const companyRow = ({ store, timeline }: World, { id, name, status, budget }: Company): Html => {
	const { spent, reserved } = store.ledger(id, timeline.now);
	const used = `${moneyView(spent)} spent, ${moneyView(reserved)} reserved`;
	return html`<tr id="company-${id}">
		<td>${name}<br /><span class="facts">${id} · ${status}</span></td>
		<td>
			${budget === null
				? html`<span class="soft">unlimited</span>`
				: html`<meter
							min="0"
							max="${Math.max(1, fromUnits(budget))}"
							value="${fromUnits(spent + reserved)}"
							aria-label="Used of the budget of ${name}"
						></meter>
						of ${moneyView(budget)}`}
			<br /><span class="facts">${used}</span>
		</td>
		<td class="number">${store.blacklists.get(id)?.size ?? 0}</td>
	</tr>`;
};

const senderRow = ({ store }: World, sender: Sender): Html => {
	const { id, senderName, channelType, brand, status, suspended, managerComment } = sender;
	const path = `${demo.controlPath}/senders/${id}`;
	const reject = html`<form class="inline" data-control="POST ${path}/reject" data-done="Rejected.">
		<label class="soft">Comment <input name="comment" size="14" /></label
		><button class="small">Reject</button>
	</form>`;
	return html`<tr id="sender-${id}">
		<td>
			${senderName}<br /><span class="facts"
				>${id} · ${store.companies.get(sender.companyId)?.name ?? ''}</span
			>
		</td>
		<td>${channelType}, ${brand}</td>
		<td>
			${status}${suspended ? html` <span class="bad">suspended</span>` : none}${managerComment ===
			null
				? none
				: html`<br /><span class="facts">${managerComment}</span>`}
		</td>
		<td>
			<div class="row">
				${status === 'APPROVED' ? none : controlButton('Approve', `POST ${path}/approve`)}
				${status === 'REJECTED' ? none : reject}
				${controlButton(suspended ? 'Unsuspend' : 'Suspend', `PUT ${path}/suspended`, {
					suspended: !suspended,
				})}
			</div>
		</td>
	</tr>`;
};

const codesView = ({ store }: World): Html => {
	const codes = [...store.codes].reverse().slice(0, 20);
	const keys = [...store.verifications].reverse().slice(0, 20);
	return html`<section class="card scroll">
		<h3>Verification</h3>
		<table>
			<thead>
				<tr>
					<th>Number or key</th>
					<th>Code or status</th>
					<th>Sent</th>
					<th>Change</th>
				</tr>
			</thead>
			<tbody>
				${codes.map(
					([uuid, { code, sentAt }]) =>
						html`<tr id="code-${uuid}">
							<td>${store.byUuid.get(uuid)?.destination ?? ''}</td>
							<td><strong>${code}</strong></td>
							<td>${timeView(sentAt)}</td>
							<td><button class="small" data-copy="${code}">Copy code</button></td>
						</tr>`,
				)}
				${keys.map(
					([key, { status, messageUuid }]) =>
						html`<tr id="key-${messageUuid}">
							<td>${key}</td>
							<td>${status}</td>
							<td>${timeView(store.byUuid.get(messageUuid)?.createdAt ?? null)}</td>
							<td>
								${status === 'CONFIRMED'
									? none
									: controlButton(
											'Confirm',
											`POST ${demo.controlPath}/verifications/${encodeURIComponent(key)}/confirm`,
										)}
							</td>
						</tr>`,
				)}
			</tbody>
		</table>
		${codes.length + keys.length === 0 ? html`<p class="soft">No code was sent yet.</p>` : none}
	</section>`;
};

const documentsView = ({ store }: World): Html => {
	const documents = [...store.documents.values()].reverse().slice(0, 20);
	return html`<section class="card scroll">
		<h3>Documents</h3>
		${documents.length === 0
			? html`<p class="soft">No document was uploaded yet.</p>`
			: html`<table>
					<thead>
						<tr>
							<th>File</th>
							<th>Company</th>
							<th class="number">Bytes</th>
							<th>Uploaded</th>
						</tr>
					</thead>
					<tbody>
						${documents.map(
							({ id, filename, companyId, size, createdAt }) =>
								html`<tr id="document-${id}">
									<td>${filename}</td>
									<td>${companyId}</td>
									<td class="number">${size}</td>
									<td>${timeView(createdAt)}</td>
								</tr>`,
						)}
					</tbody>
				</table>`}
	</section>`;
};

export const accountView = (world: World, query: Query): Html => {
	const { companies, senders } = world.store;
	const cut = cutPage([...senders.values()].reverse(), query.page);
	return html`<h2>Account</h2>
		${balanceView(world)}
		<section class="card scroll">
			<h3>Companies</h3>
			<table>
				<thead>
					<tr>
						<th>Company</th>
						<th>Budget of the month</th>
						<th class="number">Blacklisted</th>
					</tr>
				</thead>
				<tbody>
					${[...companies.values()].slice(0, 200).map((company) => companyRow(world, company))}
				</tbody>
			</table>
		</section>
		<section class="card scroll">
			<h3>Sender names</h3>
			<table>
				<thead>
					<tr>
						<th>Name</th>
						<th>Channel, operator</th>
						<th>Status</th>
						<th>Change</th>
					</tr>
				</thead>
				<tbody>
					${cut.items.map((sender) => senderRow(world, sender))}
				</tbody>
			</table>
			${pagerView(cut, query)}
		</section>
		${codesView(world)} ${documentsView(world)}`;
};
