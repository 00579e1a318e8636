import type { IDataObject } from 'n8n-workflow';
import type { ResultOf } from '../../../core/contract/endpoint';
import { partner } from '../../../core/contract/partner';
import { SenderFee, Tariff } from '../../../core/contract/price';
import { UnfitValueError } from '../../../core/engine/errors';
import { addHintOnce, howMany } from '../../../core/engine/hints';
import { toItem } from '../../../core/engine/items';
import { defineOperation, type Resource } from '../../../core/engine/operation';
import type { ValuesOf } from '../../../core/engine/params';
import { countParts } from '../../../core/recipients/parts';
import { list } from '../../../core/transport/list';
import { checkRequest } from '../../../core/transport/send';
import { z } from '../../../vendor/zod';
import { filterCollection, simplifyParam } from '../../shared/lists';
import { trafficTypeOptions } from '../../shared/trafficTypes';
import { computeCost } from '../shared/cost';

const senderTypeOptions = [
	{ name: 'Common', value: 'COMMON', description: 'General name that needs no registration' },
	{ name: 'Pro', value: 'PRO', description: 'Paid name. The price depends on volume or audience.' },
	{
		name: 'Start',
		value: 'START',
		description: 'Registered name. The price is fixed or depends on audience.',
	},
] as const;

const pricingModelOptions = [
	{ name: 'Fixed', value: 'FIXED', description: 'The same price for any number of messages' },
	{
		name: 'Monthly Audience (MAU)',
		value: 'MAU',
		description: 'The price depends on the number of different recipients',
	},
	{ name: 'Scaled', value: 'SCALED', description: 'The price depends on the number of messages' },
] as const;

const tariffFilters = filterCollection([
	{
		displayName: 'Operator',
		name: 'brand',
		type: 'string',
		default: '',
		placeholder: 'e.g. MTS',
	},
	{
		displayName: 'Pricing Model',
		name: 'pricingModel',
		type: 'options',
		options: pricingModelOptions,
		default: 'FIXED',
	},
	{
		displayName: 'Sender Type',
		name: 'senderType',
		type: 'options',
		options: senderTypeOptions,
		default: 'COMMON',
	},
	{
		displayName: 'Traffic Type',
		name: 'trafficType',
		type: 'options',
		options: trafficTypeOptions,
		default: 'PROMO',
	},
]);

const toTariffRequest = ({
	filters: { brand, ...filters },
}: ValuesOf<readonly [typeof tariffFilters]>) => ({
	query: { ...filters, brand: brand || undefined },
});

/** Without 'Simplify'. */
export const CostEstimate = z.object({
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

const SimpleEstimate = CostEstimate.pick({
	total: true,
	totalIfPerPart: true,
	currency: true,
	messages: true,
	partsPerMessage: true,
	senderType: true,
	brand: true,
	trafficType: true,
	pricePerMessage: true,
	// Charged in addition to the total.
	priceMauBatch: true,
});

const estimateCost = defineOperation({
	value: 'estimateCost',
	name: 'Estimate Cost',
	action: 'Estimate cost',
	description:
		'Calculate what a text costs for a number of recipients, with one result per matching tariff. Tariffs are per message; "totalIfPerPart" shows the total if the provider charges each part. Nothing is sent or reserved.',
	output: SimpleEstimate,
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
		{ ...tariffFilters, description: 'Which tariffs to calculate with' },
		simplifyParam,
	],
	effect: 'reads',
	check: ({ recipients, filters }) => {
		if (!Number.isInteger(recipients) || recipients < 1) {
			throw new UnfitValueError('Recipients', 'must be a whole number, 1 or greater');
		}
		checkRequest(partner.tariffList, toTariffRequest({ filters }));
	},
	each: async ({ text, recipients, filters, simplify }, { context }) => {
		const { parts: partsPerMessage, encoding } = countParts(text);
		const parts = partsPerMessage * recipients;
		// A tariff without prices has no estimate.
		const tariffs = (await list(
			context,
			partner.tariffList,
			toTariffRequest({ filters }),
		)) as ResultOf<typeof partner.tariffList>;
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
		return estimates.map((one) => toItem(one, simplify ? SimpleEstimate : undefined));
	},
});

const getSenderFees = defineOperation({
	value: 'getSenderFees',
	name: 'Get Sender Fees',
	action: 'Get sender fees',
	description: "List each operator's subscription fee for a sender name",
	endpoint: partner.senderFeeList,
	output: SenderFee,
	params: [],
	request: () => ({}),
});

const getTariffs = defineOperation({
	value: 'getTariffs',
	name: 'Get Tariffs',
	action: 'Get tariffs',
	description: 'List what messages cost, by operator, sender type and traffic type',
	endpoint: partner.tariffList,
	output: Tariff,
	params: [tariffFilters],
	request: toTariffRequest,
});

export const price: Resource = {
	value: 'price',
	name: 'Price',
	description: 'What messages and sender names cost',
	operations: [estimateCost, getSenderFees, getTariffs],
};
