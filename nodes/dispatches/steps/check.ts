import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { withoutCode, type NameCode } from '../../../core/contract/dispatchName';
import { addHintOnce } from '../../../core/engine/hints';
import { ledgerOf } from '../../../core/engine/ledger';
import { hideSecrets } from '../../../core/transport/connection';
import { askForAMinute } from '../../../core/transport/outcome';
import { toCallback } from '../../shared/callback';
import { type ListedDispatch, listDispatches } from '../ask/partner';
import type { Checked, Job } from '../job';
import { journalOf, mayBeSent } from '../journal';
import { memoryOf } from '../memory';
import { type HeadValues, toDraft } from '../params/head';
import { comparableName, contentCode } from '../plan/names';
import type { DispatchPlan } from '../plan/plan';
import { canceledFact, factError, type Fact } from '../words';
import { lookAtCompany } from './refusal';
import { toSenders } from './senders';
import { findRecipientsLeft } from './sentBefore';

const hourMs = 3_600_000;
/** The workflow's name counts for less than a day, so that a daily schedule sends every day. A name of one's own counts for ever. */
const workflowNameCountsMs = 20 * hourMs;

/** The dispatches of each company, read once for all dispatches of a run; `undefined` if they can't be read. */
type CompanyLists = (companyId: number) => Promise<readonly ListedDispatch[] | undefined>;

export const companyLists = (context: IExecuteFunctions): CompanyLists => {
	const lists = new Map<number, ReturnType<CompanyLists>>();
	return async (companyId) => {
		const reading =
			lists.get(companyId) ?? listDispatches(context, companyId).catch(() => undefined);
		lists.set(companyId, reading);
		return await reading;
	};
};

/** What an earlier try has started or finished for these items. They aren't created again, whatever changed since then. */
const doneBefore = (
	context: IExecuteFunctions,
	itemIndexes: readonly number[],
): Checked | Fact | undefined => {
	const done = journalOf(context)
		.of(itemIndexes)
		.find((one) => mayBeSent(one) || one.isKept);
	if (done?.made === undefined) return undefined;
	if (done.itemIndexes.join() !== itemIndexes.join()) return { is: 'regrouped' };
	const { checked } = done.made;
	hideSecrets(context, checked.job.secrets);
	return { ...checked, job: { ...checked.job, context } };
};

/** The name as it is compared, and how long it counts. */
const dispatchNameOf = (context: IExecuteFunctions, given: string) => {
	const own = withoutCode(given.trim()).trim();
	const name = own || (context.getWorkflow().name ?? 'My workflow');
	return { name, base: comparableName(name), countsMs: own ? Infinity : workflowNameCountsMs };
};

/**
 * Claims the name in this process until the run ends. A second click, or another tool call of an agent, waits for the first one, and
 * then leaves out those who have it by then.
 */
const waitForName = async ({ context, head, base }: Job): Promise<Fact | undefined> => {
	const { claim } = await memoryOf(context);
	const key = `${head.companyId} ${head.channelType} ${base}`;
	const run = ledgerOf(context);
	const claimed = await askForAMinute(
		async () => await Promise.resolve(claim(key, run)),
		(isOurs) => ({ is: isOurs ? 'ours' : 'absent' }) as const,
		context.getExecutionCancelSignal(),
	);
	if (claimed.is === 'ours') return undefined;
	return claimed.is === 'absent' ? { is: 'atWork', name: head.name } : canceledFact;
};

/** Checks everything that can stop a dispatch before it is created: company, callback, sender names, and who already has it. */
export const checkDispatch = async (
	context: IExecuteFunctions,
	plan: DispatchPlan<HeadValues>,
	lists: CompanyLists,
	purpose: NameCode['purpose'],
): Promise<Checked> => {
	const { head: values, accepted, rejected, batchSize, itemIndexes } = plan;
	const requireChecked = <Result extends object>(result: Result | Fact): Result => {
		if ('is' in result) throw factError(context, result);
		return result;
	};
	const before = doneBefore(context, itemIndexes);
	if (before !== undefined) return requireChecked(before);
	const { companyId } = values;
	const { name, base, countsMs } = dispatchNameOf(context, values.name ?? '');
	const { draft, remarks } = toDraft({ ...values, name });
	for (const remark of remarks) addHintOnce(context, remark);
	// Before any request, so that the callback's secrets are removed from every response.
	const { callbackAuthentication, ifSent = 'new' } = values.options;
	const { callbackUrl, secrets } = await toCallback(
		context,
		draft.callbackUrl,
		callbackAuthentication,
	);
	const isTest = purpose === 'test';
	const startAt = Date.parse((isTest ? undefined : draft.schedule?.startAt) ?? '');
	const at = Math.max(Date.now(), Number.isNaN(startAt) ? 0 : startAt);
	// Asked at the same time, because the service may be far away. The first objection in this order is told.
	const asked = [
		lookAtCompany(context, companyId),
		toSenders(context, values, at),
		isTest || ifSent === 'anyway' ? undefined : lists(companyId),
	] as const;
	await Promise.allSettled(asked);
	const { unusable, budget } = await asked[0];
	if (unusable !== undefined) {
		throw new NodeOperationError(context.getNode(), unusable, {
			description: "Nothing was sent. Choose another company in 'Company'.",
		});
	}
	const { senderIds, ...senders } = await asked[1];
	const job: Job = {
		context,
		secrets,
		head: { ...draft, senderIds, callbackUrl },
		base,
		countsMs,
		content: contentCode(accepted),
		purpose,
		ifSent: isTest ? 'anyway' : ifSent,
		recipients: accepted,
		batchSize,
		itemIndexes,
	};
	const atWork = job.ifSent === 'anyway' ? undefined : await waitForName(job);
	if (atWork !== undefined) throw factError(context, atWork);
	const found = requireChecked(await findRecipientsLeft(job, await asked[2]));
	return { ...found, rejected, ...senders, budget };
};
