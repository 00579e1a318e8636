import type { IExecuteFunctions } from 'n8n-workflow';
import { partner } from '../../../../../core/contract/partner';
import { readState } from './replies';
import { UnsettledError } from '../../../../../core/transport/lookThenSend';
import { send } from '../../../../../core/transport/send';

type Status = 'CREATED' | 'STARTED' | 'STOPPED' | 'COMPLETED';
const statuses: readonly string[] = ['CREATED', 'STARTED', 'STOPPED', 'COMPLETED'];

/** The statuses of a started dispatch: it may already be completed. */
export const startedStatuses = ['STARTED', 'COMPLETED'] as const satisfies readonly Status[];

export const isReached = (status: string | undefined, reached: readonly Status[]) =>
	reached.some((one) => one === status);

/**
 * Reads the dispatch to find out whether a start or stop was carried out. Returns `undefined` if it wasn't. An unknown status is
 * an error.
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
	return isReached(status, reached) ? { id, status: status as Status } : undefined;
};
