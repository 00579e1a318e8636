import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { ledgerOf } from '../../../core/engine/ledger';
import { lookForAMinute } from '../../../core/transport/outcome';
import {
	acceptedIn,
	earlierStart,
	startedBesides,
	stop,
	triedOf,
	whatWasDone,
	type Checked,
	type Job,
	type NameResult,
	type Stop,
	type TriedStart,
	type Whole,
} from './job';
import {
	accountCurrency,
	limitObjection,
	moveDispatch,
	type MoveOutcome,
	type StartLimits,
	statusAfter,
} from './start';
import { withSecretsHidden } from '../../../core/transport/connection';
import { claimDispatch, splitRecipients } from './claim';
import { compareDispatch } from './compare';
import { fillDispatch } from './fill';
import { lookAtDispatch, partnerApi, type ShownDispatch } from '../ask/partner';
import { failureAfter, withReason } from './refusal';
import { changedSince, stopError, unknownStart } from '../tell/result';
import { isLeaseOver, yieldToOlder } from './yield';

const mostRounds = 2;

/**
 * Claim, fill, compare. A dispatch that isn't started costs nothing, so one that isn't exactly right is left, and a new one is
 * claimed with everybody, once. A late request then lands in a dispatch that nobody starts.
 */
export const buildDispatch = async (job: Job): Promise<Whole | Stop> => {
	const { context, recipients, batchSize } = job;
	let abandonedId: number | undefined;
	let lost: Error | undefined;
	let isRenamed = false;
	for (let claims = 1; claims <= mostRounds; claims++) {
		const split = splitRecipients(recipients, batchSize);
		const filled = await claimDispatch(job, split);
		if (filled instanceof Error) {
			lost = filled;
			continue;
		}
		if ('is' in filled) return filled;
		// After one that was left, requests go one at a time: several at once may have been the reason.
		const stopped = await fillDispatch(job, filled, split.rest, claims === 1 ? undefined : 1);
		if (stopped !== undefined) return stopped;
		const compared = await compareDispatch(job, filled);
		if (compared?.is === 'stop') return compared;
		// Read here, because after the yield nothing may take time.
		if (compared?.is === 'exact') filled.currency ??= await accountCurrency(context);
		if (context.getExecutionCancelSignal()?.aborted) {
			return stop('The execution was canceled before the dispatch was started', '');
		}
		if (compared?.is === 'exact') {
			const { id, currency, claimedAt } = filled;
			return { ...compared, is: 'whole', id, currency, claimedAt };
		}
		isRenamed = compared?.is === 'renamed';
		abandonedId = filled.id;
		if (filled.mayBeAnothers) break;
	}
	if (isRenamed) {
		return stop(
			`The service shows dispatch ${abandonedId} with another name than "${job.head.name}"`,
			"The node can't recognize it by its name, so the dispatch isn't started. Use a shorter 'Dispatch Name', without special characters.",
		);
	}
	return abandonedId === undefined
		? stop(
				"The service didn't confirm that it created the dispatch, and doesn't list it",
				'Try again in a few minutes. A dispatch that turns up later is never started.',
				lost,
			)
		: stop(
				`Dispatch ${abandonedId} doesn't show exactly the recipients that were sent to the service`,
				"The service's responses were lost or unclear, so the dispatch isn't started. Try again later.",
			);
};

/** Yields, and throws why there is no dispatch that may be started. */
export const requireOurs = async (
	job: Job,
	whole: Whole | Stop,
	itemIndexes: readonly number[],
): Promise<Whole> => {
	const { context, head, createdForJob } = job;
	const stopped = whole.is === 'stop' ? whole : await yieldToOlder(job, whole);
	// Only a whole dispatch has no stop.
	if (stopped === undefined) return whole as Whole;
	if (stopped.startedId !== undefined) {
		triedOf(context).takenOver.push({ itemIndexes, stopped });
		ledgerOf(context).acts = () => whatWasDone(context);
		// It isn't this run's alone any more: the next try must see it as a dispatch that was sent.
		job.createdByRun.delete(stopped.startedId);
	}
	const rejected = {
		companyId: head.companyId,
		dispatchId: createdForJob.at(-1),
		call: 'append',
		api: partnerApi,
	} as const;
	throw await stopError(context, stopped, rejected);
};

/** What the start of a dispatch came to. */
type Launched = { whole: Whole } & (
	| { started: true; status: string }
	| { started: false; notStartedBecause: string }
);

/** Why the limits don't allow the start; `undefined` if they do. */
const startObjection = (
	context: IExecuteFunctions,
	{ id, placed, state, currency }: Whole,
	limits: StartLimits,
	share: number,
): string | undefined => {
	const { estimate, givenEstimate } = state;
	const accepted = acceptedIn(placed);
	const others = startedBesides(context, id).map((one) => one.whole);
	const foreign = others.find((one) => (one.currency ?? currency) !== currency);
	if (limits.priceLimit !== undefined && currency !== undefined && foreign !== undefined) {
		return `The price estimate is in ${currency}, but this run has also started a dispatch in ${foreign.currency}, so 'Price Limit' can't be checked`;
	}
	const spent = others.reduce((sum, one) => sum + (one.state.estimate ?? 0), 0);
	return limitObjection(limits, { accepted, share, estimate, givenEstimate, currency, spent });
};

/** Starts the dispatch. If an earlier try of this run has started it, or may have, that isn't done again. */
const startOnce = async (
	context: IExecuteFunctions,
	{ job }: Pick<Checked, 'job'>,
	whole: Whole,
	earlier: TriedStart | undefined,
): Promise<MoveOutcome> => {
	if (earlier?.started.is === 'done') return earlier.started;
	const { total, estimate = 0 } = whole.state;
	let isChanged = false;
	const mayRepeat = (state: ShownDispatch) => {
		// People may have been added to it since it was compared.
		isChanged = state.total !== total || (state.estimate ?? 0) > estimate;
		return !isChanged && !isLeaseOver(job, whole);
	};
	if (earlier?.started.is !== 'unknown') {
		if (earlier !== undefined && !mayRepeat(await lookAtDispatch(job, whole.id))) {
			return { ...earlier.started, isChanged };
		}
		const moved = await moveDispatch(context, partnerApi, whole.id, 'start', { mayRepeat });
		// After a clear rejection nothing was to be repeated.
		return moved.is === 'refused' ? moved : { ...moved, isChanged };
	}
	const look = async () => await statusAfter(context, partnerApi, whole.id, 'start');
	const seen = await lookForAMinute(look, context.getExecutionCancelSignal());
	return seen.is === 'found' ? { is: 'done', value: seen.value } : earlier.started;
};

/** Creates a dispatch and starts it within the limits. */
export const launchDispatch = async (
	context: IExecuteFunctions,
	checked: Checked,
	itemIndexes: readonly number[],
	limits: StartLimits,
	/** The share of the intended recipients, if the service accepted so many. */
	shareOf: (accepted: number) => number,
): Promise<Launched> => {
	const earlier = earlierStart(context, itemIndexes);
	const { job } = checked;
	const built = earlier?.whole ?? (await buildDispatch(job));
	const whole = earlier?.whole ?? (await requireOurs(job, built, itemIndexes));
	const { id } = whole;
	// A start that may have been carried out is only looked at. One that was rejected is sent again, and this run may have started
	// other dispatches since then.
	if (earlier?.started.is !== 'done' && earlier?.started.is !== 'unknown') {
		const accepted = acceptedIn(whole.placed);
		const given = startObjection(context, whole, limits, shareOf(accepted));
		// It goes into a row too, and shows what the service sent.
		const objection = given && withSecretsHidden(context, given);
		if (objection !== undefined && limits.whenPassed === 'leave') {
			return { whole, started: false, notStartedBecause: objection };
		}
		if (objection !== undefined) {
			// Beginning anew would stop at the names that this run has sent, and a test has a name of its own.
			const mayBeginAnew =
				job.nameExists !== 'another' && job.foundId !== id && triedOf(context).starts.length === 0;
			const advice = mayBeginAnew
				? "either use 'Start' with this dispatch, or change the limit and set 'If the Name Exists' to 'Begin Anew if Never Started'. Don't do both."
				: "use 'Start' with this dispatch.";
			throw new NodeOperationError(context.getNode(), objection, {
				description: `Dispatch ${id} exists but was not started, so its messages were not sent.${accepted === 0 ? '' : ` To send it anyway, ${advice}`}`,
			});
		}
	}
	// Recorded before the request, so that a start that is cut off is never taken for one that wasn't tried.
	const tried: TriedStart = earlier ?? {
		itemIndexes,
		checked,
		whole,
		started: { is: 'unknown', error: new Error('The start was interrupted') },
	};
	if (earlier === undefined) triedOf(context).starts.push(tried);
	ledgerOf(context).acts = () => whatWasDone(context);
	tried.started = await startOnce(context, checked, whole, earlier);
	const { started } = tried;
	if (started.is === 'done') return { whole, started: true, status: started.value.status };
	if (started.is === 'unknown') throw unknownStart(context, whole, started);
	if (started.is === 'notCarriedOut') {
		throw failureAfter(context, started.error, `Dispatch ${id} exists but isn't started.`);
	}
	const { companyId } = checked.job.head;
	const reason = await withReason(context, started.error, {
		dispatchId: id,
		companyId,
		call: 'start',
		api: partnerApi,
	});
	const told = started.isSeenUnmoved
		? `Dispatch ${id} exists. The service rejected its start and showed it as not started.`
		: `The service rejected the start of dispatch ${id}.`;
	throw failureAfter(context, reason, started.isChanged ? `${told} ${changedSince}` : told);
};

/** Tells this process what became of the name, when the run has ended. */
export const endClaim = ({ job, claimed }: Checked): void => {
	const { starts } = triedOf(job.context);
	const { foundId, keptId, createdByRun } = job;
	// Another run may start it, so the next try must see it as that run's.
	const mayBeAnothers =
		foundId !== undefined &&
		foundId !== keptId &&
		createdByRun.has(foundId) &&
		!starts.some(({ whole }) => whole.id === foundId);
	const ids = mayBeAnothers ? job.createdForJob.filter((id) => id !== foundId) : job.createdForJob;
	if (mayBeAnothers) createdByRun.delete(foundId);
	const startedAs = (id: number): NameResult['started'] => {
		// One that isn't among those of this run any more was started by another run or a person, or may have been.
		const is = createdByRun.has(id)
			? starts.find(({ whole }) => whole.id === id)?.started.is
			: 'unknown';
		return is === 'done' || is === 'unknown' ? { id, isCertain: is === 'done' } : undefined;
	};
	// A rejected start is tried again by the next try.
	const mayBeStarted = (id: number) =>
		startedAs(id) !== undefined ||
		(job.context.getNode().retryOnFail === true && starts.some(({ whole }) => whole.id === id));
	claimed?.end({
		ids,
		abandoned: ids.filter((id) => !mayBeStarted(id) && id !== keptId),
		started: ids.map(startedAs).find((one) => one !== undefined),
	});
};
