import { randomUUID } from 'crypto';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { toCallbackUrl } from '../../../../../core/contract/callbackUrl';
import { messaging } from '../../../../../core/contract/messaging';
import { UnfitValueError } from '../../../../../core/engine/errors';
import { defineOperation, type Run } from '../../../../../core/engine/operation';
import type { Param } from '../../../../../core/engine/params';
import { deliver } from '../delivery/deliver';
import type { FoundMessage, Outgoing } from '../delivery/outgoing';
import { findMessages } from '../delivery/search';
import { tell } from '../delivery/tell';
import {
	eventsFor,
	isAsked,
	outcomeFromMessage,
	toTimeout,
	unanswered,
	type AwaitedMessage,
	type WaitFor,
} from './outcome';
import { readSignedUrl, resumeUrlFor, type WaitingContext } from './resumeWebhook';
import { connect } from '../../../../../core/transport/connection';
import { z } from '../../../../../vendor/zod';
import { readEntries } from '../entries';
import {
	awaitedContentParams,
	awaitedText,
	messageText,
	ownId,
	phoneNumber,
	senderName,
	writtenText,
} from '../params/content';
import { waitOptions } from '../params/options';
import { messageReader } from '../send';
import { textFiller } from '../texts';
import { calls, waitParams } from './params';
import { channelType } from '../../../../shared/channels';
import { isRecord } from '../../../../../core/json';

const awaitedMessageParams = [
	channelType,
	senderName,
	phoneNumber,
	...awaitedContentParams,
	ownId,
] as const satisfies readonly Param[];

const WaitOutcome = z.object({
	destination: z.string(),
	outcome: z.enum([
		'delivered',
		'failed',
		'read',
		'notRead',
		'approved',
		'declined',
		'replied',
		'timeout',
		'skipped',
	]),
	data: z.object({ approved: z.boolean(), text: z.string() }),
	reason: z.string(),
	text: z.string(),
	channelType: z.string(),
	errorCode: z.number(),
	occurredAt: z.string(),
	externalMessageId: z.string(),
	messageUuid: z.string(),
});

const refuseToWait = (context: IExecuteFunctions, message: string, description: string) =>
	new NodeOperationError(context.getNode(), message, {
		description: `Nothing was sent. ${description}`,
	});

const isLocal = ({ hostname }: URL) => /^(?:localhost$|127\.|0\.0\.0\.0$|\[::1\]$)/.test(hostname);

/** The environment variable with n8n's own URL. */
const urlVariable = 'N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL)';

/** Without a signature, the callback with the outcome would be rejected. */
const requireSigned = (context: IExecuteFunctions, make: () => string) => {
	const signed = readSignedUrl(make);
	if (signed !== undefined) return signed;
	throw refuseToWait(
		context,
		"The service can't report the outcome to your n8n instance: it has no valid URL for callbacks",
		`Set ${urlVariable} to a complete URL that starts with https://. If it is one, update this package, or use 'Send' now and 'Get' later.`,
	);
};

/** Fails before anything is sent if the outcome could never be reported. */
const checkWaiting = async ({ context, items }: Run<unknown>): Promise<void> => {
	if (items.length > 1) {
		throw refuseToWait(
			context,
			`'Send and Wait' works with one item at a time, but received ${items.length}`,
			'Add a Loop Over Items node with a batch size of 1 before it.',
		);
	}
	const { getSignedResumeUrl, setSignatureValidationRequired } = context as Partial<WaitingContext>;
	if (getSignedResumeUrl === undefined) {
		throw refuseToWait(
			context,
			"'Send and Wait' needs n8n 1.107 or later",
			"Update n8n, or use 'Send' now and 'Get' later.",
		);
	}
	setSignatureValidationRequired?.call(context);
	const { url } = requireSigned(context, () => getSignedResumeUrl.call(context));
	const { baseUrl } = await connect(context, 'messaging');
	if (isLocal(url) && !isLocal(new URL(baseUrl))) {
		throw refuseToWait(
			context,
			"The service can't reach your n8n instance",
			`Its URL is ${url.origin}, which works only on its own machine. Set ${urlVariable} to a URL that the service can reach over the internet, or use 'Send' now and 'Get' later.`,
		);
	}
};

const limitMs = (hours: number): number => {
	if (hours > 0 && hours <= 8_760) return hours * 3_600_000;
	throw new UnfitValueError(
		'Wait at Most (Hours)',
		'must be more than 0 and at most 8,760 (one year)',
	);
};

/** The host name of the n8n instance may contain letters that must be encoded in a URL. */
const toResumeUrl = (
	context: IExecuteFunctions,
	...[use, id]: [use: 'ext' | 'ask', id: string]
): string => {
	const result = toCallbackUrl(resumeUrlFor(context, use, id));
	if (result.problem === undefined) return result.url;
	throw refuseToWait(
		context,
		`The service can't reach your n8n instance: its URL ${result.problem}`,
		`Correct ${urlVariable}, or use 'Send' now and 'Get' later.`,
	);
};

/** Makes the service report to this execution. Its URL is a secret: anyone who knows it can resume the execution. */
const callBack = (
	context: IExecuteFunctions,
	{ body, ownId: id = '' }: Outgoing,
	waitFor: WaitFor,
): string[] => {
	const url = toResumeUrl(context, 'ext', id);
	body.callbackUrl = url;
	body.callbackEvents = [...eventsFor[waitFor]];
	return [url, requireSigned(context, () => url).signature];
};

/**
 * Stands for the link until the message has its ID, which the link depends on. It is random, so that nobody can write it into a
 * message.
 */
const linkMark = `https://${randomUUID()}.invalid/`;
const linkPlaceholder = '{link}';

/** Whether n8n made this node into a tool that asks a person before an agent's tool runs. */
const isReview = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('HitlTool');

/** The message of a review quotes what the agent wants to send. Nothing in it is ours to fill, so the link stands at its end. */
const withoutPlaceholders = (text: string): string => text.replace(/[{}]/g, '\\$&');

const replaceDeep = (value: unknown, from: string, to: string): unknown => {
	if (typeof value === 'string') return value.replaceAll(from, to);
	if (Array.isArray(value)) return value.map((one) => replaceDeep(one, from, to));
	if (!isRecord(value)) return value;
	const entries = Object.entries(value).map(([name, one]) => [name, replaceDeep(one, from, to)]);
	return Object.fromEntries(entries) as unknown;
};

/** Puts the link into the message, at its end if no other place was given. Returns the text without the link. */
const insertLink = (
	context: IExecuteFunctions,
	{ body, ownId: id = '' }: Outgoing,
): { secrets: string[]; text: string | undefined } => {
	if (calls.includes(String(body.channelType).toUpperCase())) {
		throw new UnfitValueError('Channel', "can't be a call, because nobody can tap a link in it");
	}
	const url = toResumeUrl(context, 'ask', id);
	const { content } = body;
	const text = writtenText(content);
	const isPlaced = JSON.stringify(content).includes(linkMark);
	if (isPlaced) body.content = replaceDeep(content, linkMark, url) as typeof content;
	else if (text === undefined) {
		throw new UnfitValueError('Content', `needs ${linkPlaceholder} where you want the link`);
	} else {
		const whole = `${text}\n${url}`;
		body.content = isRecord(content) ? { ...content, text: whole } : whole;
	}
	// Unless the user has decided otherwise.
	body.shortUrl ??= true;
	return {
		secrets: [url, requireSigned(context, () => url).signature],
		text: text?.replaceAll(linkMark, '').trim(),
	};
};

/** Reads the message. If a person has to answer, {link} stands for the link, whatever the item contains. */
const awaitedReader = (run: Run<unknown>, waitFor: WaitFor) => {
	const read = run.reader(awaitedMessageParams);
	const asks = isAsked(waitFor);
	const items = asks
		? run.items.map((item) => ({ ...item, json: { ...item.json, link: linkMark } }))
		: run.items;
	return messageReader(run, waitOptions, {
		read: (itemIndex) => {
			const { message, content, ...values } = read(itemIndex);
			return {
				...values,
				text: isReview(run.context) ? withoutPlaceholders(String(message ?? '')) : message,
				content: (asks
					? replaceDeep(content, linkPlaceholder, linkMark)
					: content) as typeof content,
			};
		},
		fillText: textFiller({ items }, (param) =>
			run.readerOf(param.name === messageText.name ? awaitedText : param),
		),
		reserved: ['callbackUrl', 'callbackEvents', ...(asks ? ['content', 'channelType'] : [])],
	});
};

/** Looks the message up once: if its outcome is already final, the callback may come late or not at all. */
const lookNow = async (
	context: IExecuteFunctions,
	{ messageUuid, externalMessageId }: AwaitedMessage,
): Promise<FoundMessage | undefined> => {
	// A failed lookup does no harm: the callback still reports the outcome.
	const found = await findMessages(context, [externalMessageId], 'externalMessageId').catch(
		() => undefined,
	);
	return found
		?.get(externalMessageId)
		?.find((message) => messageUuid === undefined || message.messageUuid === messageUuid);
};

/** An error item keeps the input's fields, but a reply to an earlier message must not pass for one to this message. */
const withoutEarlierReply = (item: INodeExecutionData): INodeExecutionData => {
	const others = Object.entries(item.json).filter(([name]) => !['data', 'outcome'].includes(name));
	return { ...item, json: Object.fromEntries(others) };
};

/** Sends the message. The execution waits when this has returned, unless the outcome is already known. */
const sendAndSleep = async (run: Run<unknown>): Promise<INodeExecutionData[]> => {
	const { context, items } = run;
	const { responseType: waitFor, limitHours } = run.reader(waitParams)(0);
	const limit = limitMs(limitHours);
	await checkWaiting(run);
	const { entries, output } = readEntries(run, awaitedReader(run, waitFor));
	const { whenUndelivered } = run.reader([waitOptions])(0).options;
	// Who keeps waiting anyway doesn't need to know.
	const isReported = !isAsked(waitFor) || whenUndelivered !== 'wait';
	const secrets: string[] = [];
	let text: string | undefined;
	for (const entry of entries) {
		if (isAsked(waitFor)) {
			const inserted = insertLink(context, entry);
			secrets.push(...inserted.secrets);
			text = inserted.text;
		}
		if (isReported) secrets.push(...callBack(context, entry, waitFor));
	}
	const outcomes = await deliver(context, entries, { endpoint: messaging.messageSend, secrets });
	const [sent] = await tell(run, entries, outcomes, secrets, output);
	const [item] = items;
	if (sent === undefined || item === undefined) {
		const [only] = output;
		if (only === undefined) return [];
		if (only.json.outcome !== 'skipped') return [withoutEarlierReply(only)];
		// The only reason to skip one message is a missing value, so a code for it says nothing.
		delete only.json.reasonCode;
		return [{ ...only, json: { ...only.json, ...unanswered(waitFor) } }];
	}
	const { body, ownId: id = '' } = sent.entry;
	const awaited: AwaitedMessage = {
		destination: body.destination,
		...(text && { text }),
		channelType: String(body.channelType),
		externalMessageId: id,
		...(sent.messageUuid !== undefined && { messageUuid: sent.messageUuid }),
	};
	const message = isReported ? (sent.message ?? (await lookNow(context, awaited))) : undefined;
	const outcome = message && outcomeFromMessage(awaited, waitFor, message);
	if (outcome !== undefined) return [{ json: outcome, pairedItem: { item: 0 } }];
	if (sent.alreadySent) {
		throw new NodeOperationError(
			context.getNode(),
			`An earlier run already sent the message with the custom message ID ${awaited.externalMessageId}`,
			{
				description:
					"This run sent nothing. The outcome goes to the earlier run. Check it with 'Get', or enter a different 'Custom Message ID'.",
			},
		);
	}
	// When the time is up, n8n continues with this item as it is now, without calling the node again.
	item.json = toTimeout(awaited, waitFor);
	await context.putExecutionToWait(new Date(Date.now() + limit));
	return [item];
};

export const sendAndWait = defineOperation({
	// n8n signs the resume URL only for an operation with exactly this value.
	value: 'sendAndWait',
	name: 'Send and Wait',
	action: 'Send message and wait for response',
	description:
		'Send one message and pause the workflow until it is delivered, or until the person approves or replies on the page behind a link. Takes one item at a time: for a list, put Loop Over Items before it. This costs money.',
	output: WaitOutcome,
	restsOn: messaging.messageSend,
	params: [...awaitedMessageParams, ...waitParams, waitOptions],
	execute: async (run) => {
		try {
			return await sendAndSleep(run);
		} catch (error) {
			// Unless the node continues on errors, this throws.
			return run.items.map((_, itemIndex) => withoutEarlierReply(run.failed(itemIndex, error)));
		}
	},
});
