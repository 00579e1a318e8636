import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { WrittenBody } from '../../../core/contract/endpoint';
import type { Claim } from '../../../core/claims';
import { ledgerOf } from '../../../core/engine/ledger';
import { rounded } from '../../../core/engine/coerce';
import type { AcceptedRecipient, RejectedRecipient } from '../plan/rows';
import {
	startedStatuses,
	type AppendBody,
	type Calls,
	type CreatedReply,
	type DispatchHead,
	type DispatchMessage,
	type DispatchState,
} from '../ask/partner';
import type { MoveOutcome } from './start';

/** One dispatch to create, and everything that was checked about it. */
export interface Job extends Calls {
	head: DispatchHead;
	recipients: readonly AcceptedRecipient[];
	batchSize: number;
	/** What to do if the company already has a dispatch with this name. */
	nameExists: 'stop' | 'anew' | 'another';
	/** The company's dispatches that existed before this try, those of earlier tries included; `undefined` if they aren't known. */
	listedBefore: ReadonlySet<number> | undefined;
	/** Its input items. */
	itemIndexes: readonly number[];
	/** The dispatches that this run has created, in all its tries, with the input items of each. One that was taken over is removed. */
	createdByRun: Map<number, readonly number[]>;
	/** Those among them that were created for this job. */
	createdForJob: number[];
	/** The one among them that was found after a lost response, and may be another run's. */
	foundId?: number;
	/** Whether an earlier try of this run has created dispatches. */
	isRetried: boolean;
	/** The one that is meant to stay as it is, unstarted. */
	keptId?: number;
}

/** Why this run doesn't start a dispatch. Nobody has got a message from it, unless another run or a person has started it. */
export interface Stop {
	is: 'stop';
	/** What happened. */
	title: string;
	/** What to do next. */
	advice: string;
	/** The failed call, if one is the reason. */
	cause?: Error;
	/** The dispatch that another run or a person has started, or may have, so that its recipients may get messages. */
	startedId?: number;
}

export const stop = (title: string, advice: string, cause?: Error): Stop => ({
	is: 'stop',
	title,
	advice,
	cause,
});

/** The run's own dispatch was started, or may have been, but not by this run. Its items are never sent again. */
export const takenOver = ({ id, status = '' }: Pick<DispatchState, 'id' | 'status'>): Stop => ({
	...stop(
		startedStatuses.includes(status)
			? `Dispatch ${id} was started by another run or a person before this run could start it`
			: `Dispatch ${id} may have been started by another run or a person: its status isn't known`,
		"Its recipients may get the message. Check it in your account on the provider's website before you send anything again.",
	),
	startedId: id,
});

/** What is kept of an accepted message: the number is the recipient's. */
type PlacedMessage = Pick<DispatchMessage, 'messageUuid' | 'parts' | 'senderId' | 'text'>;

/**
 * By the recipient's position: the message, `null` if the service rejected the recipient, or `undefined` if neither is known. An
 * array, because a map with hundreds of thousands of numbers takes as long as all requests.
 */
export type Placed = Array<PlacedMessage | null | undefined>;

/** Nothing is known yet. It has its final length, because an array that is filled in random order would be slow. */
export const unplaced = ({ recipients }: Pick<Job, 'recipients'>): Placed =>
	new Array<undefined>((recipients.at(-1)?.position ?? 0) + 1).fill(undefined);

export const acceptedIn = (placed: Placed): number => {
	let count = 0;
	for (const message of placed) if (message) count++;
	return count;
};

/** By two clocks: one can be changed, the other may stand still while the computer sleeps. */
interface Moment {
	date: number;
	steady: number;
}

/** The dispatch that this run fills. */
export interface Filled {
	id: number;
	placed: Placed;
	/** Whether every response said clearly what was added. If not, the list of messages is read before the start. */
	isClear: boolean;
	/** It was found after a lost response and may be another run's, so nothing is added to it. */
	mayBeAnothers: boolean;
	/** The highest price estimate that a response has shown, if any has. A part never costs more than the whole. */
	highestEstimate?: number;
	/** The recipients of each request whose response was lost or shows no estimate. */
	unpriced: Array<readonly AcceptedRecipient[]>;
	/** The sum of the estimates that were for one request each. */
	sumOfEstimates: number;
	currency?: string;
	/** When the request to create it was sent. */
	claimedAt: Moment;
}

export const writtenFor = (batch: readonly AcceptedRecipient[]): WrittenBody<AppendBody> =>
	new WrittenBody({ messages: batch.map(({ recipient }) => recipient) });

export const isRefusedMessage = ({ status }: DispatchMessage): boolean => status === 'FAILED';

/** Of several messages to one number, one that wasn't rejected. */
export const byNumber = (messages: readonly DispatchMessage[]): Map<string, DispatchMessage> => {
	const found = new Map<string, DispatchMessage>();
	for (const message of messages) {
		if (!found.has(message.destination) || !isRefusedMessage(message))
			found.set(message.destination, message);
	}
	return found;
};

/**
 * Records what a response says about the recipients of its request. Returns `false` if it isn't clear: counts that don't add up,
 * other numbers, or the same message twice.
 */
export const place = (
	filled: Pick<Filled, 'placed' | 'highestEstimate' | 'unpriced' | 'sumOfEstimates' | 'currency'>,
	batch: readonly AcceptedRecipient[],
	reply: CreatedReply,
): boolean => {
	const { total, success, failed, messages, estimate, estimatedParts, currency } = reply;
	// Whether an estimate is for the request or for the whole dispatch isn't published. It is for the whole only if it is for more
	// parts than the request can have, its rejected recipients included. In doubt the estimates are added up, so that no limit is
	// exceeded.
	let known = 0;
	let most = 1;
	let hasAll = messages !== undefined && messages.length > 0;
	const accepted: DispatchMessage[] = [];
	const uuids = new Set<string>();
	for (const message of messages ?? []) {
		const { parts } = message;
		known += parts;
		most = Math.max(most, parts);
		hasAll &&= parts > 0;
		if (isRefusedMessage(message)) continue;
		accepted.push(message);
		uuids.add(message.messageUuid);
	}
	const ownParts = known + (batch.length - (messages?.length ?? 0)) * most;
	const isOfWhole = hasAll && (estimatedParts ?? 0) > ownParts;
	if (estimate === undefined) filled.unpriced.push(batch);
	else {
		if (!isOfWhole) filled.sumOfEstimates = rounded(filled.sumOfEstimates + estimate);
		const highest = filled.highestEstimate ?? 0;
		filled.highestEstimate = Math.max(highest, estimate, filled.sumOfEstimates);
	}
	const currencies = filled.currency?.split(' and ') ?? [];
	// Prices in two currencies can't be compared with a limit, so both are kept.
	if (currency !== undefined && !currencies.includes(currency))
		filled.currency = [...currencies, currency].join(' and ');
	if (messages === undefined || total !== batch.length || success !== accepted.length) return false;
	if (failed !== undefined && failed !== total - success) return false;
	if (uuids.size !== success) return false;
	// Most services respond in the order of the request. Then no map is needed.
	let messageOf: ReturnType<typeof byNumber> | undefined;
	let matched = 0;
	const found = batch.map(({ destination }, index) => {
		const next = accepted[index];
		const isNext = next?.destination === destination;
		if (!isNext) messageOf ??= byNumber(accepted);
		const message = isNext ? next : messageOf?.get(destination);
		if (message === undefined) return null;
		matched++;
		const { messageUuid, parts, senderId, text } = message;
		return { messageUuid, parts, senderId, text };
	});
	if (matched !== success) return false;
	batch.forEach(({ position }, index) => {
		filled.placed[position] = found[index];
	});
	return true;
};

/** A dispatch that isn't started and holds exactly what it should. */
export interface Whole {
	is: 'whole';
	id: number;
	placed: Placed;
	/** With the highest estimate that was seen; `undefined` if the whole dispatch shows none. */
	state: DispatchState;
	currency: string | undefined;
	claimedAt: Moment;
}

/** What became of a name that a run of this process claimed. */
export interface NameResult {
	/** Every dispatch with this name that the run has created. */
	ids: readonly number[];
	/** Those that nobody will start, so that 'Begin Anew' may pass them at once. */
	abandoned: readonly number[];
	/** The one that was started, or may have been. */
	started?: { id: number; isCertain: boolean };
}

/** A dispatch that may be created. Kept for the next try, because an expression may give other recipients there. */
export interface Checked {
	job: Job;
	/** The others of its items. The next try tells the same ones. */
	rejected: RejectedRecipient[];
	senderNames: ReadonlyMap<number, string>;
	/** The operators of the sender names. */
	brands: readonly string[];
	/** What the company may spend in a month, if that is limited. No response shows how much is spent. */
	budget?: { value: number; currency: string };
	/** This run's claim on the name, in this process. */
	claimed?: Claim<NameResult>;
}

/** A dispatch that this run has tried to start. It is never created again, whatever the result was. */
export interface TriedStart {
	itemIndexes: readonly number[];
	checked: Checked;
	whole: Whole;
	started: MoveOutcome;
}

/** A dispatch that Create has finished. It isn't created again, and a person may start it. */
interface Created {
	itemIndexes: readonly number[];
	checked: Checked;
	whole: Whole;
}

/** What this run has done with dispatches, in all tries of 'Retry On Fail'. */
interface Tried {
	/** The dispatches that this run has created, with their items. One that was taken over is removed. */
	createdByRun: Map<number, readonly number[]>;
	starts: TriedStart[];
	created: Created[];
	/** Dispatches of this run that another run or a person has started. Their items are never sent again either. */
	takenOver: Array<{ itemIndexes: readonly number[]; stopped: Stop }>;
}

export const triedOf = (context: IExecuteFunctions): Tried =>
	ledgerOf(context).record(
		'dispatches',
		(): Tried => ({ createdByRun: new Map(), starts: [], created: [], takenOver: [] }),
	);

/** For errors of dispatches that aren't created: this run may have sent others, or send them if it continues on errors. */
export const nothingSent = (context: IExecuteFunctions, words = 'Nothing was sent.'): string =>
	triedOf(context).createdByRun.size === 0 && !context.continueOnFail()
		? words
		: 'Nothing was sent for these items.';

export const overlap = (some: readonly number[], others: readonly number[]): boolean => {
	const items = new Set(some);
	return others.some((index) => items.has(index));
};

/** Why these items must not be sent again, if another run or a person has started a dispatch with them. */
export const takenOverBefore = (
	context: IExecuteFunctions,
	itemIndexes: readonly number[],
): Stop | undefined =>
	triedOf(context).takenOver.find((one) => overlap(itemIndexes, one.itemIndexes))?.stopped;

/** What this run has started, or may have started, besides one dispatch. */
export const startedBesides = (context: IExecuteFunctions, id?: number): TriedStart[] =>
	triedOf(context).starts.filter(
		({ whole, started }) => whole.id !== id && (started.is === 'done' || started.is === 'unknown'),
	);

/** For the error of some items: which dispatches with other items this run has started, so that nobody sends them again. */
export const othersStarted = (
	context: IExecuteFunctions,
	itemIndexes: readonly number[],
): string => {
	const others = startedBesides(context).filter((one) => !overlap(itemIndexes, one.itemIndexes));
	const named = (is: 'done' | 'unknown') => {
		const ids = others.filter(({ started }) => started.is === is).map(({ whole }) => whole.id);
		return ids.length === 0 ? '' : `dispatch${ids.length === 1 ? '' : 'es'} ${ids.join(', ')}`;
	};
	const [done, unknown] = [named('done'), named('unknown')];
	return [
		...(done ? [`This run has started ${done}.`] : []),
		...(unknown ? [`It is not known whether this run has started ${unknown}.`] : []),
		...(others.length > 0 ? [`Don't send ${others.length === 1 ? 'it' : 'them'} again.`] : []),
	].join(' ');
};

/** What this run has done, in all tries, for the errors of items that this try doesn't get as far as sending. */
export const whatWasDone = (context: IExecuteFunctions): string =>
	[
		othersStarted(context, []),
		...triedOf(context).takenOver.map(({ stopped }) => `${stopped.title}.`),
	]
		.filter((text) => text !== '')
		.join(' ');

const startedBefore = ({ whole: { id }, started }: TriedStart): string => {
	if (started.is === 'done') return `Dispatch ${id} was started by an earlier attempt.`;
	return started.is === 'unknown'
		? `It is not known whether dispatch ${id} was started by an earlier attempt.`
		: `Dispatch ${id} exists, but its start was rejected in an earlier attempt.`;
};

/**
 * What an earlier try has done for these items. They aren't recognized by name or content, because an expression may give a
 * different value in each try. If the items are grouped differently now, nothing may be created or sent.
 */
const earlierOf = <One extends Created>(
	context: IExecuteFunctions,
	done: readonly One[],
	itemIndexes: readonly number[],
	toldBefore: (one: One) => string,
): One | undefined => {
	const tried = done.filter((one) => overlap(itemIndexes, one.itemIndexes));
	const [first] = tried;
	if (first === undefined || first.itemIndexes.join() === itemIndexes.join()) return first;
	throw new NodeOperationError(
		context.getNode(),
		'The items were grouped into different dispatches on retry',
		{
			description: `${tried.map(toldBefore).join(' ')} Nothing was sent for these items in this attempt. An expression gives a different value in each attempt: use one that stays the same, or turn off 'Retry On Fail'.`,
			itemIndex: itemIndexes[0],
		},
	);
};

/** The start that an earlier try made for these items. */
export const earlierStart = (
	context: IExecuteFunctions,
	itemIndexes: readonly number[],
): TriedStart | undefined =>
	earlierOf(context, triedOf(context).starts, itemIndexes, startedBefore);

/** What an earlier try has created for these items. */
export const createdBefore = (
	context: IExecuteFunctions,
	itemIndexes: readonly number[],
): Created | undefined =>
	earlierOf(
		context,
		triedOf(context).created,
		itemIndexes,
		({ whole: { id } }) => `Dispatch ${id} was created by an earlier attempt.`,
	);
