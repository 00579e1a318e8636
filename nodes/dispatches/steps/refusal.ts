import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import { ServiceError } from '../../../core/transport/outcome';
import { partner } from '../../../core/contract/partner';
import { Money } from '../../../core/contract/values';
import { isRecord } from '../../../core/json';
import { find } from '../../../core/transport/list';
import { textIn, wholeNumberIn } from '../../../core/transport/replyShape';
import type { z } from '../../../vendor/zod';
import type { DispatchId } from '../plan/rows';
import type { DispatchApi } from '../ask/partner';

/** An error in a later step, with a text that says what was already done. */
export const failureAfter = (
	context: IExecuteFunctions,
	error: unknown,
	doneBefore: string,
): Error => {
	if (error instanceof ServiceError) return error.after(doneBefore);
	const message = error instanceof Error ? error.message : String(error);
	return new NodeOperationError(context.getNode(), message, { description: doneBefore });
};

/** What a rejected call referred to. */
interface Refused {
	dispatchId?: DispatchId;
	companyId?: number;
	/** The call that was rejected, and the API that it belongs to. */
	call?: Parameters<DispatchApi['whyNot']>[1];
	api?: DispatchApi;
}

const dispatchReason = async (
	context: IExecuteFunctions,
	{ dispatchId, call, api }: Refused,
): Promise<string | undefined> => {
	if (dispatchId === undefined || call === undefined || api === undefined) return undefined;
	const reason = api.whyNot(await api.get({ context }, dispatchId), call);
	return reason && `Dispatch ${dispatchId} ${reason}`;
};

const budgetWords = /budget|funds|бюджет|средств/i;

const findCompany = async (context: IExecuteFunctions, companyId: number) =>
	await find(
		context,
		partner.companyList,
		{},
		(entry) => wholeNumberIn(entry.companyId) === companyId,
	);

const whyUnusable = (
	companyId: number,
	company: Record<string, unknown> | undefined,
): string | undefined => {
	if (company === undefined) return `Company ${companyId} doesn't exist in this partner account`;
	return textIn(company, 'status') === 'DISABLED' ? `Company ${companyId} is disabled` : undefined;
};

/** What the list of companies shows about one: why it can't send, if there is a reason, and its budget for a month. */
export const lookAtCompany = async (
	context: IExecuteFunctions,
	companyId: number,
): Promise<{ unusable?: string; budget?: z.infer<typeof Money> }> => {
	const found = await findCompany(context, companyId).then(
		(company) => ({ company }),
		// If the list can't be read, the company isn't known to be unusable.
		() => undefined,
	);
	if (found === undefined) return {};
	const { data: budget } = Money.safeParse(found.company?.budget);
	return { unusable: whyUnusable(companyId, found.company), budget };
};

const companyReason = async (
	context: IExecuteFunctions,
	{ companyId }: Refused,
	serviceText: string,
): Promise<string | undefined> => {
	if (companyId === undefined) return undefined;
	const company = await findCompany(context, companyId);
	const unusable = whyUnusable(companyId, company);
	if (company === undefined || unusable !== undefined) return unusable;
	// No response shows how much of the budget is spent, so the service's error text is the only sign.
	const hasBudget = isRecord(company.budget);
	return hasBudget && budgetWords.test(serviceText)
		? `Company ${companyId}'s monthly budget doesn't cover this dispatch`
		: undefined;
};

/**
 * Adds the reason as a title to a rejected call, if the dispatch or the company shows the reason. Any other error is returned
 * unchanged.
 */
export const withReason = async (
	context: IExecuteFunctions,
	error: Error,
	refused: Refused,
): Promise<Error> => {
	if (!(error instanceof ServiceError) || error.outcome !== 'refused') return error;
	const { status = 0, serviceText = '' } = error.problem;
	if (status < 400 || status >= 500 || status === 401) return error;
	// If the lookup fails, the original rejection is returned.
	const title =
		(await dispatchReason(context, refused).catch(() => undefined)) ??
		(await companyReason(context, refused, serviceText).catch(() => undefined));
	return title === undefined ? error : error.titled(title);
};
