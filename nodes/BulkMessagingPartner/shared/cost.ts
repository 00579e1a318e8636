import type { Tariff } from '../../../core/contract/price';
import type { z } from '../../../vendor/zod';
import { readNumber } from '../../../core/engine/scalars';
import { isRecord } from '../../../core/json';

type TariffEntry = z.output<typeof Tariff>;
type PriceStep = TariffEntry['prices'][number];

interface Volume {
	/** How many messages, and how many parts all of them have together. */
	messages: number;
	parts: number;
	/** How many different people get them. */
	recipients: number;
}

interface Estimate {
	/** By the interface: "`price` is the price per message". Nothing where a tariff has only a price per package. */
	total: number | null;
	/** What it would be if each part were charged. Nothing where that is the same. */
	totalIfPerPart: number | undefined;
	currency: string;
	pricePerMessage: number | undefined;
	/** For an MAU package. */
	priceMauBatch: number | undefined;
	/** The step of the price list that applied: from how many messages or recipients on, at which price. */
	step: PriceStep;
	/** What `step.from` counts. */
	steppedBy: 'none' | 'messages' | 'recipients';
}

const counted = {
	FIXED: 'none',
	SCALED: 'messages',
	MAU: 'recipients',
} as const;

/** The last step whose threshold is reached; below the first threshold, the first step. */
const findStep = (prices: readonly PriceStep[], count: number): PriceStep | undefined => {
	// Whatever a service answers, it is not more than a list of objects.
	if (!Array.isArray(prices)) return undefined;
	const sorted = prices
		.filter((step: unknown): step is PriceStep => isRecord(step))
		.sort((a, b) => (a.from ?? 0) - (b.from ?? 0));
	return sorted.findLast(({ from = 0 }) => from <= count) ?? sorted[0];
};

/** Prices have up to a few decimals; sums of them must not show the machine's own. */
const rounded = (amount: number) => Math.round(amount * 1e6) / 1e6;

/** "2.5" is plainly a price; a negative one is none. */
const readPrice = (value: unknown): number | undefined => {
	const price = readNumber(value);
	return price !== undefined && price >= 0 ? price : undefined;
};

/** Messages × the price of the step that applies. Nothing for a tariff without any price. */
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
