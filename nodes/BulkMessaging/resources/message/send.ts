import {
	MessageSendFields,
	messaging,
	surelyMatchesSchema,
} from '../../../../core/contract/messaging';
import { UnfitValueError } from '../../../../core/engine/errors';
import { defineOperation, type Run } from '../../../../core/engine/operation';
import type { Param, ValuesOf } from '../../../../core/engine/params';
import { countParts } from '../../../../core/recipients/parts';
import { z } from '../../../../vendor/zod';
import { additionalFields, replacedIn } from '../../../shared/additionalFields';
import { channelType } from '../../../shared/channels';
import { phoneNumber } from '../../../shared/phone';
import { messageJournalOf } from './delivery/journal';
import { checkContract, entryReader, type EntryOptions, type OptionsParam } from './entries';
import { contentParams, ownId, senderName, toContent, writtenText } from './params/content';
import { sendingMode, sendOptions } from './params/options';
import { sendEntries, sentItem } from './sendEntries';
import { textFiller } from './texts';

const upperParams = [
	channelType,
	senderName,
	phoneNumber,
	...contentParams,
] as const satisfies readonly Param[];

const messageParams = [...upperParams, ownId] as const satisfies readonly Param[];

type MessageValues = Omit<ValuesOf<typeof messageParams>, 'text'> & { text?: string };
type Body = z.input<typeof MessageSendFields>;

/** One message in the service's format. */
const toMessageBody = (
	destination: string,
	values: MessageValues,
	{ wire, additional }: EntryOptions,
	externalMessageId: string,
): { body: Body; hints: readonly string[] } => {
	// A channel in 'Additional Fields (JSON)' also decides the format of the content.
	const channel = String(additional.channelType ?? values.channelType);
	const body = {
		...wire,
		channelType: values.channelType,
		senderName: values.senderName,
		destination,
		content: additional.content === undefined ? toContent(channel, values) : '(replaced)',
		externalMessageId,
	};
	if (Object.keys(additional).length === 0) return { body, hints: [] };
	const replaced = {
		...body,
		...additional,
		destination,
		callbackUrl: wire.callbackUrl,
		// Every message needs an ID: if a response is lost, the message is found by it.
		...(additional.externalMessageId === undefined && { externalMessageId }),
	};
	return {
		body: replaced,
		hints: replacedIn(additional, body, ['destination', 'externalMessageId']),
	};
};

/** Checks messages against the contract. If only the number, a text and the ID differ from the last one, the schema isn't asked. */
const contractChecker = () => {
	let last: { body: Body; options: unknown } | undefined;
	return (body: Body, options: unknown): void => {
		const isShared =
			last !== undefined &&
			last.options === options &&
			last.body.channelType === body.channelType &&
			last.body.senderName === body.senderName;
		if (isShared && surelyMatchesSchema(body)) return;
		checkContract(MessageSendFields, body);
		last = { body, options };
	};
};

/** Returns a function that makes a message from an item. */
export const messageReader = (
	run: Run<unknown>,
	optionsParam: OptionsParam,
	{
		read = run.reader(messageParams).at,
		fillText = textFiller(run, (param) => run.readerOf(param)),
		reserved = [],
	}: {
		read?: (itemIndex: number) => ValuesOf<typeof messageParams>;
		fillText?: ReturnType<typeof textFiller>;
		/** Fields that the operation sets itself. */
		reserved?: readonly string[];
	} = {},
) => {
	const { prefix } = messageJournalOf(run.context);
	const check = contractChecker();
	return entryReader<ValuesOf<typeof messageParams>>(run, {
		read,
		optionsParam,
		fill: (values, itemIndex) => [fillText(values, itemIndex)],
		show: (values) => ({ channelType: values.channelType }),
		toBody: (values, [filled], { itemIndex, destination, options, given }) => {
			const taken = reserved.find((name) => Object.hasOwn(options.additional, name));
			if (taken !== undefined) {
				throw new UnfitValueError(
					additionalFields.displayName,
					`can't replace ${taken}, because this operation sets it`,
				);
			}
			const message = toMessageBody(
				destination,
				{ ...values, ...filled?.values, text: filled?.text },
				options,
				given ?? `${prefix}-${itemIndex}`,
			);
			check(message.body, options);
			return message;
		},
	});
};

export const send = defineOperation({
	value: 'send',
	name: 'Send',
	action: 'Send message',
	description:
		"Send a message to each item's phone number, up to 1,000 in one request. This costs money.",
	output: sentItem({ channelType: z.string() }),
	restsOn: messaging.messageSend,
	params: [...upperParams, sendingMode, ownId, sendOptions],
	execute: async (run) =>
		await sendEntries(run, messageReader(run, sendOptions), {
			endpoint: messaging.messageSend,
			optionsParam: sendOptions,
			show: ({ channelType: channel }) => ({ channelType: String(channel) }),
			preview: ({ channelType: channel, content }) => {
				const text = writtenText(content);
				return {
					...(text !== undefined && { text }),
					...(text !== undefined && channel === 'SMS' && { parts: countParts(text).parts }),
				};
			},
		}),
});
