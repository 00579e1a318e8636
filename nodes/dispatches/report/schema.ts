import { z } from '../../../vendor/zod';
import { NotReached } from '../tell/people';

const OutcomeCounts = z.object({
	total: z.number(),
	delivered: z.number(),
	failed: z.number(),
	pending: z.number(),
	unknown: z.number(),
});

/** The node's output without 'Simplify', with the same fields for every dispatch. An unknown number is `null`, an unknown text is empty. */
export const Report = z.object({
	summary: z.string(),
	name: z.string(),
	status: z.string(),
	finished: z.boolean(),
	channelType: z.string(),
	senderNames: z.array(z.string()),
	text: z.string(),
	messages: OutcomeCounts,
	deliveryRatePercent: z.number().nullable(),
	parts: OutcomeCounts,
	cost: z.object({
		estimated: z.number().nullable(),
		final: z.number().nullable(),
		currency: z.string(),
		complete: z.boolean(),
	}),
	deliverySeconds: z.object({
		median: z.number().nullable(),
		percentile95: z.number().nullable(),
		measured: z.number(),
	}),
	byStatus: z.object({
		CREATED: z.number(),
		SENT: z.number(),
		DELIVERED: z.number(),
		FAILED: z.number(),
		unknown: z.number(),
	}),
	byOperator: z.array(
		OutcomeCounts.extend({
			operator: z.string(),
			deliveryRatePercent: z.number().nullable(),
			parts: z.number(),
			cost: z.number().nullable(),
		}),
	),
	byReason: z.object({ rejectedByService: z.number(), notDelivered: z.number() }),
	byErrorCode: z.array(
		z.object({ errorCode: z.number(), meaning: z.string(), messages: z.number() }),
	),
	notReached: z.array(NotReached),
	unreadable: z.number(),
	unreadableFields: z.object({
		status: z.number(),
		parts: z.number(),
		price: z.number(),
		time: z.number(),
	}),
	unlisted: z.number().nullable(),
	createdAt: z.string(),
	startedAt: z.string(),
	firstDeliveredAt: z.string(),
	lastDeliveredAt: z.string(),
	reportedAt: z.string(),
	dispatchId: z.number(),
});

export const SimpleReport = Report.pick({
	summary: true,
	name: true,
	status: true,
	finished: true,
	messages: true,
	deliveryRatePercent: true,
	cost: true,
	byErrorCode: true,
	notReached: true,
	dispatchId: true,
});

export type ReportFigures = z.output<typeof Report>;
