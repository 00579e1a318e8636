import { html } from 'hono/html';
// Not vendor/phone: its numbering plans have no rules for formatting.
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { withoutCode } from '../../core/contract/dispatchName';
import type { Dispatch, Message } from '../stored/entities.cts';
import { brandNames, operatorOf } from '../stored/operators.cts';
import { accountLedger } from '../stored/store.cts';
import type { World } from '../stored/world.cts';
import { none, type Html } from './parts.cts';

/** Phone numbers, names, dispatches and channels as people read them. */

/**
 * How numbers are grouped: `+# ### ### ## ##`. Numbers that differ only in their last four digits are grouped alike, so the
 * library is asked once for all of them: a page that changes all the time would spend most of its time there.
 */
const groupings = new Map<string, string>();
const mostGroupings = 10_000;

const groupingOf = (number: string): string => {
	const key = `${number.length} ${number.slice(0, -4)}`;
	const known = groupings.get(key);
	if (known !== undefined) return known;
	const formatted = parsePhoneNumberFromString(`+${number}`)?.formatInternational() ?? `+${number}`;
	const grouping = formatted.replaceAll(/\d/g, '#');
	if (groupings.size >= mostGroupings) groupings.clear();
	groupings.set(key, grouping);
	return grouping;
};

/** `+7 916 123 45 67`. What isn't a number stays as it is. */
export const toShownNumber = (number: string): string => {
	if (!/^\d{5,15}$/.test(number)) return number;
	let next = 0;
	return groupingOf(number).replaceAll('#', () => number[next++] ?? '');
};

/** A person's name, if the sandbox knows it, and the number. */
export const personView = ({ store }: World, number: string): Html => {
	const name = store.names.get(number);
	const shown = toShownNumber(number);
	return name === undefined
		? html`<strong class="no-break">${shown}</strong>`
		: html`<strong>${name}</strong> <span class="soft no-break">${shown}</span>`;
};

export const phoneLink = (world: World, number: string): Html =>
	html`<a class="person" href="/?number=${number}">${personView(world, number)}</a>`;

/** As the user named it: the node's code at the end of the name is for the node. */
export const dispatchName = ({ name }: Pick<Dispatch, 'name'>): string => withoutCode(name);

export const dispatchLink = (dispatch: Pick<Dispatch, 'id' | 'name'>): Html =>
	html`<a href="/dispatches?id=${dispatch.id}">${dispatchName(dispatch)}</a>`;

/** The first letter of the name, or the last two digits, for the circle next to a phone. */
export const initialsOf = ({ store }: World, number: string): string =>
	// With `u`, an emoji is one character.
	/^\s*(\S)/u.exec(store.names.get(number) ?? '')?.[1]?.toUpperCase() ?? number.slice(-2);

export const operatorName = (number: string): string | undefined => {
	const brand = operatorOf(number);
	return brand === undefined ? undefined : brandNames[brand];
};

/** Names of channels that aren't spelled like their codes. */
const channelNames: Readonly<Record<string, string>> = {
	VIBER: 'Viber',
	WHATSAPP: 'WhatsApp',
	TELEGRAM: 'Telegram',
	FLASHCALL: 'Flash Call',
	VOICECODE: 'Voice Code',
	TEXT_TO_SPEECH: 'Text to Speech',
	PUSH: 'Push',
};

export const toChannelName = (channel: string): string => channelNames[channel] ?? channel;

export const isInbound = ({ single }: Message): boolean => single?.direction === 'inbound';

export const aboutOf = ({ store }: World, { single, dispatchId, senderId }: Message) => {
	const dispatch = dispatchId === null ? undefined : store.dispatches.get(dispatchId);
	const sender = senderId === null ? undefined : store.senders.get(senderId);
	return {
		channel: toChannelName(single?.channelType ?? dispatch?.channelType ?? ''),
		sender: single?.senderName ?? sender?.senderName ?? '',
		dispatch,
	};
};

/** Who has blacklisted a number, and why. */
export const blacklistingsOf = ({ store }: World, number: string): string[] => {
	const found: string[] = [];
	for (const [companyId, numbers] of store.blacklists) {
		const comment = numbers.get(number);
		if (comment === undefined) continue;
		const company = store.companies.get(companyId)?.name;
		const by = companyId === accountLedger || company === undefined ? 'the account' : company;
		found.push(comment === '' ? `by ${by}, without a reason` : `by ${by}: ${comment}`);
	}
	return found;
};

export const blacklistMark = (world: World, number: string): Html => {
	const found = blacklistingsOf(world, number);
	return found.length === 0
		? none
		: html`<span class="badge bad" title="Blacklisted ${found.join('; ')}">Blacklisted</span>`;
};
