import { z } from '../../vendor/zod';
import { partnerEndpoint } from './endpoint';
import { Int, looseObject, PricingModel, SenderType, TrafficType } from './values';

/**
 * FIXED: one price. SCALED: `prices[].from` is a message-count threshold. MAU: `prices[].from` is a
 * unique-recipient threshold, `priceMauBatch` the price per MAU package.
 */
export const Tariff = looseObject({
	senderType: SenderType,
	brand: z.string().optional(),
	trafficType: TrafficType.optional(),
	pricingModel: PricingModel,
	currency: z.string(),
	prices: z.array(
		looseObject({
			from: Int.optional(),
			price: z.number().optional(),
			priceMauBatch: z.number().optional(),
		}),
	),
});

export const SenderFee = looseObject({
	brand: z.string(),
	value: z.number(),
	currency: z.string(),
});

export const priceEndpoints = {
	tariffList: partnerEndpoint('GET', '/price/tariffs', {
		query: z.object({
			senderType: SenderType.optional(),
			brand: z.string().optional(),
			trafficType: TrafficType.optional(),
			pricingModel: PricingModel.optional(),
		}),
		paging: 'whole',
		reply: looseObject({ tariffs: z.array(Tariff) }),
	}),
	senderFeeList: partnerEndpoint('GET', '/price/senders', {
		paging: 'whole',
		reply: looseObject({ senderFees: z.array(SenderFee) }),
	}),
};
