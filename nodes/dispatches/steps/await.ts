import { type IDataObject, type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { partner } from '../../../core/contract/partner';
import { addHint, howMany } from '../../../core/engine/hints';
import { list } from '../../../core/transport/list';
import { asError, causeWords } from '../../../core/transport/outcome';
import { acceptedIn, type Job, type Made } from '../job';
import { readFinals } from '../ask/partner';
import { waitAtMost } from '../params/limits';
import { pendingIn, watchDispatch } from './watch';

const wait = async (
	context: IExecuteFunctions,
	{ id, placed }: Pick<Made, 'id' | 'placed'>,
	limitMinutes: number,
) => {
	const dispatch = await watchDispatch(context, id, limitMinutes, acceptedIn(placed));
	const pending = pendingIn(dispatch);
	if (pending !== 0 && dispatch.status !== 'STOPPED') {
		const count = pending === null ? 'Some messages' : howMany(pending, 'message');
		addHint(
			context,
			`${count} in dispatch ${id} may still be pending. Increase '${waitAtMost.displayName}', or use 'Get Report' later.`,
		);
	}
	const entries = await list(context, partner.messageList, { query: { dispatchId: id } });
	const { status } = dispatch;
	const delivery: IDataObject = { status, completed: status === 'COMPLETED' };
	return { delivery, finals: readFinals(entries) };
};

/** Waits for a started dispatch and returns its counts and the state of each message. */
export const awaitDelivery = async (
	context: IExecuteFunctions,
	made: Pick<Made, 'id' | 'placed'>,
	limitMinutes: number = waitAtMost.default,
	ifSent: Job['ifSent'] = 'new',
): ReturnType<typeof wait> =>
	await wait(context, made, limitMinutes).catch((error: unknown) => {
		const title = `Dispatch ${made.id} was started, but its results aren't known yet`;
		throw new NodeOperationError(context.getNode(), title, {
			description: `Its messages are being sent. ${ifSent === 'anyway' ? "To see who has it, use 'Get Report'." : 'Run it again to see who has it: nobody gets it twice.'} ${causeWords(asError(error))}`,
		});
	});
