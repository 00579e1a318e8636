import { timingSafeEqual } from 'crypto';
import type { IWebhookDescription, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import {
	replyField,
	replyValues,
	approvalPage,
	forgedPage,
	longestReply,
	overPage,
	pageHeaders,
	textPage,
	thanksPage,
} from './replyPage';
import { waitingUses, type WaitingUse } from '../../../../../core/contract/waitingUrl';
import { isRecord } from '../../../../../core/json';
import { defaultLabels, givenOr, toPageTexts, type ApprovalLabels, type PageTexts } from './params';
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
	/** From n8n 2 on. Whether an agent runs the node as its tool by itself. */
	isToolExecution(): boolean;
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
 * Whether a request came to a URL that this node has made. We make the signature again and compare it, because not every n8n
 * checks it.
 */
const isSigned = (context: IWebhookFunctions, use: WaitingUse, id: string): boolean => {
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
		return isRecord(left) && left.outcome === 'timeout' && 'waitId' in left
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
	if (awaited?.waitId !== id) return keepWaiting;
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
	return {
		approve: givenOr(defaultLabels.approve, given.approveLabel),
		...(given.approvalType !== 'single' && {
			decline: givenOr(defaultLabels.decline, given.disapproveLabel),
		}),
	};
};

const pageTextsOf = (context: IWebhookFunctions): PageTexts =>
	toPageTexts(context.getNodeParameter('pageTexts', {}) as Partial<PageTexts>);

/** A form's lines end with two characters, which count as one in the browser. */
const writtenReply = (given: unknown): string =>
	typeof given === 'string' ? given.replaceAll('\r\n', '\n').trim() : '';

/** The reply in a form that was sent; `undefined` if it has none. */
const replyIn = (
	waitFor: 'approval' | 'freeText',
	given: unknown,
	{ approve, decline }: Labels,
): { data: { approved: boolean } | { text: string }; shown: string } | undefined => {
	if (waitFor === 'freeText') {
		const text = writtenReply(given);
		return text === '' || text.length > longestReply ? undefined : { data: { text }, shown: text };
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
	const texts = pageTextsOf(context);
	if (awaited?.waitId !== id || !isAsked(waitFor)) {
		return respondWith(context, 410, overPage(texts));
	}
	const { text } = awaited;
	const labels = labelsIn(context);
	// Without a body, n8n returns `undefined`.
	const body: unknown = context.getBodyData();
	const isSent = context.getRequestObject().method === 'POST' && isRecord(body);
	const written = isSent ? body[replyField] : undefined;
	const given = replyIn(waitFor, written, labels);
	if (given === undefined) {
		return respondWith(
			context,
			200,
			waitFor === 'approval'
				? approvalPage(text, texts, labels)
				: textPage(text, texts, writtenReply(written)),
		);
	}
	context.getResponseObject().set(pageHeaders);
	return {
		webhookResponse: thanksPage(given.shown, texts),
		workflowData: [[{ json: toReply(awaited, given.data, new Date().toISOString()) }]],
	};
};

/** A request to one of the URLs of a waiting execution. */
export async function receiveOutcome(this: IWebhookFunctions): Promise<IWebhookResponseData> {
	const query = this.getQueryData() as Partial<Record<WaitingUse, unknown>>;
	const [use, ...more] = waitingUses.filter((name) => query[name] !== undefined);
	const id = use && query[use];
	if (use === undefined || more.length > 0 || typeof id !== 'string' || !isSigned(this, use, id)) {
		return respondWith(this, 401, forgedPage());
	}
	return use === 'ask' ? receiveReply(this, id) : receiveCallback(this, id);
}
