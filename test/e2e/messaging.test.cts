import { messagingResources } from '../../nodes/BulkMessaging/resources';
import { messagingSteps } from './messaging/steps.cts';
import { describeStory } from './support/story.cts';
import { messagingNode } from './support/workflows.cts';

/** Every operation of the messaging node, in one workflow as users build them: a node feeds the next. */

describeStory({
	id: 'messagingStory',
	nodeType: messagingNode,
	credential: 'messaging',
	resources: messagingResources,
	steps: messagingSteps,
});
