import type { IExecuteFunctions } from 'n8n-workflow';
import { partner } from '../../../../../core/contract/partner';
import { readState } from './replies';
import { UnsettledError } from '../../../../../core/transport/lookThenSend';
import { send } from '../../../../../core/transport/send';

type Status = 'CREATED' | 'STARTED' | 'STOPPED' | 'COMPLETED';
const statuses: readonly string[] = ['CREATED', 'STARTED', 'STOPPED', 'COMPLETED'];

/** Where a dispatch counts as started: it may have been completed meanwhile. */
export const startedStatuses = ['STARTED', 'COMPLETED'] as const satisfies readonly Status[];

export const isReached = (status: string | undefined, reached: readonly Status[]) =>
	reached.some((one) => one === status);

/**
 * When it is not known whether a start or stop was carried out, the dispatch itself tells. `undefined` when it was not. A
 * status that can't be read tells nothing, and that is an error.
 */
export const lookUpMove = async (
	context: IExecuteFunctions,
	id: number,
	reached: readonly Status[],
): Promise<{ id: number; status: Status } | undefined> => {
	const { status } = readState(await send(context, partner.dispatchGet, { path: { id } }));
	if (status === undefined || !statuses.includes(status)) {
		throw new UnsettledError(`The service doesn't report a known status for dispatch ${id}`);
	}
	// One of the statuses above.
	return isReached(status, reached) ? { id, status: status as Status } : undefined;
};
