import type { IExecuteFunctions } from 'n8n-workflow';
import { partner } from '../../../../core/contract/partner';
import { send } from '../../../../core/transport/send';

type Status = 'CREATED' | 'STARTED' | 'STOPPED' | 'COMPLETED';

/** When it is not known whether a start or stop was carried out, the dispatch itself tells. */
export const lookUpMove = async (
	context: IExecuteFunctions,
	id: number,
	reached: readonly Status[],
): Promise<{ id: number; status: Status } | undefined> => {
	const { status } = await send(context, partner.dispatchGet, { path: { id } });
	return reached.includes(status) ? { id, status } : undefined;
};
