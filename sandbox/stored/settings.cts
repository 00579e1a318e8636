import { z } from '../../vendor/zod';
import { Dialect } from '../api/dialect.cts';

const Outcome = z.enum(['delivered', 'undelivered', 'unsent', 'slow', 'unread', 'smsOnly']);
export type Outcome = z.infer<typeof Outcome>;

/** The behavior that the control routes can change. All times are virtual milliseconds. */
export const Settings = z
	.object({
		/** The time from a dispatch's start, or from accepting a single message, until the first message is sent. */
		sentAfterMs: z.number().int().nonnegative(),
		/** The time from stopping a message until its status is unsent. */
		stoppedAfterMs: z.number().int().nonnegative(),
		/** The time from sent to delivered: the minimum, and the maximum that a number can add to it. */
		deliveredAfterMs: z.number().int().nonnegative(),
		deliveredSpreadMs: z.number().int().nonnegative(),
		readAfterMs: z.number().int().nonnegative(),
		/** How many messages of one dispatch are sent per second. */
		messagesPerSecond: z.number().int().positive(),
		/** The share of ordinary numbers that get their messages, 0 to 1. `seed` and the number decide which. */
		deliveredShare: z.number().min(0).max(1),
		seed: z.number().int(),
		/** The time after which a message is undelivered or unread. The contract says 25 hours. */
		lifetimeMs: z.number().int().positive(),
		tokenLifetimeMs: z.number().int().positive(),
		/** How long a code of the verification module can be confirmed. */
		codeLifetimeMs: z.number().int().nonnegative(),
		/** Events of single messages within this time are sent in one array. */
		batchWindowMs: z.number().int().nonnegative(),
		batchMax: z.number().int().positive(),
		/** The path of `/v1/message`: without the doubled version, the literal path, or both. */
		messagePath: z.enum(['both', 'short', 'literal']),
		/** How long each step of a review takes, from DRAFT to APPROVED. With null, only the control routes move a sender name. */
		reviewStepMs: z.number().int().positive().nullable(),
		inboundEnabled: z.boolean(),
		defaultTrafficCenterId: z.number().int(),
		/** The outcomes of certain numbers, by destination. */
		outcomes: z.record(Outcome),
		/**
		 * The account owner's test numbers: they accept an SMS from a sender name that isn't registered. The revision history
		 * mentions "SMS testing without sender registration" (v20) without a rule, so this rule is our choice.
		 */
		testNumbers: z.array(z.string().regex(/^\d{5,15}$/, 'must be digits, country code first')),
		/** The registered templates of WhatsApp, with placeholders such as `{number}`. */
		whatsAppTemplates: z.array(z.string().min(1)),
		/** Which of the plausible response formats to use. */
		dialect: Dialect,
	})
	.strict();
export type Settings = z.infer<typeof Settings>;

export const defaultSettings = (): Settings => ({
	sentAfterMs: 1_000,
	stoppedAfterMs: 2_000,
	deliveredAfterMs: 2_000,
	deliveredSpreadMs: 3_000,
	readAfterMs: 30_000,
	messagesPerSecond: 50_000,
	deliveredShare: 1,
	seed: 1,
	lifetimeMs: 25 * 3_600_000,
	tokenLifetimeMs: 3_600_000,
	codeLifetimeMs: 10 * 60_000,
	batchWindowMs: 200,
	batchMax: 100,
	messagePath: 'both',
	reviewStepMs: null,
	inboundEnabled: true,
	defaultTrafficCenterId: 1,
	outcomes: {},
	testNumbers: [],
	whatsAppTemplates: [
		'Order {number} is ready',
		'When should we deliver {order}? Please reply with a day. {name}',
		'You are unsubscribed and will get no more messages from us. {name}',
	],
	dialect: Dialect.parse({}),
});
