import { companyCreate, messageSend } from './params.cts';
import type { Random } from './random.cts';
import type { PlayedRun, Problem, RunPlan } from './plans.cts';
import { makeStage, type Stage } from './stage.cts';
import { makeWorld, numberOf } from './world.cts';

/**
 * An agent that uses the node as a tool several times. n8n gives all these calls the same execution data, the agent's, but each
 * call has its own input item.
 */
export const makeAgentHistory = (
	random: Random,
	without: ReadonlySet<string>,
	log?: (line: string) => void,
): { stage: Stage; plans: RunPlan[] } => {
	const world = { ...makeWorld(random, 1), blacklist: new Set<string>() };
	const stage = makeStage(random.fork(), world, without, log);
	const sendsMessages = random.chance(0.6);
	const numbers = random.chance(0.5) ? [0, 0, 0] : [0, 1, 2];
	const shared = { process: 0, startsAfterMs: 0, continuesOnFail: false } as const;
	const tries = random.pick([1, 1, 2]);
	const plan: RunPlan = sendsMessages
		? {
				...shared,
				name: 'agent',
				node: 'BulkMessaging',
				parameters: messageSend(false),
				tries,
				calls: numbers.map((person, call) => ({
					items: [{ phone: `+${numberOf(person)}`, text: `SMS ${call}`, id: '' }],
				})),
			}
		: {
				...shared,
				name: 'agent',
				node: 'BulkMessagingPartner',
				parameters: companyCreate('Company 0'),
				tries,
				calls: [0, 1].map((call) => ({
					items: [{}],
					parameters: companyCreate(`Company ${call}`),
				})),
			};
	return { stage, plans: [plan] };
};

/** Each call that succeeded did what it was asked to, once. */
export const checkAgent = ({ service }: Stage, runs: readonly PlayedRun[]): Problem[] => {
	const problems: Problem[] = [];
	for (const { plan, outcomes } of runs) {
		const isMessage = plan.node === 'BulkMessaging';
		for (const [call, { error, items = [] }] of outcomes.entries()) {
			const done = isMessage
				? service.received.filter(({ text }) => text === `SMS ${call}`).length
				: service.companies.filter(({ name }) => name === `Company ${call}`).length;
			// Only a company may be created without a confirmation: the result says so.
			const isConfirmed = isMessage || items.every(({ json }) => json.confirmed !== false);
			const what = isMessage ? 'SMS' : 'company';
			const text = `call ${call}`;
			if (done > 1) problems.push({ kind: `agent: ${what} twice`, text });
			if (done === 0 && error === undefined && isConfirmed) {
				problems.push({ kind: `agent: ${what} lost in silence`, text });
			}
		}
	}
	return problems;
};
