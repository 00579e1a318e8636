import type { IDataObject } from 'n8n-workflow';
import { firstMoment } from './clock.cts';
import { dispatchSend, type DispatchChoices, type IfNameExists } from './params.cts';
import type { Random } from './random.cts';
import type { RunPlan } from './plans.cts';
import { makeStage, type Stage } from './stage.cts';
import { dispatchName, makeWorld, numberOf, type World } from './world.cts';

/** A run that sends a dispatch, and what it should do. */
export interface DispatchPlan extends RunPlan {
	choices: DispatchChoices;
	/** The phone numbers that it wants to reach. */
	wanted: string[];
}

const minute = 60_000;

/** Dispatches of other names, which no run may touch. */
const addOthers = ({ service }: Stage, random: Random): void => {
	for (let count = random.pick([0, 0, 1, 4]); count > 0; count--) {
		const id = service.dispatches.length + 1;
		const at = firstMoment - random.between(1, 100) * minute;
		service.dispatches.push({
			id,
			companyId: 1,
			name: `Other ${id}`,
			text: 'Hello',
			channelType: 'SMS',
			by: '',
			createdAt: at,
			messages: [],
			moves: random.chance(0.5) ? [] : [{ at, status: 'STARTED', by: '' }],
		});
	}
};

const pickLimits = (random: Random, { price }: World, people: number, batchSize: number) => ({
	priceLimit: random.pick([1000, 1000, 1000, price * (people - 1), price * batchSize]),
	minimumPeople: random.pick([undefined, undefined, undefined, people]),
	minimumPercent: random.pick([undefined, undefined, undefined, 90]),
	leavesUnstarted: random.chance(0.2),
});

/** The recipients of a run: all people, or some of them, perhaps with other names in the text. */
const pickItems = (random: Random, people: number): IDataObject[] => {
	const first = random.chance(0.15) ? random.below(people) : 0;
	const suffix = random.chance(0.1) ? ' again' : '';
	return Array.from({ length: people - first }, (_, index) => ({
		phone: `+${numberOf(first + index)}`,
		name: `P${first + index}${suffix}`,
	}));
};

/** One to three runs with the same dispatch name, and perhaps a killed one with a later run after it. */
export const makeDispatchHistory = (
	random: Random,
	without: ReadonlySet<string>,
	log?: (line: string) => void,
): { stage: Stage; plans: DispatchPlan[] } => {
	const batchSize = random.between(1, 3);
	const people = Math.max(1, batchSize * random.between(1, 4) - random.below(batchSize));
	const world = makeWorld(random, people);
	const stage = makeStage(random.fork(), world, without, log);
	addOthers(stage, random);
	const usual = random.pick<IfNameExists>(['stop', 'stop', 'stop', 'again', 'again', 'another']);
	const isOneProcess = random.chance(0.4);
	const isKilled = random.chance(0.3);
	const hasLater = isKilled || random.chance(0.2);
	const planOf = (name: string, ifNameExists: IfNameExists): DispatchPlan => {
		const items = pickItems(random, people);
		const choices: DispatchChoices = {
			name: dispatchName,
			ifNameExists,
			batchSize,
			output: random.pick(['recipients', 'summary']),
			...pickLimits(random, world, people, batchSize),
			...(random.chance(0.2) && { waitsAtMost: random.pick([1, 5]) }),
		};
		return {
			name,
			process: isOneProcess ? 0 : random.pick([0, 1]),
			node: 'BulkMessagingPartner',
			parameters: dispatchSend(choices),
			calls: [{ items }],
			startsAfterMs: random.below(random.pick([1, 500, 4_000, 10_000])),
			tries: random.pick([1, 1, 2, 3]),
			continuesOnFail: random.chance(0.15),
			choices,
			wanted: items.map(({ phone }) => String(phone).slice(1)),
		};
	};
	const plans: DispatchPlan[] = [];
	for (let count = random.between(1, 3); count > 0; count--) {
		const before = plans.at(-1);
		const plan = planOf(`run ${plans.length + 1}`, usual);
		if (before !== undefined && random.chance(0.4)) plan.follows = before.name;
		plans.push(plan);
	}
	const [first] = plans;
	if (isKilled && first !== undefined) {
		// A process that is killed takes its memory with it, so no other run is in it.
		first.process = 2;
		first.killedAfterMs = random.below(random.pick([1_000, 6_000, 100_000]));
		for (const plan of plans) delete plan.follows;
	}
	if (hasLater) {
		const startsAfterMs = minute + random.below(89 * minute);
		plans.push({
			...planOf('later run', usual === 'another' ? usual : 'again'),
			startsAfterMs: random.chance(0.5) ? startsAfterMs : minute + random.below(5 * minute),
		});
	}
	return { stage, plans };
};
