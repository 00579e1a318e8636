import type { IExecuteFunctions } from 'n8n-workflow';
import { partner } from '../../../../../core/contract/partner';
import { isRecord } from '../../../../../core/json';
import { ServiceError } from '../../../../../core/transport/errors';
import { find } from '../../../../../core/transport/list';
import { fieldOf, textIn, wholeNumberIn } from '../../../../../core/transport/replyShape';
import { send } from '../../../../../core/transport/send';
import { readState } from './replies';

/** What a rejected call was about. */
interface Refused {
	dispatchId?: number;
	companyId?: number;
	/** What a status of the dispatch says about the call; `undefined` where that status is not the reason. */
	byStatus?: Readonly<Record<string, string>>;
}

const dispatchReason = async (
	context: IExecuteFunctions,
	{ dispatchId, byStatus }: Refused,
): Promise<string | undefined> => {
	if (dispatchId === undefined || byStatus === undefined) return undefined;
	const { status = '' } = readState(
		await send(context, partner.dispatchGet, { path: { id: dispatchId } }),
	);
	return Object.hasOwn(byStatus, status) ? `Dispatch ${dispatchId} ${byStatus[status]}` : undefined;
};

const budgetWords = /budget|funds|бюджет|средств/i;

const findCompany = async (context: IExecuteFunctions, companyId: number) =>
	await find(
		context,
		partner.companyList,
		{},
		(entry) => wholeNumberIn(fieldOf(entry, 'companyId')) === companyId,
	);

const whyUnusable = (
	companyId: number,
	company: Record<string, unknown> | undefined,
): string | undefined => {
	if (company === undefined) return `Company ${companyId} doesn't exist in this partner account`;
	return textIn(company, 'status') === 'DISABLED' ? `Company ${companyId} is disabled` : undefined;
};

/** Why nothing can be sent for this company, as far as it shows. */
export const companyObjection = async (
	context: IExecuteFunctions,
	companyId: number,
): Promise<string | undefined> => {
	const found = await findCompany(context, companyId).then(
		(company) => ({ company }),
		// A list that can't be had says nothing about the company.
		() => undefined,
	);
	return found && whyUnusable(companyId, found.company);
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
	// How much of it is spent is in no reply: the words of the service are the only sign.
	const hasBudget = isRecord(fieldOf(company, 'budget'));
	return hasBudget && budgetWords.test(serviceText)
		? `Company ${companyId}'s monthly budget doesn't cover this dispatch`
		: undefined;
};

/**
 * A rejected call with its reason as the title, where the dispatch or the company shows the reason. Any other failure leaves as
 * it came.
 */
export const withReason = async (
	context: IExecuteFunctions,
	error: unknown,
	refused: Refused,
): Promise<unknown> => {
	if (!(error instanceof ServiceError) || error.outcome !== 'refused') return error;
	const { status = 0, serviceText = '' } = error.problem;
	if (status < 400 || status >= 500 || status === 401) return error;
	// A look that fails says nothing: the rejection itself is still true.
	const title =
		(await dispatchReason(context, refused).catch(() => undefined)) ??
		(await companyReason(context, refused, serviceText).catch(() => undefined));
	return title === undefined ? error : error.titled(title);
};

export const whyNotStarted = {
	STARTED: 'was already sent',
	COMPLETED: 'was already sent',
	STOPPED: 'was stopped',
} as const;
export const whyNotStopped = {
	CREATED: "isn't started, so there is nothing to stop",
	STOPPED: 'was already stopped',
	COMPLETED: 'is already completed',
} as const;
export const whyNotAppended = {
	STARTED: "was already started, so recipients can't be added",
	COMPLETED: "was already sent, so recipients can't be added",
	STOPPED: "was started and stopped, so recipients can't be added",
} as const;
