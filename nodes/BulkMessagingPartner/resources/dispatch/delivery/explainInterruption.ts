import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { toNodeError } from '../../../../../core/engine/failure';
import { howMany } from '../../../../../core/engine/hints';
import { ServiceError } from '../../../../../core/transport/errors';
import { UnconfirmedError, UnsettledError } from '../../../../../core/transport/lookThenSend';
import type { RecipientGroup } from '../plan/groups';
import { AmbiguousError, type InterruptedError } from './interruption';

const accepted = ({ progress }: InterruptedError) => progress.placed.accepted;

/** What interrupted the dispatch, and what to do about it. */
const dispatchWords = (node: INode, reason: unknown): string => {
	if (reason instanceof AmbiguousError) {
		return `${reason.message}. Check them in your account on the provider's website before you run this again.`;
	}
	if (reason instanceof UnsettledError || reason instanceof UnconfirmedError) {
		return `${reason.message}. Check the dispatch in your account on the provider's website before you run this again.`;
	}
	const { message, description } = toNodeError(node, reason, { params: [] });
	return `${message}. ${description ?? ''}`.trim();
};

/** Says what is confirmed, and how to continue without sending twice. */
export const explainInterruption = (
	node: INode,
	error: InterruptedError,
	{ accepted: recipients, itemIndexes }: Pick<RecipientGroup<unknown>, 'accepted' | 'itemIndexes'>,
): NodeOperationError => {
	const { dispatchId } = error.progress;
	const next = recipients.at(error.next)?.itemIndex;
	const words = dispatchWords(node, error.reason);
	const where =
		dispatchId === undefined
			? error.progress.doubt === undefined
				? 'No dispatch was created.'
				: "It is not known whether the dispatch was created. Look for its name in your account on the provider's website before you run this again."
			: `Dispatch ${dispatchId} contains ${howMany(accepted(error), 'confirmed recipient')}${next === undefined ? '' : `; the first unconfirmed recipient is item ${next + 1}`}. To continue, use 'Add Messages' with 'Resume' turned on and the same items: recipients who are already in the dispatch are skipped. The dispatch isn't started: check its price estimate before you use 'Start'.`;
	const failure = new NodeOperationError(node, error.message, {
		description: `${where} ${words}`,
		itemIndex: next ?? itemIndexes[0],
	});
	Object.assign(failure.context, {
		dispatchId,
		accepted: accepted(error),
		firstItemNotAccepted: next,
	});
	return failure;
};

/** The first step failed and nothing was done, so the error needs no explanation about progress. */
export const isPlainFailure = ({ progress, reason }: InterruptedError) =>
	progress.placed.length === 0 &&
	progress.doubt === undefined &&
	reason instanceof ServiceError &&
	!reason.isRisky;
