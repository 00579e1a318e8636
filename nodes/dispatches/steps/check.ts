import { type IExecuteFunctions, NodeOperationError } from 'n8n-workflow';
import type { SenderEntry } from '../../../core/contract/sender';
import {
	startedStatuses,
	type DispatchState,
	haveName,
	listDispatches,
	lookAtDispatch,
	wasStarted,
} from '../ask/partner';
import { claim, type Claim, claimsOn } from '../../../core/claims';
import { connect, hideSecrets, withSecretsHidden } from '../../../core/transport/connection';
import type { ResultOf } from '../../../core/contract/endpoint';
import { partner } from '../../../core/contract/partner';
import { UnfitValueError } from '../../../core/engine/errors';
import { addHintOnce } from '../../../core/engine/hints';
import { ledgerOf } from '../../../core/engine/ledger';
import { list } from '../../../core/transport/list';
import { toCallback } from '../../shared/callback';
import { type HeadValues, toDraft } from '../params/head';
import { comparableName, type DispatchPlan } from '../plan/plan';
import { failureAfter, lookAtCompany } from './refusal';
import {
	createdBefore,
	earlierStart,
	overlap,
	nothingSent,
	takenOver,
	takenOverBefore,
	triedOf,
	type Checked,
	type NameResult,
	type Stop,
} from './job';

/** Why a sender name can't be used at this time: the rest of a sentence after `"NAME" (MTS)`. `undefined` if it can. */
const senderProblem = (
	sender: SenderEntry,
	channelType: string,
	at: number,
): string | undefined => {
	if (sender.suspended) return 'is suspended';
	if (sender.status !== 'APPROVED') return `isn't approved: its status is ${sender.status}`;
	if (sender.dateTo !== null && Date.parse(sender.dateTo) < at)
		return `isn't valid after ${sender.dateTo}`;
	if (Date.parse(sender.dateFrom) > at) return `isn't valid before ${sender.dateFrom}`;
	if (sender.channelType !== channelType) return `is a sender name for ${sender.channelType}`;
	return undefined;
};

const label = ({ senderName, brand }: SenderEntry) => `"${senderName}" (${brand})`;

/** The problems with the chosen sender names, one sentence each. */
const senderProblems = (
	chosen: readonly number[],
	ofCompany: readonly SenderEntry[],
	channelType: string,
	at: number,
): string[] => {
	const byId = new Map(ofCompany.map((sender) => [sender.id, sender]));
	const operators = new Map<string, SenderEntry>();
	return chosen.flatMap((id) => {
		const sender = byId.get(id);
		if (sender === undefined) return [`${id} isn't one of this company's sender names`];
		const other = operators.get(sender.brand);
		operators.set(sender.brand, sender);
		const problem =
			senderProblem(sender, channelType, at) ??
			(other && `and ${label(other)} are both for ${sender.brand}: choose one per operator`);
		return problem === undefined ? [] : [`${label(sender)} ${problem}`];
	});
};

/** One usable sender name for each operator. If there are several, the oldest. */
const pickApproved = (
	ofCompany: readonly SenderEntry[],
	channelType: string,
	at: number,
): number[] => {
	const usable = ofCompany
		.filter((sender) => senderProblem(sender, channelType, at) === undefined)
		.sort((a, b) => a.id - b.id);
	return [...new Map(usable.reverse().map(({ brand, id }) => [brand, id])).values()].reverse();
};

/** Operators for which the company has an approved name but none was chosen. */
const uncoveredOperators = (
	chosen: readonly number[],
	approved: readonly number[],
	ofCompany: readonly SenderEntry[],
): string[] => {
	const operatorsOf = (ids: readonly number[]) =>
		ofCompany.flatMap(({ id, brand }) => (ids.includes(id) ? [brand] : []));
	const covered = new Set<string>(operatorsOf(chosen));
	return operatorsOf(approved).filter((brand) => !covered.has(brand));
};

export const nameKey = async (
	context: IExecuteFunctions,
	{ companyId, name }: { companyId: number; name: string },
): Promise<string> => {
	const { identity } = await connect(context, 'partner');
	return `dispatch ${identity} ${companyId} ${comparableName(name)}`;
};

/** `15 Nov, 14:02` in the workflow's time zone, with the year if it isn't the current one. */
const shownTime = (
	zone: string,
	text: string | undefined,
	now = new Date(),
): string | undefined => {
	const date = new Date(text ?? '');
	if (Number.isNaN(date.getTime())) return undefined;
	const format = (options: Intl.DateTimeFormatOptions) => (one: Date) =>
		new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone }).format(one);
	const year = format({ year: 'numeric' });
	const day = format({
		day: 'numeric',
		month: 'short',
		...(year(date) !== year(now) && { year: 'numeric' }),
	});
	return `${day(date)}, ${format({ hour: '2-digit', minute: '2-digit' })(date)}`;
};

/** In one sentence, without a full stop. */
const describeNamed = (
	context: IExecuteFunctions,
	{ id, name, status, createdAt, startedAt }: DispatchState,
	isStarted: boolean,
): string => {
	const zone = context.getTimezone();
	const created = shownTime(zone, createdAt);
	if (isStarted && startedStatuses.includes(status ?? '')) {
		const started = shownTime(zone, startedAt);
		const made = created === undefined ? '' : ` (created on ${created})`;
		const stopped = status === 'STOPPED' ? ', and stopped later' : '';
		return `"${name}" was already sent as dispatch ${id}${started === undefined ? made : ` on ${started}`}${stopped}`;
	}
	// Another status may or may not mean that it was sent.
	const state = isStarted
		? ` (status: ${withSecretsHidden(context, status || 'unknown')})`
		: ', not started';
	return `"${name}" already exists as dispatch ${id}${created === undefined ? '' : `, created on ${created}`}${state}`;
};

const loopAdvice = (context: IExecuteFunctions): string =>
	Number(context.evaluateExpression('{{ $runIndex }}', 0)) > 0
		? ' In a loop, each round needs a different name, for example with {{ $runIndex }} in it.'
		: '';

const sendAgain =
	"To see who got it, use 'Get Report' in a node that isn't behind this one. To send to everyone again, change 'Dispatch Name', or add the option 'If the Name Exists' with 'Create Another Dispatch'.";
const beginAnew =
	"To leave that dispatch and send a new one, set 'If the Name Exists' to 'Begin Anew if Never Started', or change 'Dispatch Name'. To send that dispatch as it is, use 'Start'.";

const newest = (some: readonly DispatchState[]): DispatchState | undefined =>
	some.reduce<DispatchState | undefined>(
		(found, one) => (found === undefined || one.id > found.id ? one : found),
		undefined,
	);

/** Why the name can't be used, by the company's list: a title and what to do. `undefined` if it can. */
const listObjection = (
	context: IExecuteFunctions,
	nameExists: 'stop' | 'anew',
	named: readonly DispatchState[],
): [title: string, advice: string] | undefined => {
	const sent = newest(named.filter(wasStarted));
	const found = sent ?? (nameExists === 'stop' ? newest(named) : undefined);
	return found === undefined
		? undefined
		: [
				describeNamed(context, found, sent !== undefined),
				sent === undefined ? beginAnew : sendAgain,
			];
};

/** The same by what this process knows: the list may not show yet what another run has done. */
const claimObjection = (
	name: string,
	nameExists: 'stop' | 'anew',
	others: ReadonlyArray<Claim<NameResult>>,
): [title: string, advice: string] | undefined => {
	for (const { result } of others) {
		if (result === undefined) {
			return [
				`"${name}" is being created or sent by another run`,
				"Wait until that run has ended. To send it as well, change 'Dispatch Name'.",
			];
		}
		const { started } = result;
		if (started?.isCertain)
			return [`"${name}" was already sent as dispatch ${started.id}`, sendAgain];
		if (started !== undefined) {
			return [
				`"${name}" may already have been sent as dispatch ${started.id}`,
				`Check dispatch ${started.id} in your account on the provider's website. If it isn't started, use 'Start' with it.`,
			];
		}
		if (nameExists === 'stop' && result.ids.length > 0) {
			return [
				`"${name}" already exists as dispatch ${result.ids.join(', ')}, not started`,
				beginAnew,
			];
		}
	}
	return undefined;
};

/** Of all names, so that a response with the ID of another dispatch is never taken for a new one. */
const dispatchIds = (listed: readonly DispatchState[]): Set<number> =>
	new Set(listed.map(({ id }) => id));

const takenError = (context: IExecuteFunctions, { title, advice: description }: Stop): Error =>
	new NodeOperationError(context.getNode(), title, { description });

/**
 * Why these items must not be sent: another run or a person has started a dispatch that this run made for them, or may have. One
 * whose state the list doesn't show is read.
 */
export const findTaken = async (
	context: IExecuteFunctions,
	itemIndexes: readonly number[],
	listed: readonly DispatchState[],
): Promise<Stop | undefined> => {
	// `earlierStart` finds those that this run has started.
	for (const [id, items] of triedOf(context).createdByRun) {
		if (!overlap(itemIndexes, items)) continue;
		const shown = listed.find((one) => one.id === id && (one.status ?? one.startedAt));
		const state = shown ?? (await lookAtDispatch({ context }, id));
		if (wasStarted(state)) return takenOver(state);
	}
	return undefined;
};

const requireNotTaken = async (...given: Parameters<typeof findTaken>): Promise<void> => {
	const taken = await findTaken(...given);
	if (taken !== undefined) throw takenError(given[0], taken);
};

/**
 * Claims the name in this process, or stops if it can't be used; nothing is created yet. Not async, so that no other run can claim
 * the name between the check and the claim.
 */
const claimUnlessTaken = (
	context: IExecuteFunctions,
	{ key, name, itemIndexes }: { key: string; name: string; itemIndexes: readonly number[] },
	nameExists: 'stop' | 'anew',
	all: readonly DispatchState[],
): Claim<NameResult> => {
	const owner = ledgerOf(context);
	const { createdByRun } = triedOf(context);
	const named = haveName(all, name).filter(({ id }) => !createdByRun.has(id));
	const others = claimsOn<NameResult>(key).filter((one) => one.owner !== owner);
	const objection =
		listObjection(context, nameExists, named) ?? claimObjection(name, nameExists, others);
	if (objection === undefined) return claim(key, owner);
	const [title, advice] = objection;
	// Those of earlier attempts: none of them is started, or the run would have stopped before.
	const left = [...createdByRun]
		.filter(([, items]) => overlap(itemIndexes, items))
		.map(([id]) => ` This run's dispatch ${id} isn't started.`);
	throw new NodeOperationError(context.getNode(), title, {
		description: `${nothingSent(context)}${left.join('')} ${advice}${loopAdvice(context)}`,
	});
};

/** The company has an approved name for these operators, but it wasn't chosen, so their recipients may be rejected. */
const hintAtOperators = (context: IExecuteFunctions, operators: readonly string[]): void => {
	if (operators.length === 0) return;
	addHintOnce(
		context,
		`None of the chosen sender names is for ${withSecretsHidden(context, operators.join(', '))}, so the service may reject recipients of these operators. To use every approved name, remove the option 'Sender Names or IDs'.`,
	);
};

/** The sender names for a dispatch, checked before anything is sent. The error lists each name that can't be used. */
export const toSenders = async (
	context: IExecuteFunctions,
	{ companyId, channelType, options: { senderIds } }: HeadValues,
	/** When the first message goes out. */
	at: number,
): Promise<{
	senderIds: number[];
	senderNames: ReadonlyMap<number, string>;
	/** The operators of the sender names. */
	brands: string[];
}> => {
	// A name with unreadable fields is unusable, and is rejected below.
	const ofCompany = (await list(context, partner.senderList, { query: { companyId } }).catch(
		(error: unknown) => {
			const done = `${nothingSent(context, 'Nothing was created or sent.')} The node couldn't check the sender names.`;
			throw failureAfter(context, error, done);
		},
	)) as ResultOf<typeof partner.senderList>;
	const senderNames = new Map(ofCompany.map(({ id, senderName }) => [id, String(senderName)]));
	const approved = pickApproved(ofCompany, channelType, at);
	const chosen = (ids: number[]) => ({
		senderIds: ids,
		senderNames,
		brands: ofCompany.flatMap(({ id, brand }) => (ids.includes(id) ? [brand] : [])),
	});
	if (senderIds === undefined) {
		if (approved.length > 0) return chosen(approved);
		throw new UnfitValueError(
			'Channel',
			`can't be used: the company has no approved sender name for ${channelType}`,
		);
	}
	const problems = senderProblems(senderIds, ofCompany, channelType, at);
	if (problems.length === 0) {
		hintAtOperators(context, uncoveredOperators(senderIds, approved, ofCompany));
		return chosen(senderIds);
	}
	throw new UnfitValueError(
		'Sender Names or IDs',
		withSecretsHidden(context, `can't be used: ${problems.join('; ')}`),
	);
};

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
				`${nothingSent(context, 'Nothing was created or sent.')} The node first checks whether the name exists, so that you don't send twice. To skip this check, set 'If the Name Exists' to 'Create Another Dispatch'.`,
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
	const { head: values, accepted, rejected, batchSize, itemIndexes } = plan;
	const earlier = earlierStart(context, itemIndexes) ?? createdBefore(context, itemIndexes);
	// What an earlier try has started or finished isn't created again. Whatever changed since then doesn't undo that.
	if (earlier !== undefined) {
		const { job } = earlier.checked;
		hideSecrets(context, job.secrets);
		return { ...earlier.checked, job: { ...job, context } };
	}
	const taken = takenOverBefore(context, itemIndexes);
	if (taken !== undefined) throw takenError(context, taken);
	const { companyId } = values;
	const { draft, remarks } = toDraft(values);
	for (const remark of remarks) addHintOnce(context, remark);
	// Before any request, so that the callback's secrets are removed from every response.
	const { callbackAuthentication } = values.options;
	const callback = await toCallback(context, draft.callbackUrl, callbackAuthentication);
	const { callbackUrl, secrets } = callback;
	const startAt = Date.parse((isTest ? undefined : draft.schedule?.startAt) ?? '');
	const at = Math.max(Date.now(), Number.isNaN(startAt) ? 0 : startAt);
	// Asked at the same time, because the service may be far away. The first objection in this order is told.
	const asked = [
		lookAtCompany(context, companyId),
		toSenders(context, values, at),
		lists(companyId),
	] as const;
	await Promise.allSettled(asked);
	const { unusable, budget } = await asked[0];
	if (unusable !== undefined) {
		throw new NodeOperationError(context.getNode(), unusable, {
			description: `${nothingSent(context)} Choose another company in 'Company'.`,
		});
	}
	const { senderIds, ...senders } = await asked[1];
	const head = { ...draft, senderIds, callbackUrl };
	const { createdByRun } = triedOf(context);
	const { nameExists: whenNamed = 'stop' } = values.options;
	const nameExists = isTest ? 'another' : whenNamed;
	const checkName = async () => {
		if (nameExists === 'another') {
			// A list that can't be read stops the run only if a response is lost.
			const all = await asked[2].catch(() => undefined);
			await requireNotTaken(context, itemIndexes, all ?? []);
			return { listedBefore: all && dispatchIds(all), claimed: undefined };
		}
		const key = await nameKey(context, head);
		const all = await asked[2];
		await requireNotTaken(context, itemIndexes, all);
		const claimed = claimUnlessTaken(
			context,
			{ key, name: head.name, itemIndexes },
			nameExists,
			all,
		);
		return { listedBefore: dispatchIds(all), claimed };
	};
	const { listedBefore, claimed } = await checkName();
	const job = { context, secrets, head, recipients: accepted, batchSize, nameExists, itemIndexes };
	return {
		job: {
			...job,
			listedBefore,
			createdByRun,
			createdForJob: [],
			isRetried: createdByRun.size > 0,
		},
		rejected,
		...senders,
		budget,
		claimed,
	};
};
