import { serviceTime } from '../../../core/transport/serviceTime';
import { askForAMinute, ServiceError } from '../../../core/transport/outcome';
import {
	getDispatch,
	isUnstarted,
	type ListedDispatch,
	listDispatches,
	messagesIn,
} from '../ask/partner';
import type { Checked, Job } from '../job';
import { memoryOf, type Held, type Memory, type StartedHere } from '../memory';
import { canceledFact, type Fact } from '../words';
import { busyUntil, decideLeft, rivalsOf, toHeld, toRead, type Rival } from './rivals';
import { wantedOf } from './yield';

const readsAtATime = 6;

/** Whether the list shows as started everything of this name that this process has started: otherwise it is old. */
export const isCurrent = (
	listed: readonly ListedDispatch[],
	{ base, content }: Pick<Job, 'base' | 'content'>,
	startedHere: readonly StartedHere[],
): boolean =>
	startedHere
		.filter((one) => one.base === base || one.content === content)
		.every(({ id }) => listed.some((one) => one.id === id && !isUnstarted(one)));

/** Longer than reads may be out of date. */
const surelyShownMs = 120_000;

/** What the service doesn't know any more can't be in its list. */
const forgetUnknown = async (
	{ context, base, content }: Job,
	startedHere: readonly StartedHere[],
	{ forget }: Memory,
): Promise<void> => {
	for (const one of startedHere) {
		const isOfThisName = one.base === base || one.content === content;
		if (!isOfThisName || performance.now() - one.at < surelyShownMs) continue;
		await getDispatch({ context }, Number(one.id)).catch((error: unknown) => {
			if (error instanceof ServiceError && error.problem.status === 404) forget(one.id);
		});
	}
};

/** Everybody in a dispatch: reads until there are at least as many messages as the list counts, which may be older. */
const readHeld = async (
	{ context }: Job,
	{ id, total, status }: Rival,
	memory: Memory,
): Promise<Held | undefined> => {
	const known = memory.heldIn(id);
	if (total === undefined) return undefined;
	if (known !== undefined && known.count >= total) return known;
	const seen = await askForAMinute(
		async () => await messagesIn({ context }, id),
		(messages) => ({ is: messages.length >= total ? 'all' : 'absent', messages }) as const,
		context.getExecutionCancelSignal(),
	);
	if (seen.is !== 'all') return undefined;
	const held = toHeld(seen.messages);
	if (status !== 'CREATED') memory.noteHeld(id, held);
	return held;
};

const readAll = async (
	job: Job,
	rivals: readonly Rival[],
	memory: Memory,
): Promise<Array<readonly [Rival, Held]> | undefined> => {
	const read: Array<readonly [Rival, Held]> = [];
	const open = rivals.values();
	let isUnread = false;
	const work = async () => {
		for (const rival of open) {
			if (isUnread) return;
			const held = await readHeld(job, rival, memory);
			if (held === undefined) isUnread = true;
			else read.push([rival, held]);
		}
	};
	await Promise.all(Array.from({ length: readsAtATime }, work));
	return isUnread ? undefined : read;
};

/**
 * Who of the list already has it, by the dispatches of this name that exist. Stops if another run may still send it, before anything
 * is created.
 */
export const findRecipientsLeft = async (
	job: Job,
	/** The company's list, if it was read before. */
	before: readonly ListedDispatch[] | undefined,
): Promise<Pick<Checked, 'job' | 'hasIt' | 'sentBefore' | 'kept' | 'read'> | Fact> => {
	const { context, head, ifSent } = job;
	const nothing = { job, hasIt: [], sentBefore: [], read: new Map<number, number>() };
	if (ifSent === 'anyway') return nothing;
	const { name } = head;
	const memory = await memoryOf(context);
	let first = before;
	const seen = await askForAMinute(
		async () => {
			const listed = first ?? (await listDispatches(context, head.companyId));
			first = undefined;
			const startedHere = memory.startedHere(head.companyId);
			if (!isCurrent(listed, job, startedHere)) await forgetUnknown(job, startedHere, memory);
			return { listed, startedHere };
		},
		({ listed, startedHere }) =>
			({ is: isCurrent(listed, job, startedHere) ? 'list' : 'absent', listed }) as const,
		context.getExecutionCancelSignal(),
	);
	if (context.getExecutionCancelSignal()?.aborted) return canceledFact;
	if (seen.is === 'unsure') return { is: 'unreadable', name, error: seen.error };
	if (seen.is === 'absent') return { is: 'unreadable', name };
	const now = serviceTime(context, 'partner') ?? Date.now();
	const rivals = rivalsOf(wantedOf(job), seen.listed, now);
	const [sent] = rivals.filter((one) => !isUnstarted(one));
	if (ifSent === 'stop' && sent !== undefined) return { is: 'sentBefore', dispatch: sent };
	const held = await readAll(job, toRead(rivals), memory);
	if (held === undefined) return { is: 'unreadable', name };
	const left = decideLeft(job, held);
	// The dispatch that an earlier 'Create' has made for exactly these people, none of whom has it yet.
	if (
		left.is === 'kept' &&
		job.purpose === 'keep' &&
		left.dispatch.code?.content === job.content &&
		left.count === job.recipients.length
	)
		return { ...nothing, kept: left.dispatch };
	if (left.is !== 'left') return left;
	const { recipients, hasIt } = left;
	const until = busyUntil(rivals, memory.isDead, now);
	if (until !== undefined && recipients.length > 0) return { is: 'busy', until, name };
	const ids = new Set(hasIt.map(({ dispatchId }) => dispatchId));
	return {
		job: { ...job, recipients },
		hasIt,
		sentBefore: rivals.filter(({ id }) => ids.has(id)),
		read: new Map(held.map(([{ id }, { count }]) => [id, count])),
	};
};
