import type { CascadePlan, Message, SingleDetails } from '../stored/entities.cts';
import { acceptSingle } from './singles.cts';
import type { Store } from '../stored/store.cts';
import type { World } from '../stored/world.cts';

export const planOf = (store: Store, { cascade }: SingleDetails): CascadePlan | undefined =>
	cascade && store.byUuid.get(cascade.rootUuid)?.single?.plan;

/** The condition under which a cascade continues after this step (counted from 1). The last step has none. */
const conditionAt = ({ steps }: CascadePlan, step: number): string | undefined =>
	step >= steps.length ? undefined : (steps[step - 1].condition ?? 'not_delivered');

export const waitsForRead = (store: Store, single: SingleDetails): boolean => {
	const plan = planOf(store, single);
	return plan !== undefined && conditionAt(plan, single.cascade?.step ?? 0) === 'not_read';
};

/** Sends the next step if this one ended as the condition requires. A message that isn't delivered isn't read either. */
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
	// A step that can't be sent, for example because its sender name was closed, is skipped.
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
