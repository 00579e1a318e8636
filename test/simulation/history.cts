import { checkAgent, makeAgentHistory } from './agentHistory.cts';
import { makeDispatchHistory } from './dispatchHistory.cts';
import { checkDispatches } from './dispatchInvariants.cts';
import { makeMessageHistory } from './messageHistory.cts';
import { checkMessages } from './messageInvariants.cts';
import { contradictions } from './faults.cts';
import { Random } from './random.cts';
import type { Problem } from './plans.cts';
import { playRuns } from './stage.cts';

interface HistoryOptions {
	/** Faults that don't happen. */
	without?: ReadonlySet<string>;
	/** Gets a line for everything that happens. */
	log?: (line: string) => void;
}

export interface History {
	seed: number;
	kind: 'dispatch' | 'message' | 'agent';
	problems: Problem[];
	/** What went wrong although no client could have prevented it. */
	unavoidable: Problem[];
	requests: number;
}

const play = async (seed: number, { without = contradictions, log }: HistoryOptions) => {
	const random = new Random(seed);
	const kind = random.pick(['dispatch', 'dispatch', 'dispatch', 'dispatch', 'message', 'message']);
	if (random.chance(0.03)) {
		const { stage, plans } = makeAgentHistory(random, without, log);
		const { runs, problems } = await playRuns(stage, plans, random);
		return { kind: 'agent', stage, problems: [...problems, ...checkAgent(stage, runs)] } as const;
	}
	if (kind === 'message') {
		const { stage, plans } = makeMessageHistory(random, without, log);
		const { runs, problems } = await playRuns(stage, plans, random);
		return { kind, stage, problems: [...problems, ...checkMessages(stage, plans, runs)] } as const;
	}
	const { stage, plans } = makeDispatchHistory(random, without, log);
	const { runs, problems } = await playRuns(stage, plans, random);
	problems.push(...checkDispatches(stage, plans, runs));
	return { kind: 'dispatch', stage, problems } as const;
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
