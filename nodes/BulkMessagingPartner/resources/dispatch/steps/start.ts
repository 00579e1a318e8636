import type { IExecuteFunctions } from 'n8n-workflow';
import { partner } from '../../../../../core/contract/partner';
import { CancelledError, ServiceError } from '../../../../../core/transport/errors';
import {
	absent,
	type Look,
	lookForAMinute,
	type Outcome,
	settled,
	unclear,
} from '../../../../../core/transport/outcome';
import { send } from '../../../../../core/transport/send';
import { getDispatch, readDispatch } from './service';
import { failureAfter, whyNotStarted, whyNotStopped, withReason } from './refusal';

/** A dispatch after it was started or stopped. */
export interface Moved {
	id: number;
	status: string;
}

const moves = {
	start: { endpoint: partner.dispatchStart, from: 'CREATED', to: ['STARTED', 'COMPLETED'] },
	stop: { endpoint: partner.dispatchStop, from: 'STARTED', to: ['STOPPED'] },
} as const;

type Move = keyof typeof moves;

class StrangeStatusError extends Error {}

const toLook = (id: number, move: Move, status: string): Look<Moved> => {
	const { from, to } = moves[move];
	if (to.some((one) => one === status)) return { is: 'found', value: { id, status } };
	if (status === from) return absent;
	const shown = status === '' ? 'without a status' : `as ${status}`;
	const error = new StrangeStatusError(`The service shows dispatch ${id} ${shown}`);
	return { is: 'unsure', error };
};

export const statusAfter = async (
	context: IExecuteFunctions,
	id: number,
	move: Move,
): Promise<Look<Moved>> => {
	const { status = '' } = await getDispatch({ context }, id);
	return toLook(id, move, status);
};

/** What the service shows, if that is neither the old nor the new status. */
const strangeStatus = (seen: Look<Moved>): string =>
	seen.is === 'unsure' && seen.error instanceof StrangeStatusError ? `${seen.error.message}.` : '';

/** Whether the service itself has rejected the call: its response has the contract's error code. */
const isRejection = ({ error }: { error: Error }) =>
	error instanceof ServiceError && error.outcome === 'refused' && error.problem.code !== undefined;

/** Canceled before the request was sent, or no connection was made. Any response, even 429, may be to a request that was carried out. */
const neverReached = (error: Error): boolean =>
	error instanceof CancelledError ||
	(error instanceof ServiceError && error.problem.status === undefined);

/** Whether a look confirms a rejection: the old status, or a service that doesn't know the dispatch. */
const isSettled = (seen: Look<Moved>): boolean =>
	seen.is === 'absent' || (seen.is === 'unsure' && isRejection(seen));

const moveOnce = async (
	context: IExecuteFunctions,
	id: number,
	move: Move,
	onReply: (reply: unknown) => void,
): Promise<Outcome<Moved>> => {
	const { endpoint, to } = moves[move];
	const sent = await settled<unknown>(send(context, endpoint, { path: { id } }));
	if (sent.is !== 'done') return sent;
	onReply(sent.value);
	const { status = '' } = readDispatch(sent.value) ?? {};
	return to.some((one) => one === status)
		? { is: 'done', value: { id, status } }
		: unclear(endpoint);
};

/**
 * Starts or stops a dispatch. It counts only if a response about this very dispatch says so, or if the dispatch itself shows it
 * within a minute. If it still shows the old status then, the call is sent once more: its messages have a status of their own, so a
 * second start doesn't send them twice.
 */
export const moveDispatch = async (
	context: IExecuteFunctions,
	id: number,
	move: Move,
	onReply: (reply: unknown) => void = () => undefined,
	/** Statuses that explain a rejection: nothing was changed by this call, because it was done before. */
	explains: (status: string) => boolean = () => false,
): Promise<Outcome<Moved>> => {
	const cancelled = context.getExecutionCancelSignal();
	const first = await moveOnce(context, id, move, onReply);
	if (first.is === 'done') return first;
	if (first.is === 'notCarriedOut' && neverReached(first.error)) return first;
	const isFinal = isRejection(first);
	let isExplained = false;
	const look = async () => {
		const { status = '' } = await getDispatch({ context }, id);
		isExplained = first.is === 'refused' && explains(status);
		return toLook(id, move, status);
	};
	const seen = await lookForAMinute(
		look,
		cancelled,
		(one) => isExplained || one.is === 'found' || (isFinal && isSettled(one)),
	);
	if (isExplained) return first;
	if (seen.is === 'found') return { is: 'done', value: seen.value };
	if (isFinal && isSettled(seen)) return first;
	// The rejection isn't certain, so what follows from it isn't said either.
	const { error } = first;
	const unknown = {
		is: 'unknown',
		error: error instanceof ServiceError ? error.doubted().after(strangeStatus(seen)) : error,
	} as const;
	if (seen.is === 'unsure' || cancelled?.aborted) return unknown;
	const second = await moveOnce(context, id, move, onReply);
	if (second.is === 'done') return second;
	const seenAgain = await lookForAMinute(look, cancelled);
	return seenAgain.is === 'found' ? { is: 'done', value: seenAgain.value } : unknown;
};

const whyNotMoved = { start: whyNotStarted, stop: whyNotStopped } as const;
const did = { start: 'started', stop: 'stopped' } as const;

/** Starts or stops a dispatch for the operation of that name, or throws what is known. */
export const moveOrFail = async (
	context: IExecuteFunctions,
	id: number,
	move: Move,
): Promise<Moved> => {
	const explains = (status: string) => Object.hasOwn(whyNotMoved[move], status);
	const moved = await moveDispatch(context, id, move, undefined, explains);
	if (moved.is === 'done') return moved.value;
	if (moved.is === 'unknown') {
		throw failureAfter(
			context,
			moved.error,
			`It is not known whether dispatch ${id} was ${did[move]}. Check it in your account on the provider's website before you run this again.`,
		);
	}
	throw await withReason(context, moved.error, { dispatchId: id, byStatus: whyNotMoved[move] });
};
