import { type IDataObject, type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { addHint, howMany } from '../../../core/engine/hints';
import { ledgerOf } from '../../../core/engine/ledger';
import { nationalPart } from '../../../core/recipients/phone';
import { connect } from '../../../core/transport/connection';
import { askForAMinute, causeWords, ServiceError } from '../../../core/transport/outcome';
import type { DispatchApi, DispatchMessage, ShownDispatch } from '../ask/partner';
import { acceptedIn, book, byNumber, isRefusedMessage, type Job, type Placed } from '../job';
import { takeName, releaseNames } from '../memory';
import type { DispatchPlan } from '../plan/plan';
import type { AcceptedRecipient, DispatchId } from '../plan/rows';
import { tellDispatch, type DispatchResult } from '../tell/result';
import { withReason } from './refusal';

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

const again = 'Run it again in five minutes: those who are already in it are skipped.';

const nothingAdded = (title: string, description: string, { recipients }: AddJob): NotAllAdded => ({
	is: 'stop',
	title,
	description: `Nothing was added in this attempt. ${description}`,
	placed: [],
	itemIndex: recipients[0]?.itemIndex,
});

/** A dispatch and who is in it. */
interface Contents {
	state: ShownDispatch;
	messages: DispatchMessage[];
}

/** A read that was rejected, or for which no connection was made: looking again doesn't help. An incomplete list may be complete later. */
const isRefusedRead = ({ outcome, problem }: ServiceError): boolean =>
	outcome !== 'unknown' && problem.status !== 200;

/** Open while the list doesn't contain as many messages as the dispatch counts: a list that is out of date would add people twice. */
export const decideHeld = (
	isStarted: boolean,
	{ total }: Pick<ShownDispatch, 'total'>,
	messages: readonly DispatchMessage[],
): 'found' | 'absent' => {
	// Nobody is added to a dispatch that was started.
	if (isStarted || total === messages.length) return 'found';
	return total === messages.filter((one) => !isRefusedMessage(one)).length ? 'found' : 'absent';
};

/** Looking again doesn't help. Other errors are thrown again, and the next look may succeed. */
const asRefusal = (error: unknown): Error => {
	if (error instanceof ServiceError && isRefusedRead(error)) return error;
	throw error;
};

const readContents = async (job: AddJob, id: DispatchId): Promise<Contents> => {
	const state = await job.api.get(job, id);
	return { state, messages: await job.api.messagesIn(job, id) };
};

/** The recipients who are in the dispatch, by position, and the others. */
export const splitHeld = (
	recipients: readonly AcceptedRecipient[],
	messages: readonly DispatchMessage[],
): { placed: Array<Placed[number]>; missing: AcceptedRecipient[] } => {
	const held = byNumber(messages);
	const placed: Array<Placed[number]> = new Array<undefined>(
		(recipients.at(-1)?.position ?? -1) + 1,
	).fill(undefined);
	const missing = recipients.filter(({ destination, position }) => {
		const message = held.get(destination);
		if (message === undefined) return true;
		placed[position] = isRefusedMessage(message) ? null : message;
		return false;
	});
	return { placed, missing };
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
	/** The numbers in requests of this run, in all its tries, that may still be carried out. */
	lost: Set<string>,
): Promise<Added | NotAllAdded> => {
	const { context, api, batchSize, recipients } = job;
	const cancelled = context.getExecutionCancelSignal();
	const look = async (isFinal: (held: Contents) => boolean) =>
		await askForAMinute(
			async () =>
				await readContents(job, id).catch((error: unknown) => ({ refusal: asRefusal(error) })),
			(held) => {
				if ('refusal' in held) return { is: 'refused', error: held.refusal } as const;
				const isStarted = api.isMoved(held.state, 'start') === true;
				const is = decideHeld(isStarted, held.state, held.messages);
				return { is: is === 'found' && isFinal(held) ? 'found' : 'absent', held } as const;
			},
			cancelled,
		);
	const first = await look(() => true);
	if (first.is === 'refused') throw first.error;
	if (first.is !== 'found') {
		return nothingAdded(
			`The node couldn't read who is in dispatch ${id}`,
			`${lost.size === 0 ? '' : 'An earlier attempt of this run may have added some of these recipients. '}${again}${first.is === 'unsure' ? ` ${causeWords(first.error)}` : ''}`,
			job,
		);
	}
	const { state: found, messages } = first.held;
	hintAtRepeated(job, id, messages);
	const { placed, missing } = splitHeld(recipients, messages);
	const whyNot = api.whyNot(found, 'append') ?? whyUnclear(api, found);
	// The service isn't asked: it might add people to a dispatch that is being sent. Its list may also be out of date.
	if (whyNot !== undefined) {
		const title = `Dispatch ${id} ${whyNot}`;
		const description =
			missing.length === 0
				? "All these recipients are already in it, so nothing was added. To see who got the message, use 'Get Report'."
				: 'Nothing was added in this attempt. Send to these recipients with another dispatch.';
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
	const reasons = new Map<string, string>();
	let currency: string | undefined;
	for (let from = 0; from < missing.length; from += batchSize) {
		const batch = missing.slice(from, from + batchSize);
		const where = (words: string): NotAllAdded => {
			const count = acceptedIn(placed);
			const itemIndex = (batch.find(({ position }) => placed[position] === undefined) ?? batch[0])
				?.itemIndex;
			return {
				is: 'stop',
				title: `Not all recipients were added to dispatch ${id}`,
				description: `${howMany(count, 'recipient')} ${count === 1 ? 'is' : 'are'} in it for certain; the first unconfirmed one is item ${(itemIndex ?? 0) + 1}. The dispatch isn't started by this operation. ${again} ${words}`,
				placed,
				itemIndex,
			};
		};
		if (cancelled?.aborted) return where('The execution was canceled.');
		if (batch.some(({ destination }) => lost.has(destination)))
			return where('It is not known whether an earlier attempt has added the others.');
		const sent = await api.append(
			job,
			id,
			batch.map(({ recipient }) => recipient),
		);
		if (sent.is === 'refused' || sent.is === 'notCarriedOut') {
			const about = { dispatchId: id, call: 'append', api } as const;
			const reason = await withReason(context, sent.error, about);
			// Nothing was added yet, so the rejection says everything.
			if (from === 0) throw reason;
			return where(causeWords(reason));
		}
		const reply = sent.is === 'done' ? sent.value : undefined;
		const booked = book(batch, [{ batch, reply }]);
		currency ??= booked.currency;
		if (booked.isClear) {
			for (const { position } of batch) placed[position] = booked.placed[position];
			for (const [number, reason] of reply?.reasons ?? []) reasons.set(number, reason);
			continue;
		}
		const seen = await look((held) => splitHeld(batch, held.messages).missing.length === 0);
		if (seen.is === 'found') {
			const now = splitHeld(batch, seen.held.messages);
			for (const { position } of batch) placed[position] = now.placed[position];
			continue;
		}
		for (const { destination } of batch) lost.add(destination);
		return where(
			sent.is === 'unknown'
				? causeWords(sent.error)
				: "The service's response doesn't show who was added.",
		);
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
	return { is: 'added', placed, before, state, currency, reasons };
};

/** Adds recipients, unless another run of this process is adding some to the same dispatch: it could add the same people. */
const addToDispatch = async (job: AddJob, id: DispatchId): Promise<Added | NotAllAdded> => {
	const { context, api } = job;
	const { identity } = await connect(context, api.api);
	const name = `add ${identity} ${id}`;
	const run = ledgerOf(context);
	if (!takeName(name, run)) {
		return nothingAdded(
			`Another run is adding recipients to dispatch ${id}`,
			'Run it again when that one has ended: those who are already in it are skipped.',
			job,
		);
	}
	try {
		return await addOnce(
			job,
			id,
			run.record(name, () => new Set<string>()),
		);
	} finally {
		releaseNames(run);
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
