import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { nothingDone, restOfRun } from '../../../core/engine/failure';
import { addHint, howMany } from '../../../core/engine/hints';
import { z } from '../../../vendor/zod';
import { rejectReasons, type RejectedRecipient, type RejectReason } from '../plan/rows';
import type { RecipientState } from './rows';
import type { Sorted } from '../plan/sorter';

const countByReason = (rejected: readonly RejectedRecipient[]): Record<RejectReason, number> => {
	const counts = { unreadableNumber: 0, duplicate: 0, missingValue: 0, emptyText: 0 };
	for (const { reason } of rejected) counts[reason]++;
	return counts;
};

const inWords: Record<RejectReason, (count: number) => string> = {
	unreadableNumber: (count) => howMany(count, 'unreadable phone number'),
	duplicate: (count) => howMany(count, 'duplicate phone number'),
	missingValue: (count) => `${howMany(count, 'recipient')} without a value for a placeholder`,
	emptyText: (count) => `${howMany(count, 'recipient')} with an empty text`,
};

const describeCounts = (counts: Record<RejectReason, number>): string[] =>
	rejectReasons.flatMap((reason) => (counts[reason] > 0 ? [inWords[reason](counts[reason])] : []));

/** A dispatch without recipients is always an error: if the node succeeded, nobody would notice. */
export const nobodyLeft = (
	context: IExecuteFunctions,
	{ rejected }: Sorted,
	itemIndexes: readonly number[],
): NodeOperationError => {
	const [first] = rejected;
	const example =
		first === undefined ? '' : ` The first one is item ${first.itemIndex + 1}: ${first.detail}.`;
	const reasons = describeCounts(countByReason(rejected)).join(', ');
	const title = `There are no valid recipients${reasons && `: ${reasons}`}`;
	const itemIndex = first?.itemIndex ?? itemIndexes[0];
	return new NodeOperationError(context.getNode(), title, {
		description: `${nothingDone({ itemIndex, ...restOfRun(context, itemIndexes) })}${example} Check the recipients, for example whether 'Phone Number' uses the right field.`,
		itemIndex,
	});
};

/** Everybody once: `recipients` is the sum of all others. The last three are there only if they aren't 0. */
interface People {
	recipients: number;
	reached: number;
	onTheWay: number;
	failed: number;
	leftOut: number;
	hasItAlready?: number;
	notStarted?: number;
	unknown?: number;
}

/** The reason code of a person who was in an earlier dispatch with the same text. */
export const hasItAlready = 'hasItAlready';

const groups: Readonly<Record<string, Exclude<keyof People, 'recipients'>>> = {
	delivered: 'reached',
	read: 'reached',
	notRead: 'reached',
	accepted: 'onTheWay',
	sent: 'onTheWay',
	pending: 'onTheWay',
	wouldBeSent: 'onTheWay',
	failed: 'failed',
	skipped: 'leftOut',
	notStarted: 'notStarted',
};

export const NotReached = z.object({
	destination: z.string(),
	outcome: z.string(),
	reason: z.string(),
	reasonCode: z.string(),
});

/** How many names of people who weren't reached the summary contains. */
export const mostNotReached = 100;

/** The people of one dispatch, in numbers and, for those who weren't reached, by name. A person who is in the list twice is counted once. */
export interface Counted {
	/** Whether the node waited until the messages were delivered. */
	hasWaited: boolean;
	people: People;
	/** Entries of the list whose number was in it before. */
	duplicates: number;
	/** How many weren't reached, by reason code. */
	reasons: Record<string, number>;
	notReached: IDataObject[];
}

/** The person's name, if the item has it under this very name. */
const nameIn = ({ name }: IDataObject): IDataObject =>
	typeof name === 'string' && name.trim() !== '' ? { name } : {};

export const countPeople = (
	states: Iterable<RecipientState>,
	ownFields: (itemIndex: number) => IDataObject,
	hasWaited = false,
): Counted => {
	const people: People = { recipients: 0, reached: 0, onTheWay: 0, failed: 0, leftOut: 0 };
	const reasons: Record<string, number> = {};
	const lost: RecipientState[] = [];
	let duplicates = 0;
	for (const state of states) {
		const { count = 1 } = state;
		const { outcome, reasonCode = 'notDelivered' } = state.columns;
		if (reasonCode === 'duplicate') {
			duplicates++;
			continue;
		}
		const group = reasonCode === hasItAlready ? hasItAlready : (groups[outcome] ?? 'unknown');
		people.recipients += count;
		people[group] = (people[group] ?? 0) + count;
		if (group !== 'failed' && group !== 'leftOut') continue;
		reasons[reasonCode] = (reasons[reasonCode] ?? 0) + 1;
		lost.push(state);
	}
	const notReached = lost
		.sort((a, b) => a.position - b.position)
		.slice(0, mostNotReached)
		.map(({ itemIndex, columns: { destination, outcome, reason, reasonCode } }) => ({
			destination,
			...nameIn(ownFields(itemIndex)),
			outcome,
			reason,
			reasonCode,
			item: itemIndex + 1,
		}));
	return { hasWaited, people, duplicates, reasons, notReached };
};

const beWord = (count: number) => (count === 1 ? 'is' : 'are');

const uncounted = (duplicates: number): string =>
	`${inWords.duplicate(duplicates)} ${beWord(duplicates)}n't counted`;

/** The result in a sentence, with every group of people, so that the reader can add up. */
export const sumUp = (
	{ people, duplicates, hasWaited }: Counted,
	/** The dispatches in which people have it already, if there are any. */
	earlier = '',
): string => {
	const { recipients, reached, onTheWay, failed, leftOut, notStarted, unknown = 0 } = people;
	const had = people.hasItAlready ?? 0;
	const of = (count: number) =>
		`${count.toLocaleString('en')} of ${howMany(recipients, 'person', 'people')}`;
	const isNobodyNew = had > 0 && had + failed + leftOut === recipients;
	const first = () => {
		if (isNobodyNew)
			return `${had === recipients ? 'Everybody has' : `Nobody new: ${of(had)} ${had === 1 ? 'has' : 'have'}`} it already: ${earlier}.`;
		if (notStarted !== undefined)
			return `Nobody gets the message yet: the dispatch isn't started. ${of(notStarted)} ${beWord(notStarted)} in it.`;
		return hasWaited
			? `${of(reached)} got the message.`
			: `The service accepted the message for ${of(onTheWay)}.`;
	};
	const others = [
		...(had > 0 && !isNobodyNew ? [`${howMany(had, 'has', 'have')} it already`] : []),
		...(hasWaited && onTheWay > 0 ? [`${howMany(onTheWay, 'is', 'are')} on the way`] : []),
		...(failed > 0 ? [`${failed.toLocaleString('en')} failed`] : []),
		...(leftOut > 0 ? [`${howMany(leftOut, 'was', 'were')} left out`] : []),
		...(unknown > 0 ? [`${howMany(unknown, 'has', 'have')} an unknown result`] : []),
	].join(', ');
	return [
		...(duplicates > 0
			? [
					`${howMany(recipients + duplicates, 'row')}, ${howMany(duplicates, 'duplicate')}: ${howMany(recipients, 'person', 'people')}.`,
				]
			: []),
		first(),
		...(others === '' ? [] : [`${others}.`]),
	].join(' ');
};

/** For the summary: nothing that is empty. */
export const toPeopleFields = ({
	people,
	duplicates,
	reasons,
	notReached,
}: Counted): IDataObject => ({
	...people,
	...(duplicates > 0 && { duplicates }),
	...(notReached.length > 0 && { reasons, notReached }),
});

/** A dispatch and what became of its people. */
interface ToldPlan {
	plan: Sorted & { choices: { output: string }; source: string };
	counted: Counted;
}

const sum = (counts: number[]): number => counts.reduce((total, one) => total + one, 0);

const rejectedWords: Readonly<Record<string, (count: number) => string>> = {
	...inWords,
	rejectedByService: (count) => `${howMany(count, 'recipient')} rejected by the service`,
	notDelivered: (count) => howMany(count, 'message not delivered', 'messages not delivered'),
};

/** Nobody was rejected yet. */
const previewWords: typeof rejectedWords = {
	...rejectedWords,
	rejectedByService: (count) =>
		`${howMany(count, 'recipient')} whom the service will probably reject`,
};

const totalReasons = (told: readonly ToldPlan[]): Record<string, number> => {
	const total: Record<string, number> = {};
	for (const { counted } of told) {
		for (const [code, count] of Object.entries(counted.reasons))
			total[code] = (total[code] ?? 0) + count;
	}
	return total;
};

/** What an operation does with its dispatches. */
export type Work = 'makes' | 'adds' | 'previews';

/** Where the result names the people who weren't reached, and where all of them are if it doesn't. */
const whereNamed = (told: readonly ToldPlan[], lost: number, kind: Work): string => {
	if (told.every(({ plan }) => plan.choices.output === 'recipients'))
		return 'The column "reason" shows who and why.';
	const isCut = lost > sum(told.map(({ counted }) => counted.notReached.length));
	if (!isCut) return 'The field "notReached" in the result says who and why.';
	const all = {
		makes:
			" To see everyone who was left out without sending anything, use 'Preview' with 'Output' set to 'Recipients'.",
		adds: '',
		previews: " To see everyone, set 'Output' to 'Recipients'.",
	};
	return `The field "notReached" in the result names the first ${mostNotReached} and says why.${all[kind]}`;
};

/** `2 of 7 recipients won't get the message`. Nobody gets it yet if no dispatch was started. */
const whoIsLost = (told: readonly ToldPlan[], who: string, kind: Work): string => {
	if (kind === 'previews') {
		const isStopped = told.some(({ counted }) => counted.people.notStarted !== undefined);
		const all = told.length === 1 ? 'it' : 'everything';
		return `${isStopped ? `If ${all} were sent, ` : ''}${who} wouldn't get the message`;
	}
	if (told.every(({ counted }) => counted.hasWaited && counted.people.onTheWay === 0))
		return `${who} didn't get the message`;
	const isWaiting = told.every(({ counted }) => counted.people.notStarted !== undefined);
	const dispatches = told.length === 1 ? 'the dispatch' : 'the dispatches';
	return `${isWaiting ? `If you start ${dispatches}, ` : ''}${who} won't get the message`;
};

/** Hints at recipients who don't get a message, over all dispatches of a run: everybody is counted once. */
export const hintAtLosses = (
	context: IExecuteFunctions,
	told: readonly ToldPlan[],
	kind: Work,
): void => {
	const plans = told.map(({ plan }) => plan);
	const reasons = totalReasons(told);
	const recipients = sum(told.map(({ counted }) => counted.people.recipients));
	const isListed = plans.some(({ source }) => source !== 'items');
	const duplicates = sum(told.map(({ counted }) => counted.duplicates));
	const lost = sum(Object.values(reasons));
	const who = `${lost.toLocaleString('en')} of ${howMany(recipients, 'recipient')}`;
	const words = Object.entries(reasons).map(
		([code, count]) =>
			(kind === 'previews' ? previewWords : rejectedWords)[code]?.(count) ?? `${count} ${code}`,
	);
	const sentences = [
		...(lost > 0
			? [`${whoIsLost(told, who, kind)}: ${words.join(', ')}. ${whereNamed(told, lost, kind)}`]
			: []),
		...(duplicates > 0 ? [`${uncounted(duplicates)}: each person gets one message.`] : []),
	];
	if (sentences.length > 0) addHint(context, sentences.join(' '));
	const unknown = sum(told.map(({ counted }) => counted.people.unknown ?? 0));
	if (unknown > 0) {
		addHint(
			context,
			`The service doesn't report a known status for ${howMany(unknown, 'message')}. Use 'Get Report' later.`,
		);
	}
	const [first, ...others] = plans.map(({ accepted }) => accepted[0]?.destination);
	const isOneNumber = recipients === plans.length && others.every((number) => number === first);
	if (isOneNumber && recipients + duplicates > 1 && !isListed) {
		addHint(
			context,
			`All ${howMany(recipients + duplicates, 'item')} have the same phone number. Check whether 'Phone Number' should be an expression such as {{ $json.phone }}.`,
		);
	}
	// The user may not have intended several.
	if (kind === 'makes' && plans.length > 1) {
		addHint(
			context,
			`This run made ${howMany(plans.length, 'dispatch', 'dispatches')}. If you wanted only one, ${isListed ? "turn on 'Execute Once' in the node's settings" : 'check what differs between the items: those with the same company, channel and name share a dispatch'}.`,
		);
	}
};
