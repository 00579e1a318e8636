import { parseDatetime } from '../../../core/contract/values';
import {
	amountIn,
	textIn,
	wholeNumberIn,
	type ReplyEntry,
} from '../../../core/transport/replyShape';
import type { z } from '../../../vendor/zod';
import { whyFailed } from '../tell/whyFailed';
import { mostNotReached, type NotReached } from '../tell/people';

/** The result of a message. A status that isn't in the contract is `unknown`. */
type MessageOutcome = 'delivered' | 'failed' | 'pending' | 'unknown';

const outcomes = {
	CREATED: 'pending',
	SENT: 'pending',
	DELIVERED: 'delivered',
	FAILED: 'failed',
	unknown: 'unknown',
} as const;
type KnownStatus = keyof typeof outcomes;

const statusOf = (entry: ReplyEntry): KnownStatus => {
	const status = textIn(entry, 'status')?.toUpperCase() ?? '';
	return Object.hasOwn(outcomes, status) ? (status as KnownStatus) : 'unknown';
};

/** Milliseconds since 1970; `undefined` if there is no time, `NaN` if it can't be read. */
export const momentIn = (entry: ReplyEntry, name: string): number | undefined => {
	const value = entry[name] ?? undefined;
	if (value === undefined) return undefined;
	return parseDatetime(value);
};

const noCounts = () => ({ total: 0, delivered: 0, failed: 0, pending: 0, unknown: 0 });

/** Amounts are summed in millionths, because sums of decimal fractions aren't exact. */
const perUnit = 1e6;

/** Counts messages and their parts, and sums the cost of messages with a final status. */
export class Tally {
	readonly messages = noCounts();

	readonly parts = noCounts();

	/** How many messages are included in `cost`. */
	priced = 0;

	private millionths = 0;

	get cost(): number {
		return this.millionths / perUnit;
	}

	add(outcome: MessageOutcome, parts = 0, price?: number): void {
		this.messages.total++;
		this.messages[outcome]++;
		this.parts.total += parts;
		this.parts[outcome] += parts;
		if (price === undefined) return;
		this.priced++;
		this.millionths += Math.round(price * perUnit);
	}

	include({ messages, parts, priced, millionths }: Tally): void {
		for (const key of Object.keys(messages) as Array<keyof typeof messages>) {
			this.messages[key] += messages[key];
			this.parts[key] += parts[key];
		}
		this.priced += priced;
		this.millionths += millionths;
	}
}

/** A dispatch has one sender name per operator. If the service lists more, the rest is counted as unknown. */
const mostSenders = 50;

/** More codes than this aren't listed. */
const mostCodes = 50;

/** Counts a dispatch's messages one by one. It keeps only numbers, so that memory use stays low. */
export class MessageCollector {
	readonly all = new Tally();

	/** By `senderId`; 0 for messages without one. */
	readonly bySender = new Map<number, Tally>();

	readonly byStatus = { CREATED: 0, SENT: 0, DELIVERED: 0, FAILED: 0, unknown: 0 };

	/** When messages were delivered, in milliseconds since 1970. */
	readonly deliveredAt: number[] = [];

	/** Seconds from `sentAt` to `deliveredAt`. */
	readonly deliverySeconds: number[] = [];

	/** Messages in which a field that their status requires is missing or unreadable. */
	unreadable = 0;

	readonly unreadableFields = { status: 0, parts: 0, price: 0, time: 0 };

	/** The contract has no failure reason; whether a message was sent at all is often all that is known. */
	readonly byReason = { rejectedByService: 0, notDelivered: 0 };

	/** How many failed messages have each error code, if the service reports one. The contract has no field for it. */
	readonly byErrorCode = new Map<number, number>();

	/** The first text: as a rule the texts of a dispatch differ only in their placeholders. */
	text = '';

	/** The first messages that failed. */
	readonly notReached: Array<z.infer<typeof NotReached>> = [];

	readonly add = (entry: ReplyEntry): void => {
		const status = statusOf(entry);
		const outcome = outcomes[status];
		const parts = wholeNumberIn(entry.parts);
		this.text ||= textIn(entry, 'text') ?? '';
		if (outcome === 'failed') {
			const why = whyFailed(entry);
			this.byReason[why.reasonCode]++;
			const destination = textIn(entry, 'destination') ?? '';
			if (this.notReached.length < mostNotReached)
				this.notReached.push({ destination, outcome, ...why });
		}
		// "The final cost is fixed after delivery": until then, a price is an estimate.
		const isFinal = outcome === 'delivered' || outcome === 'failed';
		const price = isFinal ? amountIn(entry.price) : undefined;
		this.byStatus[status]++;
		this.all.add(outcome, parts, price);
		this.tallyOf(wholeNumberIn(entry.senderId) ?? 0).add(outcome, parts, price);
		const wrong = {
			status: outcome === 'unknown',
			parts: parts === undefined,
			price: isFinal && price === undefined,
			time: isFinal && !this.addTimes(entry, outcome),
		};
		if (!(wrong.status || wrong.parts || wrong.price || wrong.time)) return;
		this.unreadable++;
		for (const key of Object.keys(wrong) as Array<keyof typeof wrong>) {
			if (wrong[key]) this.unreadableFields[key]++;
		}
	};

	private tallyOf(senderId: number): Tally {
		const { bySender } = this;
		const key = bySender.has(senderId) || bySender.size < mostSenders ? senderId : 0;
		const tally = bySender.get(key) ?? new Tally();
		bySender.set(key, tally);
		return tally;
	}

	/** Returns whether every time that the message must have can be read. */
	private addTimes(entry: ReplyEntry, outcome: 'delivered' | 'failed'): boolean {
		const sent = momentIn(entry, 'sentAt');
		if (outcome === 'failed') {
			const code = wholeNumberIn(entry.errorCode) ?? 0;
			const isCounted = this.byErrorCode.has(code) || this.byErrorCode.size < mostCodes;
			if (code > 0 && isCounted) this.byErrorCode.set(code, (this.byErrorCode.get(code) ?? 0) + 1);
			return !Number.isNaN(sent);
		}
		const delivered = momentIn(entry, 'deliveredAt') ?? NaN;
		if (!Number.isNaN(delivered)) this.deliveredAt.push(delivered);
		const seconds = (delivered - (sent ?? NaN)) / 1_000;
		// Also `NaN`. A message can't be delivered before it is sent.
		if (!(seconds >= 0)) return false;
		this.deliverySeconds.push(seconds);
		return true;
	}
}
