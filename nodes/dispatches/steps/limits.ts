import type { IExecuteFunctions } from 'n8n-workflow';
import { partner } from '../../../core/contract/partner';
import { rounded } from '../../../core/engine/coerce';
import { howMany } from '../../../core/engine/hints';
import { list } from '../../../core/transport/list';
import { acceptedIn, type Made } from '../job';
import type { DispatchRecord } from '../journal';
import type { StartValues } from '../params/head';
import { priceCurrency as currencyParam } from '../params/limits';
import type { Sorted } from '../plan/sorter';

export interface StartLimits {
	whenPassed?: 'leave' | 'error';
	minimumAccepted?: number;
	minimumPeople?: number;
	/** For everything that a run starts; `undefined` if the operation has no price limit. */
	priceLimit?: number;
	priceCurrency: string;
}

/** A dispatch that is ready to start. */
interface Ready {
	/** How many recipients the service accepted, and what share of the intended recipients that is (0 to 1). */
	accepted: number;
	share: number;
	/** `undefined` if the service doesn't show a readable one. */
	estimate: number | undefined;
	givenEstimate: unknown;
	currency: string | undefined;
	/** What this run has already started. */
	spent: number;
}

/** The user's limits for starting a dispatch. */
export const limitsOf = ({
	priceLimit,
	options,
}: Pick<StartValues, 'priceLimit' | 'options'>): StartLimits => {
	const { whenPassed, minimumAccepted, minimumPeople } = options;
	const { priceCurrency = currencyParam.default } = options;
	return { whenPassed, minimumAccepted, minimumPeople, priceLimit, priceCurrency };
};

/** How many people are in the list. A person who is in it twice is one. */
export const peopleIn = ({ accepted, rejected }: Sorted): number =>
	accepted.length + rejected.filter(({ reason }) => reason !== 'duplicate').length;

/** The share of all people in the list that was accepted. */
export const acceptedShare = (plan: Sorted, count: number): number =>
	count / Math.max(1, peopleIn(plan));

const inPercent = (share: number) => `${Math.floor(share * 1000) / 10}%`;

const amount = (value: number, currency: string) => `${rounded(value)} ${currency}`;

export const priceObjection = (
	{ priceLimit, priceCurrency }: Pick<StartLimits, 'priceLimit' | 'priceCurrency'>,
	{ currency, spent, estimate, givenEstimate }: Omit<Ready, 'accepted' | 'share'>,
): string | undefined => {
	if (priceLimit === undefined) return undefined;
	if (estimate === undefined) {
		const found = givenEstimate === undefined ? 'nothing' : JSON.stringify(givenEstimate);
		return `The price estimate can't be read: the service sent ${found}`;
	}
	if (currency === undefined)
		return "The service doesn't report the currency of its price estimate";
	if (currency.toUpperCase() !== priceCurrency.trim().toUpperCase()) {
		return `The price estimate is in ${currency}, but 'Price Limit' is in ${priceCurrency}`;
	}
	// Tolerates the rounding errors of adding decimals, which are far below any price.
	if (spent + estimate <= priceLimit + 1e-9) return undefined;
	const before =
		spent > 0 ? ` (plus ${amount(spent, currency)} for this run's other dispatches)` : '';
	return `The price estimate is ${amount(estimate, currency)}${before}, but 'Price Limit' is ${amount(priceLimit, currency)}`;
};

/** The objection to a dispatch without recipients. */
export const rejectedAll = 'The service rejected every recipient';

/** Why the dispatch must not start; `undefined` if it may. Unreadable values are an objection too. */
export const limitObjection = (limits: StartLimits, ready: Ready): string | undefined => {
	const { minimumAccepted, minimumPeople = 1 } = limits;
	const { accepted, share } = ready;
	if (accepted === 0) return rejectedAll;
	if (accepted < minimumPeople) {
		return `Only ${howMany(accepted, 'recipient')} ${accepted === 1 ? 'is' : 'are'} accepted, but 'Minimum Accepted (Recipients)' is ${minimumPeople}`;
	}
	const objection = priceObjection(limits, ready);
	if (objection !== undefined || minimumAccepted === undefined) return objection;
	return share * 100 >= minimumAccepted
		? undefined
		: `Only ${inPercent(share)} of the recipients are accepted, but 'Minimum Accepted (%)' is ${minimumAccepted}`;
};

/** The same for a dispatch of a run that may have started others: 'Price Limit' is for all of them. */
export const startObjection = (
	limits: StartLimits,
	{ id, placed, state, currency }: Made,
	others: readonly DispatchRecord[],
	share: number,
): string | undefined => {
	const started = others.flatMap((one) => (one.id === id ? [] : (one.made?.made ?? [])));
	const { estimate, givenEstimate } = state;
	const spent = started.reduce((sum, one) => sum + (one.state.estimate ?? 0), 0);
	const accepted = acceptedIn(placed);
	return limitObjection(limits, { accepted, share, estimate, givenEstimate, currency, spent });
};

/** The currency of the account's tariffs, if they all use the same, for a dispatch whose responses don't show it. */
export const accountCurrency = async (context: IExecuteFunctions): Promise<string | undefined> => {
	const tariffs = await list(context, partner.tariffList, {}).catch(() => []);
	const currencies = new Set(tariffs.map(({ currency }) => currency));
	const [currency] = currencies;
	return currencies.size === 1 && typeof currency === 'string' ? currency : undefined;
};
