import type { Sender } from '../stored/entities.cts';
import type { World } from '../stored/world.cts';

const steps: ReadonlyArray<Sender['status']> = [
	'DRAFT',
	'PRE_REVIEW',
	'INTERNAL_REVIEW',
	'EXTERNAL_REVIEW',
	'AWAITING',
	'APPROVED',
];

/** Moves a sender name one step from DRAFT towards APPROVED. Returns false if its status has no next step. */
export const takeReviewStep = (sender: Sender): boolean => {
	const at = steps.indexOf(sender.status);
	const next = at === -1 ? undefined : steps[at + 1];
	if (next === undefined) return false;
	sender.status = next;
	return true;
};

/** Plans the next step of a review, if the settings make reviews automatic. */
export const planReview = ({ store, timeline }: World, { id }: Sender): void => {
	const { reviewStepMs } = store.settings;
	if (reviewStepMs === null) return;
	timeline.plan(timeline.now + reviewStepMs, { kind: 'sender-review', senderId: id });
};
