import { messageSend } from './params.cts';
import type { Random } from './random.cts';
import type { RunPlan } from './plans.cts';
import { makeStage, type Stage } from './stage.cts';
import { makeWorld, numberOf } from './world.cts';

/** A run that sends single messages. */
export interface MessagePlan extends RunPlan {
	hasOwnIds: boolean;
	/** One for each item. The ID is the user's; empty if there is none. */
	wanted: Array<{ number: string; text: string; id: string }>;
}

/** One to three runs with the same messages, with or without custom message IDs. */
export const makeMessageHistory = (
	random: Random,
	without: ReadonlySet<string>,
	log?: (line: string) => void,
): { stage: Stage; plans: MessagePlan[] } => {
	const people = random.between(1, 3);
	const stage = makeStage(random.fork(), makeWorld(random, people), without, log);
	const hasOwnIds = random.chance(0.65);
	const isOneProcess = random.chance(0.5);
	const isKilled = random.chance(0.2);
	const planOf = (name: string): MessagePlan => {
		const wanted = Array.from({ length: people }, (_, index) => ({
			number: numberOf(index),
			text: `Text ${index}`,
			id: hasOwnIds ? `order-${index}` : '',
		}));
		return {
			name,
			process: isOneProcess ? 0 : random.pick([0, 1]),
			node: 'BulkMessaging',
			parameters: messageSend(hasOwnIds),
			calls: [{ items: wanted.map(({ number, text, id }) => ({ phone: `+${number}`, text, id })) }],
			startsAfterMs: random.below(random.pick([1, 500, 4_000, 100_000])),
			tries: random.pick([1, 1, 2, 3]),
			continuesOnFail: random.chance(0.15),
			hasOwnIds,
			wanted,
		};
	};
	const plans: MessagePlan[] = [];
	for (let count = random.between(1, 3); count > 0; count--) {
		const before = plans.at(-1);
		const plan = planOf(`run ${plans.length + 1}`);
		if (before !== undefined && random.chance(0.4)) plan.follows = before.name;
		plans.push(plan);
	}
	const [first] = plans;
	if (isKilled && first !== undefined) {
		// A process that is killed takes its memory with it, so no other run is in it.
		first.process = 2;
		first.killedAfterMs = random.below(random.pick([500, 2_000, 80_000]));
		for (const plan of plans) delete plan.follows;
		plans.push({ ...planOf('later run'), startsAfterMs: random.between(60_000, 5_400_000) });
	}
	// Drawn last, so that the rest of a seed's history stays the same.
	stage.service.world.sendReply = random.pick(['entries', 'acceptedOnly', 'noIds', 'empty']);
	return { stage, plans };
};
