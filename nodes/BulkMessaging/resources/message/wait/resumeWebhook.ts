import { timingSafeEqual } from 'crypto';
import type {
	IExecuteFunctions,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { type AwaitedMessage, outcomeFromCallbacks } from './outcome';

/** What waiting needs of n8n. Not every version has it. */
export interface WaitingContext {
	/** From 1.107 on. */
	getSignedResumeUrl(parameters?: Record<string, string>): string;
	/** From 1.107 to 2.13, n8n checks the signature only after this call. Later versions always check it. */
	setSignatureValidationRequired(): void;
}

interface SignedUrl {
	url: URL;
	/** Not empty. */
	signature: string;
}

/** `undefined` if n8n can't make a valid URL with a signature. An error in a webhook would resume the execution. */
export const readSignedUrl = (make: () => string): SignedUrl | undefined => {
	try {
		const url = new URL(make());
		const signature = url.searchParams.get('signature');
		return signature ? { url, signature } : undefined;
	} catch {
		return undefined;
	}
};

/** The URL that the service reports to. Its signature is a secret of the n8n instance, for this execution, node and message. */
export const resumeUrlFor = (context: IExecuteFunctions, customMessageId: string) =>
	context.getSignedResumeUrl({ ext: customMessageId });

/**
 * Whether a callback came to the URL that the service got. We make the signature again and compare it, because not every n8n
 * checks it.
 */
const isSigned = (
	context: IWebhookFunctions,
	{ ext, signature }: { ext?: unknown; signature?: unknown },
): boolean => {
	const { getSignedResumeUrl } = context as Partial<WaitingContext>;
	if (getSignedResumeUrl === undefined) return false;
	if (typeof ext !== 'string' || typeof signature !== 'string') return false;
	const signed = readSignedUrl(() => getSignedResumeUrl.call(context, { ext }));
	if (signed === undefined) return false;
	const expected = Buffer.from(signed.signature);
	const given = Buffer.from(signature);
	return given.length === expected.length && timingSafeEqual(given, expected);
};

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
	const { messageUuid, externalMessageId, destination, channelType, waitedFor } = awaited;
	const outcome = outcomeFromCallbacks(
		{ messageUuid, externalMessageId, destination, channelType, waitedFor },
		this.getBodyData(),
	);
	return outcome === undefined
		? keepWaiting
		: { webhookResponse: { received: true }, workflowData: [[{ json: outcome }]] };
}
