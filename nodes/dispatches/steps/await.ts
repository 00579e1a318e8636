import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { partner } from '../../../core/contract/partner';
import { addHint, howMany } from '../../../core/engine/hints';
import { list } from '../../../core/transport/list';
import { CancelledError } from '../../../core/transport/outcome';
import { acceptedIn, type Whole } from './job';
import { failureAfter } from './refusal';
import { readFinals } from '../ask/partner';
import { waitAtMost } from '../params/limits';
import { pendingIn, watchDispatch } from './watch';

const wait = async (
	context: IExecuteFunctions,
	{ id, placed }: Pick<Whole, 'id' | 'placed'>,
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
	whole: Pick<Whole, 'id' | 'placed'>,
	limitMinutes: number = waitAtMost.default,
): ReturnType<typeof wait> =>
	await wait(context, whole, limitMinutes).catch((error: unknown) => {
		const why =
			error instanceof CancelledError
				? "the execution was canceled before their results were known. Use 'Get Report' to see them."
				: "their results couldn't be read. Use 'Get Report' to see them.";
		throw failureAfter(
			context,
			error,
			`Dispatch ${whole.id} was started and its messages are being sent, but ${why} Don't send it again.`,
		);
	});
