import type { INode, NodeApiError } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { toNodeError } from '../../../../../core/engine/failure';
import { rangesOf } from '../../../../../core/engine/progress';
import { EntryError } from './deliver';
import type { Fate, Outgoing } from './fate';
import { ServiceError } from '../../../../../core/transport/errors';
import { toShowable } from '../../../../../core/transport/redact';

export interface Settled {
	entry: Outgoing;
	fate: Fate;
}
export type FailedMessage = Settled & { fate: Exclude<Fate, { kind: 'accepted' }> };
type Shown = Error & { description?: string | null };

const sentences = (...texts: Array<string | false | null | undefined>) =>
	texts.filter((text) => text).join(' ');

const wordsOf = ({ message, description }: Shown) => sentences(`${message}.`, description);

/** What became of one message that was not accepted. */
export const failureOf = (
	node: INode,
	{ entry: { itemIndex, ownId }, fate }: FailedMessage,
	secrets: readonly string[],
): Shown => {
	if (fate.kind === 'held') {
		return new NodeOperationError(node, 'Not sent, because of the failure before it', {
			itemIndex,
		});
	}
	const named = ownId === undefined ? '' : ` with the Custom Message ID ${ownId}`;
	const unknown = (words: string) =>
		new NodeOperationError(node, `It is not known whether the message${named} was sent`, {
			itemIndex,
			description: sentences(
				ownId === undefined
					? "Check it in your account on the provider's website before you send it again."
					: 'Look it up before you send it again.',
				words,
			),
		});
	if (fate.error instanceof EntryError) {
		const { code, words } = fate.error;
		const says = words && `The service says: ${toShowable(words, secrets)}`;
		const coded = code !== undefined && `(code ${code})`;
		if (fate.kind === 'unknown') {
			return unknown(
				sentences(
					'The service accepted the request and reports an error',
					coded && `${coded}.`,
					says,
				),
			);
		}
		const message = sentences('The service did not accept this message', coded);
		return new NodeOperationError(node, says ? `${message}. ${says}` : message, {
			itemIndex,
			description: sentences('This message was not sent.', says),
		});
	}
	const cause = toNodeError(node, fate.error, { itemIndex, params: [] });
	return fate.kind === 'refused' ? cause : unknown(wordsOf(cause));
};

const itemList = (some: readonly Settled[]) => rangesOf(some.map(({ entry }) => entry.itemIndex));

const titleOf = (unknown: number, failed: number, total: number, isCancelled: boolean) => {
	// n8n knows it by this spelling, and does not take it for a failure.
	if (isCancelled) return 'The execution was canceled before all messages were sent';
	return unknown > 0
		? `It is not known whether ${unknown} of ${total} messages were sent`
		: `${failed} of ${total} messages were not sent`;
};

/** The same refusal for all of them, at the first request. */
const refusalOfAll = (all: readonly Settled[]): ServiceError | undefined => {
	const [first] = all;
	const error = first?.fate.kind === 'refused' ? first.fate.error : undefined;
	const isOfAll = all.every(
		({ fate }) => fate.kind === 'held' || ('error' in fate && fate.error === error),
	);
	return isOfAll && error instanceof ServiceError ? error : undefined;
};

/** The same for programs: n8n keeps it with the error. */
const withReport = (
	error: NodeApiError | NodeOperationError,
	failed: readonly FailedMessage[],
	accepted: number,
) => {
	Object.assign(error.context, {
		accepted,
		firstItemNotAccepted: failed[0]?.entry.itemIndex,
		failedItems: failed.map(({ entry }) => entry.itemIndex),
		unknownOwnIds: failed.flatMap(({ entry, fate }) =>
			fate.kind === 'unknown' ? (entry.ownId ?? []) : [],
		),
	});
	return error;
};

/**
 * The failure that stops a run. n8n drops the output of a node that failed, so whatever was accepted would be lost from
 * sight: the error says how many there are, which items are not among them, and what a second run would do.
 */
export const stopOf = (
	node: INode,
	all: readonly Settled[],
	failed: readonly [FailedMessage, ...FailedMessage[]],
	{ secrets, isCancelled }: { secrets: readonly string[]; isCancelled: boolean },
): Error => {
	const [first] = failed;
	const refusal = isCancelled ? undefined : refusalOfAll(all);
	if (refusal !== undefined) {
		const error = toNodeError(node, refusal.after('Nothing was sent.'), { params: [] });
		return withReport(error, failed, 0);
	}
	const cause = failureOf(node, first, secrets);
	if (all.length === 1 && !isCancelled) return cause;
	const of = (kind: Fate['kind']) => failed.filter(({ fate }) => fate.kind === kind);
	const [refused, unknown, held] = [of('refused'), of('unknown'), of('held')];
	const accepted = all.filter(({ fate }) => fate.kind === 'accepted');
	const isSafe = accepted.every(({ entry }) => entry.isGiven);
	const stopped = new NodeOperationError(
		node,
		titleOf(unknown.length, failed.length, all.length, isCancelled),
		{
			description: sentences(
				`The service has accepted ${accepted.length} of ${all.length}.`,
				refused.length > 0 && `Not accepted: ${itemList(refused)}.`,
				unknown.length > 0 && `Not known: ${itemList(unknown)}.`,
				held.length > 0 && `Not tried: ${itemList(held)}.`,
				accepted.length > 0 &&
					(isSafe
						? 'If you run this again with the same Custom Message IDs, those that were accepted are left out.'
						: 'If you run this again, those that were accepted are sent again, unless Custom Message ID is filled in.'),
				`The first failure: ${wordsOf(cause)}`,
			),
		},
	);
	return withReport(stopped, failed, accepted.length);
};
