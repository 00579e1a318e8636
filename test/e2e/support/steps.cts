import { publishedSteps } from '../messaging/published.cts';
import { messagingSteps } from '../messaging/steps.cts';
import { blacklistSteps, clientSteps } from '../partner/clientSteps.cts';
import { dispatchSteps } from '../partner/dispatchSteps.cts';

/** Every operation of a node, in the order in which one workflow runs them. */
export const stepsOf = {
	partner: [...clientSteps, ...dispatchSteps, ...blacklistSteps],
	messaging: [...messagingSteps, ...publishedSteps],
};
