import type { IExecuteFunctions } from 'n8n-workflow';
import { partner } from '../../../../../core/contract/partner';
import { howMany } from '../../../../../core/engine/hints';
import { list } from '../../../../../core/transport/list';

export interface StartLimits {
	whenPassed?: 'leave' | 'error';
	minimumAccepted?: number;
	minimumPeople?: number;
	/** `undefined` if the operation has no price limit. */
	priceLimit?: number;
	priceCurrency?: string;
	/** Whether the price limit applies to everything this run starts, or to each dispatch separately. */
	priceLimitScope?: 'run' | 'dispatch';
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

const inPercent = (share: number) => `${Math.floor(share * 1000) / 10}%`;

/** Removes rounding noise such as 0.30000000000000004 from sums of prices. */
const amount = (value: number, currency = '') =>
	`${Math.round(value * 1e6) / 1e6} ${currency}`.trim();

const isLimit = (value: unknown): value is number =>
	typeof value === 'number' && Number.isFinite(value) && value >= 0;

const priceObjection = (
	{ priceLimit, priceCurrency = '', priceLimitScope = 'run' }: StartLimits,
	{ currency, spent }: Ready,
	estimate: number,
): string | undefined => {
	if (priceLimit === undefined) return undefined;
	if (!isLimit(priceLimit)) return "'Price Limit' isn't a number";
	if (currency === undefined)
		return "The service doesn't report the currency of its price estimate";
	if (currency.toUpperCase() !== priceCurrency.trim().toUpperCase()) {
		return `The price estimate is in ${currency}, but 'Price Limit' is in ${priceCurrency}`;
	}
	const sum = priceLimitScope === 'run' ? spent + estimate : estimate;
	// Tolerates the rounding errors of adding decimals, which are far below any price.
	if (sum <= priceLimit + 1e-9) return undefined;
	const before =
		sum > estimate ? ` (plus ${amount(spent, currency)} already started in this run)` : '';
	return `The price estimate is ${amount(estimate, currency)}${before}, but 'Price Limit' is ${amount(priceLimit, currency)}`;
};

/** Why the dispatch must not start; `undefined` if it may. Unreadable values are an objection too. */
export const limitObjection = (limits: StartLimits, ready: Ready): string | undefined => {
	const { minimumAccepted, minimumPeople = 1 } = limits;
	const { accepted, share, estimate, givenEstimate } = ready;
	if (!isLimit(minimumPeople)) return "'Minimum Accepted (People)' isn't a number";
	if (accepted < minimumPeople) {
		return accepted === 0
			? 'The service rejected every recipient'
			: `The service accepted only ${howMany(accepted, 'recipient')}, but 'Minimum Accepted (People)' is ${minimumPeople}`;
	}
	if (estimate === undefined) {
		const found = givenEstimate === undefined ? 'nothing' : JSON.stringify(givenEstimate);
		return `The price estimate can't be read: the service sent ${found}`;
	}
	const objection = priceObjection(limits, ready, estimate);
	if (objection !== undefined || minimumAccepted === undefined) return objection;
	if (!isLimit(minimumAccepted)) return "'Minimum Accepted (%)' isn't a number";
	return share * 100 >= minimumAccepted
		? undefined
		: `The service accepted only ${inPercent(share)} of the recipients, but 'Minimum Accepted (%)' is ${minimumAccepted}`;
};

/** The currency of the account's tariffs, if they all use the same, for a dispatch whose responses don't show it. */
export const accountCurrency = async (context: IExecuteFunctions): Promise<string | undefined> => {
	const tariffs = await list(context, partner.tariffList, {}).catch(() => []);
	const currencies = new Set(tariffs.map(({ currency }) => currency));
	const [currency] = currencies;
	return currencies.size === 1 && typeof currency === 'string' ? currency : undefined;
};
