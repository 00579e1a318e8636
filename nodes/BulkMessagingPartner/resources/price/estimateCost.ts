import type { IDataObject } from 'n8n-workflow';
import type { RequestOf, ResultOf } from '../../../../core/contract/endpoint';
import { partner } from '../../../../core/contract/partner';
import { UnfitValueError } from '../../../../core/engine/errors';
import { addHintOnce, howMany } from '../../../../core/engine/hints';
import { defineOperation } from '../../../../core/engine/operation';
import type { ValuesOf } from '../../../../core/engine/params';
import { computeCost } from '../../shared/cost';
import { countParts } from '../../../../core/recipients/parts';
import { list } from '../../../../core/transport/list';
import { checkRequest } from '../../../../core/transport/send';
import { z } from '../../../../vendor/zod';
import { tariffFilters } from './tariffFilters';

const Output = z.object({
	total: z.number().nullable(),
	totalIfPerPart: z.number().optional(),
	currency: z.string(),
	messages: z.number(),
	parts: z.number(),
	partsPerMessage: z.number(),
	encoding: z.string(),
	senderType: z.string(),
	brand: z.string().optional(),
	trafficType: z.string().optional(),
	pricingModel: z.string(),
	pricePerMessage: z.number().nullable(),
	priceMauBatch: z.number().optional(),
	priceAppliesFrom: z.number(),
	priceSteppedBy: z.string(),
});

const toRequest = ({
	brand,
	...filters
}: Partial<ValuesOf<typeof tariffFilters>>): RequestOf<typeof partner.tariffList> => ({
	query: { ...filters, brand: brand || undefined },
});

export const estimateCost = defineOperation({
	value: 'estimateCost',
	name: 'Estimate Cost',
	action: 'Estimate cost',
	description:
		'Calculate what a text costs for a number of recipients, with one result per matching tariff. Tariffs are per message; "totalIfPerPart" shows the total if the provider charges each part. Nothing is sent or reserved.',
	output: Output,
	params: [
		{
			displayName: 'Text',
			name: 'text',
			type: 'string',
			typeOptions: { rows: 4 },
			default: '',
			required: true,
			placeholder: 'e.g. Hello, your order has arrived.',
			description:
				'The text as recipients get it. Its alphabet and length determine how many parts a message has.',
		},
		{
			displayName: 'Recipients',
			name: 'recipients',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 1,
			required: true,
			description: 'How many people get the text, one message each',
		},
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			description: 'Which tariffs to calculate with',
			options: tariffFilters,
		},
	],
	effect: 'reads',
	check: ({ recipients, filters }) => {
		if (!Number.isInteger(recipients) || recipients < 1) {
			throw new UnfitValueError('Recipients', 'must be a whole number, 1 or greater');
		}
		checkRequest(partner.tariffList, toRequest(filters));
	},
	each: async ({ text, recipients, filters }, { context }) => {
		const { parts: partsPerMessage, encoding } = countParts(text);
		const parts = partsPerMessage * recipients;
		// A tariff without prices has no estimate.
		const tariffs = (await list(context, partner.tariffList, toRequest(filters))) as ResultOf<
			typeof partner.tariffList
		>;
		const estimates = tariffs.flatMap((tariff): IDataObject[] => {
			const estimate = computeCost(tariff, { messages: recipients, parts, recipients });
			if (estimate === undefined) return [];
			const { total, totalIfPerPart, currency, step, steppedBy } = estimate;
			const { pricePerMessage = null, priceMauBatch } = estimate;
			return [
				{
					total,
					totalIfPerPart,
					currency,
					messages: recipients,
					parts,
					partsPerMessage,
					encoding,
					senderType: tariff.senderType,
					brand: tariff.brand,
					trafficType: tariff.trafficType,
					pricingModel: tariff.pricingModel,
					pricePerMessage,
					priceMauBatch,
					priceAppliesFrom: step.from ?? 0,
					priceSteppedBy: steppedBy,
				},
			];
		});
		if (estimates.length === 0) {
			addHintOnce(
				context,
				tariffs.length === 0
					? 'No tariff matches these filters.'
					: `${howMany(tariffs.length, 'tariff matches', 'tariffs match')}, but none has a readable price.`,
			);
		}
		return estimates;
	},
});
