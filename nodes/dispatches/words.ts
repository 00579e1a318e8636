import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { withSecretsHidden } from '../../core/transport/connection';
import { CancelledError, causeWords, ServiceError } from '../../core/transport/outcome';
import type { DispatchState } from './ask/partner';
import { type DispatchRecord, journalOf, mayBeSent } from './journal';

/** Why a run doesn't send a dispatch, or doesn't know whether it did. */
export type Fact =
	/** Another execution of this process sends under this name. */
	| { is: 'atWork'; name: string }
	/** Another run may start a dispatch until then. */
	| { is: 'busy'; until: number; name: string }
	| { is: 'kept'; dispatch: DispatchState; count: number }
	| { is: 'ended'; dispatch: DispatchState; count: number }
	| { is: 'otherText'; dispatch: DispatchState; count: number }
	| { is: 'sentBefore'; dispatch: DispatchState }
	/** What was sent before can't be read, or is out of date. */
	| { is: 'unreadable'; name: string; error?: Error }
	| { is: 'rejected'; call: 'create' | 'append' | 'start'; id?: number; error: Error }
	| { is: 'notConfirmed'; error?: Error }
	| { is: 'renamed'; name: string; shown: string }
	| { is: 'incomplete'; id: number }
	| { is: 'startedByOther'; id: number }
	| { is: 'unlisted'; id: number }
	| { is: 'passed'; id: number }
	| { is: 'late'; id: number }
	| { is: 'canceled' }
	| { is: 'limit'; id: number; objection: string }
	/** `isAnyway`: the next press would send to everybody again. */
	| { is: 'startUnknown'; id: number; until: number; error: Error; isAnyway?: boolean }
	/** With Retry On Fail: an expression gives other values in each try. */
	| { is: 'regrouped' };

export const canceledFact: Fact = { is: 'canceled' };

const formatted = (zone: string, time: number, options: Intl.DateTimeFormatOptions): string =>
	new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone }).format(time);

/** `15 Nov, 14:02` in the workflow's time zone, with the year if it isn't the current one; `undefined` if it can't be read. */
export const shownTime = (
	context: IExecuteFunctions,
	text: string | number | undefined,
	now = Date.now(),
): string | undefined => {
	const zone = context.getTimezone();
	const time = typeof text === 'number' ? text : Date.parse(text ?? '');
	if (Number.isNaN(time)) return undefined;
	const year = (one: number) => formatted(zone, one, { year: 'numeric' });
	const isOtherYear = year(time) !== year(now);
	const day = { day: 'numeric', month: 'short' } as const;
	const date = formatted(zone, time, isOtherYear ? { ...day, year: 'numeric' } : day);
	return `${date}, ${formatted(zone, time, { hour: '2-digit', minute: '2-digit' })}`;
};

const wholeMinuteMs = 60_000;

/** `at 14:02 (Europe/Moscow)`: the first full minute from then on. */
const atTime = (context: IExecuteFunctions, time: number): string => {
	const zone = context.getTimezone();
	const minute = Math.ceil(time / wholeMinuteMs) * wholeMinuteMs;
	return `at ${formatted(zone, minute, { hour: '2-digit', minute: '2-digit' })} (${zone})`;
};

/** `dispatch 17 (15 Nov, 14:02)` */
export const describeSent = (
	context: IExecuteFunctions,
	{ id, startedAt, createdAt }: DispatchState,
): string => {
	const time = shownTime(context, startedAt ?? createdAt);
	return `dispatch ${id}${time === undefined ? '' : ` (${time})`}`;
};

/** `dispatches 17, 18` */
export const listed = (ids: ReadonlyArray<number | undefined>): string =>
	`dispatch${ids.length === 1 ? '' : 'es'} ${ids.join(', ')}`;

/** What a run has sent, or may have sent. */
export const doneWords = (records: readonly DispatchRecord[]): string => {
	const idsOf = (is: 'done' | 'unknown') =>
		records.flatMap(({ start, id }) => (start?.is === is ? [id] : []));
	const [done, unknown] = [idsOf('done'), idsOf('unknown')];
	return [
		...(done.length > 0 ? [`This run has started ${listed(done)}.`] : []),
		...(unknown.length > 0
			? [`It is not known whether this run has started ${listed(unknown)}.`]
			: []),
	].join(' ');
};

const startedBesides = (context: IExecuteFunctions, exceptId?: number): DispatchRecord[] =>
	journalOf(context).all.filter((one) => mayBeSent(one) && one.id !== exceptId);

/** What people have got from this run: the second part of every error. */
const whoGotIt = (context: IExecuteFunctions): string => {
	// The run continues with its other dispatches, and may start them.
	if (context.continueOnFail()) return 'Nobody got a message from this dispatch.';
	const started = startedBesides(context);
	return started.length > 0
		? `${doneWords(started)} Nobody else got a message from this run.`
		: 'Nobody got a message from this run.';
};

const onlyNew = "it sends only to those who don't have it yet";
const soon = 'Run it again in a few minutes.';
const now = `Run it again: ${onlyNew}.`;
const ofItsOwn = "use another 'Dispatch Name'";

/** The title, what follows after it is said who got the message, and the next press. */
const wordsOf = (
	context: IExecuteFunctions,
	fact: Fact,
): { title: string; before?: string; advice: string; cause?: Error } => {
	switch (fact.is) {
		case 'atWork':
			return {
				title: `"${fact.name}" is being sent by another execution right now`,
				advice: `Run it again when that one has ended: ${onlyNew}.`,
			};
		case 'busy':
			return {
				title: `Another run may still be sending "${fact.name}"`,
				advice: `Run it again ${atTime(context, fact.until)}: ${onlyNew}.`,
			};
		case 'kept':
			return {
				title: `Dispatch ${fact.dispatch.id} was created to be started by hand`,
				before: `It contains ${fact.count} of these people.`,
				advice: `To send it, use 'Start' with dispatch ${fact.dispatch.id}. To send something else, ${ofItsOwn}.`,
			};
		case 'ended': {
			const { id, status = 'unknown' } = fact.dispatch;
			return {
				title:
					status === 'STOPPED'
						? `Dispatch ${id} was stopped`
						: `Dispatch ${id} has the status ${status}`,
				before: `It contains ${fact.count} of these people, and some of them may have got the message.`,
				// Another name isn't enough: for twelve hours, the same list under another name is the same.
				advice: "To send to all of them again, set 'If It Was Sent Before' to 'Send Anyway'.",
			};
		}
		case 'otherText':
			return {
				title: 'Another text was sent under this name',
				before: `In ${describeSent(context, fact.dispatch)}, ${fact.count} of these people got another text.`,
				advice: `For another text, ${ofItsOwn}.`,
			};
		case 'sentBefore':
			return {
				title: `This was already sent as ${describeSent(context, fact.dispatch)}`,
				advice: "To send to new recipients, set 'If It Was Sent Before' to 'New Recipients Only'.",
			};
		case 'unreadable':
			return {
				title: `The node couldn't check who already has "${fact.name}"`,
				advice: soon,
				cause: fact.error,
			};
		case 'rejected':
			return { title: '', advice: 'Then run it again.', cause: fact.error };
		case 'notConfirmed':
			return {
				title: "The service didn't confirm that it created the dispatch, and doesn't list it",
				advice: soon,
				cause: fact.error,
			};
		case 'renamed':
			return {
				title: `The service shows another name than "${fact.name}"`,
				before: `It shows "${fact.shown}", and the node recognizes a dispatch by the end of its name.`,
				advice: "Use a shorter 'Dispatch Name' without special characters, and run it again.",
			};
		case 'incomplete':
			return {
				title: `Dispatch ${fact.id} doesn't contain exactly the recipients that were sent to the service`,
				before: 'So it is never started.',
				advice: soon,
			};
		case 'startedByOther':
			return {
				title: `Dispatch ${fact.id} was started by a person, not by this run`,
				before: 'Those who are in it get the message.',
				advice: now,
			};
		case 'unlisted':
			return {
				title: `The service doesn't list dispatch ${fact.id}, so the node can't see whether another run was first`,
				advice: soon,
			};
		case 'passed':
			return {
				title: `Dispatch ${fact.id}, with this name or list, was started in the meantime`,
				advice: now,
			};
		case 'late':
			return { title: `Making dispatch ${fact.id} took longer than 25 minutes`, advice: soon };
		case 'canceled':
			return {
				title: 'The execution was canceled before the dispatch was started',
				advice: now,
			};
		case 'limit':
			return {
				title: fact.objection,
				before: `Dispatch ${fact.id} isn't started.`,
				advice: 'Change the limit or the list, and run it again.',
			};
		case 'startUnknown':
			return {
				title: `It is not known whether dispatch ${fact.id} was started`,
				before: 'Everybody in it may get the message.',
				advice: fact.isAnyway
					? `Set 'If It Was Sent Before' to 'New Recipients Only', and run it again ${atTime(context, fact.until)}: ${onlyNew}.`
					: `Run it again ${atTime(context, fact.until)}: ${onlyNew}.`,
				cause: fact.error,
			};
		case 'regrouped':
			return {
				title: 'The items were grouped into different dispatches on retry',
				before: 'An expression gives a different value in each try.',
				advice: now,
			};
	}
};

/** The error for a fact: what happened, who got the message, and the next press. Its code is in the context. */
export const factError = (context: IExecuteFunctions, fact: Fact): Error => {
	// A call that wasn't sent because of that counts as rejected.
	if (fact.is === 'rejected' && fact.error instanceof CancelledError)
		return factError(context, canceledFact);
	const { title, before = '', advice, cause } = wordsOf(context, fact);
	const id = 'id' in fact ? fact.id : undefined;
	const got =
		fact.is === 'startUnknown' ? doneWords(startedBesides(context, id)) : whoGotIt(context);
	// The service's own reason is the title, and its text says what to correct.
	if (title === '' && cause instanceof ServiceError) {
		return cause.after(`${got}${id === undefined ? '' : ` Dispatch ${id} isn't started.`}`);
	}
	const description = [before, got, advice, causeWords(cause)].filter((text) => text !== '');
	const error = new NodeOperationError(
		context.getNode(),
		withSecretsHidden(context, title || causeWords(cause)),
		{ description: withSecretsHidden(context, description.join(' ')) },
	);
	Object.assign(error.context, { code: fact.is, ...(id !== undefined && { dispatchId: id }) });
	return error;
};
