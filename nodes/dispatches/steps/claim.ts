import { WrittenBody } from '../../../core/contract/endpoint';
import { lookForAMinute, absent, type Look } from '../../../core/transport/outcome';
import type { AcceptedRecipient } from '../plan/rows';
import {
	acceptedIn,
	byNumber,
	isRefusedMessage,
	place,
	stop,
	unplaced,
	type Filled,
	type Job,
	type Stop,
} from './job';
import {
	createDispatch,
	firstMessagesIn,
	type DispatchMessage,
	haveName,
	listDispatches,
	messagesIn,
} from '../ask/partner';

/** The recipients of the first request, and of each further one. */
interface Split {
	first: readonly AcceptedRecipient[];
	rest: AcceptedRecipient[][];
	/** Whether no other run can have chosen the same first recipients. */
	isUnique: boolean;
}

/** How unlikely two runs choose the same recipients: less often than once in 2^30. */
const wantedBits = 30;

const bitsOf = (count: number, size: number): number => {
	let bits = 0;
	for (let one = 1; one <= size && bits < wantedBits; one++) {
		bits += Math.log2((count - size + one) / one);
	}
	return bits;
};

/**
 * If one request holds everybody, it carries everybody. Otherwise the first request carries a random selection, so that a
 * dispatch that holds exactly those can be nobody else's, even if the response with its ID is lost.
 */
export const splitRecipients = (all: readonly AcceptedRecipient[], size: number): Split => {
	const count = all.length;
	if (count <= size) return { first: all, rest: [], isUnique: false };
	const isChosen = new Uint8Array(count);
	for (let last = count - size; last < count; last++) {
		const one = Math.floor(Math.random() * (last + 1));
		isChosen[isChosen[one] ? last : one] = 1;
	}
	const first: AcceptedRecipient[] = [];
	const rest: AcceptedRecipient[][] = [];
	let batch = first;
	all.forEach((one, index) => {
		if (isChosen[index]) first.push(one);
		else {
			if (batch === first || batch.length === size) rest.push((batch = []));
			batch.push(one);
		}
	});
	return { first, rest, isUnique: bitsOf(count, size) >= wantedBits };
};

/** How the messages in a dispatch compare with the wanted ones: exactly those, only some of them, or others too. */
const compareMessages = (
	wanted: readonly AcceptedRecipient[],
	held: readonly DispatchMessage[],
): 'same' | 'fewer' | 'other' => {
	const texts = new Map(wanted.map(({ destination, text }) => [destination, text]));
	// Another run may send another text to the same number.
	const isWanted = (message: DispatchMessage) =>
		texts.has(message.destination) &&
		(isRefusedMessage(message) || texts.get(message.destination) === message.text);
	if (byNumber(held).size < held.length || !held.every(isWanted)) return 'other';
	return held.length === wanted.length ? 'same' : 'fewer';
};

const notStarted =
	"To try again, run the workflow in half an hour, or change 'Dispatch Name'. Until then, the name may belong to another run.";

const lostForGood = (name: string, error: Error): Stop =>
	stop(
		`It is not known whether the dispatch "${name}" was created`,
		`If it exists, it isn't started. ${notStarted}`,
		error,
	);

/**
 * Looks for a dispatch whose response was lost. It is ours if it is the only new one with this name, holds exactly what was sent,
 * and never contained anyone else.
 */
const findLost = async (
	job: Job,
	{ first, rest, isUnique }: Split,
	error: Error,
): Promise<number | Error | Stop> => {
	const { context, head, listedBefore, createdByRun } = job;
	if (listedBefore === undefined) return lostForGood(head.name, error);
	let strange: number[] | undefined;
	const look = async (): Promise<Look<number>> => {
		const named = haveName(await listDispatches(context, head.companyId), head.name);
		const fresh = named
			.filter(({ id }) => !listedBefore.has(id) && !createdByRun.has(id))
			.map(({ id }) => id);
		const [id] = fresh;
		if (id === undefined) return absent;
		if (fresh.length > 1) strange = fresh;
		const comparison = compareMessages(first, await messagesIn(job, id));
		if (comparison === 'other') strange = [id];
		return comparison === 'same' ? { is: 'found', value: id } : { is: 'unsure', error };
	};
	const cancelled = context.getExecutionCancelSignal();
	const seen = await lookForAMinute(look, cancelled, () => strange !== undefined);
	if (strange !== undefined || (seen.is === 'found' && rest.length > 0 && !isUnique)) {
		const ids = strange ?? (seen.is === 'found' ? [seen.value] : []);
		const which = ids.length === 1 ? `dispatch ${ids[0]}` : `dispatches ${ids.join(', ')}`;
		return stop(
			`"${head.name}" may be in use by another run: ${which}`,
			`The response to this run's own request was lost or unclear, so the node can't tell which dispatch is its own. ${notStarted}`,
			error,
		);
	}
	if (seen.is === 'found') return seen.value;
	if (seen.is === 'absent') return error;
	return lostForGood(head.name, error);
};

/**
 * Whether the dispatch with this ID holds our first messages: a wrong ID would add our recipients to another run's dispatch, or
 * start that one. One page is enough, because messages are only compared, not counted. Reads may be out of date for a while. If
 * nothing is added any more, a list that stays empty or unreadable counts as ours, because nobody else was seen either.
 */
const holdsOurs = async (
	job: Job,
	id: number,
	{ first, rest }: Split,
	{ placed, isClear }: Pick<Filled, 'placed' | 'isClear'>,
): Promise<boolean> => {
	const ours = new Map(first.map((one) => [one.destination, placed[one.position]?.messageUuid]));
	const uuids = new Set(ours.values());
	// A list may show numbers otherwise, for example masked.
	const isOurs = (message: DispatchMessage) =>
		uuids.has(message.messageUuid) ||
		(ours.has(message.destination) && (!isClear || isRefusedMessage(message)));
	const mayBeEmpty = isClear && acceptedIn(placed) === 0;
	const look = async (): Promise<Look<boolean>> => {
		const shown = await firstMessagesIn(job, id);
		if (shown.length === 0 && !mayBeEmpty) return absent;
		return { is: 'found', value: shown.every(isOurs) };
	};
	const seen = await lookForAMinute(look, job.context.getExecutionCancelSignal());
	return seen.is === 'found' ? seen.value : rest.length === 0;
};

/**
 * Creates the dispatch with its first recipients. From then on it is the claim on its name. Returns the error if the request was lost
 * and left no trace: then it may be claimed again, because a dispatch that turns up later is never started.
 */
export const claimDispatch = async (job: Job, split: Split): Promise<Filled | Stop | Error> => {
	const { context, head, itemIndexes, createdByRun, createdForJob, listedBefore } = job;
	const filled: Filled = {
		id: 0,
		placed: unplaced(job),
		isClear: true,
		mayBeAnothers: false,
		unpriced: [],
		sumOfEstimates: 0,
		claimedAt: { date: Date.now(), steady: performance.now() },
	};
	const body = new WrittenBody({
		...head,
		messages: split.first.map(({ recipient }) => recipient),
	});
	const created = await createDispatch(job, body);
	if (created.is === 'refused' || created.is === 'notCarriedOut') {
		return stop('', '', created.error);
	}
	const id = created.is === 'done' ? created.value.id : undefined;
	const isNew = id !== undefined && listedBefore?.has(id) !== true && !createdByRun.has(id);
	if (created.is === 'done' && isNew) {
		filled.isClear = place(filled, split.first, created.value);
		if (await holdsOurs(job, id, split, filled)) {
			createdByRun.set(id, itemIndexes);
			createdForJob.push(id);
			return { ...filled, id };
		}
		if (context.getExecutionCancelSignal()?.aborted) {
			return stop(
				'The execution was canceled before the dispatch was started',
				`According to the service's response, it is dispatch ${id}.`,
			);
		}
		filled.placed.fill(undefined);
	}
	const error =
		created.is === 'unknown'
			? created.error
			: new Error(
					isNew
						? `The service's response is about dispatch ${id}, but its messages aren't shown to be this run's`
						: "The service's response doesn't show the ID of a new dispatch",
				);
	const found = await findLost(job, split, error);
	if (typeof found !== 'number') return found;
	createdByRun.set(found, itemIndexes);
	createdForJob.push(found);
	filled.unpriced = [split.first];
	const mayBeAnothers = split.rest.length === 0;
	if (mayBeAnothers) job.foundId = found;
	return { ...filled, id: found, isClear: false, mayBeAnothers };
};
