import type { IWebhookDescription } from 'n8n-workflow';
import { triggerPaths } from '../shared/triggerUrls';

/** n8n allows only these two names for the webhooks of a trigger. */
const fast = 'default';
export const confirmed = 'setup';

/** Without expressions: n8n would evaluate them for every single callback. */
export const webhooks: IWebhookDescription[] = [
	{
		name: fast,
		httpMethod: 'POST',
		path: triggerPaths.fast,
		// n8n responds when the execution is stored.
		responseMode: 'onReceived',
		// Empty, so that n8n sends the trigger's own response.
		responseData: '',
	},
	{
		name: confirmed,
		httpMethod: 'POST',
		path: triggerPaths.confirmed,
		// n8n responds when the workflow has finished, with 500 if it failed.
		responseMode: 'lastNode',
		responseData: 'noData',
	},
];
