import { z } from '../vendor/zod';
import { Dialect } from './dialect.cts';

const Outcome = z.enum(['delivered', 'undelivered', 'unsent', 'slow', 'unread', 'smsOnly']);
export type Outcome = z.infer<typeof Outcome>;

/** What the control routes may change about the behaviour. All times are virtual milliseconds. */
export const Settings = z
	.object({
		/** From the start of a dispatch, or from accepting a single message, to the first one sent. */
		sentAfterMs: z.number().int().nonnegative(),
		/** From sent to delivered: the least, and how much a number may add to it. */
		deliveredAfterMs: z.number().int().nonnegative(),
		deliveredSpreadMs: z.number().int().nonnegative(),
		readAfterMs: z.number().int().nonnegative(),
		/** How many messages of one dispatch leave per second. */
		messagesPerSecond: z.number().int().positive(),
		/** The share of ordinary numbers that are delivered, 0 to 1; which ones depends on `seed` and the number. */
		deliveredShare: z.number().min(0).max(1),
		seed: z.number().int(),
		/** The lifetime after which a message is undelivered or unread; the contract says 25 hours. */
		lifetimeMs: z.number().int().positive(),
		tokenLifetimeMs: z.number().int().positive(),
		/** How long a code of the verification module can be confirmed. */
		codeLifetimeMs: z.number().int().nonnegative(),
		/** Callbacks of single messages that fall into this window travel in one array. */
		batchWindowMs: z.number().int().nonnegative(),
		batchMax: z.number().int().positive(),
		/** Where `/v1/message` answers: without the doubled version, at the literal path, or at both. */
		messagePath: z.enum(['both', 'short', 'literal']),
		/** How long each step of a review takes, from DRAFT to APPROVED; null: only the control routes move a sender. */
		reviewStepMs: z.number().int().positive().nullable(),
		inboundEnabled: z.boolean(),
		defaultTrafficCenterId: z.number().int(),
		/** Outcomes of single numbers, by destination. */
		outcomes: z.record(Outcome),
		/**
		 * The account owner's own numbers: an SMS to one of them may come from a name that is not registered. The revision
		 * history names "SMS testing without sender registration" (v20) and no rule: this one is a choice.
		 */
		testNumbers: z.array(z.string().regex(/^\d{5,15}$/, 'must be digits, country code first')),
		/** In which of the plausible ways it answers. */
		dialect: Dialect,
	})
	.strict();
export type Settings = z.infer<typeof Settings>;

export const defaultSettings = (): Settings => ({
	sentAfterMs: 1_000,
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
	dialect: Dialect.parse({}),
});
