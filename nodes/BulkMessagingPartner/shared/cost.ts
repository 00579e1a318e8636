import type { Tariff } from '../../../core/contract/price';
import type { z } from '../../../vendor/zod';
import { readNumber, rounded } from '../../../core/engine/coerce';
import { isRecord } from '../../../core/json';

type TariffEntry = z.output<typeof Tariff>;
type PriceStep = TariffEntry['prices'][number];

interface Volume {
	/** The number of messages, and the total number of parts in them. */
	messages: number;
	parts: number;
	/** The number of different recipients. */
	recipients: number;
}

interface Estimate {
	/** The interface says: "`price` is the price per message". `null` if a tariff only has a price per package. */
	total: number | null;
	/** The total if each part were charged; `undefined` if that is the same. */
	totalIfPerPart: number | undefined;
	currency: string;
	pricePerMessage: number | undefined;
	/** The price of an MAU package. */
	priceMauBatch: number | undefined;
	/** The step of the price list that was used: its price and the count it starts from. */
	step: PriceStep;
	/** What `step.from` is compared with. */
	steppedBy: 'none' | 'messages' | 'recipients';
}

const counted = { FIXED: 'none', SCALED: 'messages', MAU: 'recipients' } as const;

/** The last step whose threshold is reached; below the first threshold, the first step. */
const findStep = (prices: readonly PriceStep[], count: number): PriceStep | undefined => {
	// A response can differ from the contract: this may not be a list, or its entries may not be objects.
	if (!Array.isArray(prices)) return undefined;
	const sorted = prices
		.filter((step: unknown): step is PriceStep => isRecord(step))
		.sort((a, b) => (a.from ?? 0) - (b.from ?? 0));
	return sorted.findLast(({ from = 0 }) => from <= count) ?? sorted[0];
};

/** Accepts a number in a string, such as "2.5". A negative number isn't a price. */
const readPrice = (value: unknown): number | undefined => {
	const price = readNumber(value);
	return price !== undefined && price >= 0 ? price : undefined;
};

/** The number of messages × the price of the matching step. `undefined` for a tariff without any price. */
export const computeCost = (
	{ pricingModel, prices, currency }: TariffEntry,
	{ messages, parts, recipients }: Volume,
): Estimate | undefined => {
	const steppedBy = (counted as Partial<typeof counted>)[pricingModel];
	// A pricing model that isn't in the contract has no estimate.
	if (steppedBy === undefined) return undefined;
	const count = { none: 0, messages, recipients }[steppedBy];
	const step = findStep(prices, count);
	if (step === undefined) return undefined;
	const pricePerMessage = readPrice(step.price);
	const priceMauBatch = readPrice(step.priceMauBatch);
	if (pricePerMessage === undefined && priceMauBatch === undefined) return undefined;
	const costOf = (count: number) =>
		pricePerMessage === undefined ? null : rounded(count * pricePerMessage);
	return {
		total: costOf(messages),
		totalIfPerPart: parts === messages ? undefined : (costOf(parts) ?? undefined),
		currency,
		pricePerMessage,
		priceMauBatch,
		step,
		steppedBy,
	};
};
