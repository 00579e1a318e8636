import type { ReportFigures } from './schema';

export const toShownCount = (count: number): string => count.toLocaleString('en-US');

export const toShownMoney = (amount: number, currency = ''): string =>
	`${amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} ${currency}`.trim();

const countWords = (count: number, one: string, many: string): string =>
	`${toShownCount(count)} ${count === 1 ? one : many}`;

type Words = Omit<ReportFigures, 'summary'>;

/** Whether pending messages are waiting, on their way or without a result depends on the dispatch's status. */
const pendingWords = (status: string, pending: number): string => {
	if (status === 'CREATED') return countWords(pending, 'is waiting', 'are waiting');
	if (status === 'STARTED')
		return countWords(pending, 'is still on its way', 'are still on their way');
	return countWords(pending, 'has no result', 'have no result');
};

const messageWords = ({ messages, deliveryRatePercent, status }: Words): string => {
	const { total, delivered, failed, pending, unknown } = messages;
	if (total === 0) return 'The dispatch has no messages.';
	const words = [
		`${toShownCount(delivered)} of ${countWords(total, 'message', 'messages')} ${delivered === 1 ? 'was' : 'were'} delivered (${deliveryRatePercent}%)`,
		...(failed > 0 ? [`${toShownCount(failed)} failed`] : []),
		...(pending > 0 ? [pendingWords(status, pending)] : []),
		...(unknown > 0
			? [countWords(unknown, 'has an unknown status', 'have an unknown status')]
			: []),
	];
	return `${words.join(', ')}.`;
};

const costWords = ({ cost, messages, unreadableFields, unlisted }: Words): string[] => {
	const { estimated, final, currency, complete } = cost;
	if (messages.total === 0) return [];
	if (final === null) {
		return estimated === null ? [] : [`Estimated cost ${toShownMoney(estimated, currency)}.`];
	}
	const isPartlyUnknown = unlisted !== 0 || messages.unknown > 0 || unreadableFields.price > 0;
	const soFar = isPartlyUnknown ? 'at least ' : 'so far ';
	return [`Cost ${complete ? '' : soFar}${toShownMoney(final, currency)}.`];
};

const stateWords = new Map([
	['CREATED', ["The dispatch hasn't been started yet."]],
	['STARTED', ["The dispatch isn't finished yet, so these figures can change."]],
	['STOPPED', ['The dispatch was stopped.']],
	['COMPLETED', []],
]);
const unknownState = [
	"The service doesn't report a known status for this dispatch, so these figures can change.",
];

/** The report in plain sentences, including what isn't known. */
export const summarize = (report: Words): string => {
	const { messages, status, unlisted, unreadable } = report;
	const isShort = unlisted !== null && unlisted > 0;
	return [
		messageWords(report),
		...costWords(report),
		...(stateWords.get(status) ?? unknownState),
		...(isShort
			? [
					`The service lists only ${toShownCount(messages.total)} of ${countWords(messages.total + unlisted, 'message', 'messages')}. The others aren't in this report.`,
				]
			: []),
		...(unreadable > 0
			? [`Some data of ${countWords(unreadable, 'message', 'messages')} couldn't be read.`]
			: []),
		"People whom Send left out, such as those with an unreadable number, aren't in this report.",
	].join(' ');
};
