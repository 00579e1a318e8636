import { html } from 'hono/html';
import { demo } from '../demo.cts';
import type { Company, CompanyDocument, Sender } from '../stored/entities.cts';
import { fromUnits, toUnits } from '../stored/money.cts';
import { accountLedger } from '../stored/store.cts';
import type { World } from '../stored/world.cts';
import type { Tariff } from '../stored/tariffs.cts';
import {
	badgeView,
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
import { phoneLink, toChannelName, toShownNumber } from './people.cts';

/** Money, sender names, documents, and the verification codes that were sent. */

/** How much of an amount is used. */
const usedView = (label: string, all: number, used: number): Html =>
	html`<meter
		min="0"
		max="${Math.max(1, fromUnits(all))}"
		value="${fromUnits(used)}"
		low="${fromUnits(all) * 0.7}"
		high="${fromUnits(all) * 0.9}"
		optimum="0"
		aria-label="${label}"
	></meter>`;

const balanceView = ({ store, timeline }: World): Html => {
	const { spent, reserved } = store.ledger(accountLedger, timeline.now);
	return html`<section class="card" id="balance-card">
		<h3>Messaging API balance</h3>
		<p class="figure">${moneyView(store.funds)}</p>
		<p>
			${usedView('Spent or reserved this month', store.funds + spent, spent + reserved)}
			<span class="facts"
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
		: html`${usedView(`Used share of ${name}'s budget`, budget, used)}
				<span class="no-break">of ${moneyView(budget)}</span>`;

const toCompanyRow = ({ store, timeline }: World, { id, name, status, budget }: Company) => {
	const { spent, reserved } = store.ledger(id, timeline.now);
	const blacklisted = store.blacklists.get(id)?.size ?? 0;
	return {
		id: `company-${id}`,
		cells: [
			html`${name}<br /><span class="facts">${id}</span>`,
			badgeView(status === 'ACTIVE' ? 'good' : 'bad', status),
			html`${budgetView(name, budget, spent + reserved)}<br /><span class="facts"
					>${moneyView(spent)} spent, ${moneyView(reserved)} reserved</span
				>`,
			blacklisted === 0 ? 0 : html`<a href="#blacklist">${countView(blacklisted)}</a>`,
		],
	};
};

interface Blacklisting {
	companyId: number;
	number: string;
	comment: string;
}

/** Without a search, only the entries on the page are read. */
const blacklistOf = ({ store }: World, wanted: string) => {
	const every = function* (): Generator<Blacklisting> {
		for (const [companyId, numbers] of store.blacklists) {
			for (const [number, comment] of numbers) yield { companyId, number, comment };
		}
	};
	if (wanted !== '') {
		const digits = wanted.replaceAll(/\D/g, '');
		const fits = (text = '') => text.toLowerCase().includes(wanted.toLowerCase());
		return [...every()].filter(
			({ number, comment }) =>
				(digits !== '' && number.includes(digits)) ||
				fits(comment) ||
				fits(store.names.get(number)),
		);
	}
	let length = 0;
	for (const { size } of store.blacklists.values()) length += size;
	return {
		length,
		slice: (from = 0, to = length) => {
			const entries: Blacklisting[] = [];
			let index = 0;
			for (const entry of every()) {
				if (index >= to) break;
				if (index++ >= from) entries.push(entry);
			}
			return entries;
		},
	};
};

const toBlacklistRow = (world: World, { companyId, number, comment }: Blacklisting) => ({
	id: `blacklisted-${companyId}-${number}`,
	cells: [
		world.store.conversations.has(number) ? phoneLink(world, number) : toShownNumber(number),
		comment === '' ? html`<span class="soft">no reason given</span>` : comment,
		world.store.companies.get(companyId)?.name ?? 'Account',
	],
});

const blacklistView = (world: World, query: Query): Html => {
	const { blacklisted = '' } = query;
	const cut = cutPage(blacklistOf(world, blacklisted), query.blacklistPage);
	const nothing =
		blacklisted === ''
			? html`<p class="soft">No numbers are blacklisted.</p>`
			: html`<p class="soft">No number, name or reason contains "${blacklisted}".</p>`;
	return html`<section class="card" id="blacklist">
		<h3>Blacklist</h3>
		<p class="soft">A company's messages aren't sent to its blacklisted numbers.</p>
		<form class="row" method="get" action="#blacklist" role="search" aria-label="Blacklist">
			<label
				>Search
				<input
					name="blacklisted"
					id="blacklisted"
					value="${blacklisted}"
					placeholder="Number or reason"
			/></label>
			<button>Find</button>
		</form>
		${cut.total === 0
			? nothing
			: html`${tableView(
					['Number', '*Reason', 'Company'],
					cut.items.map((entry) => toBlacklistRow(world, entry)),
				)}
				${pagerView(cut, query, 'blacklistPage')}`}
	</section>`;
};

const models: Readonly<Record<Tariff['pricingModel'], string>> = {
	FIXED: 'the same for every message',
	SCALED: 'by messages this month',
	MAU: 'by recipients this month',
};

const toTariffRow = (tariff: Tariff, index: number) => ({
	id: `tariff-${index}`,
	cells: [
		tariff.senderType,
		tariff.brand ?? 'any',
		tariff.trafficType ?? 'any',
		models[tariff.pricingModel],
		html`${tariff.prices.map(
			({ from = 0, price = 0 }) =>
				html`<div>${from > 0 ? `from ${countView(from)}: ` : ''}${moneyView(toUnits(price))}</div>`,
		)}`,
	],
});

const tariffsView = ({ store: { tariffs } }: World, query: Query): Html => {
	const cut = cutPage(tariffs, query.tariffs);
	return html`<section class="card" id="tariffs">
		<h3>Tariffs</h3>
		${tableView(
			['Sender Type', 'Operator', 'Traffic', 'Price Depends On', '#Price'],
			cut.items.map(toTariffRow),
		)}
		${pagerView(cut, query, 'tariffs')}
	</section>`;
};

const rejectForm = (path: string, id: number): Html =>
	html`<form
		class="inline"
		id="reject-${id}"
		data-control="POST ${path}/reject"
		data-done="Rejected."
	>
		<input name="comment" size="14" placeholder="Comment" aria-label="Comment" /><button
			class="small"
		>
			Reject
		</button>
	</form>`;

const toSenderRow = ({ store }: World, sender: Sender) => {
	const { id, senderName, channelType, brand, status, suspended, managerComment } = sender;
	const path = `${demo.controlPath}/senders/${id}`;
	const company = store.companies.get(sender.companyId)?.name ?? '';
	const comment =
		managerComment === null ? none : html`<br /><span class="facts long">${managerComment}</span>`;
	const kind = status === 'APPROVED' ? 'good' : status === 'REJECTED' ? 'bad' : 'soft';
	const approve = controlButton({ label: 'Approve', request: `POST ${path}/approve` });
	return {
		id: `sender-${id}`,
		cells: [
			html`${senderName}<br /><span class="facts">${id} · ${company}</span>`,
			html`<span class="no-break">${toChannelName(channelType)}, ${brand}</span>`,
			html`${badgeView(kind, status)}${suspended ? badgeView('bad', 'suspended') : none}${comment}`,
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
		toShownNumber(store.byUuid.get(uuid)?.destination ?? ''),
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
	return html`<section class="card" id="verification">
		<h3>Verification</h3>
		${rows.length === 0
			? html`<p class="soft">No codes sent yet.</p>`
			: html`${tableView(['*Number or Key', 'Code or Status', 'Sent', 'Actions'], cut.items)}
				${pagerView(cut, query, 'codes')}`}
	</section>`;
};

const toDocumentRow = ({ id, filename, companyId, size, createdAt }: CompanyDocument) => ({
	id: `document-${id}`,
	cells: [filename, companyId, countView(size), timeView(createdAt)],
});

const documentsView = ({ store }: World, query: Query): Html => {
	const cut = cutPage([...store.documents.values()].reverse(), query.documents);
	return html`<section class="card" id="documents">
		<h3>Documents</h3>
		${cut.total === 0
			? html`<p class="soft">No documents uploaded yet.</p>`
			: html`${tableView(['*File', 'Company', '#Bytes', 'Uploaded'], cut.items.map(toDocumentRow))}
				${pagerView(cut, query, 'documents')}`}
	</section>`;
};

export const accountView = (world: World, query: Query): Html => {
	const companies = cutPage([...world.store.companies.values()], query.companies);
	const senders = cutPage([...world.store.senders.values()].reverse(), query.senders);
	return html`<h2>Account</h2>
		<nav class="choices" aria-label="On this page">
			<a href="#companies">Companies</a><a href="#senders">Sender names</a
			><a href="#blacklist">Blacklist</a><a href="#tariffs">Tariffs</a
			><a href="#verification">Verification</a><a href="#documents">Documents</a>
		</nav>
		${balanceView(world)}
		<section class="card" id="companies">
			<h3>Companies</h3>
			${tableView(
				['*Company', 'Status', 'Monthly Budget', '#Blacklisted'],
				companies.items.map((company) => toCompanyRow(world, company)),
			)}
			${pagerView(companies, query, 'companies')}
		</section>
		<section class="card" id="senders">
			<h3>Sender names</h3>
			${tableView(
				['*Name', 'Channel, Operator', 'Status', 'Actions'],
				senders.items.map((sender) => toSenderRow(world, sender)),
			)}
			${pagerView(senders, query, 'senders')}
		</section>
		${blacklistView(world, query)} ${tariffsView(world, query)} ${verificationView(world, query)}
		${documentsView(world, query)}`;
};
