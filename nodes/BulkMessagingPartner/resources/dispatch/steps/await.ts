import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { partner } from '../../../../../core/contract/partner';
import { addHint, howMany } from '../../../../../core/engine/hints';
import { list } from '../../../../../core/transport/list';
import { CancelledError } from '../../../../../core/transport/outcome';
import { acceptedIn, type Whole } from './job';
import { failureAfter } from './refusal';
import { readFinals, type FinalState } from './service';
import { pendingIn, waitAtMost, watchDispatch } from './watch';

const knownStates = new Set(['CREATED', 'SENT', 'DELIVERED', 'FAILED']);

/** Adds a hint about undelivered messages, because a node that succeeds looks as if everything was delivered. */
const hintAtUndelivered = (
	context: IExecuteFunctions,
	id: number,
	finals: ReadonlyMap<string, FinalState>,
): void => {
	const states = [...finals.values()].map(({ status }) => status);
	const failed = states.filter((status) => status === 'FAILED').length;
	if (failed > 0) {
		addHint(
			context,
			`${failed.toLocaleString('en')} of ${howMany(finals.size, 'message')} in dispatch ${id} ${failed === 1 ? 'was' : 'were'} not delivered.`,
		);
	}
	const unclear = states.filter((status) => !knownStates.has(status)).length;
	if (finals.size === 0 || unclear > 0) {
		const which = finals.size === 0 ? 'the messages' : howMany(unclear, 'message');
		addHint(context, `The service doesn't report a known status for ${which} in dispatch ${id}.`);
	}
};

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
	const { status, messages } = dispatch;
	const delivery: IDataObject = { status, completed: status === 'COMPLETED', messages };
	const finals = readFinals(entries);
	hintAtUndelivered(context, id, finals);
	return { delivery, finals };
};

/** Waits for a started dispatch and returns its counts and the state of each message. */
export const awaitDelivery = async (
	context: IExecuteFunctions,
	whole: Pick<Whole, 'id' | 'placed'>,
	limitMinutes: number,
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
