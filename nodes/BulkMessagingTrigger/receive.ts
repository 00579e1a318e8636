import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { readAddress } from './callbacks/addresses';
import { isAllowed, presents, presentsAny } from './callbacks/authenticate';
import { passes } from './callbacks/filter';
import { keysOf } from './callbacks/key';
import { seenBy, type CallAnswer } from './callbacks/seen';
import { RejectionLog } from './callbacks/rejections';
import { parseCallbacks, type CallbackElement } from './callbacks/parse';
import { callbackBody, reasonToReject, type BodyRequest } from './callbacks/body';
import { toShowable } from '../../core/transport/redact';
import { optionsOf, readAccess, readFilter, triggerOf } from './settings';
import { confirmed } from './webhooks';

/** What is used of Express' request and response. */
interface CallbackRequest extends BodyRequest {
	/** The caller's, behind as many proxies as n8n was told of. */
	ip?: string;
	query: object;
}
interface CallbackResponse extends CallAnswer {
	writeHead(status: number, headers: Record<string, string>): { end(text: string): void };
}

/** From `webhook` to `execute`, which may run in another process: it is stored with the execution. */
export interface Envelope {
	/** Whether n8n answers only when the workflow has finished. */
	isConfirmed: boolean;
	elements: unknown[];
	/** One for each element, where duplicates are looked for in the execution. Some of them depend on elements left behind. */
	keys?: string[];
	headers?: IDataObject;
	query?: IDataObject;
}

/** Answers at once and starts nothing. n8n itself would answer 200 whatever it is given here. */
const answer = (
	context: IWebhookFunctions,
	status: number,
	text: string,
	headers: Record<string, string> = {},
): IWebhookResponseData => {
	const response: CallbackResponse = context.getResponseObject();
	response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(text);
	return { noWebhookResponse: true };
};

const rejections = new RejectionLog();

/**
 * Tells the owner of the workflow why callbacks don't arrive: the service shows nobody how it was answered. `detail` may differ
 * from call to call, `reason` may not: a reason is logged at most once a minute.
 */
const logRejection = (
	context: IWebhookFunctions,
	status: 400 | 401 | 403 | 500,
	{ reason, detail = '' }: { reason: string; detail?: string },
): void => {
	const skipped = rejections.add(triggerOf(context), `${status} ${reason}`, Date.now());
	if (skipped === undefined) return;
	const { id, name } = context.getWorkflow();
	const others =
		skipped === 0 ? '' : ` ${skipped} more since the last entry about this were not logged.`;
	context.logger[status === 500 ? 'error' : 'warn'](
		`${context.getNode().name} in workflow "${name ?? ''}" (${id}) rejected a callback with ${status}: ${reason}${detail}.${others}`,
	);
};

/** Without a zone: that part could be any text. */
const shownAddress = (ip = '') =>
	readAddress(ip) === undefined ? 'an unknown address' : ip.split('%')[0];

const wrongLogin = 'the login or the password is wrong';
const noLogin =
	"no login was sent. Choose this trigger's Callback credential in the node that sends the messages";
const notAllowed = "the caller isn't in Allowed Source Addresses";

/** Rejected callers learn only that they are: the answer is the same for a wrong login and a wrong password. */
const rejectOthers = async (
	context: IWebhookFunctions,
	{ ip, headers }: CallbackRequest,
): Promise<IWebhookResponseData | undefined> => {
	const { networks, login } = await readAccess(context);
	if (networks.length > 0 && !isAllowed(ip, networks)) {
		logRejection(context, 403, { reason: notAllowed, detail: `. It is ${shownAddress(ip)}` });
		return answer(context, 403, 'Forbidden');
	}
	const authorization = String(headers.authorization ?? '');
	if (login === undefined || presents(authorization, login)) return undefined;
	logRejection(context, 401, { reason: presentsAny(authorization) ? wrongLogin : noLogin });
	return answer(context, 401, 'Unauthorized', {
		'www-authenticate': 'Basic realm="Callbacks", charset="UTF-8"',
	});
};

const secretHeaders = ['authorization', 'cookie', 'proxy-authorization'];

interface Keyed {
	element: CallbackElement;
	key: string;
}

const envelopeOf = (
	context: IWebhookFunctions,
	{ headers, query }: CallbackRequest,
	elements: readonly Keyed[],
): Envelope => {
	const { includeHeaders, includeQuery } = optionsOf(context);
	const publicHeaders = Object.entries(headers).filter(([name]) => !secretHeaders.includes(name));
	const isConfirmed = context.getWebhookName() === confirmed;
	return {
		isConfirmed,
		elements: elements.map(({ element }) => element.raw),
		...(!isConfirmed && { keys: elements.map(({ key }) => key) }),
		...(includeHeaders === true && { headers: Object.fromEntries(publicHeaders) }),
		...(includeQuery === true && { query: { ...query } }),
	};
};

/** What has not been seen; nothing while a copy of any of it is being worked on. What is new is begun with this call. */
const withoutSeen = (
	context: IWebhookFunctions,
	elements: readonly Keyed[],
): Keyed[] | undefined => {
	const { rememberKeys = 50_000, rememberHours = 25 } = optionsOf(context);
	const limits = { keys: rememberKeys, hours: rememberHours };
	const memory = seenBy(triggerOf(context));
	const keys = elements.map(({ key }) => key);
	const now = Date.now();
	const { fresh, isUnderWay } = memory.judge(keys, limits, now);
	if (isUnderWay) return undefined;
	const response: CallbackResponse = context.getResponseObject();
	const begun = fresh.map((index) => keys[index]);
	if (begun.length > 0) memory.begin(begun, response, now);
	return fresh.map((index) => elements[index]);
};

const takeIn = async (context: IWebhookFunctions): Promise<IWebhookResponseData> => {
	const request: CallbackRequest = context.getRequestObject();
	const rejection = await rejectOthers(context, request);
	if (rejection !== undefined) return rejection;
	const filter = readFilter(context);
	const body = await callbackBody(request);
	const elements = parseCallbacks(body);
	if (elements === undefined) {
		const detail = `: ${reasonToReject(body)}`;
		logRejection(context, 400, { reason: 'the body is not a callback', detail });
		return answer(context, 400, 'This is no callback.');
	}
	// Of the whole call: which of several equal elements it is must not depend on filters and on what was seen.
	const keys = keysOf(elements);
	const wanted = elements
		.map((element, index) => ({ element, key: keys[index] }))
		.filter(({ element }) => passes(element, filter));
	// Whoever tries the workflow out in the editor may want to see the same callback again.
	const fresh = context.getMode() === 'manual' ? wanted : withoutSeen(context, wanted);
	if (fresh === undefined) {
		return answer(context, 503, 'The same callback is being worked on.', { 'retry-after': '60' });
	}
	if (fresh.length === 0) return answer(context, 200, 'Nothing new for this workflow.');
	const json = envelopeOf(context, request, fresh) as unknown as IDataObject;
	return { workflowData: [[{ json }]], webhookResponse: 'Taken.' };
};

/** verify → parse → filter → hand on. */
export const receive = async (context: IWebhookFunctions): Promise<IWebhookResponseData> => {
	try {
		return await takeIn(context);
	} catch (error) {
		// n8n would start an execution for every error here, whoever called.
		const reason = toShowable(error instanceof Error ? error.message : String(error));
		logRejection(context, 500, { reason: reason.replace(/\.$/, '') });
		return answer(context, 500, 'This address is not ready to receive callbacks.');
	}
};
