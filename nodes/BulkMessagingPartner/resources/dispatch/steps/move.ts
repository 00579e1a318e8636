import type { IExecuteFunctions } from 'n8n-workflow';
import { failureAfter } from './failureAfter';
import { whyNotStarted, whyNotStopped, withReason } from './refusal';
import { moveDispatch, type Move, type Moved } from './start';

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
