import type { IExecuteFunctions } from 'n8n-workflow';
import { reportAboutAsked } from '../../../../../core/contract/waitingUrl';
import { UnfitValueError } from '../../../../../core/engine/errors';
import { isRecord } from '../../../../../core/json';
import type { Run } from '../../../../../core/engine/operation';
import type { Param } from '../../../../../core/engine/params';
import { channelType } from '../../../../shared/channels';
import { phoneNumber } from '../../../../shared/phone';
import { messageJournalOf } from '../delivery/journal';
import type { Outgoing } from '../delivery/outgoing';
import type { EntryReader } from '../entries';
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
import { insertLink, linkMark, markLink, markLinkInRow, questionWithoutLink } from './link';
import { eventsFor, isAsked, type WaitFor } from './outcome';
import { resumeUrlFor } from './ownUrl';
import { calls, neverRead } from './params';

export const awaitedMessageParams = [
	channelType,
	senderName,
	phoneNumber,
	...awaitedContentParams,
	ownId,
] as const satisfies readonly Param[];

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

/** All tries of this run share it, and another run of the node in the same execution has another one. */
export const waitIdOf = (context: IExecuteFunctions): string =>
	messageJournalOf(context).prefix.slice(0, 8);

/** The message as it is sent: the service reports to this execution, and the person gets the link. */
const connectToRun = (
	context: IExecuteFunctions,
	entry: Outgoing,
	waitFor: WaitFor,
	keepsWaiting: boolean,
): Outgoing => {
	checkChannel(entry, waitFor);
	const asks = isAsked(waitFor);
	const waitId = waitIdOf(context);
	const body: Outgoing['body'] = {
		...entry.body,
		callbackUrl: resumeUrlFor(
			context,
			asks ? reportAboutAsked : 'report',
			// No wait has this ID, so the report doesn't end it. The URL still marks the message as one with a link to reply.
			keepsWaiting ? 'none' : waitId,
		),
		callbackEvents: [...eventsFor[waitFor]],
	};
	if (!asks) return { ...entry, body };
	const { shortUrl } = body;
	// The contract allows nothing else.
	const content = isRecord(body.content) ? body.content : String(body.content);
	const withLink = insertLink(content, resumeUrlFor(context, 'ask', waitId));
	return {
		...entry,
		// Links are shortened unless the user has decided otherwise.
		body: { ...body, content: withLink, shortUrl: shortUrl ?? true },
		asked: { question: questionWithoutLink(content), content, keepsWaiting },
	};
};

/** Whether n8n made this node into a tool that asks a person before an agent's tool runs. */
const isReview = (context: IExecuteFunctions): boolean =>
	context.getNode().type.endsWith('HitlTool');

/** The message of a review quotes what the agent wants to send. Nothing in it is ours to fill, so the link stands at its end. */
const withoutPlaceholders = (text = ''): string => text.replace(/[{}]/g, '\\$&');

/** Returns a function that reads the message. If a person has to answer, {link} stands for the link, whatever the item contains. */
export const awaitedReader = (run: Run<unknown>, waitFor: WaitFor): EntryReader => {
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
	const readMessage = messageReader(run, waitOptions, {
		read: toRead,
		fillText: textFiller({ items }, (param) =>
			run.readerOf(param.name === messageText.name ? awaitedText : param),
		),
		reserved: ['callbackUrl', 'callbackEvents', ...(asks ? ['content', 'channelType'] : [])],
	});
	return (itemIndex) => {
		const message = readMessage(itemIndex);
		if ('skipped' in message) return message;
		const { outgoing, options } = message;
		const keepsWaiting = options.whenUndelivered === 'wait';
		return { ...message, outgoing: connectToRun(run.context, outgoing, waitFor, keepsWaiting) };
	};
};
