import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { messaging } from '../../../../../core/contract/messaging';
import { UnfitValueError } from '../../../../../core/engine/errors';
import { defineOperation, type Run } from '../../../../../core/engine/operation';
import { secretsOf } from '../../../../../core/transport/connection';
import { z } from '../../../../../vendor/zod';
import { deliver } from '../delivery/deliver';
import { isAccepted, triedAt, type AcceptedRecord } from '../delivery/journal';
import type { FoundMessage } from '../delivery/outgoing';
import { hintAtRepeats } from '../delivery/repeats';
import { isSameUuid } from '../delivery/reply';
import { findMessages, lookForSent } from '../delivery/search';
import { errorOfRun } from '../delivery/words';
import { waitOptions } from '../params/options';
import { hintAtSkipped, hintAtTexts } from '../sendEntries';
import { awaitedMessageParams, awaitedReader, waitIdOf } from './awaitedReader';
import { isAsked, outcomeFromMessage, toTimeout, unanswered, type AwaitedMessage } from './outcome';
import { checkWaiting } from './ownUrl';
import { waitParams } from './params';

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

/** Looks the message up once: if its outcome is already final, the callback may come late or not at all. */
const lookNow = async (
	context: IExecuteFunctions,
	{ entry, outcome }: AcceptedRecord,
): Promise<FoundMessage | undefined> => {
	const { messageUuid } = outcome.value;
	if (messageUuid === undefined) return (await lookForSent(context, [entry])).get(entry);
	// No other message with the same custom message ID is taken for the one that was sent.
	const { ownId = '' } = entry;
	const found = (await findMessages(context, [ownId], 'externalMessageId')).get(ownId);
	return found?.find((one) => isSameUuid(one.messageUuid, messageUuid));
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
	const [item] = items;
	if (item === undefined) return [];
	const tried = triedAt(context, 0);
	const read = tried === undefined ? awaitedReader(run, waitFor)(0) : { outgoing: tried.entry };
	if ('skipped' in read) {
		// The only reason to skip one message is a missing value, so a code for it says nothing.
		delete read.skipped.reasonCode;
		hintAtSkipped(context, 1, 1);
		return [{ json: { ...read.skipped, ...unanswered(waitFor) }, pairedItem: { item: 0 } }];
	}
	const { outgoing: entry } = read;
	hintAtTexts(context, [entry]);
	const [message = { entry }] = await deliver(context, [entry], messaging.messageSend);
	if (!isAccepted(message)) {
		const isCanceled = context.getExecutionCancelSignal()?.aborted === true;
		throw errorOfRun(context.getNode(), [message], { secrets: secretsOf(context), isCanceled });
	}
	hintAtRepeats(context, [message]);
	const sent = message.outcome.value;
	const { body, asked, ownId: id = '' } = entry;
	const awaited: AwaitedMessage = {
		destination: body.destination,
		text: asked?.question,
		channelType: String(body.channelType),
		externalMessageId: id,
		messageUuid: sent.messageUuid,
		waitId: waitIdOf(context),
	};
	const shown = asked?.keepsWaiting
		? undefined
		: // A failed lookup does no harm: the callback still reports the outcome.
			(sent.message ?? (await lookNow(context, message).catch(() => undefined)));
	const outcome = shown && outcomeFromMessage(awaited, waitFor, shown);
	if (outcome !== undefined) return [{ json: outcome, pairedItem: { item: 0 } }];
	if (sent.alreadySent) {
		throw new NodeOperationError(
			context.getNode(),
			`An earlier run already sent the message with the custom message ID ${awaited.externalMessageId}`,
			{
				description: isAsked(waitFor)
					? "This run sent nothing, and the reply goes to the earlier run. To ask again, enter a different 'Custom Message ID'."
					: "This run sent nothing. Run it again later: once the service reports the message's result, this node returns it.",
			},
		);
	}
	await context.putExecutionToWait(new Date(Date.now() + limitHours * 3_600_000));
	// When the time is up, n8n continues with this item as it is now, without calling the node again. Not changed before, because
	// another try of this run is recognized by it.
	item.json = toTimeout(awaited, waitFor);
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
