import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { toCallbackUrl } from '../../../../../core/contract/callbackUrl';
import { messaging } from '../../../../../core/contract/messaging';
import { UnfitValueError } from '../../../../../core/engine/errors';
import { defineOperation, type Run } from '../../../../../core/engine/operation';
import type { Param } from '../../../../../core/engine/params';
import type { Outgoing } from '../delivery/fate';
import { lookForOwnIds, type FoundMessage } from '../delivery/lookUp';
import {
	eventsFor,
	outcomeFromMessage,
	skippedOf,
	timeoutOf,
	type AwaitedMessage,
	type WaitFor,
} from './outcome';
import { connect } from '../../../../../core/transport/connection';
import { z } from '../../../../../vendor/zod';
import { additionalFields } from '../../../../shared/additionalFields';
import { sendingOptions } from '../params/options';
import { messageParams, messageReader, readEntries } from '../entries';
import { deliverItems, type AcceptedFate } from '../delivery/deliverItems';
import { skipReason } from '../texts';

const waitParams = [
	{
		displayName: 'Wait For',
		name: 'waitFor',
		type: 'options',
		options: [
			{
				name: 'Delivery',
				value: 'delivery',
				description: 'Until it is delivered, undelivered or unsent',
			},
			{
				name: 'Reading',
				value: 'reading',
				description: 'Until it is read or unread, or could not be delivered',
			},
		],
		default: 'delivery',
		description: 'The event after which the workflow continues',
	},
	{
		displayName: 'Wait at Most (Hours)',
		name: 'limitHours',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 25,
		description:
			'After that the workflow continues with outcome: timeout. Messages live for 25 hours unless Time to Live says otherwise.',
	},
] as const satisfies readonly Param[];

const waitOptionParams = [
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [additionalFields, ...sendingOptions],
	},
] as const satisfies readonly Param[];

const WaitOutcome = z.object({
	outcome: z.enum(['delivered', 'failed', 'read', 'notRead', 'timeout', 'skipped']),
	status: z.string(),
	confirmed: z.boolean(),
	messageUuid: z.string(),
	externalMessageId: z.string(),
	destination: z.string(),
	channelType: z.string(),
	waitedFor: z.string(),
	errorCode: z.number(),
	errorMeaning: z.string(),
	occurredAt: z.string(),
});

const refuseToWait = (context: IExecuteFunctions, message: string, description: string) =>
	new NodeOperationError(context.getNode(), message, {
		description: `Nothing was sent. ${description}`,
	});

const isLocal = (address: string) =>
	/^(?:localhost$|127\.|0\.0\.0\.0$|\[::1\]$)/.test(new URL(address).hostname);

/** Stops before anything is sent where no outcome could ever come back. */
const checkWaiting = async ({ context, items }: Run<unknown>, resumeUrl: string): Promise<void> => {
	if (context.getNode().type.endsWith('HitlTool')) {
		throw refuseToWait(
			context,
			'Send and Wait cannot ask a person for approval',
			"It waits for the delivery of a message, which isn't an answer. Use another node for the review.",
		);
	}
	if (items.length > 1) {
		throw refuseToWait(
			context,
			`Send and Wait takes one item at a time, and ${items.length} came in`,
			'Put a Loop Over Items node with a batch size of 1 before it.',
		);
	}
	const { baseUrl } = await connect(context, 'messaging');
	if (isLocal(resumeUrl) && !isLocal(baseUrl)) {
		throw refuseToWait(
			context,
			'The service could not report back: this n8n gives itself an address only it can reach',
			`It is ${new URL(resumeUrl).origin}. Set N8N_WEBHOOK_URL to an address of this n8n on the internet, or use Send, and Get later.`,
		);
	}
};

const limitMs = (hours: number): number => {
	if (hours > 0 && hours <= 8_760) return hours * 3_600_000;
	throw new UnfitValueError('Wait at Most (Hours)', 'must be above 0, and at most 8760 (a year)');
};

/** Under this n8n's own host name, which may hold letters that a URL has to encode. */
const toResumeUrl = (context: IExecuteFunctions, ownId: string): string => {
	const result = toCallbackUrl(context.getSignedResumeUrl({ ext: ownId }));
	if (result.problem === undefined) return result.url;
	throw refuseToWait(
		context,
		`The service could not report back: the URL of this n8n ${result.problem}`,
		'Correct N8N_WEBHOOK_URL, or use Send, and Get later.',
	);
};

/** Has the service report to this execution. The address is a secret: who knows it can let the execution go on. */
const callBack = (
	context: IExecuteFunctions,
	{ body, ownId = '' }: Outgoing,
	waitFor: WaitFor,
): string[] => {
	const address = toResumeUrl(context, ownId);
	body.callbackUrl = address;
	body.callbackEvents = [...eventsFor[waitFor]];
	return [address, new URL(address).searchParams.get('signature') ?? address];
};

/** What the service says right now. It may be over already, and then nobody would report it again soon. */
const lookNow = async (
	context: IExecuteFunctions,
	{ messageUuid, externalMessageId }: AwaitedMessage,
): Promise<FoundMessage | undefined> => {
	// A look that fails costs nothing but the chance: the callback will tell.
	const look = await lookForOwnIds(context, [externalMessageId]).catch(() => undefined);
	return look?.found
		.get(externalMessageId)
		?.find((message) => messageUuid === null || message.messageUuid === messageUuid);
};

export const sendAndWait = defineOperation({
	// n8n signs the address to come back to for an operation of exactly this name.
	value: 'sendAndWait',
	name: 'Send and Wait',
	action: 'Send message and wait for the outcome',
	description:
		'Send one message and let the workflow wait until it is delivered or not, so that it can continue accordingly, for example with an SMS. This costs money.',
	output: WaitOutcome,
	params: [...messageParams, ...waitParams, ...waitOptionParams],
	execute: async (run) => {
		const { context, items } = run;
		const { waitFor, limitHours } = run.reader(waitParams)(0);
		const limit = limitMs(limitHours);
		await checkWaiting(run, context.getSignedResumeUrl());
		const { entries, output } = readEntries(
			run,
			messageReader(run, waitOptionParams, true),
			(skipped) => ({
				...skippedOf(skipped, waitFor),
				...skipReason(skipped),
			}),
			{ mayAllBeSkipped: true },
		);
		const secrets = entries.flatMap((entry) => callBack(context, entry, waitFor));
		let awaited: AwaitedMessage | undefined;
		let fate: AcceptedFate | undefined;
		const results = await deliverItems(
			output,
			run,
			entries,
			{ endpoint: messaging.messageSend, canBeSettled: true, secrets },
			({ body, ownId }, accepted) => {
				fate = accepted;
				awaited = {
					confirmed: accepted.unconfirmed === undefined,
					messageUuid: accepted.messageUuid ?? null,
					externalMessageId: ownId ?? '',
					destination: body.destination,
					channelType: String(body.channelType),
					waitedFor: waitFor,
				};
				return awaited;
			},
		);
		const [item] = items;
		if (awaited === undefined || item === undefined) return results;
		const message = fate?.message ?? (await lookNow(context, awaited));
		const outcome = message && outcomeFromMessage(awaited, message);
		if (outcome !== undefined) return [{ json: outcome, pairedItem: { item: 0 } }];
		if (fate?.alreadySent) {
			throw refuseToWait(
				context,
				`The message with the Custom Message ID ${awaited.externalMessageId} is under way already`,
				'It was sent before, and is reported to the workflow that sent it. Look it up with Get later, or give this message its own Custom Message ID.',
			);
		}
		// n8n goes on with the item as it is left here when the time is over, without asking the node again.
		item.json = timeoutOf(awaited);
		await context.putExecutionToWait(new Date(Date.now() + limit));
		return [item];
	},
});
