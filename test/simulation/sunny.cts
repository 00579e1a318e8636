// Histories in which nothing goes wrong: what a node must do, and not only what it must not do.
import type { DispatchPlan } from './dispatchHistory.cts';
import type { MessagePlan } from './messageHistory.cts';
import { dispatchSend } from './params.cts';
import type { PlayedRun, Problem, RunPlan } from './plans.cts';
import { startOf } from './records.cts';
import type { Stage } from './stage.cts';
import type { World } from './world.cts';

const calm = {
	lagMs: { list: 0, get: 0, counters: 0, messages: 0, lookUp: 0 },
	faultyChanges: 0,
	faultyReads: 0,
	pricedAfterMs: 0,
} as const satisfies Partial<World>;

/** Keeps one run of a history, and everything goes well. */
const calmed = <Plan extends RunPlan>({ stage, plans }: { stage: Stage; plans: Plan[] }) => {
	Object.assign(stage.service.world, calm);
	const kept = plans.slice(0, 1);
	for (const plan of kept) delete plan.killedAfterMs;
	return { stage, plans: kept };
};

export const calmMessages = (history: { stage: Stage; plans: MessagePlan[] }) => {
	history.stage.service.world.sendReply = 'entries';
	return calmed(history);
};

/** The limits are as wide as they can be. */
export const calmDispatches = (history: { stage: Stage; plans: DispatchPlan[] }) => {
	const { stage, plans } = calmed(history);
	for (const plan of plans) {
		const { choices } = plan;
		Object.assign(choices, { priceLimit: 1_000, leavesUnstarted: false });
		delete choices.minimumPeople;
		delete choices.minimumPercent;
		plan.parameters = dispatchSend(choices);
	}
	return { stage, plans };
};

const errorsOf = ({ outcomes }: PlayedRun): string[] =>
	outcomes.flatMap(({ error, items = [] }) => [
		...(error === undefined ? [] : [error.message]),
		...items.flatMap(({ json }) => (json.error === undefined ? [] : [String(json.error)])),
	]);

/** Everybody who can be reached has it once, from one dispatch, and nothing else exists. */
export const checkSunny = (
	{ service }: Stage,
	plans: ReadonlyArray<DispatchPlan | MessagePlan>,
	runs: readonly PlayedRun[],
): Problem[] => {
	const problems: Problem[] = [];
	const add = (kind: string, text: string) => problems.push({ kind: `sunny: ${kind}`, text });
	const { blacklist } = service.world;
	const people = plans.flatMap(
		({ wanted }) => wanted as ReadonlyArray<string | { number: string }>,
	);
	const numbers = people.map((one) => (typeof one === 'string' ? one : one.number));
	const wanted = numbers.filter((number) => !blacklist.has(number));
	for (const number of wanted) {
		const times = service.received.filter(({ destination }) => destination === number).length;
		if (times !== 1) add(times === 0 ? 'not reached' : 'twice', `${number}: ${times} times`);
	}
	if (service.received.length > wanted.length) add('too many', String(service.received.length));
	const made = service.dispatches.filter(({ by }) => by !== '');
	const started = made.filter((one) => startOf(one) !== undefined);
	const isDispatch = plans.some(({ node }) => node === 'BulkMessagingPartner');
	const expected = isDispatch && wanted.length > 0 ? 1 : 0;
	if (started.length !== expected) add('started dispatches', String(started.length));
	if (expected > 0 && made.length > started.length) add('left unstarted', String(made.length));
	const isFree = wanted.length === numbers.length || (isDispatch && wanted.length > 0);
	const errors = isFree ? runs.flatMap(errorsOf) : [];
	if (errors.length > 0) add('error', errors.join('; '));
	return problems;
};
