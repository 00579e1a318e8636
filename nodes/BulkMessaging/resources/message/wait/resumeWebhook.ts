import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { outcomeFromCallbacks, type AwaitedMessage } from './outcome';

/** Where the service reports while an execution waits. n8n signs the address, and checks it before the node is asked. */
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

/** The service sends again what is not answered 2xx, so it is answered whatever it holds. */
const keepWaiting: IWebhookResponseData = { webhookResponse: { received: true } };

/** What Send and Wait left behind as the item to go on with. */
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

/**
 * Goes on when the outcome of the message is told. A callback of another event keeps waiting, and so does one of another
 * message: in a loop, the one before may be reported late, to an address of the same execution.
 */
export async function receiveOutcome(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const awaited = awaitedBy(this);
	const { ext } = this.getQueryData() as { ext?: unknown };
	if (awaited === undefined || ext !== awaited.externalMessageId) return keepWaiting;
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
