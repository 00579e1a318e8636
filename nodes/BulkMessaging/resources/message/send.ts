import { messaging } from '../../../../core/contract/messaging';
import { defineOperation } from '../../../../core/engine/operation';
import type { Param } from '../../../../core/engine/params';
import { z } from '../../../../vendor/zod';
import { additionalFields } from '../../../shared/additionalFields';
import { callbackOptions, sendingOptions } from './params/options';
import { messageParams, messageReader, protectCallbacks, readEntries } from './entries';
import { deliver } from './delivery/deliver';
import { confirmation, tell } from './delivery/tell';
import { notAccepted } from './texts';

const sendOptionParams = [
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [additionalFields, ...callbackOptions, ...sendingOptions],
	},
] as const satisfies readonly Param[];

const SentMessage = z.object({
	messageUuid: z.string(),
	externalMessageId: z.string(),
	destination: z.string(),
	channelType: z.string(),
	accepted: z.boolean(),
	confirmed: z.boolean(),
	alreadySent: z.boolean(),
});

export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send message',
	description:
		"Send a message to each item's phone number, up to 1,000 in one request. This costs money.",
	output: SentMessage,
	params: [...messageParams, ...sendOptionParams],
	execute: async (run) => {
		const { entries, output } = readEntries(
			run,
			messageReader(run, sendOptionParams),
			(skipped) => ({
				messageUuid: null,
				externalMessageId: skipped.ownId ?? null,
				destination: skipped.destination,
				channelType: skipped.channelType,
				...notAccepted(skipped),
			}),
		);
		const secrets = await protectCallbacks(run, entries);
		const outcomes = await deliver(run.context, entries, {
			endpoint: messaging.messageSend,
			secrets,
		});
		for (const sent of await tell(run, entries, outcomes, secrets, output)) {
			const { itemIndex, body, ownId } = sent.entry;
			const json = {
				messageUuid: sent.messageUuid ?? null,
				externalMessageId: ownId,
				destination: body.destination,
				channelType: String(body.channelType),
				...confirmation(sent),
				alreadySent: sent.alreadySent ?? false,
				...(sent.message?.status && { status: sent.message.status }),
			};
			output[itemIndex] = { json, pairedItem: { item: itemIndex } };
		}
		return output.filter((item) => item !== undefined);
	},
});
