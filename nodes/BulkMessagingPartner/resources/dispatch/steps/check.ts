import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { ResultOf } from '../../../../../core/contract/endpoint';
import { partner } from '../../../../../core/contract/partner';
import type { Claim } from '../../../../../core/engine/claims';
import { UnfitValueError } from '../../../../../core/engine/errors';
import { addHintOnce } from '../../../../../core/engine/hints';
import { ledgerOf } from '../../../../../core/engine/ledger';
import { withoutSecrets } from '../../../../../core/transport/redact';
import { list } from '../../../../../core/transport/list';
import { toCallback } from '../../../../shared/callbackCredential';
import { toDraft, type HeadValues } from '../params/head';
import type { DispatchPlan } from '../plan/plan';
import { pickApproved, senderProblems, uncoveredOperators } from '../plan/senders';
import { failureAfter } from './failureAfter';
import type { Job } from './job';
import { checkName, dispatchIds, type NameResult } from './names';
import { companyObjection } from './refusal';
import type { DispatchState } from './replies';
import { earlierStart, triedOf } from './tried';
import { listDispatches } from './service';

/** The company has an approved name for these operators, but it wasn't chosen, so their recipients may be rejected. */
const hintAtOperators = (context: IExecuteFunctions, operators: readonly string[]): void => {
	if (operators.length === 0) return;
	addHintOnce(
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

/** A dispatch that may be created. */
export interface Checked {
	job: Job;
	senderNames: ReadonlyMap<number, string>;
	/** The service's unchanged responses, if the output shows them. */
	replies: readonly unknown[];
	/** This run's claim on the name, in this process. */
	claimed?: Claim<NameResult>;
}

/** The dispatches of each company, read once for all dispatches of a run. */
type CompanyLists = (companyId: number) => Promise<readonly DispatchState[]>;

export const companyLists = (context: IExecuteFunctions): CompanyLists => {
	const lists = new Map<number, Promise<readonly DispatchState[]>>();
	return async (companyId) => {
		const reading = lists.get(companyId) ?? listDispatches(context, companyId);
		lists.set(companyId, reading);
		return await reading.catch((error: unknown) => {
			throw failureAfter(
				context,
				error,
				"Nothing was created or sent. The node first checks whether the name exists, so that you don't send twice. To skip this check, set 'If the Name Exists' to 'Create Another Dispatch'.",
			);
		});
	};
};

/** Checks everything that can stop a dispatch before it is created: company, callback, sender names and name. */
export const checkDispatch = async (
	context: IExecuteFunctions,
	plan: DispatchPlan<HeadValues>,
	lists: CompanyLists,
	/** A test is sent right away, in a separate dispatch with a unique name. */
	isTest = false,
): Promise<Checked> => {
	const { head: values, accepted, batchSize, choices } = plan;
	const { companyId } = values;
	const unusable = await companyObjection(context, companyId);
	if (unusable !== undefined) {
		throw new NodeOperationError(context.getNode(), unusable, {
			description: "Nothing was sent. Choose another company in 'Company'.",
		});
	}
	const { head, secrets, senderNames } = await toHead(context, values, isTest);
	const { own } = triedOf(context);
	// What an earlier try has started isn't created again, so its name needs no check.
	const isStarted = earlierStart(context, plan.itemIndexes) !== undefined;
	const nameExists = isTest || isStarted ? 'another' : values.nameExists;
	const listed = async () => await lists(companyId);
	const owner = ledgerOf(context);
	// With 'Create Another', a list that can't be read stops the run only if a response is lost.
	const { known, claimed } =
		nameExists === 'another'
			? { known: await listed().then(dispatchIds, () => undefined), claimed: undefined }
			: await checkName(context, head, { nameExists, own, owner }, listed);
	const replies: unknown[] = [];
	const onReply = (reply: unknown) => {
		// There may be very many, so they are kept only if the output shows them.
		if (choices.output === 'raw') replies.push(withoutSecrets(reply, secrets));
	};
	const job = { context, secrets, onReply, head, recipients: accepted, batchSize, nameExists };
	return { job: { ...job, known, own, made: [] }, senderNames, replies, claimed };
};
