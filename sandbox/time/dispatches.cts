import type { z } from '../../vendor/zod';
import type { DispatchRecipient } from '../../core/contract/dispatch';
import { countParts } from '../../core/recipients/parts';
import { badRequest, found } from '../api/apiError.cts';
import { available, Quote, type Ledger } from '../stored/budget.cts';
import { timesCharged } from '../api/dialect.cts';
import type { Company, Dispatch, Message, Sender } from '../stored/entities.cts';
import { currency, fromUnits, type Units } from '../stored/money.cts';
import { operatorOf } from '../stored/operators.cts';
import { nextAllowed } from './schedule.cts';
import { matchSender, tariffOfMessage, tariffOfSender } from '../stored/senders.cts';
import { accountLedger, type Store } from '../stored/store.cts';
import type { World } from '../stored/world.cts';

type Recipient = z.output<typeof DispatchRecipient>;

/** The service's placeholders, only as far as the contract shows them: no fallbacks, no escapes, no other names. */
const substitute = (text: string, values: NonNullable<Recipient['substitutions']>): string =>
	text.replace(/\{(\w+)\}/g, (written, name: string) =>
		Object.hasOwn(values, name) ? String(values[name]) : written,
	);

export const companyOf = ({ store }: World, id: number): Company =>
	found(store.companies.get(id), 'company', id);

/** A DISABLED company keeps its data but can't send. */
export const activeCompany = (world: World, id: number): Company => {
	const company = companyOf(world, id);
	if (company.status !== 'ACTIVE') throw badRequest(`company ${id} is ${company.status}`);
	return company;
};

const priceOf = ({ store }: World, quote: Quote, message: Message): Units =>
	quote.price(
		tariffOfMessage(store, message),
		message.destination,
		timesCharged(store.settings.dialect, message.parts),
	);

// An estimate continues where the last append ended. After a restart, the quote is rebuilt from the messages.
const quotes = new WeakMap<Dispatch, Quote>();
const quoteOf = (world: World, dispatch: Dispatch): Quote => {
	const known = quotes.get(dispatch);
	if (known !== undefined) return known;
	const quote = new Quote(world.store.ledger(dispatch.companyId, world.timeline.now));
	for (const message of dispatch.messages) {
		if (message.state === 'created') priceOf(world, quote, message);
	}
	quotes.set(dispatch, quote);
	return quote;
};

const rejectionOf = (
	destination: string,
	{ parts, blacklist, sender }: { parts: number; blacklist?: Map<string, string>; sender?: Sender },
): string | null => {
	if (parts === 0) return 'the text is empty';
	if (blacklist?.has(destination) === true) return 'the number is blacklisted';
	if (sender !== undefined) return null;
	const brand = operatorOf(destination);
	return brand === undefined ? 'the operator is not known' : `no usable sender for ${brand}`;
};

/** A test with very many recipients must not fill the memory with their names, nor a long one the page. */
const mostNames = 10_000;
const longestName = 30;

const learnName = (
	{ names }: Store,
	destination: string,
	{ name, firstName = name, first_name: first = firstName }: Recipient['substitutions'] = {},
): void => {
	const learned = typeof first === 'string' ? first.trim().slice(0, longestName) : '';
	if (learned !== '' && !names.has(destination)) names.set(destination, learned);
};

/** Adds the recipients. A rejected recipient stays in the dispatch as FAILED, without a sender name and free of charge. */
export const addMessages = (
	world: World,
	dispatch: Dispatch,
	recipients: readonly Recipient[],
): { accepted: Message[]; estimate: Units; parts: number } => {
	const { store, timeline } = world;
	const { now } = timeline;
	const { dialect } = store.settings;
	const isSms = dispatch.channelType === 'SMS';
	const senders = dispatch.senderIds.flatMap((id) => store.senders.get(id) ?? []);
	const tariffs = new Map(senders.map((sender) => [sender.id, tariffOfSender(store, sender)]));
	const blacklist = store.blacklists.get(dispatch.companyId);
	const quote = quoteOf(world, dispatch);
	// Only an SMS is split into parts. An empty text has no parts on any channel.
	const partsOf = (text: string) => (isSms || text === '' ? countParts(text).parts : 1);
	const sharedParts = partsOf(dispatch.text);
	const accepted: Message[] = [];
	let estimate = 0;
	let acceptedParts = 0;
	for (const { destination, substitutions, customText } of recipients) {
		const text =
			customText ??
			(substitutions === undefined ? dispatch.text : substitute(dispatch.text, substitutions));
		const parts = text === dispatch.text ? sharedParts : partsOf(text);
		const sender = matchSender(senders, dispatch.channelType, destination, now);
		const reason = rejectionOf(destination, { parts, blacklist, sender });
		const price =
			reason === null && sender !== undefined
				? quote.price(tariffs.get(sender.id), destination, timesCharged(dialect, parts))
				: 0;
		const message: Message = {
			uuid: world.uuid(),
			dispatchId: dispatch.id,
			destination,
			text,
			parts,
			state: reason === null ? 'created' : 'unsent',
			senderId: reason === null && sender !== undefined ? sender.id : null,
			reserved: 0,
			price,
			final: reason !== null,
			createdAt: now,
			sentAt: null,
			statusAt: reason === null ? null : now,
			errorCode: null,
			reason,
		};
		message.requestId = world.requests.note(message.uuid);
		if (store.names.size < mostNames) learnName(store, destination, substitutions);
		dispatch.messages.push(message);
		store.index(message);
		dispatch.messageCount.total++;
		dispatch.partCount.total += parts;
		if (reason === null) {
			accepted.push(message);
			estimate += price;
			acceptedParts += parts;
		} else {
			dispatch.messageCount.failed++;
			dispatch.partCount.failed += parts;
		}
	}
	dispatch.priceEstimate += estimate;
	dispatch.version++;
	return { accepted, estimate, parts: acceptedParts };
};

export const planSendingOf = ({ timeline }: World, dispatch: Dispatch, earliest: number): void => {
	const at = dispatch.window === null ? earliest : nextAllowed(dispatch.window, earliest);
	timeline.plan(at, { kind: 'dispatch-send', dispatchId: dispatch.id, run: dispatch.run });
};

/** What may still be reserved: from a company's budget, or from the balance for a dispatch of the account itself. */
const restFor = (world: World, companyId: number, ledger: Ledger) => {
	if (companyId === accountLedger) {
		return { units: world.store.funds - ledger.reserved, of: 'the account', when: '' };
	}
	const company = activeCompany(world, companyId);
	const units = available(company, ledger);
	return { units, of: `company ${companyId}`, when: ' in its budget this month' };
};

/** "When messages are sent, an approximate cost is reserved." If the budget doesn't cover all of it, the dispatch doesn't start. */
export const startDispatch = (world: World, dispatch: Dispatch): void => {
	const { store, timeline } = world;
	if (dispatch.status !== 'CREATED' && dispatch.status !== 'STOPPED') {
		throw badRequest(`dispatch ${dispatch.id} is ${dispatch.status} and cannot be started`);
	}
	const ledger = store.ledger(dispatch.companyId, timeline.now);
	const rest = restFor(world, dispatch.companyId, ledger);
	const quote = new Quote(ledger);
	const waiting = dispatch.messages
		.slice(dispatch.cursor)
		.filter(({ state }) => state === 'created');
	const prices = waiting.map((message) => priceOf(world, quote, message));
	const total = prices.reduce((sum, price) => sum + price, 0);
	if (total > rest.units) {
		throw badRequest(
			`dispatch ${dispatch.id} needs ${fromUnits(total)} ${currency}, and ${rest.of} ` +
				`has ${fromUnits(Math.max(rest.units, 0))} ${currency} left${rest.when}`,
		);
	}
	for (const [index, message] of waiting.entries()) {
		dispatch.priceEstimate += prices[index] - message.price;
		message.price = prices[index];
		message.reserved = prices[index];
	}
	ledger.reserved += total;
	quotes.delete(dispatch);
	dispatch.status = 'STARTED';
	if (dispatch.startedAt === null) {
		dispatch.startedAt = timeline.now;
		dispatch.startRequestId = world.requests.current?.id;
	}
	dispatch.run++;
	dispatch.version++;
	planSendingOf(world, dispatch, timeline.now + store.settings.sentAfterMs);
};

/** Messages that were held are sent by the next run, like those that the last one didn't reach. False if none was held. */
export const takeBackHeld = ({ held }: Store, dispatch: Dispatch): boolean => {
	if (held.size === 0) return false;
	const first = dispatch.messages.findIndex(({ uuid }) => held.has(uuid));
	if (first === -1) return false;
	dispatch.cursor = first;
	for (const { uuid } of dispatch.messages.slice(first)) held.delete(uuid);
	return true;
};

/** Sent messages continue. The others stay CREATED, and their reservations are released. */
export const stopDispatch = (world: World, dispatch: Dispatch): void => {
	if (dispatch.status !== 'STARTED') {
		throw badRequest(`dispatch ${dispatch.id} is ${dispatch.status} and cannot be stopped`);
	}
	dispatch.status = 'STOPPED';
	dispatch.version++;
	takeBackHeld(world.store, dispatch);
	const ledger = world.store.ledger(dispatch.companyId, world.timeline.now);
	for (const message of dispatch.messages.slice(dispatch.cursor)) {
		if (message.state !== 'created') continue;
		ledger.reserved -= message.reserved;
		message.reserved = 0;
	}
};
