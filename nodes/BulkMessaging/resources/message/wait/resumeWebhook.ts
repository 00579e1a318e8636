import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { outcomeFromCallbacks, type AwaitedMessage } from './outcome';
import { isSigned } from './resumeUrl';

/** The service sends callbacks here while an execution waits. */
export const resumeWebhooks: IWebhookDescription[] = [
	{
		name: 'default',
		httpMethod: 'POST',
		path: '={{ $nodeId }}',
		restartWebhook: true,
		isFullPath: true,
		responseMode: 'onReceived',
		responseData: '',
	},
];

/** The service resends a callback unless the response is 2xx, so every genuine callback gets one. */
const keepWaiting: IWebhookResponseData = { webhookResponse: { received: true } };

/** The item that 'Send and Wait' stored before the execution started to wait. */
const awaitedBy = (context: IWebhookFunctions): AwaitedMessage | undefined => {
	try {
		const left = context.evaluateExpression('{{ $json }}', 0);
		return typeof left === 'object' && left !== null && 'waitedFor' in left
			? (left as unknown as AwaitedMessage)
			: undefined;
	} catch {
		return undefined;
	}
};

/** Tells the caller without resuming the execution. */
const reject = (context: IWebhookFunctions): IWebhookResponseData => {
	context.getResponseObject().status(401).send('The signature in this URL is wrong.');
	return { noWebhookResponse: true };
};

/**
 * Resumes the execution when a callback reports the message's outcome. Callbacks about other events or other messages are
 * ignored: in a loop, a late callback for the previous message may arrive at a URL of the same execution.
 */
export async function receiveOutcome(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const query = this.getQueryData() as { ext?: unknown; signature?: unknown };
	if (!isSigned(this, query)) return reject(this);
	const awaited = awaitedBy(this);
	if (awaited === undefined || query.ext !== awaited.externalMessageId) return keepWaiting;
	const { confirmed, messageUuid, externalMessageId, destination, channelType, waitedFor } =
		awaited;
	const outcome = outcomeFromCallbacks(
		{ confirmed, messageUuid, externalMessageId, destination, channelType, waitedFor },
		this.getBodyData(),
	);
	return outcome === undefined
		? keepWaiting
		: { webhookResponse: { received: true }, workflowData: [[{ json: outcome }]] };
}
