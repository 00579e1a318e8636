import type { IDataObject } from 'n8n-workflow';
import type { DispatchPlan } from './dispatchHistory.cts';
import { messageStatus } from './reads.cts';
import { startOf } from './records.cts';
import type { PlayedRun, Problem } from './plans.cts';
import type { Stage } from './stage.cts';

/** Outcomes of a row that say that the person got the message, or is about to. */
const reached = new Set(['accepted', 'sent', 'delivered', 'failed', 'pending']);
/** Why a row is skipped: an earlier dispatch has sent to this person. */
const hasItAlready = 'hasItAlready';
const open = new Set(['notStarted', 'unknown']);

/** Whether a row says that the person was sent to: one whom the service rejected failed, too. */
const isSent = ({ outcome, reasonCode }: IDataObject) =>
	reached.has(String(outcome)) && reasonCode !== 'rejectedByService';

/** Whether a person got a message of this dispatch. */
const got = ({ service }: Stage, dispatchId: number, number: string) =>
	service.received.some((one) => one.dispatchId === dispatchId && one.destination === number);

/** One person's row, against what the service holds. */
const checkRow = (stage: Stage, run: PlayedRun, row: IDataObject): Problem[] => {
	const { service, clock } = stage;
	const { outcome, reasonCode, destination, text, messageUuid, status, price } = row;
	const about = `${run.plan.name}: ${String(destination)} ${String(outcome)}`;
	const number = String(destination);
	const id = Number(row.dispatchId);
	const dispatch = service.find(id);
	const message = dispatch?.messages.find((one) => one.uuid === messageUuid);
	const untrue = (what: string): Problem => ({ kind: 'untrue row', text: `${about}: ${what}` });
	const problems: Problem[] = [];
	const isRejected = reasonCode === 'rejectedByService';
	if (reasonCode === hasItAlready) {
		// Whom the service rejected in a dispatch that was started counts as one of its people.
		const isTrue =
			service.received.some((one) => one.destination === number) ||
			dispatch?.messages.some((one) => one.destination === number) === true;
		return isTrue ? [] : [untrue('but nobody has sent it')];
	}
	if (outcome === 'skipped' || isRejected) {
		if (isRejected && !service.world.blacklist.has(number)) {
			problems.push(untrue('the service has not rejected this number'));
		}
		if (isRejected !== (outcome === 'failed')) problems.push(untrue(String(reasonCode)));
		if (dispatch !== undefined && got(stage, id, number)) problems.push(untrue('but sent'));
		return problems;
	}
	if (isSent(row) && !got(stage, id, number)) {
		problems.push({ kind: 'lost in silence', text: about });
	}
	if (outcome === 'notStarted' && dispatch && startOf(dispatch)?.by === run.plan.name) {
		problems.push(untrue('but its dispatch was started'));
	}
	if (!reached.has(String(outcome)) && !open.has(String(outcome))) {
		problems.push({ kind: 'unknown text', text: `outcome ${String(outcome)}` });
	}
	if (dispatch === undefined || !messageUuid) return problems;
	if (message?.destination !== number) problems.push(untrue('messageUuid of nobody or another'));
	else if (text !== message.text) problems.push(untrue(`text "${String(text)}"`));
	if (message !== undefined && status) {
		const times = [dispatch.createdAt, startOf(dispatch)?.at ?? 0, run.endedAt ?? clock.now];
		const seen = times.map((at) => messageStatus(service, dispatch, message, at));
		if (!seen.includes(String(status))) problems.push(untrue(`status ${String(status)}`));
	}
	if (typeof price === 'number' && price !== service.world.price) problems.push(untrue('price'));
	return problems;
};

/** One dispatch's summary, against what the service holds. */
const checkSummary = (
	stage: Stage,
	run: PlayedRun,
	{ wanted }: DispatchPlan,
	summary: IDataObject,
): Problem[] => {
	const { service } = stage;
	const { started, dispatchId } = summary;
	const id = Number(dispatchId);
	const dispatch = service.find(id);
	const start = dispatch && startOf(dispatch);
	const about = `${run.plan.name}: dispatch ${id}`;
	const groups = [
		'reached',
		'onTheWay',
		'failed',
		'leftOut',
		'notStarted',
		'unknown',
		'hasItAlready',
	];
	const sum = groups.reduce((total, group) => total + Number(summary[group] ?? 0), 0);
	if (sum !== summary.recipients)
		return [{ kind: 'untrue: count', text: `${about}: ${sum} of ${String(summary.recipients)}` }];
	if (started !== true) {
		const isStarted = start !== undefined && start.by === run.plan.name;
		if (started !== false) return [{ kind: 'unknown text', text: `started ${String(started)}` }];
		return isStarted ? [{ kind: 'untrue: started', text: `${about} is started` }] : [];
	}
	if (dispatch === undefined || start === undefined)
		return [{ kind: 'untrue: started', text: `${about} isn't started` }];
	const has = (number: string) =>
		Number(summary.hasItAlready ?? 0) > 0
			? service.received.some(({ destination }) => destination === number)
			: got(stage, id, number);
	const missed = wanted.filter((number) => !service.world.blacklist.has(number) && !has(number));
	// If nobody is new, the summary is about an earlier dispatch, whose people have it already.
	const isOwn = start.by === run.plan.name;
	const count = isOwn ? wanted.filter((number) => got(stage, id, number)).length : 0;
	if (missed.length > 0) {
		return [{ kind: 'lost in silence', text: `${about}: ${missed.join(', ')}` }];
	}
	const { notDelivered = 0 } = (summary.reasons ?? {}) as { notDelivered?: number };
	const { reached: delivered, onTheWay, unknown = 0 } = summary;
	const taken = notDelivered + Number(delivered) + Number(onTheWay) + Number(unknown);
	if (taken !== count) return [{ kind: 'untrue: count', text: `${about}: ${taken}` }];
	const { total } = (summary.priceEstimate ?? {}) as { total?: unknown };
	const isPriceTrue =
		typeof total !== 'number' || Math.abs(total - service.priceOf(dispatch)) < 1e-6;
	return isPriceTrue ? [] : [{ kind: 'untrue: price', text: `${about}: ${String(total)}` }];
};

/** Each person whom a run claims to have sent to, and in which dispatches. */
type Claimed = Array<{ number: string; dispatchId: unknown }>;

/** Compares the output of a run with the service. */
export const checkDispatchRows = (
	stage: Stage,
	run: PlayedRun,
	plan: DispatchPlan,
): { problems: Problem[]; claimed: Claimed } => {
	const rows = run.outcomes
		.flatMap(({ items = [] }) => items)
		.map(({ json }) => json)
		.filter((json) => !('error' in json));
	const isSummary = plan.choices.output === 'summary';
	const problems = rows.flatMap((row) =>
		isSummary ? checkSummary(stage, run, plan, row) : checkRow(stage, run, row),
	);
	const saysBefore = run.outcomes.some(({ hints }) =>
		hints.some((hint) => hint.includes('already started')),
	);
	// After lost responses, two runs with the same list may find and start the same dispatch: nobody gets it twice.
	const claimed = rows
		.filter((row) => (isSummary ? row.started === true : isSent(row)))
		.flatMap(({ dispatchId, destination }) => {
			const inside = plan.wanted.filter((number) => got(stage, Number(dispatchId), number));
			const numbers = isSummary ? inside : [String(destination)];
			return numbers.map((number) => ({ number, dispatchId }));
		});
	return { problems, claimed: saysBefore ? [] : claimed };
};
