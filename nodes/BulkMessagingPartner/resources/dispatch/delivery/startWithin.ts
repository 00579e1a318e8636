import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { partner } from '../../../../../core/contract/partner';
import type { DispatchDelivery } from './delivery';
import { readState } from './replies';
import { perRun } from '../../../../../core/engine/perRun';
import { ServiceError } from '../../../../../core/transport/errors';
import {
	lookThenSend,
	UnconfirmedError,
	UnsettledError,
} from '../../../../../core/transport/lookThenSend';
import { send } from '../../../../../core/transport/send';
import { isReached, lookUpMove, startedStatuses } from './statuses';

interface Limits {
	whenPassed?: 'leave' | 'error';
	minimumAccepted?: number;
	priceLimit?: number;
	/** Whether the price limit applies to everything that this run starts, or to each dispatch by itself. */
	priceLimitScope?: 'run' | 'dispatch';
	stopIfStartFails: boolean;
	/** The share of the recipients that the service accepted, 0 to 1. */
	share: number;
}

/** What the dispatches that a run has started cost by their estimates, by ID: a repeated run counts each once. */
const startedIn = perRun(() => new Map<number, number>());

const percent = (share: number) => `${Math.floor(share * 1000) / 10} %`;

/** Sums of prices must not show the machine's own decimals. */
const amount = (value: number, currency = '') =>
	`${Math.round(value * 1e6) / 1e6} ${currency}`.trim();

const isLimit = (value: unknown): value is number =>
	typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** Why the dispatch must not start; `undefined` when it may. What can't be read is an objection. */
const objection = (
	{ priceLimit, priceLimitScope = 'run', minimumAccepted, share }: Limits,
	{
		estimate,
		given,
		spent,
		currency,
	}: {
		estimate: number | undefined;
		given: unknown;
		spent: number;
		currency?: string;
	},
): string | undefined => {
	if (estimate === undefined) {
		const found = given === undefined ? 'nothing' : JSON.stringify(given);
		return `The price estimate can't be read: the service sent ${found}`;
	}
	if (priceLimit !== undefined) {
		if (!isLimit(priceLimit)) return 'The Price Limit is not a number';
		const sum = priceLimitScope === 'run' ? spent + estimate : estimate;
		// Decimals of prices add up with an error far below any price.
		if (sum > priceLimit + 1e-9) {
			const before =
				sum > estimate ? `, with ${amount(spent, currency)} already started in this run,` : '';
			return `The price estimate is ${amount(estimate, currency)}${before} above the limit of ${amount(priceLimit)}`;
		}
	}
	if (minimumAccepted === undefined) return undefined;
	if (!isLimit(minimumAccepted)) return 'Minimum Accepted (%) is not a number';
	return share * 100 >= minimumAccepted
		? undefined
		: `${percent(share)} of the recipients were accepted, and at least ${minimumAccepted} % are wanted`;
};

const tryStop = async (context: IExecuteFunctions, id: number): Promise<string> => {
	const stopped = await send(context, partner.dispatchStop, { path: { id } }).then(
		(reply) => readState(reply).status === 'STOPPED',
		() => false,
	);
	return stopped
		? 'It was stopped again.'
		: "The node also couldn't confirm that it was stopped. Check it in your account on the provider's website.";
};

/** A failure of a later step, with what is done already. */
const after = (context: IExecuteFunctions, error: unknown, doneBefore: string): Error => {
	if (error instanceof ServiceError) return error.after(doneBefore);
	if (error instanceof UnconfirmedError || error instanceof UnsettledError) {
		return new NodeOperationError(context.getNode(), error.message, { description: doneBefore });
	}
	return error instanceof Error ? error : new Error(String(error));
};

/** Starts; it counts as started only when the service says so, in its answer or when it is asked again. */
const startDispatch = async (context: IExecuteFunctions, id: number, stopIfStartFails: boolean) => {
	/** The dispatch was seen, and it was not started. */
	let isIdle = false;
	try {
		await lookThenSend({
			attempt: async () => {
				isIdle = false;
				const reply: unknown = await send(context, partner.dispatchStart, { path: { id } });
				if (!isReached(readState(reply).status, startedStatuses)) {
					throw new UnconfirmedError(
						`The service accepted the start of dispatch ${id}, but doesn't show it as started`,
					);
				}
			},
			isThere: async () => {
				isIdle = false;
				const reached = await lookUpMove(context, id, startedStatuses);
				isIdle = reached === undefined;
				return !isIdle;
			},
			isProven: () => isIdle,
			cancelled: context.getExecutionCancelSignal(),
		});
	} catch (error) {
		const dispatch = `Dispatch ${id} is complete, but it could not be started.`;
		if (error instanceof ServiceError && error.outcome !== 'unknown') {
			throw after(context, error, dispatch);
		}
		if (isIdle && !(error instanceof UnconfirmedError)) {
			// Its status may be out of date.
			throw after(
				context,
				error,
				`Dispatch ${id} is complete. It is not known whether it was started: the service shows it as not started. Check it in your account on the provider's website, then start it with Start.`,
			);
		}
		throw after(
			context,
			error,
			`It is not known whether dispatch ${id} was started. ${stopIfStartFails ? await tryStop(context, id) : ''}`,
		);
	}
};

/** Starts a dispatch unless a limit speaks against it. What the result says about it is returned. */
export const startWithin = async (
	context: IExecuteFunctions,
	delivery: DispatchDelivery,
	limits: Limits,
): Promise<IDataObject> => {
	const { dispatchId: id, currency } = delivery.progress;
	if (id === undefined) return { started: false, notStartedBecause: 'There is no recipient' };
	const { priceEstimate, givenEstimate, status } = await delivery
		.current()
		.catch((error: unknown) => {
			throw after(
				context,
				error,
				`Dispatch ${id} is complete and was not started: start it with Start.`,
			);
		});
	const started = startedIn(context);
	if (isReached(status, startedStatuses)) return { started: true, startedBefore: true };
	if (status === 'STOPPED') {
		return { started: false, notStartedBecause: 'It was stopped before: start it with Start' };
	}
	let spent = 0;
	// An earlier try may have tried to start the same one: it costs once.
	for (const [other, cost] of started) if (other !== id) spent += cost;
	const reason =
		status === 'CREATED'
			? objection(limits, { estimate: priceEstimate, given: givenEstimate, spent, currency })
			: `The service doesn't say that dispatch ${id} is ready to start`;
	if (reason === undefined) {
		// Counted before it is sent: one that may have started counts too.
		started.set(id, priceEstimate ?? 0);
		delivery.changed();
		await startDispatch(context, id, limits.stopIfStartFails).catch((error: unknown) => {
			if (error instanceof ServiceError && error.outcome !== 'unknown') started.delete(id);
			throw error;
		});
		return { started: true, status: 'STARTED' };
	}
	if (limits.whenPassed !== 'error') return { started: false, notStartedBecause: reason };
	throw new NodeOperationError(context.getNode(), reason, {
		description: `Dispatch ${id} is created and was not started. Start it with Start if you want to send it anyway.`,
	});
};
