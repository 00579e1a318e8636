import { type IDataObject, NodeOperationError } from 'n8n-workflow';
import { howMany } from './hints';
import type { DoneWords, Effect, Run } from './operation';

/** How many ranges an error lists at most. */
const mostRanges = 10;

/** `items 1 to 4, 6, 7 and 9 to 11`, counted from 1; a long list of ranges is cut off. */
export const rangesOf = (indexes: readonly number[]): string => {
	const ranges: Array<[first: number, last: number]> = [];
	for (const index of indexes) {
		const range = ranges.at(-1);
		if (range !== undefined && range[1] === index - 1) range[1] = index;
		else ranges.push([index, index]);
	}
	const named = ranges.slice(0, mostRanges);
	const words = named.flatMap(([first, last]) =>
		last - first > 1
			? `${first + 1} to ${last + 1}`
			: [...new Set([first + 1, last + 1])].map(String),
	);
	const counted = named.reduce((sum, [first, last]) => sum + last - first + 1, 0);
	if (counted < indexes.length) words.push(`${indexes.length - counted} more`);
	const end = words.pop() ?? '';
	const list = words.length === 0 ? end : `${words.join(', ')} and ${end}`;
	return `${indexes.length === 1 ? 'item' : 'items'} ${list}`;
};

/** What became of an item whose call changes something. Items that were rejected or not tried have no entry. */
export interface ItemOutcome {
	effect: Effect;
	/** The items it returned, or the error if it isn't known whether it was carried out. */
	came: { entries: IDataObject[]; isConfirmed: boolean } | { error: unknown };
}

/** By item. Shared by all tries of 'Retry On Fail': the report must include what earlier tries already did. */
export type ItemOutcomes = Map<number, ItemOutcome>;

/** An item that wasn't carried out because of its values. */
export interface WrongItem<Failure = Error> {
	itemIndex: number;
	error: Failure;
	/** Whether the service rejected it. */
	isRejected?: boolean;
	/** The service's own words, if it rejected the item. */
	said?: string;
}

interface Progress {
	outcomes: ItemOutcomes;
	count: number;
	/** The items that the service rejected. */
	failedItems: readonly number[];
	wrongItems: readonly WrongItem[];
	words: DoneWords;
}

const isDone = ({ came }: ItemOutcome) => 'entries' in came && came.isConfirmed;

/** The IDs of what the items created, as text. n8n drops the output, so without them it could be created again. */
const idsIn = ({ outcomes, words: { id = '' } }: Progress, indexes: readonly number[]): string[] =>
	indexes.flatMap((index) => {
		const came = outcomes.get(index)?.came ?? { entries: [] };
		const value = 'entries' in came ? came.entries[0]?.[id] : undefined;
		return value === undefined ? [] : [String(value)];
	});

/** Which items were carried out, for n8n to store with the error: it drops the output of a failed node. */
export const toContext = (progress: Progress) => {
	const { outcomes, count, failedItems, wrongItems } = progress;
	const wrong = wrongItems.map(({ itemIndex }) => itemIndex);
	const failed = new Set([...failedItems, ...wrong]);
	const all = Array.from({ length: count }, (_, index) => index);
	const having = (fits: (outcome: ItemOutcome) => boolean) =>
		all.filter((index) => {
			const outcome = outcomes.get(index);
			return outcome !== undefined && fits(outcome);
		});
	const done = having(isDone);
	const ids = idsIn(progress, done);
	return {
		done,
		...(ids.length > 0 && { ids }),
		unknown: having((one) => !isDone(one)),
		failed: failedItems[0] ?? wrong[0],
		failedItems: [...failed].sort((a, b) => a - b),
		notStarted: all.filter((index) => !outcomes.has(index) && !failed.has(index)),
	};
};

/** How many IDs an error lists. */
const mostIds = 10;

/** How many wrong items an error explains one by one. */
const mostExplained = 5;

/** Left out if it is `false`. */
type Sentence = string | false;

const explainWrong = (wrongItems: readonly WrongItem[]): string[] => [
	...wrongItems
		.slice(0, mostExplained)
		.map(
			({ itemIndex, error, said }) =>
				`Item ${itemIndex + 1}: ${error.message.replace(/\.$/, '')}${said ? `: ${said.replace(/\.$/, '')}` : ''}.`,
		),
	...(wrongItems.length > mostExplained ? [`And ${wrongItems.length - mostExplained} more.`] : []),
];

const adviceOn = ({ outcomes, failedItems, wrongItems, words }: Progress): Sentence[] => {
	const harmful = [...outcomes].filter(([, { effect }]) => effect === 'once');
	const done = harmful.filter(([, one]) => isDone(one)).map(([index]) => index);
	const isUnknown = harmful.length > done.length;
	const isSafe = harmful.length === 0 && outcomes.size > 0;
	const isCorrectable = wrongItems.length > 0 && failedItems.length === 0;
	return [
		isCorrectable &&
			(isSafe
				? 'Correct these items and run this again with all items: what is done stays as it is.'
				: `Correct these items and run this again${outcomes.size > 0 ? ' with only them' : ''}.`),
		done.length > 0 &&
			`If you run this again with all items, ${rangesOf(done.sort((a, b) => a - b))} ${done.length === 1 ? 'is' : 'are'} ${words.again ?? 'done twice'}.`,
		isUnknown && 'Check the items with an unknown outcome before you run this again.',
		isSafe &&
			!isCorrectable &&
			"Running this again with all items is safe: it doesn't change what is already done.",
		wrongItems.length > 0 &&
			outcomes.size > 0 &&
			"To get such items with all their fields, set 'On Error' in the node's settings to use an error output.",
	];
};

/** The readable report: which items are done, which aren't and why, and what running again would do. */
export const describeOutcomes = (progress: Progress): string => {
	const { outcomes, failedItems, wrongItems, words } = progress;
	const { done, ids = [], unknown, notStarted } = toContext(progress);
	const failed = failedItems.filter((index) => !unknown.includes(index));
	const named = (title: string, indexes: readonly number[], more = ''): Sentence =>
		indexes.length > 0 && `${title}: ${rangesOf(indexes)}${more}.`;
	const rest = ids.length > mostIds ? ` and ${ids.length - mostIds} more` : '';
	const created = ids.length > 0 ? ` (${words.id} ${ids.slice(0, mostIds).join(', ')}${rest})` : '';
	const all: Sentence[] = [
		outcomes.size === 0 && (words.none ?? 'Nothing was done.'),
		named('Done', done, created),
		named('Failed', failed),
		named('Unknown', unknown),
		outcomes.size > 0 && named('Not started', notStarted),
		...explainWrong(wrongItems),
		...adviceOn(progress),
	];
	return all.filter((one) => one !== false).join(' ');
};

/** `27 numbers blocked, 3 not: items 4, 9 and 17`. */
const countOutcomes = (progress: Progress): string => {
	const { wrongItems, words } = progress;
	const { done, unknown } = toContext(progress);
	const indexesOf = (some: readonly WrongItem[]) => some.map(({ itemIndex }) => itemIndex);
	if (done.length + unknown.length > 0) {
		return `${howMany(done.length, words.one, words.many)}, ${wrongItems.length} not: ${rangesOf(indexesOf(wrongItems))}`;
	}
	const named = (title: string, some: readonly WrongItem[]): Sentence =>
		some.length > 0 && `${title} ${rangesOf(indexesOf(some))}`;
	const all = [
		named(
			'Wrong values in',
			wrongItems.filter(({ isRejected }) => !isRejected),
		),
		named(
			'The service rejected',
			wrongItems.filter(({ isRejected = false }) => isRejected),
		),
	];
	return all.filter((one) => one !== false).join('. ');
};

/** Whether the first error says everything: it is the only one, or all items have the same. */
const isOneComplaint = ({ outcomes, count, wrongItems }: Progress): boolean =>
	outcomes.size === 0 &&
	(wrongItems.length === 1 ||
		(wrongItems.length === count &&
			new Set(wrongItems.map(({ error }) => error.message)).size === 1));

/** Stops a run that doesn't continue on errors, with one error about all items that weren't carried out. */
export const failTogether = (
	run: Pick<Run<unknown>, 'context' | 'items' | 'errorOf' | 'failed'>,
	failures: ReadonlyArray<WrongItem<unknown>>,
	words: DoneWords,
	outcomes: ItemOutcomes = new Map(),
): void => {
	const wrongItems = failures
		.map((one) => ({ ...one, error: run.errorOf(one.error, one.itemIndex) }))
		.sort((a, b) => a.itemIndex - b.itemIndex);
	const [first] = wrongItems;
	if (first === undefined) return;
	const progress = { outcomes, count: run.items.length, failedItems: [], wrongItems, words };
	if (isOneComplaint(progress)) {
		const indexes = wrongItems.map(({ itemIndex }) => itemIndex);
		run.failed(indexes, first.error);
	}
	const failure = new NodeOperationError(run.context.getNode(), countOutcomes(progress), {
		description: describeOutcomes(progress),
	});
	Object.assign(failure.context, toContext(progress));
	throw run.errorOf(failure);
};
