import { timingSafeEqual } from 'crypto';
import type {
	IExecuteFunctions,
	IWebhookDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import {
	replyField,
	replyValues,
	approvalPage,
	forgedPage,
	overPage,
	pageHeaders,
	textPage,
	thanksPage,
} from './replyPage';
import { isRecord } from '../../../../../core/json';
import { defaultLabels, type ApprovalLabels } from './params';
import {
	type AwaitedMessage,
	isAsked,
	outcomeFromCallbacks,
	toReply,
	type WaitFor,
} from './outcome';

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

/**
 * What a URL is for: `ext` is the one that the service reports to, `ask` the link in the message. Each is signed for itself, so that
 * neither can be used as the other.
 */
type UrlUse = 'ext' | 'ask';

/** Its signature is a secret of the n8n instance, for this execution, node and message. */
export const resumeUrlFor = (context: IExecuteFunctions, use: UrlUse, customMessageId: string) =>
	context.getSignedResumeUrl({ [use]: customMessageId });

/**
 * Whether a request came to a URL that this node has made. We make the signature again and compare it, because not every n8n
 * checks it.
 */
const isSigned = (context: IWebhookFunctions, use: UrlUse, id: string): boolean => {
	const { getSignedResumeUrl } = context as Partial<WaitingContext>;
	const { signature } = context.getQueryData() as { signature?: unknown };
	if (getSignedResumeUrl === undefined || typeof signature !== 'string') return false;
	const signed = readSignedUrl(() => getSignedResumeUrl.call(context, { [use]: id }));
	if (signed === undefined) return false;
	const expected = Buffer.from(signed.signature);
	const given = Buffer.from(signature);
	return given.length === expected.length && timingSafeEqual(given, expected);
};

const webhook = {
	name: 'default',
	path: '={{ $nodeId }}',
	restartWebhook: true,
	isFullPath: true,
	responseMode: 'onReceived',
	responseData: '',
} as const;

/** While an execution waits, the service sends callbacks here, and people open the link and reply. */
export const resumeWebhooks: IWebhookDescription[] = [
	{ ...webhook, httpMethod: 'GET' },
	{ ...webhook, httpMethod: 'POST' },
];

/** The service resends a callback unless the response is 2xx, so every genuine callback gets one. */
const keepWaiting: IWebhookResponseData = { webhookResponse: { received: true } };

/** The item that 'Send and Wait' stored before the execution started to wait. */
const awaitedBy = (context: IWebhookFunctions): AwaitedMessage | undefined => {
	try {
		const left: unknown = context.evaluateExpression('{{ $json }}', 0);
		return isRecord(left) && left.outcome === 'timeout' && 'externalMessageId' in left
			? (left as unknown as AwaitedMessage)
			: undefined;
	} catch {
		return undefined;
	}
};

const waitForOf = (context: IWebhookFunctions): WaitFor =>
	context.getNodeParameter('responseType', 'delivery') as WaitFor;

/** Responds without resuming the execution. */
const respondWith = (
	context: IWebhookFunctions,
	status: number,
	html: string,
): IWebhookResponseData => {
	context.getResponseObject().status(status).set(pageHeaders).send(html);
	return { noWebhookResponse: true };
};

/**
 * Resumes the execution when a callback reports the message's outcome. Callbacks about other events or other messages are
 * ignored: in a loop, a late callback for the previous message may arrive at a URL of the same execution.
 */
const receiveCallback = (context: IWebhookFunctions, id: string): IWebhookResponseData => {
	const awaited = awaitedBy(context);
	if (awaited === undefined || id !== awaited.externalMessageId) return keepWaiting;
	const outcome = outcomeFromCallbacks(awaited, waitForOf(context), context.getBodyData());
	return outcome === undefined
		? keepWaiting
		: { webhookResponse: { received: true }, workflowData: [[{ json: outcome }]] };
};

interface Labels {
	approve: string;
	decline?: string;
}

/** They can't be expressions, which would give other values now than when the message was sent. */
const labelsIn = (context: IWebhookFunctions): Labels => {
	const given = context.getNodeParameter('approvalOptions.values', {}) as ApprovalLabels;
	const { approvalType = 'double', approveLabel, disapproveLabel } = given;
	return {
		approve: approveLabel?.trim() || defaultLabels.approve,
		...(approvalType === 'double' && { decline: disapproveLabel?.trim() || defaultLabels.decline }),
	};
};

/** The reply in a form that was sent; `undefined` if it has none. */
const replyIn = (
	waitFor: 'approval' | 'freeText',
	given: unknown,
	{ approve, decline }: Labels,
): { data: { approved: boolean } | { text: string }; shown: string } | undefined => {
	if (typeof given !== 'string') return undefined;
	if (waitFor === 'freeText') {
		const text = given.trim();
		return text === '' ? undefined : { data: { text }, shown: text };
	}
	if (given === replyValues.approve) return { data: { approved: true }, shown: approve };
	return given === replyValues.decline && decline !== undefined
		? { data: { approved: false }, shown: decline }
		: undefined;
};

/** Opening the link only shows the page, because previews and crawlers open links too. The form's button sends the reply. */
const receiveReply = (context: IWebhookFunctions, id: string): IWebhookResponseData => {
	const awaited = awaitedBy(context);
	const waitFor = waitForOf(context);
	if (awaited === undefined || id !== awaited.externalMessageId || !isAsked(waitFor)) {
		return respondWith(context, 410, overPage());
	}
	const { text } = awaited;
	const labels = labelsIn(context);
	// Without a body, n8n returns `undefined`.
	const body: unknown = context.getBodyData();
	const isSent = context.getRequestObject().method === 'POST' && isRecord(body);
	const given = isSent ? replyIn(waitFor, body[replyField], labels) : undefined;
	if (given === undefined) {
		return respondWith(
			context,
			200,
			waitFor === 'approval' ? approvalPage(text, labels) : textPage(text),
		);
	}
	context.getResponseObject().set(pageHeaders);
	return {
		webhookResponse: thanksPage(given.shown),
		workflowData: [[{ json: toReply(awaited, given.data, new Date().toISOString()) }]],
	};
};

/** A request to one of the URLs of a waiting execution. */
export async function receiveOutcome(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { ext, ask } = this.getQueryData() as Partial<Record<UrlUse, unknown>>;
	if (typeof ask === 'string' && ext === undefined && isSigned(this, 'ask', ask)) {
		return receiveReply(this, ask);
	}
	if (typeof ext === 'string' && ask === undefined && isSigned(this, 'ext', ext)) {
		return receiveCallback(this, ext);
	}
	return respondWith(this, 401, forgedPage());
}
