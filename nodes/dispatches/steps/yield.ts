import { claimsOn } from '../../../core/claims';
import { absent, lookForAMinute, type Look } from '../../../core/transport/outcome';
import { stop, type Filled, type Job, type NameResult, type Stop } from './job';
import {
	haveName,
	listDispatches,
	startedHere,
	startedStatuses,
	wasStarted,
	type DispatchState,
} from '../ask/partner';
import { findTaken, nameKey } from './check';

const minuteMs = 60_000;
/** A claim holds for half an hour, by the service's own clock. */
const claimMs = 30 * minuteMs;
/** A run starts its dispatch within this time or not at all, so that nobody passes it while it is at work. */
const latestStartMs = 25 * minuteMs;

/** Whether the dispatch must not be started any more. With 'Create Another', no other run waits for the name. */
export const isLeaseOver = (
	{ nameExists }: Pick<Job, 'nameExists'>,
	{ claimedAt }: Pick<Filled, 'claimedAt'>,
): boolean =>
	nameExists !== 'another' &&
	(performance.now() - claimedAt.steady >= latestStartMs ||
		Date.now() - claimedAt.date >= latestStartMs);

const withZone = /^[\d-]{1,16}T[\d:.]{1,32}(?:Z|[+-]\d\d:?\d\d)$/i;

/** `NaN` if it can't be compared with another time. */
const timeOf = ({ createdAt = '' }: DispatchState): number =>
	withZone.test(createdAt) ? Date.parse(createdAt) : NaN;

/** Whether IDs and times agree about which one is older. A time that can't be read doesn't contradict. */
const agree = (ours: DispatchState, other: DispatchState): boolean => {
	const ms = timeOf(ours) - timeOf(other);
	return Number.isNaN(ms) || ms === 0 || ms > 0 === ours.id > other.id;
};

type Rival = { other: DispatchState; why: 'older' | 'started' | 'unclear' | 'contradiction' };

/** What runs of this process have done with dispatches of this name in the last half hour, which a list may not show yet. */
interface KnownHere {
	/** Left unstarted. 'Begin Anew' may pass them at once. */
	abandoned: ReadonlySet<number>;
	/** Started, or perhaps. */
	started: ReadonlySet<number>;
}

/** The dispatch for which ours must not be started. */
const rivalOf = (
	{ createdByRun, nameExists }: Pick<Job, 'createdByRun' | 'nameExists'>,
	ours: DispatchState,
	named: readonly DispatchState[],
	{ abandoned, started }: KnownHere,
): Rival | undefined => {
	const isLeftover = (other: DispatchState) =>
		nameExists === 'anew' && (abandoned.has(other.id) || timeOf(ours) - timeOf(other) >= claimMs);
	for (const other of named) {
		if (createdByRun.has(other.id) || nameExists === 'another') continue;
		if (wasStarted(other) || started.has(other.id)) {
			return { other, why: startedStatuses.includes(other.status ?? '') ? 'started' : 'unclear' };
		}
		if (!agree(ours, other)) return { other, why: 'contradiction' };
		if (other.id < ours.id && !isLeftover(other)) return { other, why: 'older' };
	}
	return undefined;
};

const rivalWords: Readonly<Record<Rival['why'], (id: number) => string>> = {
	older: (id) => `dispatch ${id} with this name was created first`,
	started: (id) => `dispatch ${id} with this name was already started`,
	unclear: (id) => `dispatch ${id} with this name may have been started`,
	contradiction: (id) => `the service contradicts itself about whether dispatch ${id} is older`,
};

const takenWords = (name: string, { other, why }: Rival): string =>
	`"${name}" is already taken: ${rivalWords[why](other.id)}`;

const knownHere = async (
	{ context, head }: Job,
	named: readonly DispatchState[],
): Promise<KnownHere> => {
	const ended = claimsOn<NameResult>(await nameKey(context, head), claimMs);
	const started = new Set<number>();
	for (const { id } of named) if (await startedHere(context, id, claimMs)) started.add(id);
	return { abandoned: new Set(ended.flatMap(({ result }) => result?.abandoned ?? [])), started };
};

/** Which dispatch 'Begin Anew' would yield to if it began now, for a preview. Only here this machine's clock decides. */
export const firstClaim = async (
	job: Job,
	listed: readonly DispatchState[],
): Promise<string | undefined> => {
	const { head, nameExists, createdByRun } = job;
	if (nameExists !== 'anew') return undefined;
	const named = haveName(listed, head.name).filter(({ id }) => !createdByRun.has(id));
	const { abandoned, started } = await knownHere(job, named);
	const first = named.find(
		(one) =>
			started.has(one.id) || (!abandoned.has(one.id) && !(Date.now() - timeOf(one) >= claimMs)),
	);
	if (first === undefined) return undefined;
	if (started.has(first.id)) return takenWords(head.name, { other: first, why: 'unclear' });
	const when = Number.isNaN(timeOf(first)) ? 'at an unknown time' : 'less than half an hour ago';
	return `${takenWords(head.name, { other: first, why: 'older' })}, ${when}`;
};

/**
 * Reads the company's list until it shows our dispatch, and gives way to an older or started one with the same name. A list that
 * shows a dispatch shows the older ones too, so of several runs only the one with the oldest dispatch continues.
 */
export const yieldToOlder = async (
	job: Job,
	{ id, claimedAt }: Pick<Filled, 'id' | 'claimedAt'>,
): Promise<Stop | undefined> => {
	const { context, head, nameExists, createdForJob, isRetried, itemIndexes } = job;
	// With 'Create Another', only a dispatch that this run has left matters: a person may have started it.
	if (nameExists !== 'another' || createdForJob.length > 1 || isRetried) {
		const look = async (): Promise<Look<Rival | Stop | null>> => {
			const all = await listDispatches(context, head.companyId);
			const named = haveName(all, head.name);
			const ours = named.find((one) => one.id === id);
			if (ours === undefined) return absent;
			const taken = await findTaken(context, itemIndexes, all);
			if (taken !== undefined) return { is: 'found', value: taken };
			return { is: 'found', value: rivalOf(job, ours, named, await knownHere(job, named)) ?? null };
		};
		const seen = await lookForAMinute(look, context.getExecutionCancelSignal());
		if (seen.is !== 'found' && context.getExecutionCancelSignal()?.aborted) {
			return stop('The execution was canceled before the dispatch was started', '');
		}
		if (seen.is !== 'found') {
			return stop(
				`The service doesn't list dispatch ${id}, so the node can't check whether another run sends "${head.name}" too`,
				"Check the dispatches with this name in your account on the provider's website. To send this one as it is, use 'Start'.",
				seen.is === 'unsure' ? seen.error : undefined,
			);
		}
		if (seen.value !== null) {
			if ('is' in seen.value) return seen.value;
			const { other, why } = seen.value;
			const lease =
				why === 'older' && nameExists === 'anew'
					? " 'Begin Anew if Never Started' ignores an unstarted dispatch half an hour after it was created."
					: '';
			return stop(
				takenWords(head.name, { other, why }),
				`Check dispatch ${other.id} before you send this again. This run's dispatch ${id} isn't started.${lease}`,
			);
		}
	}
	return isLeaseOver(job, { claimedAt })
		? stop(
				`Filling dispatch ${id} took longer than 25 minutes, so another run may use its name`,
				"Check the dispatches with this name in your account on the provider's website. To send this one as it is, use 'Start'.",
			)
		: undefined;
};
