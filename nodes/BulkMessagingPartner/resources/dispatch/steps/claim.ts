import { WrittenBody } from '../../../../../core/contract/endpoint';
import { lookForAMinute, absent, type Look } from '../../../../../core/transport/outcome';
import type { AcceptedRecipient } from '../plan/recipient';
import { bodyFor, isRefusedMessage, place, stop, type Filled, type Job, type Stop } from './job';
import {
	createDispatch,
	firstMessagesIn,
	type DispatchMessage,
	haveName,
	listDispatches,
	messagesIn,
} from './service';

/** The recipients of the first request, and of each further one. */
interface Split {
	first: number[];
	rest: number[][];
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
export const splitRecipients = (count: number, size: number): Split => {
	const all = Array.from({ length: count }, (_, index) => index);
	if (count <= size) return { first: all, rest: [], isUnique: false };
	const chosen = new Set<number>();
	for (let last = count - size; last < count; last++) {
		const one = Math.floor(Math.random() * (last + 1));
		chosen.add(chosen.has(one) ? last : one);
	}
	const others = all.filter((index) => !chosen.has(index));
	const rest: number[][] = [];
	for (let from = 0; from < others.length; from += size) rest.push(others.slice(from, from + size));
	return {
		first: all.filter((index) => chosen.has(index)),
		rest,
		isUnique: bitsOf(count, size) >= wantedBits,
	};
};

/** How the messages in a dispatch compare with the wanted ones: exactly those, only some of them, or others too. */
const compareMessages = (
	wanted: readonly AcceptedRecipient[],
	held: readonly DispatchMessage[],
): 'same' | 'fewer' | 'other' => {
	const open = new Map<string, Array<string | undefined>>();
	for (const { destination, text } of wanted) {
		open.set(destination, [...(open.get(destination) ?? []), text]);
	}
	for (const message of held) {
		const texts = open.get(message.destination) ?? [];
		// Another run may send another text to the same number.
		const index = texts.findIndex((text) => isRefusedMessage(message) || text === message.text);
		if (index < 0) return 'other';
		texts.splice(index, 1);
	}
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
): Promise<number | 'none' | Stop> => {
	const { context, head, known, own, recipients } = job;
	if (known === undefined) return lostForGood(head.name, error);
	const wanted = first.flatMap((index) => recipients.at(index) ?? []);
	let strange: number[] | undefined;
	const look = async (): Promise<Look<number>> => {
		const named = haveName(await listDispatches(context, head.companyId), head.name);
		const fresh = named.filter(({ id }) => !known.has(id) && !own.has(id)).map(({ id }) => id);
		const [id] = fresh;
		if (id === undefined) return absent;
		if (fresh.length > 1) strange = fresh;
		const comparison = compareMessages(wanted, await messagesIn(job, id));
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
			`The response to this run's own request was lost, so the node can't tell which dispatch is its own. ${notStarted}`,
			error,
		);
	}
	if (seen.is === 'found') return seen.value;
	if (seen.is === 'absent') return 'none';
	return lostForGood(head.name, error);
};

/**
 * Whether the dispatch with this ID holds our first messages: a wrong ID would add our recipients to another run's dispatch. One
 * page is enough, because messages are only compared, not counted. Reads may be out of date for a while.
 */
const holdsOurs = async (
	job: Job,
	id: number,
	{ first }: Split,
	{ placed, isClear }: Pick<Filled, 'placed' | 'isClear'>,
): Promise<boolean> => {
	const { context, recipients } = job;
	const uuids = new Set(first.map((index) => placed[index]?.messageUuid));
	const numbers = new Set(first.map((index) => recipients.at(index)?.destination));
	const isOurs = (message: DispatchMessage) =>
		numbers.has(message.destination) &&
		(!isClear || isRefusedMessage(message) || uuids.has(message.messageUuid));
	const mayBeEmpty = isClear && first.every((index) => placed[index] === null);
	const look = async (): Promise<Look<boolean>> => {
		const shown = await firstMessagesIn(job, id);
		if (shown.length === 0 && !mayBeEmpty) return absent;
		return { is: 'found', value: shown.every(isOurs) };
	};
	const seen = await lookForAMinute(look, context.getExecutionCancelSignal());
	return seen.is === 'found' && seen.value;
};

/**
 * Creates the dispatch with its first recipients. From then on it is the claim on its name. Returns `none` if the request was lost
 * and left no trace: then it may be claimed again, because a dispatch that turns up later is never started.
 */
export const claimDispatch = async (job: Job, split: Split): Promise<Filled | Stop | 'none'> => {
	const { head, recipients, own, made, known } = job;
	const filled: Filled = {
		id: 0,
		placed: new Array<undefined>(recipients.length),
		isClear: true,
		mayBeAnothers: false,
		highestEstimate: 0,
		sumOfEstimates: 0,
		claimedAt: performance.now(),
	};
	const body = new WrittenBody({ ...head, messages: bodyFor(job, split.first) });
	const created = await createDispatch(job, body);
	if (created.is === 'refused' || created.is === 'notCarriedOut') {
		return stop('', '', created.error);
	}
	const id = created.is === 'done' ? created.value.id : undefined;
	const isNew = id !== undefined && known?.has(id) !== true && !own.has(id);
	if (created.is === 'done' && isNew) {
		filled.isClear = place(job, filled, split.first, created.value);
		if (split.rest.length === 0 || (await holdsOurs(job, id, split, filled))) {
			own.add(id);
			made.push(id);
			return { ...filled, id };
		}
		filled.placed.fill(undefined);
	}
	const error =
		created.is === 'unknown'
			? created.error
			: new Error("The service's response doesn't show the ID of a new dispatch");
	const found = await findLost(job, split, error);
	if (typeof found !== 'number') return found;
	own.add(found);
	made.push(found);
	return { ...filled, id: found, isClear: false, mayBeAnothers: split.rest.length === 0 };
};
