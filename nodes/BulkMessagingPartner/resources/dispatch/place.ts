import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { withLogin } from '../../../../core/dispatch/callbackUrl';
import { AmbiguousError, Delivery, InterruptedError } from '../../../../core/dispatch/deliver';
import { pickApproved, senderProblems } from '../../../../core/dispatch/senders';
import { partner } from '../../../../core/contract/partner';
import { UnfitValueError } from '../../../../core/engine/coerce';
import { toNodeError } from '../../../../core/engine/failure';
import type { Run } from '../../../../core/engine/operation';
import { send } from '../../../../core/transport/send';
import type { Group } from './groups';
import type { HeadValues } from './head';
import { toOptions } from './options';

const defaultBatchSize = 1000;
const callbackCredential = 'bulkMessagingCallbackApi';

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
			'Senders',
			`are missing: the company has no approved one for ${channelType}`,
		);
	}
	const problems = senderProblems(senderIds, ofCompany, channelType, now);
	if (problems.length === 0) return senderIds;
	throw new UnfitValueError('Sender Names or IDs', `cannot be used: ${problems.join('; ')}`);
};

/** With a callback credential, its login and password go into the address for the service, and nowhere else. */
const toCallbackUrl = async (context: IExecuteFunctions, callbackUrl: string | undefined) => {
	if (callbackUrl === undefined) return undefined;
	if (context.getNode().credentials?.[callbackCredential] === undefined) return callbackUrl;
	const { login, password } = await context.getCredentials<{ login: string; password: string }>(
		callbackCredential,
	);
	return withLogin(callbackUrl, { login, password });
};

/** Everything a dispatch has besides its recipients, ready for the wire. */
export const toHead = async (context: IExecuteFunctions, values: HeadValues) => {
	const { companyId, name, channelType, text, options } = values;
	const { callbackUrl, ...rest } = toOptions(options);
	return {
		companyId,
		name,
		channelType,
		text,
		senderIds: await toSenderIds(context, values),
		...rest,
		callbackUrl: await toCallbackUrl(context, callbackUrl),
	};
};

const accepted = ({ progress }: InterruptedError) =>
	progress.placed.filter((one) => one !== undefined).length;

/** What is certain, and how to go on without anybody getting it twice. */
const interruption = (
	run: Run<unknown>,
	error: InterruptedError,
	{ accepted: recipients, itemIndexes }: Pick<Group<unknown>, 'accepted' | 'itemIndexes'>,
): NodeOperationError => {
	const node = run.context.getNode();
	const { dispatchId } = error.progress;
	const next = recipients[error.next]?.itemIndex;
	const cause =
		error.reason instanceof AmbiguousError
			? `${error.reason.message}. Look at them in the service before you run this again.`
			: toNodeError(node, error.reason, { params: [] });
	const words = typeof cause === 'string' ? cause : `${cause.message}. ${cause.description ?? ''}`;
	const where =
		dispatchId === undefined
			? 'No dispatch is known to be there.'
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

/** Runs the delivery of a group; an interruption leaves as an error that says how to go on. */
export const deliver = async (
	run: Run<unknown>,
	group: Group<unknown>,
	dispatchId: number | undefined,
	work: (delivery: Delivery) => Promise<unknown>,
): Promise<Delivery> => {
	const size = group.hygiene.recipientOptions.batchSize ?? defaultBatchSize;
	if (!Number.isInteger(size) || size < 1) {
		throw new UnfitValueError('Batch Size', 'must be a whole number from 1 on');
	}
	const delivery = new Delivery(run.context, size, dispatchId);
	const failure = await work(delivery).then(
		() => undefined,
		(error: unknown) => ({ error }),
	);
	if (failure === undefined) return delivery;
	throw failure.error instanceof InterruptedError
		? interruption(run, failure.error, group)
		: failure.error;
};

/** Every group in turn; a group that fails leaves as one item that is linked to all of its items. */
export const forEachGroup = async <G extends { itemIndexes: number[] }>(
	run: Run<unknown>,
	groups: readonly G[],
	work: (group: G) => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> => {
	const output: INodeExecutionData[] = [];
	for (const group of groups) {
		const results = await work(group).catch((error: unknown) => [
			run.failed(group.itemIndexes, error),
		]);
		for (const result of results) output.push(result);
	}
	return output;
};
