import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { partner } from '../../../../core/contract/partner';
import type { Delivery } from '../../../../core/dispatch/deliver';
import { ServiceError } from '../../../../core/transport/errors';
import { send } from '../../../../core/transport/send';
import { lookUpMove } from './move';

interface Limits {
	whenPassed?: 'leave' | 'error';
	minimumAccepted?: number;
	priceLimit?: number;
	stopIfStartFails: boolean;
	/** The share of the recipients that the service took, 0 to 1. */
	share: number;
}

const percent = (share: number) => `${Math.floor(share * 1000) / 10} %`;

/** Why the dispatch must not start; nothing when it may. */
const objection = (
	{ priceLimit, minimumAccepted, share }: Limits,
	priceEstimate: number,
	currency = '',
): string | undefined => {
	if (priceLimit !== undefined && priceEstimate > priceLimit) {
		return `The price estimate is ${priceEstimate} ${currency}, above the limit of ${priceLimit}`.replace(
			'  ',
			' ',
		);
	}
	if (minimumAccepted !== undefined && share * 100 < minimumAccepted) {
		return `${percent(share)} of the recipients were accepted, and at least ${minimumAccepted} % are wanted`;
	}
	return undefined;
};

/** A failure of a later step, with what is done already. */
const told = (error: unknown, doneBefore: string): never => {
	throw error instanceof ServiceError ? error.after(doneBefore) : error;
};

const tryStop = async (context: IExecuteFunctions, id: number): Promise<string> => {
	const stopped = await send(context, partner.dispatchStop, { path: { id } }).then(
		() => true,
		() => false,
	);
	return stopped
		? 'It was stopped again.'
		: 'Stopping it again did not work either: look at it in the service.';
};

/** Starts; when it is not known whether that worked, looks, and tells what is certain. */
const start = async (context: IExecuteFunctions, id: number, stopIfStartFails: boolean) => {
	const outcome = await send(context, partner.dispatchStart, { path: { id } }).then(
		() => ({ started: true }) as const,
		(error: unknown) => ({ error }),
	);
	if ('started' in outcome) return;
	const { error } = outcome;
	if (!(error instanceof ServiceError)) throw error;
	const dispatch = `Dispatch ${id} is complete, but it could not be started.`;
	if (error.outcome !== 'unknown') throw error.after(dispatch);
	const reached = await lookUpMove(context, id, ['STARTED', 'COMPLETED']).catch(
		() => 'unseen' as const,
	);
	if (typeof reached === 'object') return;
	if (reached === undefined)
		throw error.after(`${dispatch} It was not started: start it with Start.`);
	throw error.after(
		`It is not known whether dispatch ${id} was started. ${stopIfStartFails ? await tryStop(context, id) : ''}`,
	);
};

/** Starts a dispatch unless a limit speaks against it. What the result says about it is returned. */
export const startWithin = async (
	context: IExecuteFunctions,
	delivery: Delivery,
	limits: Limits,
): Promise<IDataObject> => {
	const { dispatchId: id, currency } = delivery.progress;
	if (id === undefined) return { started: false, notStartedBecause: 'There is no recipient' };
	const { priceEstimate, status } = await delivery
		.state()
		.catch((error: unknown) =>
			told(error, `Dispatch ${id} is complete and was not started: start it with Start.`),
		);
	if (status === 'STARTED' || status === 'COMPLETED') return { started: true, startedBefore: true };
	if (status === 'STOPPED') {
		return { started: false, notStartedBecause: 'It was stopped before: start it with Start' };
	}
	const reason = objection(limits, priceEstimate, currency);
	if (reason === undefined) {
		await start(context, id, limits.stopIfStartFails);
		return { started: true, status: 'STARTED' };
	}
	if (limits.whenPassed !== 'error') return { started: false, notStartedBecause: reason };
	throw new NodeOperationError(context.getNode(), reason, {
		description: `Dispatch ${id} is created and was not started. Start it with Start if you want it all the same.`,
	});
};
