import { type IDataObject, type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { claim, claimsOn } from '../../../core/claims';
import { addHint, howMany } from '../../../core/engine/hints';
import { ledgerOf } from '../../../core/engine/ledger';
import { nationalPart } from '../../../core/recipients/phone';
import { connect } from '../../../core/transport/connection';
import { absent, type Look, lookForAMinute, ServiceError } from '../../../core/transport/outcome';
import type { DispatchPlan } from '../plan/plan';
import type { AcceptedRecipient, DispatchId } from '../plan/rows';
import {
	acceptedIn,
	byNumber,
	isRefusedMessage,
	place,
	unplaced,
	type Job,
	type Placed,
} from './job';
import { withReason } from './refusal';
import type { DispatchApi, DispatchMessage, ShownDispatch } from '../ask/partner';
import { tellDispatch, type DispatchResult } from '../tell/result';

interface AddJob extends Pick<Job, 'context' | 'secrets' | 'recipients' | 'batchSize'> {
	api: DispatchApi;
}

interface Added {
	is: 'added';
	placed: Placed;
	/** How many of the recipients were in the dispatch before. */
	before: number;
	state: ShownDispatch;
	currency?: string;
	/** Why the service rejected recipients, by their numbers, where it says so. */
	reasons: ReadonlyMap<string, string>;
}

/** Where adding stopped, exactly. */
interface NotAllAdded {
	is: 'stop';
	title: string;
	description: string;
	placed: Placed;
	/** The item of the first recipient who isn't confirmed to be in the dispatch. */
	itemIndex: number | undefined;
}

const nothingAdded = (title: string, description: string, { recipients }: AddJob): NotAllAdded => ({
	is: 'stop',
	title,
	description: `Nothing was added in this attempt. ${description}`,
	placed: [],
	itemIndex: recipients[0]?.itemIndex,
});

/** A dispatch and who is in it. */
interface Held {
	state: ShownDispatch;
	messages: DispatchMessage[];
}

/** A read that was rejected, or for which no connection was made: looking again doesn't help. An incomplete list may be complete later. */
const isRefusedRead = (seen: Look<unknown>): boolean =>
	seen.is === 'unsure' &&
	seen.error instanceof ServiceError &&
	seen.error.outcome !== 'unknown' &&
	seen.error.problem.status !== 200;

/** Absent while the list doesn't contain as many messages as the dispatch counts: a list that is out of date would add people twice. */
const lookAtHeld = async (
	job: AddJob,
	id: DispatchId,
	/** The IDs of messages that runs of this process have added, earlier tries of this one included. */
	known: readonly string[],
): Promise<Look<Held>> => {
	const { api } = job;
	const state = await api.get(job, id);
	const { total } = state;
	const messages = await api.messagesIn(job, id);
	const value = { state, messages };
	// Nobody is added to a dispatch that was started.
	if (api.isMoved(state, 'start')) return { is: 'found', value };
	const accepted = messages.filter((message) => !isRefusedMessage(message)).length;
	const listed = new Set(messages.map(({ messageUuid }) => messageUuid));
	const isComplete =
		(total === messages.length || total === accepted) && known.every((one) => listed.has(one));
	return isComplete ? { is: 'found', value } : absent;
};

/** What runs of this process have done with the dispatch a short time ago, earlier tries of this one included. */
interface Before {
	/** The IDs of the messages that they have added. */
	known: readonly string[];
	/** The numbers in their requests that may still be carried out. */
	open: ReadonlySet<string>;
}

/** Marks the recipients who are in the dispatch, and returns the others. */
const markHeld = (
	{ recipients }: AddJob,
	placed: Placed,
	messages: readonly DispatchMessage[],
): AcceptedRecipient[] => {
	const held = byNumber(messages);
	return recipients.filter(({ destination, position }) => {
		const message = held.get(destination);
		if (message === undefined) return true;
		placed[position] = isRefusedMessage(message) ? null : message;
		return false;
	});
};

/** A recipient who isn't listed, while the list has a number that may be the same: without the country code, or with another prefix. */
const findInOtherForm = (
	missing: readonly AcceptedRecipient[],
	messages: readonly DispatchMessage[],
): AcceptedRecipient | undefined => {
	const listed = new Set(messages.map(({ destination }) => nationalPart(destination)));
	return missing.find(({ destination }) => listed.has(nationalPart(destination)));
};

/** An earlier run, or another program, may have added people a second time. */
const hintAtRepeated = (
	{ context }: AddJob,
	id: DispatchId,
	messages: readonly DispatchMessage[],
): void => {
	const accepted = messages.filter((message) => !isRefusedMessage(message));
	const repeated = accepted.length - new Set(accepted.map(({ destination }) => destination)).size;
	if (repeated === 0) return;
	addHint(
		context,
		`Dispatch ${id} contains ${howMany(repeated, 'message')} to people who already have one in it. If you start it, they get more than one. To send to everyone once, create another dispatch.`,
	);
};

const whyUnclear = ({ isMoved }: DispatchApi, state: ShownDispatch): string | undefined =>
	isMoved(state, 'start') === undefined
		? "doesn't show whether it was started, so recipients can't be added"
		: undefined;

/**
 * Adds recipients to a dispatch that exists: reads who is in it and appends the others, each request once. If a response is lost
 * and its recipients don't turn up within a minute, it stops and says where.
 */
const addOnce = async (
	job: AddJob,
	id: DispatchId,
	{ known, open }: Before,
	/** The numbers in requests of this run, in all its tries, that may still be carried out. */
	lost: Set<string>,
): Promise<Added | NotAllAdded> => {
	const { context, api, batchSize } = job;
	const cancelled = context.getExecutionCancelSignal();
	const placed = unplaced(job);
	const reasons = new Map<string, string>();
	const filled: Parameters<typeof place>[0] = { placed, unpriced: [], sumOfEstimates: 0 };
	const held = await lookForAMinute(
		async () => await lookAtHeld(job, id, known),
		cancelled,
		(one) => one.is === 'found' || isRefusedRead(one),
	);
	if (held.is === 'unsure' && isRefusedRead(held)) throw held.error;
	if (held.is !== 'found') {
		const error = held.is === 'unsure' ? held.error : undefined;
		const said = error instanceof ServiceError ? error.inOneText : error && `${error.message}.`;
		return nothingAdded(
			`The node couldn't read who is in dispatch ${id}`,
			`${lost.size === 0 ? '' : 'An earlier attempt of this run may have added some of these recipients. '}${said === undefined ? '' : `${said} `}Try again in a few minutes.`,
			job,
		);
	}
	const { state: found, messages } = held.value;
	hintAtRepeated(job, id, messages);
	const missing = markHeld(job, placed, messages);
	const whyNot = api.whyNot(found, 'append') ?? whyUnclear(api, found);
	// The service isn't asked: it might add people to a dispatch that is being sent. Its list may also be out of date.
	if (whyNot !== undefined) {
		const title = `Dispatch ${id} ${whyNot}`;
		const description =
			missing.length === 0
				? "All these recipients are already in it, so nothing was added. To see who got the message, check it in your account on the provider's website."
				: "Nothing was added in this attempt. Check in your account on the provider's website who is in it, and send to the others with another dispatch.";
		return { is: 'stop', title, description, placed, itemIndex: missing[0]?.itemIndex };
	}
	const doubtful = findInOtherForm(missing, messages);
	if (doubtful !== undefined) {
		return nothingAdded(
			`The node can't tell whether ${doubtful.destination} is already in dispatch ${id}`,
			'The service lists a number with the same last digits, written in another way. Send to these recipients with another dispatch.',
			job,
		);
	}
	const before = acceptedIn(placed);
	for (let from = 0; from < missing.length; from += batchSize) {
		const batch = missing.slice(from, from + batchSize);
		const where = (words: string): NotAllAdded => {
			const count = acceptedIn(placed);
			const itemIndex = (batch.find(({ position }) => placed[position] === undefined) ?? batch[0])
				?.itemIndex;
			return {
				is: 'stop',
				title: `Not all recipients were added to dispatch ${id}`,
				description: `${howMany(count, 'recipient')} ${count === 1 ? 'is' : 'are'} in it for certain; the first unconfirmed one is item ${(itemIndex ?? 0) + 1}. ${words} The dispatch isn't started by this operation. To continue, wait a few minutes and run 'Add Messages' again with the same items: those who are already in it are skipped.`,
				placed,
				itemIndex,
			};
		};
		if (cancelled?.aborted) return where('The execution was canceled.');
		if (batch.some(({ destination }) => lost.has(destination) || open.has(destination))) {
			return where('It is not known whether an earlier attempt has added the others.');
		}
		const sent = await api.append(
			job,
			id,
			batch.map(({ recipient }) => recipient),
		);
		if (sent.is === 'refused' || sent.is === 'notCarriedOut') {
			const reason = await withReason(context, sent.error, {
				dispatchId: id,
				call: 'append',
				api,
			});
			// Nothing was added yet, so the rejection says everything.
			if (from === 0) throw reason;
			return where(reason instanceof ServiceError ? reason.inOneText : reason.message);
		}
		if (sent.is === 'done' && place(filled, batch, sent.value)) {
			for (const [number, reason] of sent.value.reasons ?? []) reasons.set(number, reason);
			continue;
		}
		const look = async (): Promise<Look<true>> => {
			const now = await lookAtHeld(job, id, known);
			if (now.is !== 'found') return now;
			const still = new Set(markHeld(job, placed, now.value.messages));
			return batch.some((one) => still.has(one)) ? absent : { is: 'found', value: true };
		};
		const seen = await lookForAMinute(look, cancelled);
		if (seen.is !== 'found') {
			for (const { destination } of batch) lost.add(destination);
			return where(
				sent.is === 'unknown' && sent.error instanceof ServiceError
					? sent.error.inOneText
					: "The service's response doesn't show who was added.",
			);
		}
	}
	// If it can't be read again, what it showed before still holds, except for the price.
	const { name, status } = found;
	const unread: ShownDispatch = { name, status, givenEstimate: undefined };
	const state = await api.get(job, id).catch(() => unread);
	const others = (state.total ?? 0) - messages.length - missing.length;
	if (others > 0) {
		addHint(
			context,
			`Dispatch ${id} contains ${howMany(others, 'message')} that another run or a person has added meanwhile, perhaps to the same people. Check the dispatch before you start it. To send to everyone once, create another dispatch.`,
		);
	}
	return { is: 'added', placed, before, state, currency: filled.currency, reasons };
};

/** What a run of this process has added to a dispatch. */
interface AddResult {
	/** The IDs of the messages. */
	added: readonly string[];
	/** The numbers in requests that may still be carried out. */
	lost: readonly string[];
}

/** Adds recipients, unless another run of this process is adding some to the same dispatch: it could add the same people. */
const addToDispatch = async (job: AddJob, id: DispatchId): Promise<Added | NotAllAdded> => {
	const { context, api } = job;
	const { identity } = await connect(context, api.api);
	const name = `add ${identity} ${id}`;
	const owner = ledgerOf(context);
	const lost = owner.record(name, () => new Set<string>());
	const claims = claimsOn<AddResult>(name);
	if (claims.some((one) => one.owner !== owner && one.result === undefined)) {
		return nothingAdded(
			`Another run is adding recipients to dispatch ${id}`,
			"Wait until that run has ended, then run 'Add Messages' again: those who are already in it are skipped.",
			job,
		);
	}
	const own = claim<AddResult>(name, owner);
	let added: string[] = [];
	try {
		const results = claims.flatMap(({ result = [] }) => result);
		const before = {
			known: results.flatMap((one) => one.added),
			open: new Set(results.flatMap((one) => one.lost)),
		};
		const outcome = await addOnce(job, id, before, lost);
		added = outcome.placed.flatMap((one) => one?.messageUuid ?? []);
		return outcome;
	} finally {
		own.end({ added, lost: [...lost] });
	}
};

/** Adds a plan's recipients, and returns the output items. Throws where it stopped, exactly. */
export const addPlanned = async (
	context: IExecuteFunctions,
	api: DispatchApi,
	plan: DispatchPlan<unknown>,
	id: DispatchId,
	/** The dispatch's own fields in the summary. */
	summaryOf: (state: ShownDispatch, currency?: string) => IDataObject,
): Promise<DispatchResult> => {
	const { accepted, batchSize } = plan;
	const job = { context, api, secrets: [], recipients: accepted, batchSize };
	const added = await addToDispatch(job, id);
	if (added.is === 'stop') {
		const { title, description, itemIndex, placed } = added;
		const failure = new NodeOperationError(context.getNode(), title, { description, itemIndex });
		Object.assign(failure.context, {
			dispatchId: id,
			accepted: acceptedIn(placed),
			firstItemNotAccepted: itemIndex,
		});
		throw failure;
	}
	const { placed, state, currency, before, reasons } = added;
	if (before > 0) {
		addHint(
			context,
			`${howMany(before, 'recipient')} ${before === 1 ? 'was' : 'were'} already in dispatch ${id} and ${before === 1 ? "wasn't" : "weren't"} added again.`,
		);
	}
	const summary = { ...summaryOf(state, currency), alreadyInDispatch: before };
	const { whyRejected } = api;
	// A person may have started it meanwhile.
	const started = api.whyNot(state, 'append') !== undefined;
	return tellDispatch(plan, { dispatchId: id, placed, summary, started, reasons, whyRejected });
};
