import { html } from 'hono/html';
import { demo } from '../demo.cts';
import type { Company, CompanyDocument, Sender } from '../stored/entities.cts';
import { fromUnits } from '../stored/money.cts';
import { accountLedger } from '../stored/store.cts';
import type { World } from '../stored/world.cts';
import {
	controlButton,
	countView,
	cutPage,
	moneyView,
	none,
	pagerView,
	tableView,
	timeView,
	type Html,
	type Query,
} from './parts.cts';

/** Money, sender names, documents, and the verification codes that were sent. */

const balanceView = ({ store, timeline }: World): Html => {
	const { spent, reserved } = store.ledger(accountLedger, timeline.now);
	return html`<section class="card">
		<h3>Messaging API balance</h3>
		<p>
			<strong>${moneyView(store.funds)}</strong>
			<span class="soft"
				>${moneyView(reserved)} reserved, ${moneyView(spent)} spent this month</span
			>
		</p>
		<form
			class="inline"
			id="balance"
			data-control="PUT ${demo.controlPath}/balance"
			data-done="The balance is set."
		>
			<label
				>New Balance
				<input
					name="RUB"
					data-as="number"
					type="number"
					min="0"
					step="any"
					required
					value="${fromUnits(store.funds)}"
			/></label>
			<button>Set</button>
		</form>
	</section>`;
};

const budgetView = (name: string, budget: number | null, used: number): Html =>
	budget === null
		? html`<span class="soft">unlimited</span>`
		: html`<meter
					min="0"
					max="${Math.max(1, fromUnits(budget))}"
					value="${fromUnits(used)}"
					aria-label="Used share of ${name}'s budget"
				></meter>
				of ${moneyView(budget)}`;

const toCompanyRow = ({ store, timeline }: World, { id, name, status, budget }: Company) => {
	const { spent, reserved } = store.ledger(id, timeline.now);
	return {
		id: `company-${id}`,
		cells: [
			html`${name}<br /><span class="facts">${id} · ${status}</span>`,
			html`${budgetView(name, budget, spent + reserved)}<br /><span class="facts"
					>${moneyView(spent)} spent, ${moneyView(reserved)} reserved</span
				>`,
			store.blacklists.get(id)?.size ?? 0,
		],
	};
};

const rejectForm = (path: string, id: number): Html =>
	html`<form
		class="inline"
		id="reject-${id}"
		data-control="POST ${path}/reject"
		data-done="Rejected."
	>
		<label class="soft">Comment <input name="comment" size="14" /></label
		><button class="small">Reject</button>
	</form>`;

const toSenderRow = ({ store }: World, sender: Sender) => {
	const { id, senderName, channelType, brand, status, suspended, managerComment } = sender;
	const path = `${demo.controlPath}/senders/${id}`;
	const company = store.companies.get(sender.companyId)?.name ?? '';
	const comment =
		managerComment === null ? none : html`<br /><span class="facts">${managerComment}</span>`;
	const approve = controlButton({ label: 'Approve', request: `POST ${path}/approve` });
	return {
		id: `sender-${id}`,
		cells: [
			html`${senderName}<br /><span class="facts">${id} · ${company}</span>`,
			`${channelType}, ${brand}`,
			html`${status}${suspended ? html` <span class="bad">suspended</span>` : none}${comment}`,
			html`<div class="row">
				${status === 'APPROVED' ? none : approve}
				${status === 'REJECTED' ? none : rejectForm(path, id)}
				${controlButton({
					label: suspended ? 'Unsuspend' : 'Suspend',
					request: `PUT ${path}/suspended`,
					values: { suspended: !suspended },
				})}
			</div>`,
		],
	};
};

const toCodeRow = (
	{ store }: World,
	[uuid, { code, sentAt }]: [string, { code: string; sentAt: number }],
) => ({
	id: `code-${uuid}`,
	cells: [
		store.byUuid.get(uuid)?.destination ?? '',
		html`<strong>${code}</strong>`,
		timeView(sentAt),
		html`<button class="small" data-copy="${code}">Copy Code</button>`,
	],
});

const toKeyRow = (
	{ store }: World,
	[key, { status, messageUuid }]: [string, { status: string; messageUuid: string }],
) => ({
	id: `key-${messageUuid}`,
	cells: [
		key,
		status,
		timeView(store.byUuid.get(messageUuid)?.createdAt ?? null),
		status === 'CONFIRMED'
			? none
			: controlButton({
					label: 'Confirm',
					request: `POST ${demo.controlPath}/verifications/${encodeURIComponent(key)}/confirm`,
				}),
	],
});

const verificationView = (world: World, query: Query): Html => {
	const rows = [
		...[...world.store.codes].reverse().map((one) => toCodeRow(world, one)),
		...[...world.store.verifications].reverse().map((one) => toKeyRow(world, one)),
	];
	const cut = cutPage(rows, query.codes);
	return html`<section class="card">
		<h3>Verification</h3>
		${rows.length === 0
			? html`<p class="soft">No codes sent yet.</p>`
			: html`${tableView(['Number or Key', 'Code or Status', 'Sent', 'Actions'], cut.items)}
				${pagerView(cut, query, 'codes')}`}
	</section>`;
};

const toDocumentRow = ({ id, filename, companyId, size, createdAt }: CompanyDocument) => ({
	id: `document-${id}`,
	cells: [filename, companyId, countView(size), timeView(createdAt)],
});

const documentsView = ({ store }: World, query: Query): Html => {
	const cut = cutPage([...store.documents.values()].reverse(), query.documents);
	return html`<section class="card">
		<h3>Documents</h3>
		${cut.total === 0
			? html`<p class="soft">No documents uploaded yet.</p>`
			: html`${tableView(['File', 'Company', '#Bytes', 'Uploaded'], cut.items.map(toDocumentRow))}
				${pagerView(cut, query, 'documents')}`}
	</section>`;
};

export const accountView = (world: World, query: Query): Html => {
	const companies = cutPage([...world.store.companies.values()], query.companies);
	const senders = cutPage([...world.store.senders.values()].reverse(), query.senders);
	return html`<h2>Account</h2>
		${balanceView(world)}
		<section class="card">
			<h3>Companies</h3>
			${tableView(
				['Company', 'Monthly Budget', '#Blacklisted'],
				companies.items.map((company) => toCompanyRow(world, company)),
			)}
			${pagerView(companies, query, 'companies')}
		</section>
		<section class="card">
			<h3>Sender names</h3>
			${tableView(
				['Name', 'Channel, Operator', 'Status', 'Actions'],
				senders.items.map((sender) => toSenderRow(world, sender)),
			)}
			${pagerView(senders, query, 'senders')}
		</section>
		${verificationView(world, query)} ${documentsView(world, query)}`;
};
