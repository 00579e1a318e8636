import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { toCallback } from '../../../../shared/callbackCredential';
import { DispatchDelivery } from './delivery';
import { explainInterruption, isPlainFailure, nameUsedBefore } from './explainInterruption';
import { InterruptedError, NameUsedError, type DispatchProgress } from './interruption';
import { pickApproved, senderProblems } from '../plan/senders';
import type { ResultOf } from '../../../../../core/contract/endpoint';
import { partner } from '../../../../../core/contract/partner';
import { UnfitValueError } from '../../../../../core/engine/errors';
import { perRun } from '../../../../../core/engine/perRun';
import type { Run } from '../../../../../core/engine/operation';
import { list } from '../../../../../core/transport/list';
import { UnsettledError } from '../../../../../core/transport/lookThenSend';
import type { RecipientGroup } from '../plan/groups';
import { toDraft, type HeadValues } from '../params/head';

/** The senders of a dispatch, checked before anything is sent: one that cannot be used is named. */
const toSenderIds = async (
	context: IExecuteFunctions,
	{ companyId, channelType, senders, senderIds }: HeadValues,
): Promise<number[]> => {
	// Fields that can't be read make a name unusable: it is refused below.
	const ofCompany = (await list(context, partner.senderList, {
		query: { companyId },
	})) as ResultOf<typeof partner.senderList>;
	const now = Date.now();
	if (senders === 'allApproved') {
		const picked = pickApproved(ofCompany, channelType, now);
		if (picked.length > 0) return picked;
		throw new UnfitValueError(
			'Send As',
			`finds no name: the company has no approved one for ${channelType}`,
		);
	}
	const problems = senderProblems(senderIds, ofCompany, channelType, now);
	if (problems.length === 0) return senderIds;
	throw new UnfitValueError('Sender Names or IDs', `cannot be used: ${problems.join('; ')}`);
};

/** Everything a dispatch has besides its recipients, ready for the wire. */
const toHead = async (context: IExecuteFunctions, values: HeadValues) => {
	const draft = toDraft(values);
	// Before anything is asked: from then on no answer can show its secrets.
	const { nameUsed, callbackAuthentication } = values.options;
	const callback = await toCallback(context, draft.callbackUrl, callbackAuthentication);
	const { callbackUrl, secrets } = callback;
	const senderIds = await toSenderIds(context, values);
	return { head: { ...draft, senderIds, callbackUrl }, secrets, nameUsed };
};

interface Begun extends Pick<DispatchProgress, 'dispatchId' | 'heldBefore' | 'isTried' | 'doubt'> {
	itemIndexes: readonly number[];
}

/** The dispatches of a run, by their first item: a run that n8n repeats continues them instead of creating others. */
const dispatchesOf = perRun(() => new Map<number, Begun>());

const isSame = (one: readonly number[], other: readonly number[]) =>
	one.length === other.length && one.every((item, index) => item === other[index]);

/**
 * What an earlier try of the run has begun with these items. Not by what the dispatch is called or holds: an expression may give
 * another value in every try. If the items are grouped in another way now, nothing may be sent.
 */
const begunWith = (
	{ context }: Run<unknown>,
	dispatches: ReadonlyMap<number, Begun>,
	itemIndexes: readonly number[],
): Begun | undefined => {
	const items = new Set(itemIndexes);
	for (const begun of dispatches.values()) {
		if (!begun.itemIndexes.some((item) => items.has(item))) continue;
		if (isSame(begun.itemIndexes, itemIndexes)) return begun;
		throw new NodeOperationError(
			context.getNode(),
			'The items were grouped into different dispatches on retry',
			{
				description:
					'Nothing was sent in this try, so nobody gets a message twice. An expression gives a different value in every try: use one that stays the same, or turn off Retry On Fail.',
				itemIndex: itemIndexes[0],
			},
		);
	}
	return undefined;
};

/** Runs the delivery of a group; an interruption leaves as an error that says how to go on. */
export const deliverGroup = async (
	run: Run<unknown>,
	group: RecipientGroup<unknown>,
	{ dispatchId, secrets }: { dispatchId?: number; secrets?: readonly string[] },
	/** `begun`: what an earlier try of the same run has worked on. */
	work: (delivery: DispatchDelivery, begun?: Begun) => Promise<unknown>,
): Promise<DispatchDelivery> => {
	const { batchSize, itemIndexes } = group;
	const dispatches = dispatchesOf(run.context);
	const delivery = new DispatchDelivery(run.context, { batchSize, secrets }, dispatchId);
	const begun = begunWith(run, dispatches, itemIndexes);
	const failure = await work(delivery, begun).then(
		() => undefined,
		(error: unknown) => ({ error }),
	);
	// Not what the service made of each recipient: there may be very many.
	const { dispatchId: id, heldBefore, isTried, doubt } = delivery.progress;
	dispatches.set(itemIndexes[0] ?? 0, { dispatchId: id, heldBefore, isTried, doubt, itemIndexes });
	if (failure === undefined) return delivery;
	const { error } = failure;
	if (error instanceof NameUsedError) throw nameUsedBefore(error);
	if (error instanceof UnsettledError) {
		throw new NodeOperationError(run.context.getNode(), error.message, {
			description:
				"Nothing was added or started in this try. Check the dispatches in your account on the provider's website before you run this again.",
			itemIndex: group.itemIndexes[0],
		});
	}
	if (!(error instanceof InterruptedError)) throw error;
	// What an earlier try of the run has done is not undone by a failure of this one.
	const isPlain = begun === undefined && isPlainFailure(error);
	throw isPlain ? error.reason : explainInterruption(run.context.getNode(), error, group);
};

/** Creates the dispatch of a group, or goes on with the one that is there already. */
export const createDispatch = async (
	run: Run<unknown>,
	group: RecipientGroup<HeadValues>,
): Promise<DispatchDelivery> => {
	const { head, secrets, nameUsed } = await toHead(run.context, group.head);
	return await deliverGroup(run, group, { secrets }, async (delivery, begun) =>
		begun?.dispatchId === undefined
			? await delivery.create(head, group.accepted, nameUsed, begun?.doubt)
			: await delivery.goOn(begun.dispatchId, group.accepted),
	);
};
