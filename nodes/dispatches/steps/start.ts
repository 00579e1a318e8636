import type { IExecuteFunctions } from 'n8n-workflow';
import { partner } from '../../../core/contract/partner';
import { howMany } from '../../../core/engine/hints';
import { withSecretsHidden } from '../../../core/transport/connection';
import { list } from '../../../core/transport/list';
import {
	absent,
	CancelledError,
	type Look,
	lookForAMinute,
	type Outcome,
	ServiceError,
} from '../../../core/transport/outcome';
import { rounded } from '../../../core/engine/coerce';
import {
	type DispatchApi,
	type Move,
	type Moved,
	noteStart,
	type ShownDispatch,
} from '../ask/partner';
import type { StartValues } from '../params/head';
import { priceCurrency as currencyParam } from '../params/limits';
import type { DispatchId } from '../plan/rows';
import type { Sorted } from '../plan/sorter';
import { failureAfter, withReason } from './refusal';

export interface StartLimits {
	whenPassed?: 'leave' | 'error';
	minimumAccepted?: number;
	minimumPeople?: number;
	/** For everything that a run starts; `undefined` if the operation has no price limit. */
	priceLimit?: number;
	priceCurrency: string;
}

/** A dispatch that is ready to start. */
interface Ready {
	/** How many recipients the service accepted, and what share of the intended recipients that is (0 to 1). */
	accepted: number;
	share: number;
	/** `undefined` if the service doesn't show a readable one. */
	estimate: number | undefined;
	givenEstimate: unknown;
	currency: string | undefined;
	/** What this run has already started. */
	spent: number;
}

/** The user's limits for starting a dispatch. */
export const limitsOf = ({
	priceLimit,
	options,
}: Pick<StartValues, 'priceLimit' | 'options'>): StartLimits => {
	const {
		whenPassed,
		minimumAccepted,
		minimumPeople,
		priceCurrency = currencyParam.default,
	} = options;
	return { whenPassed, minimumAccepted, minimumPeople, priceLimit, priceCurrency };
};

/** How many people are in the list. A person who is in it twice is one. */
export const peopleIn = ({ accepted, rejected }: Sorted): number =>
	accepted.length + rejected.filter(({ reason }) => reason !== 'duplicate').length;

/** The share of all people in the list that was accepted. */
export const acceptedShare = (plan: Sorted, count: number): number =>
	count / Math.max(1, peopleIn(plan));

const inPercent = (share: number) => `${Math.floor(share * 1000) / 10}%`;

const amount = (value: number, currency: string) => `${rounded(value)} ${currency}`;

const priceObjection = (
	{ priceLimit, priceCurrency }: StartLimits,
	{ currency, spent }: Ready,
	estimate: number,
): string | undefined => {
	if (priceLimit === undefined) return undefined;
	if (currency === undefined)
		return "The service doesn't report the currency of its price estimate";
	if (currency.toUpperCase() !== priceCurrency.trim().toUpperCase()) {
		return `The price estimate is in ${currency}, but 'Price Limit' is in ${priceCurrency}`;
	}
	// Tolerates the rounding errors of adding decimals, which are far below any price.
	if (spent + estimate <= priceLimit + 1e-9) return undefined;
	const before =
		spent > 0 ? ` (plus ${amount(spent, currency)} for this run's other dispatches)` : '';
	return `The price estimate is ${amount(estimate, currency)}${before}, but 'Price Limit' is ${amount(priceLimit, currency)}`;
};

/** The objection to a dispatch without recipients. */
export const rejectedAll = 'The service rejected every recipient';

/** Why the dispatch must not start; `undefined` if it may. Unreadable values are an objection too. */
export const limitObjection = (limits: StartLimits, ready: Ready): string | undefined => {
	const { minimumAccepted, minimumPeople = 1 } = limits;
	const { accepted, share, estimate, givenEstimate } = ready;
	if (accepted === 0) return rejectedAll;
	if (accepted < minimumPeople) {
		return `Only ${howMany(accepted, 'recipient')} ${accepted === 1 ? 'is' : 'are'} accepted, but 'Minimum Accepted (Recipients)' is ${minimumPeople}`;
	}
	if (estimate === undefined) {
		if (typeof givenEstimate === 'number' && givenEstimate > 0) {
			return `The price estimate of ${givenEstimate} may be for some of the recipients only, because a response was lost or shows no price`;
		}
		const found = givenEstimate === undefined ? 'nothing' : JSON.stringify(givenEstimate);
		return `The price estimate can't be read: the service sent ${found}`;
	}
	const objection = priceObjection(limits, ready, estimate);
	if (objection !== undefined || minimumAccepted === undefined) return objection;
	return share * 100 >= minimumAccepted
		? undefined
		: `Only ${inPercent(share)} of the recipients are accepted, but 'Minimum Accepted (%)' is ${minimumAccepted}`;
};

/** The currency of the account's tariffs, if they all use the same, for a dispatch whose responses don't show it. */
export const accountCurrency = async (context: IExecuteFunctions): Promise<string | undefined> => {
	const tariffs = await list(context, partner.tariffList, {}).catch(() => []);
	const currencies = new Set(tariffs.map(({ currency }) => currency));
	const [currency] = currencies;
	return currencies.size === 1 && typeof currency === 'string' ? currency : undefined;
};

class StrangeStatusError extends Error {}

const toLook = (
	context: IExecuteFunctions,
	api: DispatchApi,
	id: DispatchId,
	state: ShownDispatch,
	move: Move,
): Look<Moved> => {
	const { status = '' } = state;
	const isMoved = api.isMoved(state, move);
	if (isMoved) return { is: 'found', value: { status } };
	if (isMoved === false) return absent;
	const shown = status === '' ? 'without a status' : `as ${status}`;
	const error = new StrangeStatusError(
		withSecretsHidden(context, `The service shows dispatch ${id} ${shown}`),
	);
	return { is: 'unsure', error };
};

export const statusAfter = async (
	context: IExecuteFunctions,
	api: DispatchApi,
	id: DispatchId,
	move: Move,
): Promise<Look<Moved>> => toLook(context, api, id, await api.get({ context }, id), move);

/** What the service shows, if that is neither the old nor the new status. */
const strangeStatus = (seen: Look<Moved>): string =>
	seen.is === 'unsure' && seen.error instanceof StrangeStatusError ? `${seen.error.message}.` : '';

/** Whether the service itself has rejected the call: its response has the contract's error code. */
const isRejection = ({ error }: { error: Error }) =>
	error instanceof ServiceError && error.outcome === 'refused' && error.problem.code !== undefined;

/** Canceled before the request was sent, or no connection was made. Any response, even 429, may be to a request that was carried out. */
const neverReached = (error: Error): boolean =>
	(error instanceof CancelledError && !error.hadResponse) ||
	(error instanceof ServiceError &&
		error.problem.status === undefined &&
		error.problem.hadResponse !== true);

/** Rejected at the first attempt. Otherwise an earlier one may have done what the dispatch shows, whatever its response was. */
const isRefusedOnce = (outcome: Outcome<Moved>): boolean =>
	outcome.is === 'refused' &&
	!(outcome.error instanceof ServiceError && outcome.error.problem.hadResponse === true);

/** Whether a look confirms a rejection: the old status, or a service that doesn't know the dispatch. */
const isSettled = (seen: Look<Moved>): boolean =>
	seen.is === 'absent' || (seen.is === 'unsure' && isRejection(seen));

/** What came of starting or stopping a dispatch. */
export type MoveOutcome = Outcome<Moved> & {
	/** After a rejection, the dispatch was seen with the old status. */
	isSeenUnmoved?: boolean;
	/** It wasn't started once more, because it wasn't seen as it was compared. */
	isChanged?: boolean;
};

/**
 * Starts or stops a dispatch. It counts only if a response about this very dispatch says so, or if the dispatch itself shows it
 * within a minute. If it still shows the old status then, the call is sent once more: its messages have a status of their own, so a
 * second start doesn't send them twice.
 */
export const moveDispatch = async (
	context: IExecuteFunctions,
	api: DispatchApi,
	id: DispatchId,
	move: Move,
	{
		isFirst = false,
		mayRepeat = () => true,
	}: {
		/** Nothing was sent before this call: a dispatch that shows why the call was rejected wasn't moved by it. */
		isFirst?: boolean;
		/** Whether the call may be sent once more, by what the dispatch shows now. */
		mayRepeat?: (state: ShownDispatch) => boolean;
	},
): Promise<MoveOutcome> => {
	const cancelled = context.getExecutionCancelSignal();
	const first = await api.move(context, id, move);
	if (first.is === 'done') return first;
	if (first.is === 'notCarriedOut' && neverReached(first.error)) return first;
	const isFinal = isRejection(first);
	let isExplained = false;
	let isRepeatable = false;
	const look = async () => {
		const state = await api.get({ context }, id);
		isRepeatable = mayRepeat(state);
		isExplained = isFirst && isRefusedOnce(first) && api.whyNot(state, move) !== undefined;
		return toLook(context, api, id, state, move);
	};
	const seen = await lookForAMinute(
		look,
		cancelled,
		(one) => isExplained || one.is === 'found' || (isFinal && isSettled(one)),
	);
	if (isExplained) return first;
	if (seen.is === 'found') return { is: 'done', value: seen.value };
	if (isFinal && isSettled(seen)) return { ...first, isSeenUnmoved: seen.is === 'absent' };
	// The rejection isn't certain, so what follows from it isn't said either.
	const { error } = first;
	const unknown = {
		is: 'unknown',
		error: error instanceof ServiceError ? error.doubted().after(strangeStatus(seen)) : error,
	} as const;
	if (seen.is === 'unsure' || cancelled?.aborted || !isRepeatable) return unknown;
	const second = await api.move(context, id, move);
	if (second.is === 'done') return second;
	const seenAgain = await lookForAMinute(look, cancelled);
	return seenAgain.is === 'found' ? { is: 'done', value: seenAgain.value } : unknown;
};

const did = { start: 'started', stop: 'stopped' } as const;

/** Starts or stops a dispatch for the operation of that name, or throws what is known. */
export const moveOrFail = async (
	context: IExecuteFunctions,
	api: DispatchApi,
	id: DispatchId,
	move: Move,
): Promise<Moved> => {
	if (move === 'start') await noteStart(context, api, id);
	const moved = await moveDispatch(context, api, id, move, { isFirst: true });
	if (moved.is === 'done') return moved.value;
	if (moved.is === 'unknown') {
		throw failureAfter(
			context,
			moved.error,
			`It is not known whether dispatch ${id} was ${did[move]}. Check it in your account on the provider's website before you run this again.`,
		);
	}
	throw await withReason(context, moved.error, { dispatchId: id, call: move, api });
};
