import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ResultOf } from '../../../../core/contract/endpoint';
import { partner } from '../../../../core/contract/partner';
import { defineOperation } from '../../../../core/engine/operation';
import { computeCost } from '../../shared/cost';
import { countParts } from '../../../../core/recipients/parts';
import { list } from '../../../../core/transport/list';
import { z } from '../../../../vendor/zod';
import { forEachGroup, type RecipientGroup } from './plan/groups';
import { dispatchParams, newDispatch, type HeadValues } from './params/head';
import { countByReason, toShown } from './results';

const Preview = z.object({
	name: z.string(),
	recipients: z.number(),
	parts: z.number(),
	longestText: z.string(),
	longestTextParts: z.number(),
	unresolvedPlaceholders: z.array(z.string()),
	estimates: z.array(
		z.object({
			total: z.number(),
			currency: z.string(),
			senderType: z.string(),
			brand: z.string().optional(),
			trafficType: z.string().optional(),
			pricePerPart: z.number(),
		}),
	),
	rejected: z.object({
		unreadableNumber: z.number(),
		duplicate: z.number(),
		missingValue: z.number(),
		emptyText: z.number(),
	}),
});

interface PreviewedRecipient {
	itemIndex: number;
	position: number;
	json: IDataObject;
	parts: number;
	text: string;
}

const previewOf = ({ accepted }: RecipientGroup<HeadValues>): PreviewedRecipient[] =>
	Array.from(accepted, ({ itemIndex, position, recipient, text = '' }) => {
		const { parts, encoding, length } = countParts(text);
		const json = {
			destination: recipient.destination,
			accepted: true,
			text,
			encoding,
			length,
			parts,
		};
		return { itemIndex, position, json, parts, text };
	});

export const preview = defineOperation({
	value: 'preview',
	name: 'Preview',
	action: 'Preview dispatch',
	description:
		'See who would get which text, in how many parts and for about how much, before anything is created. Nothing is changed or sent.',
	output: Preview,
	params: dispatchParams,
	effect: 'reads',
	execute: async (run) => {
		// Checked softly: a tariff without prices has no estimate.
		const tariffs = (await list(run.context, partner.tariffList, {})) as ResultOf<
			typeof partner.tariffList
		>;
		return await forEachGroup(run, newDispatch, async (group): Promise<INodeExecutionData[]> => {
			const seen = previewOf(group);
			if (group.choices.output === 'recipients') {
				const rejected = group.rejected.map(({ itemIndex, position, phone, reason, detail }) => ({
					itemIndex,
					position,
					json: { destination: toShown(phone), accepted: false, reason, detail },
				}));
				return [...seen, ...rejected]
					.sort((a, b) => a.position - b.position)
					.map(({ itemIndex, json }) => ({ json, pairedItem: { item: itemIndex } }));
			}
			let parts = 0;
			let longest: PreviewedRecipient | undefined;
			const unresolved = new Set(group.rejected.flatMap(({ missing = [] }) => missing));
			for (const one of seen) {
				parts += one.parts;
				if (longest === undefined || one.text.length > longest.text.length) longest = one;
			}
			const volume = { messages: seen.length, recipients: seen.length, parts };
			const estimates = tariffs.flatMap((tariff) => {
				const estimate = computeCost(tariff, volume);
				if (estimate === undefined) return [];
				const { total, currency, step } = estimate;
				const { senderType, brand, trafficType } = tariff;
				return [{ total, currency, senderType, brand, trafficType, pricePerPart: step.price }];
			});
			return [
				{
					json: {
						name: group.head.name,
						recipients: seen.length,
						parts,
						longestText: longest?.text ?? '',
						longestTextParts: longest?.parts ?? 0,
						unresolvedPlaceholders: [...unresolved],
						estimates,
						rejected: countByReason(group.rejected),
					},
					pairedItem: group.itemIndexes.map((item) => ({ item })),
				},
			];
		});
	},
});
