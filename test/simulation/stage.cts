import type { IExecuteData } from 'n8n-workflow';
import { Clock, firstMoment } from './clock.cts';
import { Network, type Client } from './network.cts';
import { execute, type Account, type Outcome } from './node.cts';
import type { PlayedRun, Problem, RunPlan } from './plans.cts';
import { n8nProcesses } from './processes.cts';
import { Random } from './random.cts';
import { Service } from './service.cts';
import { useVirtualTime } from './virtualTime.cts';
import type { World } from './world.cts';

export interface Stage {
	clock: Clock;
	service: Service;
	network: Network;
	account: Account;
	log?: (line: string) => void;
}

/** Every history has another account, even if the same seed is played twice. The log doesn't show it. */
let accounts = 0;

const textOf = ({ error, items, hints }: Outcome) => {
	const result =
		error === undefined
			? JSON.stringify(items?.map(({ json }) => json))
			: `error: ${error.message} | ${error.description ?? ''}`;
	return `${result}${hints.length === 0 ? '' : ` hints: ${JSON.stringify(hints)}`}`;
};

/** The longest that n8n allows: other runs have time to do something in between. */
const waitBetweenTriesMs = 5_000;

/** As n8n's Retry On Fail sees it: an error, or, with Continue, an error in the first item. */
const isFailed = ({ error, items = [] }: Outcome): boolean =>
	(error ?? items[0]?.json.error) !== undefined;

const play = async (stage: Stage, plan: RunPlan, played: PlayedRun): Promise<void> => {
	const { clock, network, account, log } = stage;
	const node = plan.fake ?? n8nProcesses[plan.process][plan.node];
	played.beganAt = clock.now;
	const killedAt = clock.now + (plan.killedAfterMs ?? Infinity);
	const client: Client = { name: plan.name, killedAt };
	if (killedAt < Infinity) clock.at(killedAt, () => log?.(`${plan.name} is killed`));
	const executeData = { data: { main: [] }, source: null, node: {} } as unknown as IExecuteData;
	log?.(`${plan.name} begins in process ${plan.process}: ${JSON.stringify(plan.parameters)}`);
	for (const [runIndex, { items: given, parameters = plan.parameters }] of plan.calls.entries()) {
		const items = given.map((json) => ({ json }));
		const call = { node, account, client, network, parameters, items, executeData, runIndex };
		const { continuesOnFail } = plan;
		const retriesOnFail = plan.tries > 1;
		const ask = async () => await execute({ ...call, continuesOnFail, retriesOnFail });
		let outcome = await ask();
		let tries = 1;
		for (; tries < plan.tries && isFailed(outcome); tries++) {
			log?.(`${plan.name} will be tried again after ${textOf(outcome)}`);
			await clock.sleep(waitBetweenTriesMs);
			outcome = await ask();
		}
		if (clock.now >= killedAt) return;
		log?.(`${plan.name} ends: ${textOf(outcome)}`);
		played.outcomes.push({ ...outcome, tries });
	}
	played.endedAt = clock.now;
};

/** Prepares a service for a history. `random` decides everything that the network and the nodes leave to chance. */
export const makeStage = (
	random: Random,
	world: World,
	without: ReadonlySet<string>,
	log?: (line: string) => void,
): Stage => {
	const clock = new Clock();
	const timed = log && ((line: string) => log(`${stamp(clock.now)} ${line}`));
	const service = new Service(clock, random.fork(), world);
	const network = new Network(clock, random.fork(), service, without, timed);
	return { clock, service, network, account: { number: ++accounts }, log: timed };
};

const stamp = (now: number) => `+${((now - firstMoment) / 1_000).toFixed(3).padStart(9)}s`;

const longestRunMs = 3 * 3_600_000;

/** Plays all runs until nothing is left to happen. */
export const playRuns = async (
	stage: Stage,
	plans: readonly RunPlan[],
	random: Random,
): Promise<{ runs: PlayedRun[]; problems: Problem[] }> => {
	const { clock } = stage;
	const runs = plans.map((plan): PlayedRun => ({ plan, beganAt: 0, outcomes: [] }));
	const restore = useVirtualTime(clock, random.fork());
	const begin = (played: PlayedRun): void => {
		clock.at(clock.now + played.plan.startsAfterMs, () => {
			void play(stage, played.plan, played).then(() => {
				if (played.endedAt === undefined) return;
				runs.filter(({ plan }) => plan.follows === played.plan.name).forEach(begin);
			});
		});
	};
	try {
		runs.filter(({ plan }) => plan.follows === undefined).forEach(begin);
		const isOver = await clock.run();
		const endless = runs.filter(
			({ plan, beganAt, endedAt = Infinity }) =>
				beganAt > 0 && plan.killedAfterMs === undefined && endedAt - beganAt > longestRunMs,
		);
		const problems = endless.map(({ plan }) => ({ kind: 'no end', text: plan.name }));
		if (!isOver) problems.push({ kind: 'no end', text: 'something is always left to happen' });
		return { runs, problems };
	} finally {
		restore();
	}
};
