import type { Company } from './entities.cts';
import type { Units } from './money.cts';
import { priceAt, type PricedTariff } from './tariffs.cts';

/** What a payer has spent this month, and what is reserved for messages that aren't final yet. */
export interface Ledger {
	/** `2026-03`. */
	month: string;
	spent: Units;
	reserved: Units;
	/** Messages sent this month, by tariff: decides the step of SCALED. */
	counts: Map<string, number>;
	/** Numbers written to this month, by tariff: decides the step of MAU. */
	recipients: Map<string, Set<string>>;
}

const monthOf = (time: number): string => new Date(time).toISOString().slice(0, 7);

export const newLedger = (time: number): Ledger => ({
	month: monthOf(time),
	spent: 0,
	reserved: 0,
	counts: new Map(),
	recipients: new Map(),
});

/**
 * "The spent amount is reset on the 1st day of each month, during the window 00:00 to 03:00": here at 00:00 UTC, which
 * is 03:00 in Moscow, the end of the window. Reservations stay: they are spent when their messages become final.
 */
export const turnMonth = (ledger: Ledger, time: number): Ledger => {
	const month = monthOf(time);
	if (month !== ledger.month) {
		ledger.month = month;
		ledger.spent = 0;
		ledger.counts.clear();
		ledger.recipients.clear();
	}
	return ledger;
};

/** What a company may still reserve this month. */
export const available = (company: Company, ledger: Ledger): Units =>
	company.budget === null ? Infinity : company.budget - ledger.spent - ledger.reserved;

/**
 * Prices messages as if they were sent now, one after the other, without adding them to the ledger. `times` is how often a
 * message pays its tariff's price.
 */
export class Quote {
	private readonly counts = new Map<string, number>();
	private readonly recipients = new Map<string, Set<string>>();

	constructor(private readonly ledger: Ledger) {}

	price(tariff: PricedTariff | undefined, destination: string, times: number): Units {
		if (tariff === undefined) return 0;
		const { key, model } = tariff;
		if (model === 'FIXED') return priceAt(tariff, 0) * times;
		if (model === 'SCALED') {
			const own = (this.counts.get(key) ?? 0) + 1;
			this.counts.set(key, own);
			return priceAt(tariff, (this.ledger.counts.get(key) ?? 0) + own) * times;
		}
		const known = this.ledger.recipients.get(key);
		const own = this.recipients.get(key) ?? new Set<string>();
		this.recipients.set(key, own);
		if (known?.has(destination) !== true) own.add(destination);
		return priceAt(tariff, (known?.size ?? 0) + own.size) * times;
	}
}

/** The price of a message that is sent now. The message is added to the month's counts, which decide later prices. */
export const countAndPrice = (
	ledger: Ledger,
	tariff: PricedTariff | undefined,
	destination: string,
	times: number,
): Units => {
	if (tariff === undefined) return 0;
	const { key, model } = tariff;
	if (model === 'SCALED') ledger.counts.set(key, (ledger.counts.get(key) ?? 0) + 1);
	if (model === 'MAU') {
		const known = ledger.recipients.get(key) ?? new Set<string>();
		ledger.recipients.set(key, known.add(destination));
	}
	const reached = model === 'SCALED' ? ledger.counts.get(key) : ledger.recipients.get(key)?.size;
	return priceAt(tariff, reached ?? 0) * times;
};
