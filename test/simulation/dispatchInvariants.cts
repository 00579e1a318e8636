import { checkDispatchRows } from './dispatchRows.cts';
import type { DispatchPlan } from './dispatchHistory.cts';
import { sentencesOf, type Sentence } from './claims.cts';
import { acceptedIn, startOf, type StoredDispatch } from './records.cts';
import type { PlayedRun, Problem } from './plans.cts';
import type { Stage } from './stage.cts';
import { baseName, dispatchName } from './world.cts';

/** Whether a sentence of a run is true at the end of the history. */
const isTrue = (
	{ service }: Stage,
	{ plan, endedAt = Infinity }: PlayedRun,
	{ claim, id, count }: Sentence,
	tries: number,
	isAboutTry: boolean,
): boolean => {
	// What an earlier try has done can't be told apart here.
	if (isAboutTry && tries > 1) return true;
	const dispatch = id === undefined ? undefined : service.find(id);
	const start = dispatch && startOf(dispatch);
	const own = service.received.filter(({ by }) => by === plan.name);
	const people = new Set(own.map(({ destination }) => destination)).size;
	switch (claim) {
		case 'nothingSent':
			return people === 0;
		case 'nothingCreated':
			return !service.dispatches.some(({ by }) => by === plan.name);
		case 'notStarted':
			if (id === undefined) return people === 0;
			if (start === undefined) return true;
			// Another run may start it later. What another run does with its own dispatch can't be known to this one.
			return start.by !== plan.name && (start.at > endedAt || dispatch?.by !== plan.name);
		case 'started':
			return id === undefined ? people > 0 : start !== undefined && start.at <= endedAt;
		case 'holds':
			return dispatch !== undefined && acceptedIn(dispatch).length >= (count ?? 0);
		case 'empty':
			return dispatch !== undefined && acceptedIn(dispatch).length === 0;
		case 'someNotSent':
			return people + (count ?? 1) <= (plan as DispatchPlan).wanted.length;
		default:
			return true;
	}
};

export const checkSentences = (stage: Stage, run: PlayedRun): Problem[] =>
	run.outcomes.flatMap((outcome) =>
		sentencesOf(outcome).flatMap((sentence): Problem[] => {
			const { claim, text, isAboutTry } = sentence;
			if (claim === undefined) return [{ kind: 'unknown text', text }];
			if (isTrue(stage, run, sentence, outcome.tries, isAboutTry)) return [];
			return [{ kind: `untrue: ${claim}`, text: `${run.plan.name}: ${text}` }];
		}),
	);

/** What a run started, against its limits, by what the service holds. */
export const checkLimits = ({ service }: Stage, plan: DispatchPlan, started: StoredDispatch[]) => {
	const problems: Problem[] = [];
	const { priceLimit, minimumPeople = 1, minimumPercent = 0 } = plan.choices;
	const cost = started.reduce((sum, dispatch) => sum + service.priceOf(dispatch), 0);
	if (cost > priceLimit + 1e-9) {
		problems.push({ kind: 'over the limit', text: `${plan.name}: ${cost} > ${priceLimit}` });
	}
	for (const dispatch of started) {
		const inside = new Set(acceptedIn(dispatch).map(({ destination }) => destination));
		const begun = startOf(dispatch)?.at ?? Infinity;
		const had = new Set(
			service.received.filter(({ at }) => at < begun).map(({ destination }) => destination),
		);
		// The minimums are for those who don't have it yet.
		const wanted = plan.wanted.filter((number) => !had.has(number) || inside.has(number));
		const count = wanted.filter((number) => inside.has(number)).length;
		const percent = (count / wanted.length) * 100;
		if (count < minimumPeople || percent < minimumPercent) {
			problems.push({ kind: 'below the minimum', text: `${plan.name}: ${count} people` });
		}
	}
	return problems;
};

const checkTwice = (plans: readonly DispatchPlan[], started: StoredDispatch[]): Problem[] => {
	const mayRepeat = plans.some(({ choices }) => choices.ifNameExists === 'another');
	const times = new Map<string, number>();
	for (const { by, ...dispatch } of started) {
		for (const { destination } of acceptedIn({ by, ...dispatch })) {
			const key = mayRepeat ? `${destination} (${by})` : destination;
			times.set(key, (times.get(key) ?? 0) + 1);
		}
	}
	const repeated = [...times].flatMap(([number, count]) => (count > 1 ? [number] : []));
	if (repeated.length === 0) return [];
	return [{ kind: 'twice', text: `${repeated.join(', ')} got it more than once` }];
};

/** What must be true about dispatches at the end of a history, when every late request has arrived. */
export const checkDispatches = (
	stage: Stage,
	plans: readonly DispatchPlan[],
	runs: readonly PlayedRun[],
): Problem[] => {
	const { service } = stage;
	const started = service.dispatches.filter((one) => startOf(one)?.by);
	const others = started.filter(({ name }) => baseName(name) !== dispatchName);
	const problems = others.map(({ id }) => ({ kind: 'another dispatch started', text: String(id) }));
	// Those that were there before the history had nobody in them.
	const filled = service.dispatches.filter(({ by, messages }) => by === '' && messages.length > 0);
	for (const { id } of filled) problems.push({ kind: 'another dispatch filled', text: String(id) });
	problems.push(...checkTwice(plans, started));
	const claims = new Map<string, Set<unknown>>();
	for (const run of runs) {
		const plan = run.plan as DispatchPlan;
		problems.push(
			...checkLimits(
				stage,
				plan,
				started.filter((one) => startOf(one)?.by === plan.name),
			),
		);
		if (run.endedAt === undefined) continue;
		problems.push(...checkSentences(stage, run));
		const { problems: ofRows, claimed } = checkDispatchRows(stage, run, plan);
		problems.push(...ofRows);
		if (plan.choices.ifNameExists === 'another') continue;
		for (const { number, dispatchId } of claimed) {
			claims.set(number, (claims.get(number) ?? new Set()).add(dispatchId));
		}
	}
	const repeated = [...claims].flatMap(([number, ids]) => (ids.size > 1 ? [number] : []));
	if (repeated.length > 0) {
		problems.push({ kind: 'two runs claim to have sent', text: `to ${repeated.join(', ')}` });
	}
	return problems;
};
