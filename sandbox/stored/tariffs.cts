import type { z } from '../../vendor/zod';
import type { Tariff as TariffSchema } from '../../core/contract/price';
import type { Sender } from './entities.cts';
import { toUnits, type Units } from './money.cts';
import type { Brand } from './operators.cts';

export type Tariff = z.infer<typeof TariffSchema>;

/** A tariff in the form that pricing needs. `key` identifies its counters of the month. */
export interface PricedTariff {
	key: string;
	model: Tariff['pricingModel'];
	steps: Array<{ from: number; price: Units }>;
}

const pricedTariffs = new WeakMap<Tariff, PricedTariff>();

const toPriced = (tariff: Tariff): PricedTariff => {
	const known = pricedTariffs.get(tariff);
	if (known !== undefined) return known;
	const { senderType, brand = '', trafficType = '', pricingModel } = tariff;
	const priced: PricedTariff = {
		key: [senderType, brand, trafficType, pricingModel].join('/'),
		model: pricingModel,
		steps: tariff.prices
			.map(({ from = 0, price = 0 }) => ({ from, price: toUnits(price) }))
			.sort((one, other) => one.from - other.from),
	};
	pricedTariffs.set(tariff, priced);
	return priced;
};

/**
 * A paid sender name is PRO, one that several clients share is COMMON, every other registered one is START. A name that
 * isn't registered is COMMON: "usable without registration".
 */
export const senderTypeOf = (sender: Sender | undefined): Tariff['senderType'] => {
	if (sender === undefined) return 'COMMON';
	if (sender.fee !== null) return 'PRO';
	return sender.commonType === 'MULTISIGNATURE' ? 'COMMON' : 'START';
};

export const trafficTypeOf = (sender: Sender | undefined): string =>
	sender?.commonType === 'PROMO' ? 'PROMO' : 'SERVICE';

/** The most specific tariff that fits. The operator weighs more than the traffic type. The first one wins a tie. */
export const tariffFor = (
	tariffs: readonly Tariff[],
	wanted: { senderType: Tariff['senderType']; brand?: Brand; trafficType: string },
): PricedTariff | undefined => {
	let best: Tariff | undefined;
	let bestRank = -1;
	for (const tariff of tariffs) {
		if (tariff.senderType !== wanted.senderType) continue;
		if (tariff.brand !== undefined && tariff.brand !== wanted.brand) continue;
		if (tariff.trafficType !== undefined && tariff.trafficType !== wanted.trafficType) continue;
		const rank = (tariff.brand === undefined ? 0 : 2) + (tariff.trafficType === undefined ? 0 : 1);
		if (rank > bestRank) {
			best = tariff;
			bestRank = rank;
		}
	}
	return best === undefined ? undefined : toPriced(best);
};

/** The price when `count` messages (SCALED) or unique recipients (MAU) have been reached. */
export const priceAt = (tariff: PricedTariff, count: number): Units => {
	let price = tariff.steps[0]?.price ?? 0;
	for (const step of tariff.steps) {
		if (step.from > count) break;
		price = step.price;
	}
	return price;
};
