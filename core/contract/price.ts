import { z } from '../../vendor/zod';
import { partnerEndpoint } from './endpoint';
import { Int, PricingModel, SenderType, TrafficType } from './values';

/**
 * FIXED: one price. SCALED: `prices[].from` is a message-count threshold. MAU: `prices[].from` is a
 * unique-recipient threshold, `priceMauBatch` the price per MAU package.
 */
export const Tariff = z
	.object({
		senderType: SenderType,
		brand: z.string().optional(),
		trafficType: TrafficType.optional(),
		pricingModel: PricingModel,
		currency: z.string(),
		prices: z.array(
			z
				.object({
					from: Int.optional(),
					price: z.number().optional(),
					priceMauBatch: z.number().optional(),
				})
				.passthrough(),
		),
	})
	.passthrough();

export const SenderFee = z
	.object({ brand: z.string(), value: z.number(), currency: z.string() })
	.passthrough();

export const priceEndpoints = {
	tariffList: partnerEndpoint({
		method: 'GET',
		path: '/price/tariffs',
		query: z.object({
			senderType: SenderType.optional(),
			brand: z.string().optional(),
			trafficType: TrafficType.optional(),
			pricingModel: PricingModel.optional(),
		}),
		paging: 'whole',
		reply: z.object({ tariffs: z.array(Tariff) }).passthrough(),
	}),
	senderFeeList: partnerEndpoint({
		method: 'GET',
		path: '/price/senders',
		paging: 'whole',
		reply: z.object({ senderFees: z.array(SenderFee) }).passthrough(),
	}),
};
