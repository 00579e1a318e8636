import type { IExecuteData } from 'n8n-workflow';
import { Clock, firstMoment } from './clock.cts';
import { awake, Network, type Away, type Client } from './network.cts';
import { execute, type Account, type Outcome } from './node.cts';
import type { PlayedRun, Problem, RunPlan } from './plans.cts';
import { n8nProcesses } from './processes.cts';
import { Random } from './random.cts';
import { Service } from './service.cts';
import { useVirtualTime, wakesUp } from './virtualTime.cts';
import type { World } from './world.cts';

export interface Stage {
	clock: Clock;
	service: Service;
	network: Network;
	account: Account;
	/** When process 0 doesn't work. A run that is killed by its own plan is the only one in its process. */
	away?: Away;
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

/** Each round of a loop is a run of its own to the service. */
export const roundName = ({ name }: RunPlan, round: number): string => `${name} round ${round + 1}`;

const play = async (stage: Stage, plan: RunPlan, played: PlayedRun): Promise<void> => {
	const { clock, network, account, log } = stage;
	const node = plan.fake ?? n8nProcesses[plan.process][plan.node];
	played.beganAt = clock.now;
	const { killedAfterMs } = plan;
	const shared = plan.process === 0 ? stage.away : undefined;
	const away: Away | undefined =
		killedAfterMs === undefined ? shared : { from: clock.now + killedAfterMs, until: Infinity };
	const client: Client = { name: plan.name, ...(away && { away }) };
	if (away?.until === Infinity && away.from < Infinity) {
		clock.at(away.from, () => {
			if (away.from > clock.now || played.endedAt !== undefined) return;
			played.isKilled = true;
			log?.(`${plan.name} is killed`);
		});
	}
	const makeData = () =>
		({ data: { main: [] }, source: null, node: {} }) as unknown as IExecuteData;
	let executeData = makeData();
	log?.(`${plan.name} begins in process ${plan.process}: ${JSON.stringify(plan.parameters)}`);
	for (const [runIndex, { items: given, parameters = plan.parameters }] of plan.calls.entries()) {
		const items = given.map((json) => ({ json }));
		if (plan.isLoop === true) executeData = makeData();
		const by = plan.isLoop === true ? { ...client, name: roundName(plan, runIndex) } : client;
		const call = { node, account, client: by, network, parameters, items, executeData, runIndex };
		const { continuesOnFail } = plan;
		const retriesOnFail = plan.tries > 1;
		const work = async () => await execute({ ...call, continuesOnFail, retriesOnFail });
		const ask = async () => await wakesUp.run(async () => await awake(clock, away), work);
		let outcome = await ask();
		let tries = 1;
		for (; tries < plan.tries && isFailed(outcome); tries++) {
			log?.(`${plan.name} will be tried again after ${textOf(outcome)}`);
			await clock.sleep(waitBetweenTriesMs);
			await awake(clock, away);
			outcome = await ask();
		}
		if (played.isKilled) return;
		log?.(`${plan.name} ends: ${textOf(outcome)}`);
		played.outcomes.push({ ...outcome, tries });
		if (plan.isLoop === true && outcome.error !== undefined) break;
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

/** Plays a run from now on. */
export type Perform = (plan: RunPlan) => { played: PlayedRun; ended: Promise<void> };

/** Plays what `begin` sets in motion, until nothing is left to happen. */
export const playStage = async (
	stage: Stage,
	random: Random,
	begin: (perform: Perform) => void,
): Promise<{ runs: PlayedRun[]; problems: Problem[] }> => {
	const { clock } = stage;
	const runs: PlayedRun[] = [];
	const restore = useVirtualTime(clock, random.fork());
	const perform: Perform = (plan) => {
		const played = { plan, beganAt: clock.now, isKilled: false, outcomes: [] };
		runs.push(played);
		return { played, ended: play(stage, plan, played) };
	};
	try {
		begin(perform);
		const isOver = await clock.run();
		const endless = runs.filter(
			({ isKilled, beganAt, endedAt = Infinity }) => !isKilled && endedAt - beganAt > longestRunMs,
		);
		const problems = endless.map(({ plan }) => ({ kind: 'no end', text: plan.name }));
		if (!isOver) problems.push({ kind: 'no end', text: 'something is always left to happen' });
		return { runs, problems };
	} finally {
		restore();
	}
};

/** Plays all runs, each at its time or after the one that it follows. */
export const playRuns = async (stage: Stage, plans: readonly RunPlan[], random: Random) =>
	await playStage(stage, random, (perform) => {
		const begin = (plan: RunPlan): void => {
			stage.clock.at(stage.clock.now + plan.startsAfterMs, () => {
				void perform(plan).ended.then(() =>
					plans.filter(({ follows }) => follows === plan.name).forEach(begin),
				);
			});
		};
		plans.filter(({ follows }) => follows === undefined).forEach(begin);
	});
