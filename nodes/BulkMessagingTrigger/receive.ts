import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { isAllowed, presents, presentsAny, readAddress } from './callbacks/authenticate';
import { passes } from './callbacks/filter';
import { keysOf } from './callbacks/key';
import { seenBy, type CallResponse } from './callbacks/seen';
import { RejectionLog } from './callbacks/rejections';
import {
	callbackBody,
	parseCallbacks,
	reasonToReject,
	type BodyRequest,
	type CallbackElement,
} from './callbacks/parse';
import { toShowable } from '../../core/transport/redact';
import { optionsOf, readAccess, readFilter, triggerOf } from './settings';
import { confirmed } from './webhooks';

/** The parts of Express' request and response that are used here. */
interface CallbackRequest extends BodyRequest {
	/** The caller's IP address, as seen behind the number of proxies that n8n is configured with. */
	ip?: string;
	query: object;
}
interface CallbackResponse extends CallResponse {
	writeHead(status: number, headers: Record<string, string>): { end(text: string): void };
}

/** What `webhook` passes to `execute`. It is stored with the execution, because `execute` may run in another process. */
export interface Envelope {
	/** Whether n8n responds only after the workflow has finished. */
	isConfirmed: boolean;
	elements: unknown[];
	/** One key per element, if the execution checks for duplicates. A key may depend on elements that were filtered out. */
	keys?: string[];
	headers?: IDataObject;
	query?: IDataObject;
}

/** Responds at once without starting the workflow. n8n itself would respond 200 whatever is returned here. */
const respond = (
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
 * Logs why callbacks don't arrive, because the service doesn't show anyone how its callbacks were answered. `reason` must be the
 * same for every call it applies to, because each reason is logged at most once a minute; `detail` may differ.
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
		skipped === 0
			? ''
			: ` ${skipped} more rejected for this reason since the last entry were not logged.`;
	context.logger[status === 500 ? 'error' : 'warn'](
		`${context.getNode().name} in workflow "${name ?? ''}" (${id}) rejected a callback with ${status}: ${reason}${detail}.${others}`,
	);
};

/** Without the zone, which the caller could set to any text. */
const shownAddress = (ip = '') => (readAddress(ip) === undefined ? 'unknown' : ip.split('%')[0]);

const wrongLogin = 'the login or the password is wrong';
const noLogin =
	"no login was sent. Choose this trigger's Callback credential in the node that sends the messages";
const notAllowed = "the caller isn't in 'Allowed IP Addresses'";

/** Gives rejected callers no hint: the response is the same for a wrong login and a wrong password. */
const rejectOthers = async (
	context: IWebhookFunctions,
	{ ip, headers }: CallbackRequest,
): Promise<IWebhookResponseData | undefined> => {
	const { networks, login } = await readAccess(context);
	if (networks.length > 0 && !isAllowed(ip, networks)) {
		const detail = `. Its IP address is ${shownAddress(ip)}`;
		logRejection(context, 403, { reason: notAllowed, detail });
		return respond(context, 403, 'Forbidden');
	}
	const authorization = String(headers.authorization ?? '');
	if (login === undefined || presents(authorization, login)) return undefined;
	logRejection(context, 401, { reason: presentsAny(authorization) ? wrongLogin : noLogin });
	return respond(context, 401, 'Unauthorized', {
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

/**
 * The elements that are new; `undefined` while a duplicate of any of them is being processed. From this call on, the new ones
 * count as being processed.
 */
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

const handleCallback = async (context: IWebhookFunctions): Promise<IWebhookResponseData> => {
	const request: CallbackRequest = context.getRequestObject();
	const rejection = await rejectOthers(context, request);
	if (rejection !== undefined) return rejection;
	const filter = readFilter(context);
	const body = await callbackBody(request);
	const elements = parseCallbacks(body);
	if (elements === undefined) {
		const detail = `: ${reasonToReject(body)}`;
		logRejection(context, 400, { reason: "the body isn't a callback", detail });
		return respond(context, 400, "This isn't a callback.");
	}
	// Keys are made from the whole call, so that the position among equal elements doesn't depend on filters or earlier calls.
	const keys = keysOf(elements);
	const wanted = elements
		.map((element, index) => ({ element, key: keys[index] }))
		.filter(({ element }) => passes(element, filter));
	// Users who test the workflow in the editor may want to send the same callback again.
	const fresh = context.getMode() === 'manual' ? wanted : withoutSeen(context, wanted);
	if (fresh === undefined) {
		return respond(context, 503, 'The same callback is already being processed.', {
			'retry-after': '60',
		});
	}
	if (fresh.length === 0)
		return respond(context, 200, 'Not for this workflow: filtered out or received before.');
	const json = envelopeOf(context, request, fresh) as unknown as IDataObject;
	return { workflowData: [[{ json }]], webhookResponse: 'Accepted.' };
};

/** Check the caller → parse → filter → start the workflow. */
export const receive = async (context: IWebhookFunctions): Promise<IWebhookResponseData> => {
	try {
		return await handleCallback(context);
	} catch (error) {
		// n8n would start an execution for every error thrown here, even for callers that aren't allowed.
		const reason = toShowable(error instanceof Error ? error.message : String(error));
		logRejection(context, 500, { reason: reason.replace(/\.$/, '') });
		return respond(context, 500, "This URL isn't ready to receive callbacks.");
	}
};
