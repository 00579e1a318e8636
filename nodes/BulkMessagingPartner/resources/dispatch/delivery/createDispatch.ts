import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { toCallback } from '../../../../shared/callbackCredential';
import { comparableName } from './calls';
import { DispatchDelivery } from './delivery';
import { explainInterruption, isPlainFailure } from './explainInterruption';
import { InterruptedError, type DispatchProgress } from './interruption';
import { describeNamed, findNamed, nameExistsError } from './names';
import { whyNotAppended, withReason } from './refusal';
import { pickApproved, senderProblems, uncoveredOperators } from '../plan/senders';
import type { ResultOf } from '../../../../../core/contract/endpoint';
import { partner } from '../../../../../core/contract/partner';
import { UnfitValueError } from '../../../../../core/engine/errors';
import { addHint, addHintOnce } from '../../../../../core/engine/hints';
import { perRun } from '../../../../../core/engine/perRun';
import type { Run } from '../../../../../core/engine/operation';
import { list } from '../../../../../core/transport/list';
import { UnsettledError } from '../../../../../core/transport/lookThenSend';
import type { RecipientGroup } from '../plan/groups';
import { toDraft, type HeadValues } from '../params/head';

/** The company has an approved name for these operators, but it wasn't chosen, so their recipients may be rejected. */
const hintAtOperators = (context: IExecuteFunctions, operators: readonly string[]): void => {
	if (operators.length === 0) return;
	addHint(
		context,
		`None of the chosen sender names is for ${operators.join(', ')}, so the service may reject recipients of these operators. To use every approved name, set 'Send As' to 'All Approved Sender Names'.`,
	);
};

/** The sender names for a dispatch, checked before anything is sent. The error lists each name that can't be used. */
const toSenders = async (
	context: IExecuteFunctions,
	{ companyId, channelType, senders, senderIds }: HeadValues,
	/** When the first message goes out. */
	at: number,
): Promise<{ senderIds: number[]; senderNames: ReadonlyMap<number, string> }> => {
	// A name with unreadable fields is unusable, and is rejected below.
	const ofCompany = (await list(context, partner.senderList, {
		query: { companyId },
	})) as ResultOf<typeof partner.senderList>;
	const senderNames = new Map(ofCompany.map(({ id, senderName }) => [id, String(senderName)]));
	const approved = pickApproved(ofCompany, channelType, at);
	if (senders === 'allApproved') {
		if (approved.length > 0) return { senderIds: approved, senderNames };
		throw new UnfitValueError(
			'Send As',
			`can't be used: the company has no approved sender name for ${channelType}`,
		);
	}
	const problems = senderProblems(senderIds, ofCompany, channelType, at);
	if (problems.length === 0) {
		hintAtOperators(context, uncoveredOperators(senderIds, approved, ofCompany));
		return { senderIds, senderNames };
	}
	throw new UnfitValueError('Sender Names or IDs', `can't be used: ${problems.join('; ')}`);
};

/** Everything in the request besides the recipients. */
const toHead = async (context: IExecuteFunctions, values: HeadValues, startsNow: boolean) => {
	const { draft, remarks } = toDraft(values);
	for (const remark of remarks) addHintOnce(context, remark);
	// Before any request, so that the callback's secrets are removed from every response.
	const { callbackAuthentication } = values.options;
	const callback = await toCallback(context, draft.callbackUrl, callbackAuthentication);
	const { callbackUrl, secrets } = callback;
	const startAt = Date.parse((startsNow ? undefined : draft.schedule?.startAt) ?? '');
	const at = Math.max(Date.now(), Number.isNaN(startAt) ? 0 : startAt);
	const { senderIds, senderNames } = await toSenders(context, values, at);
	return { head: { ...draft, senderIds, callbackUrl }, secrets, senderNames };
};

interface Begun extends Pick<DispatchProgress, 'dispatchId' | 'heldBefore' | 'isTried' | 'doubt'> {
	itemIndexes: readonly number[];
}

/** The dispatches of a run, by the index of their first item. When n8n retries the run, they are continued, not created again. */
const dispatchesOf = perRun(() => new Map<number, Begun>());

const isSame = (one: readonly number[], other: readonly number[]) =>
	one.length === other.length && one.every((item, index) => item === other[index]);

/**
 * The dispatch that an earlier attempt of this run began with these items. It isn't found by name or content, because an
 * expression may give a different value in each attempt. If the items are grouped differently now, nothing may be sent.
 */
const begunWith = (
	{ context }: Run<unknown>,
	dispatches: ReadonlyMap<number, Begun>,
	itemIndexes: readonly number[],
): Begun | undefined => {
	if (dispatches.size === 0) return undefined;
	const items = new Set(itemIndexes);
	for (const begun of dispatches.values()) {
		if (!begun.itemIndexes.some((item) => items.has(item))) continue;
		if (isSame(begun.itemIndexes, itemIndexes)) return begun;
		throw new NodeOperationError(
			context.getNode(),
			'The items were grouped into different dispatches on retry',
			{
				description:
					"Nothing was sent in this attempt, so nobody gets a message twice. An expression gives a different value in each attempt: use one that stays the same, or turn off 'Retry On Fail'.",
				itemIndex: itemIndexes[0],
			},
		);
	}
	return undefined;
};

/** Runs the delivery of a group. If it is interrupted, the error says how to continue. */
export const deliverGroup = async (
	run: Run<unknown>,
	group: RecipientGroup<unknown>,
	{ secrets, ...about }: { dispatchId?: number; companyId?: number; secrets?: readonly string[] },
	/** `begun`: the dispatch that an earlier attempt of the same run worked on. */
	work: (delivery: DispatchDelivery, begun?: Begun) => Promise<unknown>,
): Promise<DispatchDelivery> => {
	const { batchSize, itemIndexes, choices } = group;
	const dispatches = dispatchesOf(run.context);
	const keepsReplies = choices.output === 'raw';
	const options = { batchSize, secrets, keepsReplies };
	const delivery = new DispatchDelivery(run.context, options, about.dispatchId);
	const begun = begunWith(run, dispatches, itemIndexes);
	const failure = await work(delivery, begun).then(
		() => undefined,
		(error: unknown) => ({ error }),
	);
	// The result for each recipient isn't kept, because there may be very many.
	const { dispatchId: id, heldBefore, isTried, doubt } = delivery.progress;
	dispatches.set(itemIndexes[0] ?? 0, { dispatchId: id, heldBefore, isTried, doubt, itemIndexes });
	if (failure === undefined) return delivery;
	const { error } = failure;
	if (error instanceof UnsettledError) {
		throw new NodeOperationError(run.context.getNode(), error.message, {
			description:
				"Nothing was added or started in this attempt. Check the dispatches in your account on the provider's website before you run this again.",
			itemIndex: group.itemIndexes[0],
		});
	}
	if (!(error instanceof InterruptedError)) throw error;
	// If an earlier attempt began the dispatch, the error must say what is already done.
	const isPlain = begun === undefined && isPlainFailure(error);
	const { context } = run;
	const reason = await withReason(context, error.reason, {
		...about,
		dispatchId: id,
		byStatus: whyNotAppended,
	});
	const known = new InterruptedError(error.progress, error.next, reason);
	throw isPlain ? reason : explainInterruption(context.getNode(), known, group);
};

export interface PreparedDispatch extends Awaited<ReturnType<typeof toHead>> {
	/** The dispatch to continue. */
	existing?: number;
	/** Set if the dispatch was already started, so continuing it reaches nobody new. The text says so. */
	wasSent?: string;
}

/** The phone numbers in this run by dispatch name, each with the index of its group's first item. */
const recipientsByName = perRun(() => new Map<string, Map<string, number>>());

/** With a list of recipients and several input items, the list would be sent once per item, which is never intended. */
const checkListedOnce = (
	context: IExecuteFunctions,
	{ companyId, name }: { companyId: number; name: string },
	{ accepted, itemIndexes }: RecipientGroup<unknown>,
): void => {
	const [firstItem = 0] = itemIndexes;
	const byName = recipientsByName(context);
	const key = `${companyId} ${comparableName(name)}`;
	const items = byName.get(key) ?? new Map<string, number>();
	byName.set(key, items);
	for (const { destination } of accepted) {
		const other = items.get(destination) ?? firstItem;
		items.set(destination, other);
		if (other === firstItem) continue;
		throw new UnfitValueError(
			'Dispatch Name',
			`is the same for items ${other + 1} and ${firstItem + 1}, and both send to ${destination}. To send once, turn on 'Execute Once' in the node's settings. To send several times, give each dispatch its own name`,
		);
	}
};

/** The dispatches that this run continues, each with its group's first item: two groups must not share one. */
const continuedIn = perRun(() => new Map<number, number>());

/** All checks that can stop a dispatch before the run creates the first one: its sender names, callback and name. */
export const prepareDispatch = async (
	run: Run<unknown>,
	group: RecipientGroup<HeadValues>,
	{ isTest = false } = {},
): Promise<PreparedDispatch> => {
	const { context } = run;
	const { head: values, itemIndexes, source } = group;
	const { nameExists } = values;
	const prepared = await toHead(context, values, isTest);
	const begun = begunWith(run, dispatchesOf(context), itemIndexes);
	const isBegun = begun?.dispatchId !== undefined || begun?.doubt !== undefined;
	// A test dispatch gets a unique name, so its name can't exist yet.
	if (isBegun || isTest || nameExists === 'another') return prepared;
	const [firstItem = 0] = itemIndexes;
	if (nameExists === 'stop' && source !== 'items') checkListedOnce(context, prepared.head, group);
	const named = await findNamed(context, prepared.head);
	if (named === undefined) return prepared;
	if (nameExists !== 'continue') throw nameExistsError(context, named, firstItem);
	const { newest, sent } = named;
	const { id, channelType = values.channelType } = newest;
	if (channelType !== values.channelType) {
		throw new UnfitValueError(
			'Channel',
			`is ${values.channelType}, but dispatch ${id} with this name uses ${channelType}. Change 'Dispatch Name'`,
		);
	}
	const continued = continuedIn(context);
	if ((continued.get(id) ?? firstItem) !== firstItem) {
		throw new UnfitValueError(
			'Dispatch Name',
			`is the same for two dispatches in this run, and only one of them can continue dispatch ${id}. Give each dispatch its own name`,
		);
	}
	continued.set(id, firstItem);
	const wasSent = sent?.id === id ? describeNamed(context, named) : undefined;
	return { ...prepared, existing: id, wasSent };
};

/** Creates the dispatch of a group, or continues the one that exists. */
export const createDispatch = async (
	run: Run<unknown>,
	group: RecipientGroup<HeadValues>,
	{ head, secrets, existing }: PreparedDispatch,
): Promise<DispatchDelivery> =>
	await deliverGroup(
		run,
		group,
		{ secrets, companyId: head.companyId },
		async (delivery, begun) => {
			const known = begun?.dispatchId ?? existing;
			group.accepted.isContinued = existing !== undefined;
			return known === undefined
				? await delivery.create(head, group.accepted, begun?.doubt)
				: await delivery.continueWith(known, group.accepted);
		},
	);
