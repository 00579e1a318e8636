import type { CascadePlan, Message, SingleDetails } from './entities.cts';
import { acceptSingle } from './singles.cts';
import type { Store } from './store.cts';
import type { World } from './world.cts';

export const planOf = (store: Store, { cascade }: SingleDetails): CascadePlan | undefined =>
	cascade && store.byUuid.get(cascade.rootUuid)?.single?.plan;

/**
 * What makes a cascade go on after this step (counted from 1). Whether `condition` belongs to the step that failed or
 * to the step that follows is not known: the own one counts first, then the next one's, then `not_delivered`.
 */
const conditionAt = ({ steps }: CascadePlan, step: number): string | undefined =>
	step >= steps.length
		? undefined
		: (steps[step - 1].condition ?? steps[step].condition ?? 'not_delivered');

export const waitsForRead = (store: Store, single: SingleDetails): boolean => {
	const plan = planOf(store, single);
	return plan !== undefined && conditionAt(plan, single.cascade?.step ?? 0) === 'not_read';
};

/** Sends the next step when this one ended as the condition says. Not delivered means not read, too. */
export const sendNextStep = (
	world: World,
	{ single, destination }: Message,
	ended: 'not_delivered' | 'not_read',
): void => {
	const plan = single && planOf(world.store, single);
	if (single?.cascade === undefined || plan === undefined || plan.stopped) return;
	const { rootUuid, step: last } = single.cascade;
	const condition = conditionAt(plan, last);
	if (condition === undefined || (ended === 'not_read' && condition !== 'not_read')) return;
	// A step that cannot be sent (its sender name was closed, say) is passed over.
	for (let step = last + 1; step <= plan.steps.length; step++) {
		const { externalMessageId, callbackUrl, callbackEvents } = single;
		const input = {
			...plan.steps[step - 1],
			destination,
			externalMessageId,
			callbackUrl,
			callbackEvents,
		};
		const result = acceptSingle(world, input, { cascade: { rootUuid, step } });
		if ('problem' in result) continue;
		plan.uuids.push(result.uuid);
		return;
	}
};
