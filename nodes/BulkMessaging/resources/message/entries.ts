import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { checkCallback } from '../../../shared/callbackCheck';
import { toCallback } from '../../../shared/callbackCredential';
import { surelyMatchesSchema, MessageSendFields } from '../../../../core/contract/messaging';
import { UnfitValueError } from '../../../../core/engine/errors';
import { addHint } from '../../../../core/engine/hints';
import type { Run } from '../../../../core/engine/operation';
import type { Param, ValuesOf } from '../../../../core/engine/params';
import { messagesOf, type Outgoing } from './delivery/outgoing';
import { InvalidRequestError } from '../../../../core/transport/errors';
import type { z } from '../../../../vendor/zod';
import { channelType } from '../../../shared/channels';
import { phoneLabel, requireDigits } from '../../../shared/phone';
import { LeftBraces } from '../../../shared/leftBraces';
import type { MissingValues } from '../../../shared/placeholders';
import { contentParams, toContent } from './params/content';
import { toMessageOptions, type OptionValues } from './params/options';
import { ownId, recipientParams, senderName } from './params/recipient';
import { additionalFields, replacedIn } from '../../../shared/additionalFields';
import { unusualIn } from './unusualValues';
import {
	bracesIn,
	failSkipped,
	hintAtSkipped,
	reasonToSkip,
	textFiller,
	type BracesFound,
	type SkippedMessage,
} from './texts';

export const messageParams = [
	channelType,
	senderName,
	...recipientParams,
	...contentParams,
	ownId,
] as const satisfies readonly Param[];

type MessageValues = ValuesOf<typeof messageParams>;

interface EntryOptions extends Pick<Outgoing, 'usedBefore' | 'callbackAuthentication'> {
	whenMissing: MissingValues;
	options: ReturnType<typeof toMessageOptions>;
}

export const checkContract = <Schema extends z.ZodTypeAny>(
	schema: Schema,
	body: z.input<Schema>,
): void => {
	const { error } = schema.safeParse(body);
	if (error !== undefined) throw new InvalidRequestError(error.issues);
};

type Body = z.input<typeof MessageSendFields>;

/** The result of reading an item. */
export type ReadMessage<Skipped> =
	| {
			outgoing: Outgoing;
			braces: ReadonlyArray<BracesFound | undefined>;
			/** Shown to the user once, even if several items have the same one. */
			hints: readonly string[];
	  }
	| { skipped: Skipped };

const noHints: readonly string[] = [];

/** One message in the service's format. */
const toMessageBody = (
	destination: string,
	values: Pick<
		MessageValues,
		'channelType' | 'senderName' | 'contentFormat' | 'content' | 'contentFields'
	> & { text?: string },
	{ wire, additional }: ReturnType<typeof toMessageOptions>,
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
	if (Object.keys(additional).length === 0) return { body, hints: noHints };
	// Every message needs an ID: if a response is lost, the message is found by it.
	const { externalMessageId: id = externalMessageId } = additional;
	const replaced = {
		...body,
		...additional,
		destination,
		callbackUrl: wire.callbackUrl,
		// Other numbers stay numbers, and the contract rejects them: they aren't exact or aren't whole.
		externalMessageId: Number.isSafeInteger(id) ? String(id) : (id as string),
	};
	return { body: replaced, hints: replacedIn(additional, body) };
};

/** The fields that usually differ from message to message. */
const OwnFields = MessageSendFields.pick({
	destination: true,
	content: true,
	externalMessageId: true,
}).strip();

/** Checks messages against the contract. Fields that all messages share are checked once, to keep large runs fast. */
const contractChecker = () => {
	let last: { body: Body; options: unknown } | undefined;
	return (body: Body, options: unknown): void => {
		const isShared =
			last !== undefined &&
			last.options === options &&
			last.body.channelType === body.channelType &&
			last.body.senderName === body.senderName;
		if (isShared && surelyMatchesSchema(body)) return;
		checkContract(isShared ? OwnFields : MessageSendFields, body);
		last = { body, options };
	};
};

/** `undefined` if the field, or the result of its expression, is empty. */
export const givenId = ({ externalMessageId }: { externalMessageId?: string }) =>
	externalMessageId?.trim() || undefined;

/** Rejects an ID that another item uses: the two messages couldn't be told apart later. */
export const ownIdRegister = () => {
	const itemById = new Map<string, number>();
	return (id: string, itemIndex: number): void => {
		const other = itemById.get(id);
		if (other !== undefined) {
			throw new UnfitValueError(
				ownId.displayName,
				`"${id}" is also used by item ${other + 1}. Every message needs a different one`,
			);
		}
		itemById.set(id, itemIndex);
	};
};

/** Returns a function that makes a message from an item. */
export const messageReader = (
	run: Run<unknown>,
	optionParams: ReadonlyArray<Param & { name: 'options'; type: 'collection' }>,
	/** Whether the operation sets the callback URL itself. */
	ownCallback = false,
): ((itemIndex: number) => ReadMessage<SkippedMessage & { channelType: string }>) => {
	const readMessage = run.reader(messageParams);
	const readOptions = run.reader(optionParams);
	const register = ownIdRegister();
	const { prefix } = messagesOf(run.context);
	const check = contractChecker();
	const fill = textFiller(run, (param) => run.readerOf(param));
	let lastBraces: { additional: object; found: BracesFound | undefined } | undefined;
	/** Searched once for all items that share the options. */
	const bracesOf = (additional: Readonly<Record<string, unknown>>) => {
		if (lastBraces?.additional !== additional) {
			lastBraces = { additional, found: bracesIn(additional, readOptions.isFixed) };
		}
		return lastBraces.found;
	};
	let constant: EntryOptions | undefined;
	const optionsOf = (itemIndex: number): EntryOptions => {
		if (constant !== undefined) return constant;
		// Each operation's collection offers only some of these options.
		const {
			usedBefore = 'skip',
			missingValues = 'stop',
			callbackAuthentication,
			...options
		} = readOptions(itemIndex).options as OptionValues;
		const wanted = toMessageOptions({ ...options, callbackAuthentication });
		const names = ['callbackUrl', 'callbackEvents'];
		const callback = names.find((name) => Object.hasOwn(wanted.additional, name));
		if (ownCallback && callback !== undefined) {
			throw new UnfitValueError(
				additionalFields.displayName,
				`can't replace ${callback}, because this operation sets it to receive the outcome`,
			);
		}
		checkCallback(run.context, wanted.wire.callbackUrl, callbackAuthentication);
		const read = {
			usedBefore,
			callbackAuthentication,
			whenMissing: missingValues,
			options: wanted,
		};
		if (readOptions.isConstant) constant = read;
		return read;
	};
	return (itemIndex) => {
		const values = readMessage(itemIndex);
		const { whenMissing, options: wanted, ...options } = optionsOf(itemIndex);
		const given = givenId(values);
		const { channelType: channel, defaultCountry } = values;
		const { additional } = wanted;
		const destination = requireDigits(
			additional.destination ?? values.destination,
			defaultCountry,
			phoneLabel,
		);
		const filled = fill(values, itemIndex);
		const detail = reasonToSkip([filled], whenMissing);
		if (detail !== undefined) {
			return { skipped: { ownId: given, destination, channelType: channel, detail } };
		}
		const { body, hints } = toMessageBody(
			destination,
			{
				...values,
				text: filled.text,
				contentFields: filled.contentFields ?? values.contentFields,
			},
			wanted,
			given ?? `${prefix}-${itemIndex}`,
		);
		check(body, wanted);
		const isGiven = given !== undefined || wanted.additional.externalMessageId !== undefined;
		// The contract check guarantees that it is a string.
		const id = body.externalMessageId as string;
		register(id, itemIndex);
		return {
			outgoing: { itemIndex, ownId: id, isGiven, ...options, body },
			braces: [filled.braces, bracesOf(additional)],
			hints: hints.concat(unusualIn(body)),
		};
	};
};

/** Adds the callback login to the URLs that are sent to the service. The credential is read once for each URL. */
export const protectCallbacks = async (
	{ context }: Run<unknown>,
	entries: readonly Outgoing[],
): Promise<string[]> => {
	const known = new Map<string, Awaited<ReturnType<typeof toCallback>>>();
	for (const { body, callbackAuthentication } of entries) {
		const { callbackUrl: given } = body;
		if (given === undefined) continue;
		const key = `${callbackAuthentication} ${given}`;
		const callback = known.get(key) ?? (await toCallback(context, given, callbackAuthentication));
		known.set(key, callback);
		body.callbackUrl = callback.callbackUrl;
	}
	return [...known.values()].flatMap(({ secrets }) => secrets);
};

/**
 * Reads every item before anything is sent. An item that can't be read becomes an error item, or stops the node. An item that
 * the user wants skipped becomes a result that says so. If all items are skipped, that is a failure, unless `mayAllBeSkipped`:
 * then the workflow continues by the result.
 */
export const readEntries = <Skipped extends SkippedMessage>(
	run: Run<unknown>,
	read: (itemIndex: number) => ReadMessage<Skipped>,
	toJson: (skipped: Skipped) => IDataObject,
	{ mayAllBeSkipped = false } = {},
): { entries: Outgoing[]; output: Array<INodeExecutionData | undefined> } => {
	const entries: Outgoing[] = [];
	const output = new Array<INodeExecutionData | undefined>(run.items.length);
	const leftBraces = { text: new LeftBraces(), json: new LeftBraces('json') };
	const skipped = new Map<number, SkippedMessage>();
	const hints = new Set<string>();
	for (let itemIndex = 0; itemIndex < run.items.length; itemIndex++) {
		try {
			const message = read(itemIndex);
			if ('skipped' in message) {
				output[itemIndex] = { json: toJson(message.skipped), pairedItem: { item: itemIndex } };
				skipped.set(itemIndex, message.skipped);
				continue;
			}
			entries.push(message.outgoing);
			for (const hint of message.hints) hints.add(hint);
			const found = message.braces.find((braces) => braces !== undefined);
			if (found !== undefined) leftBraces[found.format].add(found.text);
		} catch (error) {
			output[itemIndex] = run.failed(itemIndex, error);
		}
	}
	for (const braces of Object.values(leftBraces)) braces.tell(run.context);
	for (const hint of hints) addHint(run.context, hint);
	// A run with one item usually handles one event among many, so skipping it is what the user chose.
	const isChosen = mayAllBeSkipped || run.items.length === 1;
	if (entries.length > 0 || isChosen) hintAtSkipped(run, skipped.size, run.items.length);
	else failSkipped(run, skipped, output);
	return { entries, output };
};
