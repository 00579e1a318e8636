import { playAdvice } from './adviceHistory.cts';
import { checkAgent, makeAgentHistory } from './agentHistory.cts';
import { makeDispatchHistory } from './dispatchHistory.cts';
import { checkDispatches } from './dispatchInvariants.cts';
import { makeMessageHistory } from './messageHistory.cts';
import { checkMessages } from './messageInvariants.cts';
import { contradictions } from './faults.cts';
import { Random } from './random.cts';
import type { Problem } from './plans.cts';
import { playRuns } from './stage.cts';
import { calmDispatches, calmMessages, checkSunny } from './sunny.cts';

/** `safety` and `sunny` are mixed by default: each is a part of the seeds. People who follow the texts play only if asked for. */
export const historyKinds = ['usual', 'safety', 'sunny', 'advice'] as const;
export type HistoryKind = (typeof historyKinds)[number];

interface HistoryOptions {
	kind?: HistoryKind;
	/** Faults that don't happen. */
	without?: ReadonlySet<string>;
	/** Gets a line for everything that happens. */
	log?: (line: string) => void;
}

export interface History {
	seed: number;
	kind: 'dispatch' | 'message' | 'agent' | 'sunny' | 'advice';
	problems: Problem[];
	/** What went wrong although no client could have prevented it. */
	unavoidable: Problem[];
	requests: number;
}

/** A fifth of the histories. By the seed and not by chance, so that the others stay as they are. */
const isSunny = (seed: number): boolean => seed % 5 === 0;

const play = async (seed: number, options: HistoryOptions) => {
	const { kind: wanted = 'usual', without = contradictions, log } = options;
	const random = new Random(seed);
	if (wanted === 'advice') {
		return { kind: 'advice', ...(await playAdvice(random, without, log)) } as const;
	}
	const isCalm = wanted === 'usual' ? isSunny(seed) : wanted === 'sunny';
	const kind = random.pick(['dispatch', 'dispatch', 'dispatch', 'dispatch', 'message', 'message']);
	if (random.chance(0.03) && wanted !== 'sunny') {
		const { stage, plans } = makeAgentHistory(random, without, log);
		const { runs, problems } = await playRuns(stage, plans, random);
		return { kind: 'agent', stage, problems: [...problems, ...checkAgent(stage, runs)] } as const;
	}
	if (kind === 'message') {
		const made = makeMessageHistory(random, without, log);
		const { stage, plans } = isCalm ? calmMessages(made) : made;
		const { runs, problems } = await playRuns(stage, plans, random);
		problems.push(...checkMessages(stage, plans, runs));
		if (isCalm) problems.push(...checkSunny(stage, plans, runs));
		return { kind: isCalm ? 'sunny' : kind, stage, problems } as const;
	}
	const made = makeDispatchHistory(random, without, log);
	const { stage, plans } = isCalm ? calmDispatches(made) : made;
	const { runs, problems } = await playRuns(stage, plans, random);
	problems.push(...checkDispatches(stage, plans, runs));
	if (isCalm) problems.push(...checkSunny(stage, plans, runs));
	return { kind: isCalm ? 'sunny' : 'dispatch', stage, problems } as const;
};

/** Plays the history that follows from a seed, and checks it. */
export const playHistory = async (seed: number, options: HistoryOptions = {}): Promise<History> => {
	const { kind, stage, problems } = await play(seed, options);
	const isUnavoidable = (problem: Problem) => problem.kind.startsWith('unavoidable');
	return {
		seed,
		kind,
		problems: problems.filter((problem) => !isUnavoidable(problem)),
		unavoidable: problems.filter(isUnavoidable),
		requests: stage.network.requests,
	};
};
