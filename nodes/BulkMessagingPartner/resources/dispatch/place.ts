import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { toCallback } from '../../../../core/callbackCredential';
import {
	AmbiguousError,
	Delivery,
	InterruptedError,
	NameUsedError,
	type Progress,
} from '../../../../core/dispatch/deliver';
import { pickApproved, senderProblems } from '../../../../core/dispatch/senders';
import { partner } from '../../../../core/contract/partner';
import { UnfitValueError } from '../../../../core/engine/coerce';
import { perRun } from '../../../../core/engine/perRun';
import { toNodeError } from '../../../../core/engine/failure';
import type { Run } from '../../../../core/engine/operation';
import { ServiceError } from '../../../../core/transport/errors';
import { send } from '../../../../core/transport/send';
import type { Group } from './groups';
import { toDraft, type HeadValues } from './head';

/** The senders of a dispatch, checked before anything is sent: one that cannot be used is named. */
const toSenderIds = async (
	context: IExecuteFunctions,
	{ companyId, channelType, senders, senderIds }: HeadValues,
): Promise<number[]> => {
	const ofCompany = await send(context, partner.senderList, { query: { companyId } });
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
	const { callbackUrl, secrets } = await toCallback(context, draft.callbackUrl);
	const senderIds = await toSenderIds(context, values);
	return { head: { ...draft, senderIds, callbackUrl }, secrets, nameUsed: values.options.nameUsed };
};

const isRisky = (reason: unknown) => reason instanceof ServiceError && reason.isRisky;

const accepted = ({ progress }: InterruptedError) => progress.placed.taken;

/** What is certain, and how to go on without anybody getting it twice. */
const interruption = (
	run: Run<unknown>,
	error: InterruptedError,
	{ accepted: recipients, itemIndexes }: Pick<Group<unknown>, 'accepted' | 'itemIndexes'>,
): NodeOperationError => {
	const node = run.context.getNode();
	const { dispatchId } = error.progress;
	const next = recipients.at(error.next)?.itemIndex;
	const cause =
		error.reason instanceof AmbiguousError
			? `${error.reason.message}. Look at them in the service before you run this again.`
			: toNodeError(node, error.reason, { params: [] });
	const words = typeof cause === 'string' ? cause : `${cause.message}. ${cause.description ?? ''}`;
	const where =
		dispatchId === undefined
			? isRisky(error.reason)
				? 'It is not known whether the dispatch was created: look for it by its name.'
				: 'No dispatch was created.'
			: `Dispatch ${dispatchId} holds ${accepted(error)} recipients for certain${next === undefined ? '' : `; the first one not certainly in it is of item ${next}`}. To go on, use Add Messages with Resume on and the same items: who is in it already is left out.`;
	const failure = new NodeOperationError(node, 'The dispatch could not be finished', {
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

/** Failed at the first step: nothing was done, and the failure itself says all there is to say. */
const isPlainFailure = ({ progress, reason }: InterruptedError) =>
	progress.placed.length === 0 && reason instanceof ServiceError && !reason.isRisky;

const nameUsedBefore = ({ dispatch: { id, status, createdAt } }: NameUsedError) =>
	new UnfitValueError(
		'Name',
		`is that of dispatch ${id} (${status}, created ${createdAt}) already. Choose another one, for example with the date in it, or choose under "If the Name Was Used Before" what to do`,
	);

type Begun = Pick<Progress, 'dispatchId' | 'heldBefore' | 'doubt'>;

/** The dispatches of a run, by group: a run that n8n repeats goes on with them instead of creating others. */
const dispatchesOf = perRun(() => new Map<string, Begun>());

/** Runs the delivery of a group; an interruption leaves as an error that says how to go on. */
export const deliver = async (
	run: Run<unknown>,
	group: Group<unknown>,
	{ dispatchId, secrets }: { dispatchId?: number; secrets?: readonly string[] },
	/** `begun`: what an earlier try of the same run has worked on. */
	work: (delivery: Delivery, begun?: Begun) => Promise<unknown>,
): Promise<Delivery> => {
	const { batchSize, key } = group;
	const dispatches = dispatchesOf(run.context);
	const delivery = new Delivery(run.context, { batchSize, secrets }, dispatchId);
	const failure = await work(delivery, dispatches.get(key)).then(
		() => undefined,
		(error: unknown) => ({ error }),
	);
	// Not what the service made of each recipient: there may be very many.
	const { dispatchId: id, heldBefore, doubt } = delivery.progress;
	dispatches.set(key, { dispatchId: id, heldBefore, doubt });
	if (failure === undefined) return delivery;
	const { error } = failure;
	if (error instanceof NameUsedError) throw nameUsedBefore(error);
	if (!(error instanceof InterruptedError)) throw error;
	throw isPlainFailure(error) ? error.reason : interruption(run, error, group);
};

/** Creates the dispatch of a group, or goes on with the one that is there already. */
export const createDispatch = async (
	run: Run<unknown>,
	group: Group<HeadValues>,
): Promise<Delivery> => {
	const { head, secrets, nameUsed } = await toHead(run.context, group.head);
	return await deliver(run, group, { secrets }, async (delivery, begun) =>
		begun?.dispatchId === undefined
			? await delivery.create(head, group.accepted, nameUsed, begun?.doubt)
			: await delivery.goOn(begun.dispatchId, group.accepted),
	);
};
