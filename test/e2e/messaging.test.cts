import { stepsOf } from './support/steps.cts';
import { describeStory } from './support/story.cts';
import { messagingNode } from './support/workflows.cts';

/** Every operation of the messaging node, in one workflow as users build them: a node feeds the next. */

describeStory({
	id: 'messagingStory',
	nodeType: messagingNode,
	credential: 'messaging',
	steps: stepsOf.messaging,
	// Dispatches of the messaging API are created on the website.
	prepare: async ({ control }) =>
		await control('POST', '/website-dispatches', { name: 'Tulips', text: 'Dear {name}, hello' }),
});
