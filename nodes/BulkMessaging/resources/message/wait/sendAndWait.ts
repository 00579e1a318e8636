import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { messaging } from '../../../../../core/contract/messaging';
import { UnfitValueError } from '../../../../../core/engine/errors';
import { defineOperation, type Run } from '../../../../../core/engine/operation';
import type { Param } from '../../../../../core/engine/params';
import { z } from '../../../../../vendor/zod';
import { channelType } from '../../../../shared/channels';
import { phoneNumber } from '../../../../shared/phone';
import { deliver } from '../delivery/deliver';
import { messagesOf, type FoundMessage, type Outgoing, type Sent } from '../delivery/outgoing';
import { lookForSent } from '../delivery/search';
import { tell } from '../delivery/tell';
import { readEntries } from '../entries';
import {
	awaitedContentParams,
	awaitedText,
	messageText,
	ownId,
	senderName,
} from '../params/content';
import { waitOptions } from '../params/options';
import { messageReader } from '../send';
import { textFiller } from '../texts';
import { insertLink, linkMark, markLink, markLinkInRow } from './link';
import {
	eventsFor,
	isAsked,
	outcomeFromMessage,
	toTimeout,
	unanswered,
	type AwaitedMessage,
	type WaitFor,
} from './outcome';
import { checkWaiting, resumeUrlFor } from './ownUrl';
import { calls, neverRead, waitParams } from './params';

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

/** Whether it doesn't matter to the wait if the message arrives. */
const keepsWaiting = ({ whenUndelivered }: Outgoing, waitFor: WaitFor): boolean =>
	isAsked(waitFor) && whenUndelivered === 'wait';

/** Stored values and expressions can combine what the panel doesn't offer together. */
const checkChannel = ({ body }: Outgoing, waitFor: WaitFor): void => {
	const channel = String(body.channelType).toUpperCase();
	if (isAsked(waitFor) && calls.includes(channel)) {
		throw new UnfitValueError('Channel', "can't be a call, because nobody can tap a link in it");
	}
	if (waitFor === 'reading' && neverRead.includes(channel)) {
		throw new UnfitValueError(
			'Wait For',
			`can't be 'Read', because nobody reports it for the channel ${channel}`,
		);
	}
};

/** Makes the service report to this execution, and puts the link into the message, unless an earlier try has done it. */
const connectToRun = (
	context: IExecuteFunctions,
	entry: Outgoing,
	{ waitFor, waitId }: { waitFor: WaitFor; waitId: string },
): void => {
	const { body } = entry;
	if (entry.secrets !== undefined) return;
	checkChannel(entry, waitFor);
	const asks = isAsked(waitFor);
	const report = resumeUrlFor(
		context,
		asks ? 'reportAsked' : 'report',
		// No wait has this ID, so the report doesn't end it. The URL still marks the message as one with a link to reply.
		keepsWaiting(entry, waitFor) ? 'none' : waitId,
	);
	body.callbackUrl = report.url;
	body.callbackEvents = [...eventsFor[waitFor]];
	entry.secrets = report.secrets;
	if (!asks) return;
	const link = resumeUrlFor(context, 'ask', waitId);
	entry.secrets = [...report.secrets, ...link.secrets];
	entry.question = insertLink(entry, link.url);
};

/** Whether n8n made this node into a tool that asks a person before an agent's tool runs. */
const isReview = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('HitlTool');

/** The message of a review quotes what the agent wants to send. Nothing in it is ours to fill, so the link stands at its end. */
const withoutPlaceholders = (text = ''): string => text.replace(/[{}]/g, '\\$&');

/** Reads the message. If a person has to answer, {link} stands for the link, whatever the item contains. */
const awaitedReader = (run: Run<unknown>, waitFor: WaitFor) => {
	const read = run.reader(awaitedMessageParams);
	const asks = isAsked(waitFor);
	const items = asks
		? run.items.map((item) => ({ ...item, json: { ...item.json, link: linkMark } }))
		: run.items;
	const toRead = (itemIndex: number) => {
		const { message: text, ...values } = read.at(itemIndex);
		if (isReview(run.context)) {
			if (values.contentFormat !== 'text') {
				throw new UnfitValueError(
					'Content',
					"must be 'Text' in a human review: the person has to read what the agent wants to do, and needs the link",
				);
			}
			const header = withoutPlaceholders(values.header);
			const footer = withoutPlaceholders(values.footer);
			return { ...values, header, footer, text: withoutPlaceholders(text) };
		}
		const { content, contentFields } = values;
		if (!asks) return { ...values, text };
		const field = contentFields?.field?.map(markLinkInRow);
		return {
			...values,
			text,
			content: markLink(content),
			contentFields: { ...contentFields, field },
		};
	};
	return messageReader(run, waitOptions, {
		read: toRead,
		fillText: textFiller({ items }, (param) =>
			run.readerOf(param.name === messageText.name ? awaitedText : param),
		),
		reserved: ['callbackUrl', 'callbackEvents', ...(asks ? ['content', 'channelType'] : [])],
	});
};

/** Looks the message up once: if its outcome is already final, the callback may come late or not at all. */
const lookNow = async (
	context: IExecuteFunctions,
	{ entry, messageUuid }: Sent,
): Promise<FoundMessage | undefined> => {
	// A failed lookup does no harm: the callback still reports the outcome.
	const found = await lookForSent(context, [entry], messageUuid).catch(() => undefined);
	return found?.get(entry);
};

const replyNames = ['data', 'outcome'];

/** An error item keeps the input's fields, but a reply to an earlier message must not pass for one to this message. */
const withoutEarlierReply = (
	{ items }: Run<unknown>,
	{ pairedItem, ...item }: INodeExecutionData,
	itemIndex = 0,
): INodeExecutionData => {
	const others = Object.entries(item.json).filter(([name]) => !replyNames.includes(name));
	const input = items[itemIndex]?.json ?? {};
	// For the error output, n8n itself adds all fields of the linked item.
	const isLinked = !replyNames.some((name) => name in input);
	return { ...item, json: Object.fromEntries(others), ...(isLinked && { pairedItem }) };
};

/** Sends the message. The execution waits when this has returned, unless the outcome is already known. */
const sendAndSleep = async (run: Run<unknown>): Promise<INodeExecutionData[]> => {
	const { context, items } = run;
	const { responseType: waitFor, limitHours } = run.reader(waitParams).at(0);
	// The page and the callbacks read it again, exactly as it is stored.
	if (context.getNodeParameter('responseType', 0, waitFor) !== waitFor) {
		throw new UnfitValueError('Wait For', `must be written as ${waitFor}`);
	}
	await checkWaiting(run);
	const { entries, output } = readEntries(run, awaitedReader(run, waitFor));
	// All tries of this run share it, and another run of the node in the same execution has another one.
	const waitId = messagesOf(context).prefix.slice(0, 8);
	for (const entry of entries) connectToRun(context, entry, { waitFor, waitId });
	const outcomes = await deliver(context, entries, messaging.messageSend);
	const [sent] = await tell(run, entries, outcomes, output);
	const [item] = items;
	if (sent === undefined || item === undefined) {
		const [only] = output;
		if (only === undefined) return [];
		if (only.json.outcome !== 'skipped') return [withoutEarlierReply(run, only)];
		// The only reason to skip one message is a missing value, so a code for it says nothing.
		delete only.json.reasonCode;
		return [{ ...only, json: { ...only.json, ...unanswered(waitFor) } }];
	}
	const { body, question, ownId: id = '' } = sent.entry;
	const awaited: AwaitedMessage = {
		destination: body.destination,
		...(question && { text: question }),
		channelType: String(body.channelType),
		externalMessageId: id,
		...(sent.messageUuid !== undefined && { messageUuid: sent.messageUuid }),
		waitId,
	};
	const message = keepsWaiting(sent.entry, waitFor)
		? undefined
		: (sent.message ?? (await lookNow(context, sent)));
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
	await context.putExecutionToWait(new Date(Date.now() + limitHours * 3_600_000));
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
			return run.items.map((_, itemIndex) =>
				withoutEarlierReply(run, run.failed(itemIndex, error), itemIndex),
			);
		}
	},
});
