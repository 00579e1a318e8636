import type { Advice, AdvicePlan, Desk } from './adviceDesk.cts';
import type { Step } from './adviceTable.cts';
import { checkLimits, checkSentences } from './dispatchInvariants.cts';
import type { DispatchPlan } from './dispatchHistory.cts';
import { checkMessages } from './messageInvariants.cts';
import type { MessagePlan } from './messageHistory.cts';
import type { PlayedRun, Problem } from './plans.cts';
import { startOf } from './records.cts';
import { roundName, type Stage } from './stage.cts';
import { numberOf } from './world.cts';

/** A run, the list that it had, and what its text told the person to do. */
interface Press {
	played: PlayedRun;
	list: readonly number[];
	/** `undefined` if there was no text to follow. */
	advice?: Advice[];
}

export interface Person {
	desk: Desk;
	presses: Press[];
	hasChanged: boolean;
	/** Of the last run. */
	isGreen?: boolean;
	isToldToStop?: boolean;
	/** The number of the first press that was green. */
	greenAt?: number;
}

interface Traits {
	isSchedule: boolean;
	isLoop: boolean;
	hasLimit: boolean;
	/** 'Stop With an Error' was chosen: a schedule stops after the first run, and a loop after the first round. */
	stops: boolean;
	/** One person, no faults, no process that is killed or asleep. */
	isSure: boolean;
}

const running: readonly Step[] = ['runAgain', 'runLater', 'runAtTime'];
const isRunning = ({ step }: Advice) => running.includes(step);
const allowedAfter: readonly Step[] = [...running, 'done', 'raiseLimit', 'sendToNew'];

/** What one press says, by itself and after the one before. */
const checkText = (
	{ service }: Stage,
	{ desk }: Person,
	{ played, advice }: Press,
	before: Press | undefined,
): Problem[] => {
	if (advice === undefined) return [];
	const problems: Problem[] = [];
	const error = played.outcomes.at(-1)?.error;
	const text = `${played.plan.name}: ${error?.message ?? ''} | ${error?.description ?? ''}`;
	const add = (kind: string) => problems.push({ kind, text });
	const has = (step: Step) => advice.some((one) => one.step === step);
	if (advice.length === 0) add('unknown advice');
	if (has('done') && advice.some(isRunning)) add('contradictory advice');
	const isRisky = advice.some(isRunning) || has('sendAnyway');
	const wasSent = service.received.some(({ by }) => by === played.plan.name);
	if (desk.messages?.hasOwnIds === false && isRisky && wasSent && !has('leaveOut')) {
		add('told to run again without IDs, although something was sent');
	}
	const wasTold =
		before?.advice !== undefined && before.advice.length > 0 && before.advice.every(isRunning);
	const isOpen = advice.some(({ step }) => allowedAfter.includes(step));
	if (wasTold && !isOpen && advice.length > 0 && desk.messages === undefined) {
		add(`dead end: told to run again, then to ${advice.map(({ step }) => step).join(' or ')}`);
	}
	return problems;
};

/** The rounds of a loop as runs of their own. */
const roundsOf = (run: PlayedRun): PlayedRun[] => {
	const { plan, outcomes } = run;
	if (plan.isLoop !== true) return [run];
	return plan.calls.map(({ items }, round) => {
		const wanted = items.map(({ phone }) => String(phone).slice(1));
		const own = { ...plan, name: roundName(plan, round), wanted };
		return { ...run, plan: own, outcomes: outcomes.slice(round, round + 1) };
	});
};

const checkRuns = (stage: Stage, people: readonly Person[]): Problem[] => {
	const { service } = stage;
	const runs = people.flatMap(({ presses }) => presses.map(({ played }) => played));
	if (people.some(({ desk }) => desk.messages !== undefined)) {
		const plans = runs.map(({ plan }) => plan as AdvicePlan & MessagePlan);
		return checkMessages(stage, plans, runs);
	}
	return runs.flatMap(roundsOf).flatMap((run) => {
		const plan = run.plan as AdvicePlan & DispatchPlan;
		const started = service.dispatches.filter((one) => startOf(one)?.by === plan.name);
		// The operation 'Start' has no limits.
		const ofLimits = plan.startId === undefined ? checkLimits(stage, plan, started) : [];
		return [...checkSentences(stage, run), ...ofLimits];
	});
};

/** What is named in a problem: of all that the people did, the step that is the likeliest reason. */
const worstFirst: readonly Step[] = ['sendAnyway', 'rename', 'start', 'done'];

/** What must be true when everybody has done what the texts said. */
export const checkAdvice = (
	stage: Stage,
	people: readonly Person[],
	{ isSchedule, isLoop, hasLimit, isSure, stops }: Traits,
): Problem[] => {
	const { received, world } = stage.service;
	const steps = new Set<Step>(people.flatMap(({ desk }) => desk.followed));
	const { ifNameExists, messages } = { ...people[0]?.desk, ...people[0]?.desk.choices };
	const told = worstFirst.find((step) => steps.has(step));
	const who = [
		...(isSchedule ? [`schedule, ${ifNameExists ?? ''}`] : []),
		...(isLoop ? ['loop'] : []),
		...(told === undefined ? [] : [`after ${told}`]),
	].join(', ');
	const about = (kind: string) => (who === '' ? kind : `${kind} (${who})`);
	const problems = checkRuns(stage, people).map(({ kind, text }) => ({
		kind: kind.startsWith('twice') ? about(kind) : kind,
		text,
	}));
	const add = (kind: string, text: string) => problems.push({ kind: about(kind), text });
	const has = (person: number, at = Infinity) =>
		received.some((one) => one.destination === numberOf(person) && one.at <= at);
	const missingIn = (list: readonly number[], at?: number) =>
		list.filter((person) => !world.blacklist.has(numberOf(person)) && !has(person, at));
	const mayRepeat = ifNameExists === 'another' || messages !== undefined;
	const numbers = received.map(({ destination }) => destination);
	const repeated = numbers.filter((number, index) => numbers.indexOf(number) !== index);
	if (!mayRepeat && repeated.length > 0) add('twice', [...new Set(repeated)].join(', '));
	for (const person of people) {
		const { desk, presses, isGreen, isToldToStop, greenAt, hasChanged } = person;
		const changed = hasChanged ? ', list changed' : '';
		presses.forEach((press, index) => {
			problems.push(...checkText(stage, person, press, presses[index - 1]));
			const { played, list } = press;
			const isWhole = played.outcomes.length === played.plan.calls.length;
			const isGood =
				played.endedAt !== undefined && isWhole && played.outcomes.every(({ error }) => !error);
			const missing = isGood ? missingIn(list, played.endedAt) : [];
			if (missing.length > 0)
				add(
					`green, but not everybody has it${changed}`,
					`${played.plan.name}: ${missing.join(', ')}`,
				);
		});
		// Without IDs nobody knows whom to send it again.
		if (desk.messages?.hasOwnIds === false) continue;
		const list = presses.at(-1)?.list ?? [];
		const missing = missingIn(list);
		const text = `${desk.name}: ${missing.join(', ')}`;
		if (isGreen !== true && isToldToStop !== true && !(stops && isSchedule)) {
			add(`never green, ${missing.length > 0 ? 'and not' : 'though'} everybody has it`, text);
		}
		if (isToldToStop === true && isGreen !== true && missing.length > 0 && !stops) {
			add(`told to stop, but not everybody has it${changed}`, text);
		}
		// What was left because of a limit is in the way of another process for half an hour.
		if (isSure && !stops && (greenAt ?? Infinity) > (hasLimit ? 3 : 1)) {
			add(
				`no faults, but not green ${hasLimit ? 'after the limit was raised' : 'at once'}`,
				desk.name,
			);
		}
	}
	return problems;
};
