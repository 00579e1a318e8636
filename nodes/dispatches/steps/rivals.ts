import { nameCodeIn, withoutCode, type NameCode } from '../../../core/contract/dispatchName';
import { isUnstarted, type DispatchMessage, type ListedDispatch } from '../ask/partner';
import type { HasIt, Job } from '../job';
import type { Held } from '../memory';
import { comparableName } from '../plan/names';
import type { AcceptedRecipient } from '../plan/rows';

const minuteMs = 60_000;
/** After so long, by the service's time, a dispatch that isn't started belongs to nobody any more. */
export const leftAfterMs = 30 * minuteMs;
/** A run starts its dispatch within this time or not at all, so that nobody takes it for one that was left. */
export const latestStartMs = 25 * minuteMs;
/** The same list and texts under another name count as the same for so long. */
const sameContentMs = 12 * 60 * minuteMs;

/** Another dispatch that may have been sent to people of this list. */
export interface Rival extends ListedDispatch {
	readonly base: string;
	readonly code?: NameCode;
	readonly createdMs: number;
	/** When it was created or, if that was later, started. */
	readonly usedMs: number;
}

const withZone = /^[\d-]{1,16}T[\d:.]{1,32}(?:Z|[+-]\d\d:?\d\d)$/i;

/** `NaN` if it can't be compared with another time. */
const timeOf = (text = ''): number => (withZone.test(text) ? Date.parse(text) : NaN);

const toRival = (one: ListedDispatch): Rival => {
	const createdMs = timeOf(one.createdAt);
	const startedMs = timeOf(one.startedAt);
	return {
		...one,
		base: comparableName(withoutCode(one.name)),
		code: nameCodeIn(one.name),
		createdMs,
		usedMs: Number.isNaN(startedMs) ? createdMs : Math.max(createdMs || startedMs, startedMs),
	};
};

/** What a dispatch is recognized by. */
export type Wanted = Pick<Job, 'base' | 'content' | 'countsMs'> & {
	readonly channelType: string;
	readonly run: string;
};

/** A time that can't be read never makes a dispatch old. */
const isOlder = (ms: number, { usedMs }: Rival, now: number): boolean => now - usedMs >= ms;

/** Which run, and which list of it. */
const attemptsOf = ({ run, content }: NameCode): string => `${run} ${content}`;

const newestAttempts = (all: readonly Rival[]): ReadonlyMap<string, number> => {
	const newest = new Map<string, number>();
	for (const { code } of all) {
		if (code === undefined) continue;
		newest.set(attemptsOf(code), Math.max(code.attempt, newest.get(attemptsOf(code)) ?? 0));
	}
	return newest;
};

/** A run that has made another dispatch for the same list never starts the one before, even if a late request completes it. */
const isNewestAttempt = ({ code }: Rival, newest: ReadonlyMap<string, number>): boolean =>
	code === undefined || code.attempt === newest.get(attemptsOf(code));

/**
 * The dispatches of other runs with this name, and those with the same list and texts under another one: a workflow that was renamed
 * must not send twice. This run's own unstarted ones and tests are nobody's rivals.
 */
export const rivalsOf = (
	{ base, content, countsMs, channelType, run }: Wanted,
	listed: readonly ListedDispatch[],
	now: number,
): Rival[] => {
	const all = listed.map(toRival);
	const newest = newestAttempts(all);
	const others = all
		.filter((one) => !isUnstarted(one) || isNewestAttempt(one, newest))
		.filter(
			(one) =>
				one.code?.purpose !== 'test' &&
				!(one.code?.run === run && isUnstarted(one)) &&
				(one.channelType ?? channelType).toUpperCase() === channelType.toUpperCase(),
		);
	const names = new Set(
		others
			.filter((one) => one.code?.content === content && !isOlder(sameContentMs, one, now))
			.map((one) => one.base),
	);
	return others.filter((one) =>
		one.base === base
			? !isOlder(countsMs, one, now)
			: names.has(one.base) && !isOlder(sameContentMs, one, now),
	);
};

/** Whether it is complete and waits for a person to start it. */
export const isKept = (one: Rival): boolean =>
	isUnstarted(one) &&
	one.code?.purpose === 'keep' &&
	one.code.planned > 0 &&
	(one.total ?? 0) >= one.code.planned;

/** Nobody starts it any more: its run has returned, or it is half an hour old. */
export const isLeft = (one: Rival, isDead: (id: number) => boolean, now: number): boolean =>
	isUnstarted(one) && !isKept(one) && (isDead(one.id) || isOlder(leftAfterMs, one, now));

/** Those whose people must be known: they were started, or wait for a person to start them. */
export const toRead = (rivals: readonly Rival[]): Rival[] =>
	rivals.filter((one) => !isUnstarted(one) || isKept(one));

/** When the youngest of those that another run may still start can be ignored; `undefined` if there is none. */
export const busyUntil = (
	rivals: readonly Rival[],
	isDead: (id: number) => boolean,
	now: number,
): number | undefined => {
	const busy = rivals.filter(
		(one) => isUnstarted(one) && !isKept(one) && !isLeft(one, isDead, now),
	);
	if (busy.length === 0) return undefined;
	return Math.max(
		...busy.map(({ createdMs }) => (Number.isNaN(createdMs) ? now : createdMs) + leftAfterMs),
	);
};

export const toHeld = (messages: readonly DispatchMessage[]): Held => ({
	texts: new Map(messages.map(({ destination, text }) => [destination, text])),
	count: messages.length,
});

const sameText = (one: string, other: string): boolean =>
	one === other || one.replace(/\r\n?/g, '\n').trim() === other.replace(/\r\n?/g, '\n').trim();

/** Who still has to get the message. */
type Left =
	| { is: 'left'; recipients: readonly AcceptedRecipient[]; hasIt: readonly HasIt[] }
	/** A person is in a dispatch of this name with another text, in one that was stopped, or in one that waits to be started. */
	| { is: 'otherText' | 'ended' | 'kept'; dispatch: Rival; count: number };

const sentStatuses: readonly unknown[] = ['STARTED', 'COMPLETED'];

/** Compares the list with the people in the dispatches of this name. */
export const decideLeft = (
	{ base, recipients }: Pick<Job, 'base' | 'recipients'>,
	rivals: ReadonlyArray<readonly [Rival, Held]>,
): Left => {
	const isSent = ({ status }: Rival) => sentStatuses.includes(status);
	const inThem = rivals.map(([rival, { texts }]) => {
		const people = recipients.filter(({ destination }) => texts.has(destination));
		const isSame = ({ destination, text }: AcceptedRecipient) => {
			const shown = texts.get(destination) ?? text;
			return shown === undefined || text === undefined || sameText(shown, text);
		};
		return { rival, people, same: new Set(people.filter(isSame)) };
	});
	const has = new Map<AcceptedRecipient, number>();
	for (const { rival, same } of inThem) {
		if (isSent(rival)) for (const one of same) if (!has.has(one)) has.set(one, rival.id);
	}
	const problems = inThem.flatMap(
		({ rival, people, same }): Array<Exclude<Left, { is: 'left' }>> => {
			const open = people.filter((one) => !has.has(one));
			const others = open.filter((one) => !same.has(one)).length;
			// Under another name, only the same text to the same people counts.
			if (others > 0 && rival.base === base)
				return [{ is: 'otherText', dispatch: rival, count: others }];
			const count = open.length - others;
			if (count === 0) return [];
			return [{ is: isKept(rival) ? 'kept' : 'ended', dispatch: rival, count }];
		},
	);
	const [problem] = problems;
	if (problem !== undefined) return problem;
	const hasIt = [...has].map(([recipient, dispatchId]) => ({ recipient, dispatchId }));
	if (has.size === 0) return { is: 'left', recipients, hasIt };
	return { is: 'left', recipients: recipients.filter((one) => !has.has(one)), hasIt };
};

/** Whether ours may be started, by a list that shows it. */
type Yielded =
	| { is: 'first'; createdMs: number }
	| { is: 'unlisted' }
	/** Another dispatch was started that the check hasn't read. */
	| { is: 'passed'; id: number }
	/** An older one of another run may still be started. */
	| { is: 'busy'; until: number };

/**
 * A list that shows a dispatch shows the older ones too. So of several runs only the one with the oldest dispatch continues; an ID or a
 * time is enough to be older.
 */
export const decideYield = (
	wanted: Wanted,
	id: number,
	listed: readonly ListedDispatch[],
	read: ReadonlyMap<number, number>,
	isDead: (id: number) => boolean,
	now: number,
): Yielded => {
	const found = listed.find((one) => one.id === id);
	if (found === undefined) return { is: 'unlisted' };
	const ours = toRival(found);
	const rivals = rivalsOf(wanted, listed, now).filter((one) => one.id !== id);
	// Without a count it can't be known whether everybody in it was read.
	const isRead = ({ id: other, total }: Rival) => total !== undefined && read.get(other) === total;
	// One that is younger than ours and waits to be started gives way itself.
	const passed = toRead(rivals).find((one) => !isRead(one) && (!isUnstarted(one) || one.id < id));
	if (passed !== undefined) return { is: 'passed', id: passed.id };
	// By the times of the two dispatches, so no clock can be wrong.
	const until = busyUntil(
		rivals.filter((one) => one.id < id || one.createdMs < ours.createdMs),
		isDead,
		ours.createdMs,
	);
	return until === undefined ? { is: 'first', createdMs: ours.createdMs } : { is: 'busy', until };
};
