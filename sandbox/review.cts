import type { Sender } from './entities.cts';
import type { World } from './world.cts';

const steps: ReadonlyArray<Sender['status']> = [
	'DRAFT',
	'PRE_REVIEW',
	'INTERNAL_REVIEW',
	'EXTERNAL_REVIEW',
	'AWAITING',
	'APPROVED',
];

/** One step on the way from DRAFT to APPROVED; false when there is none from where the sender stands. */
export const takeReviewStep = (sender: Sender): boolean => {
	const at = steps.indexOf(sender.status);
	const next = at === -1 ? undefined : steps[at + 1];
	if (next === undefined) return false;
	sender.status = next;
	return true;
};

/** A review that goes on by itself, when the settings say so. */
export const planReview = ({ store, timeline }: World, { id }: Sender): void => {
	const { reviewStepMs } = store.settings;
	if (reviewStepMs === null) return;
	timeline.plan(timeline.now + reviewStepMs, { kind: 'sender-review', senderId: id });
};
