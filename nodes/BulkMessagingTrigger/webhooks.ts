import type { IWebhookDescription } from 'n8n-workflow';
import { triggerPaths } from '../shared/triggerUrls';

/** n8n knows two names for the addresses of a trigger. */
const fast = 'default';
export const confirmed = 'setup';

/** Without expressions: n8n would evaluate them for every single callback. */
export const webhooks: IWebhookDescription[] = [
	{
		name: fast,
		httpMethod: 'POST',
		path: triggerPaths.fast,
		// n8n answers when the execution is on record.
		responseMode: 'onReceived',
		// Empty, so that what the trigger returns is sent.
		responseData: '',
	},
	{
		name: confirmed,
		httpMethod: 'POST',
		path: triggerPaths.confirmed,
		// n8n answers when the workflow has finished: 500 when it failed.
		responseMode: 'lastNode',
		responseData: 'noData',
	},
];
