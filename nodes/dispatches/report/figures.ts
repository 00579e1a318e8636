import { withoutCode } from '../../../core/contract/dispatchName';
import { messageErrorText } from '../../../core/contract/errors';
import { isRecord } from '../../../core/json';
import {
	amountIn,
	textIn,
	wholeNumberIn,
	type ReplyEntry,
} from '../../../core/transport/replyShape';
import { Tally, type MessageCollector } from './collect';
import type { ReportSender } from './lookups';
import type { ReportFigures } from './schema';
import { summarize } from './summarize';

/** Data from other requests than those for the dispatch and its messages. */
interface ReportContext {
	/** The dispatch's sender names, if the service returned them. */
	senders: ReadonlyMap<number, ReportSender>;
	currency: string;
	reportedAt: number;
}

/** The value that `share` of the sorted values don't exceed, interpolated between two values. `null` without values. */
const percentile = (sorted: Float64Array, share: number): number | null => {
	const place = (sorted.length - 1) * share;
	const below = sorted[Math.floor(place)];
	const above = sorted[Math.ceil(place)];
	if (below === undefined || above === undefined) return null;
	return below + (above - below) * (place % 1);
};

const unknownOperator = 'unknown';

/** Rounded down, so that 2,999 of 3,000 isn't shown as 100%. */
const toPercent = ({ delivered, total }: Tally['messages']): number | null =>
	total === 0 ? null : Math.floor((delivered * 1_000) / total) / 10;

const toTenths = (seconds: number | null): number | null =>
	seconds === null ? null : Math.round(seconds * 10) / 10;

const costOf = ({ cost, priced, messages }: Tally): number | null =>
	priced > 0 || messages.total === 0 ? cost : null;

const toIsoTime = (time: number | undefined): string =>
	time === undefined ? '' : new Date(time).toISOString();

/** The contract says it's a number, but the response to creating a dispatch has an object. */
export const readEstimate = (dispatch: ReplyEntry) => {
	const given = dispatch.priceEstimate;
	return isRecord(given)
		? { total: amountIn(given.total), currency: textIn(given, 'currency') }
		: { total: amountIn(given) };
};

const toOperators = (
	{ bySender }: MessageCollector,
	senders: ReportContext['senders'],
): ReportFigures['byOperator'] => {
	const tallies = new Map<string, Tally>();
	for (const [senderId, tally] of bySender) {
		const operator = senders.get(senderId)?.operator || unknownOperator;
		const known = tallies.get(operator) ?? new Tally();
		known.include(tally);
		tallies.set(operator, known);
	}
	return [...tallies]
		.map(([operator, tally]) => ({
			operator,
			...tally.messages,
			deliveryRatePercent: toPercent(tally.messages),
			parts: tally.parts.total,
			cost: costOf(tally),
		}))
		.sort((a, b) => b.total - a.total);
};

/** Each name once, also if it is registered with several operators. */
const namesOf = ({ bySender }: MessageCollector, senders: ReportContext['senders']): string[] => [
	...new Set([...bySender.keys()].flatMap((id) => senders.get(id)?.name || [])),
];

/** Creates the report from the dispatch, as the service returned it, and the counts of all its messages. */
export const toReport = (
	dispatchId: number,
	dispatch: ReplyEntry,
	collector: MessageCollector,
	/** Delivery times of its messages, sorted. */
	deliveredAt: Float64Array,
	{ senders, currency, reportedAt }: ReportContext,
): ReportFigures => {
	const { all, byStatus, byReason, unreadable, unreadableFields } = collector;
	const { messages, parts } = all;
	const status = textIn(dispatch, 'status')?.toUpperCase() ?? '';
	const counters = dispatch.messages;
	const held = isRecord(counters) ? wholeNumberIn(counters.total) : undefined;
	const unlisted = held === undefined ? null : Math.max(0, held - messages.total);
	const estimate = readEstimate(dispatch);
	const seconds = Float64Array.from(collector.deliverySeconds).sort();
	const report = {
		summary: '',
		name: withoutCode(textIn(dispatch, 'name') ?? ''),
		status,
		finished: status === 'COMPLETED',
		channelType: textIn(dispatch, 'channelType') ?? '',
		senderNames: namesOf(collector, senders),
		text: collector.text,
		messages,
		deliveryRatePercent: toPercent(messages),
		parts,
		cost: {
			estimated: estimate.total ?? null,
			final: costOf(all),
			currency,
			complete: all.priced === messages.total && unlisted === 0,
		},
		deliverySeconds: {
			median: toTenths(percentile(seconds, 0.5)),
			percentile95: toTenths(percentile(seconds, 0.95)),
			measured: seconds.length,
		},
		byStatus,
		byOperator: toOperators(collector, senders),
		byReason,
		byErrorCode: [...collector.byErrorCode]
			.map(([errorCode, count]) => ({
				errorCode,
				meaning: messageErrorText(errorCode) ?? '',
				messages: count,
			}))
			.sort((a, b) => b.messages - a.messages),
		notReached: collector.notReached,
		unreadable,
		unreadableFields,
		unlisted,
		createdAt: textIn(dispatch, 'createdAt') ?? '',
		startedAt: textIn(dispatch, 'startedAt') ?? '',
		firstDeliveredAt: toIsoTime(deliveredAt[0]),
		lastDeliveredAt: toIsoTime(deliveredAt.at(-1)),
		reportedAt: toIsoTime(reportedAt),
		dispatchId,
	};
	return { ...report, summary: summarize(report) };
};
