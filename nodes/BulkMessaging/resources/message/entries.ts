import { NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { UnfitValueError } from '../../../../core/engine/errors';
import { addHint, howMany } from '../../../../core/engine/hints';
import { alignColumns, emptyLike } from '../../../../core/engine/items';
import type { Run } from '../../../../core/engine/operation';
import type { Param } from '../../../../core/engine/params';
import { failTogether, type Failure } from '../../../../core/engine/progress';
import { InvalidRequestError, ServiceError } from '../../../../core/transport/outcome';
import { wholeNumberIn } from '../../../../core/transport/replyShape';
import { z } from '../../../../vendor/zod';
import { additionalFields, toAdditional } from '../../../shared/additionalFields';
import {
	checkCallback,
	defaultEvents,
	toCallback,
	wantedCallbackUrl,
} from '../../../shared/callback';
import { LeftBraces, missingValues } from '../../../shared/placeholders';
import { splitList } from '../../../shared/lists';
import { defaultCountry, phoneLabel, requireDigits } from '../../../shared/phone';
import { deliver, findSentBefore } from './delivery/deliver';
import { messagesOf, type Outgoing, type SendEndpoint } from './delivery/outgoing';
import { tell } from './delivery/tell';
import { allowOneNumber, mostMessages, sendingMode, type OptionValues } from './params/options';
import { ownId } from './params/content';
import { bracesIn, reasonToSkip, type BracesFound, type FilledText } from './texts';

/** A message that is skipped because the user chose so. It becomes a result, not an error. */
interface SkippedMessage {
	/** `undefined` if the user gave none. */
	ownId: string | undefined;
	destination: string;
	/** The channel, or the number of a cascade's steps. */
	shown: IDataObject;
	/** Why it was not sent. */
	reason: string;
}

/** The result of reading an item. */
type ReadMessage =
	| {
			outgoing: Outgoing;
			/** Braces that the recipient would see. */
			braces: BracesFound | undefined;
			/** Shown to the user once, even if several items have the same one. */
			hints: readonly string[];
	  }
	| { skipped: SkippedMessage };

export const checkContract = <Schema extends z.ZodTypeAny>(
	schema: Schema,
	body: z.input<Schema>,
): void => {
	const { error } = schema.safeParse(body);
	if (error !== undefined) throw new InvalidRequestError(error.issues);
};

/** Rejects an ID that another item uses: the two messages couldn't be told apart later. */
const ownIdRegister = () => {
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

export type OptionsParam = Param & { name: 'options'; type: 'collection' };

/** The service shows numbers. Any other text is sent as it is: that every ID is a number isn't stated. */
const toTemplateId = (text: string | undefined): string | number | undefined => {
	const id = wholeNumberIn(text);
	return String(id) === text ? id : text;
};

const toEntryOptions = (run: Run<unknown>, values: OptionValues, isFixed: boolean) => {
	const {
		usedBefore = 'skip',
		missingValues: whenMissing = 'stop',
		defaultCountry: country = defaultCountry.default,
		[allowOneNumber.name]: allowsOneNumber = false,
		[mostMessages.name]: most = mostMessages.default,
		additionalFields: given,
		callbackAuthentication,
		callbackEvents = defaultEvents,
		callbackUrl: urlInField,
		tags,
		templateId,
		whenUndelivered,
		...options
	} = values;
	const additional = toAdditional(given);
	const inField = { callbackUrl: urlInField, callbackAuthentication };
	const callbackUrl = wantedCallbackUrl(inField, additional);
	checkCallback(run.context, callbackUrl, callbackAuthentication);
	return {
		usedBefore,
		whenMissing,
		country,
		allowsOneNumber,
		most,
		callbackAuthentication,
		additional,
		whenUndelivered,
		/** In the service's format. */
		wire: {
			...options,
			tags: splitList(tags),
			templateId: toTemplateId(templateId?.trim()) || undefined,
			callbackUrl,
			callbackEvents: callbackUrl === undefined ? undefined : callbackEvents,
		},
		braces: bracesIn(additional, isFixed),
	};
};

export type EntryOptions = ReturnType<typeof toEntryOptions>;

const optionsReader = (run: Run<unknown>, param: OptionsParam) => {
	const read = run.reader([param]);
	const { isFixed } = run.readerOf(param, additionalFields.name);
	let constant: EntryOptions | undefined;
	return (itemIndex: number): EntryOptions => {
		if (constant !== undefined) return constant;
		// Each operation's collection offers only some of the options.
		const options = toEntryOptions(run, read.at(itemIndex).options as OptionValues, isFixed);
		if (read.isConstant) constant = options;
		return options;
	};
};

interface RecipientValues {
	destination: string;
	externalMessageId?: string;
}

/** How one operation makes a message, or a cascade, from an item. */
interface EntryMaker<Values extends RecipientValues> {
	read: (itemIndex: number) => Values;
	optionsParam: OptionsParam;
	fill: (values: Values, itemIndex: number) => readonly FilledText[];
	/** The fields of the item of a skipped message that name what was to be sent. */
	show: (values: Values) => IDataObject;
	toBody: (
		values: Values,
		filled: readonly FilledText[],
		parts: {
			itemIndex: number;
			destination: string;
			options: EntryOptions;
			/** The ID that the user entered. */
			given: string | undefined;
		},
	) => {
		body: Outgoing['body'] & { externalMessageId?: string };
		hints: readonly string[];
		braces?: BracesFound;
	};
}

/** Returns a function that reads one item. */
export const entryReader = <Values extends RecipientValues>(
	run: Run<unknown>,
	{ read, optionsParam, fill, show, toBody }: EntryMaker<Values>,
): ((itemIndex: number) => ReadMessage) => {
	const readOptions = optionsReader(run, optionsParam);
	const register = ownIdRegister();
	return (itemIndex) => {
		const values = read(itemIndex);
		const options = readOptions(itemIndex);
		const { additional, whenMissing, usedBefore } = options;
		const to = additional.destination ?? values.destination;
		const destination = requireDigits(to, options.country, phoneLabel);
		// `undefined` if the field, or the result of its expression, is empty.
		const given = values.externalMessageId?.trim() || undefined;
		const filled = fill(values, itemIndex);
		const reason = reasonToSkip(filled, whenMissing);
		if (reason !== undefined) {
			return { skipped: { ownId: given, destination, shown: show(values), reason } };
		}
		const parts = { itemIndex, destination, options, given };
		const { body, hints, braces } = toBody(values, filled, parts);
		const id = body.externalMessageId;
		if (id !== undefined) register(id, itemIndex);
		const isGiven = id !== undefined && (given ?? additional.externalMessageId) !== undefined;
		return {
			outgoing: {
				itemIndex,
				ownId: id,
				isGiven,
				usedBefore,
				callbackAuthentication: options.callbackAuthentication,
				whenUndelivered: options.whenUndelivered,
				body,
			},
			braces: filled.find((one) => one.braces)?.braces ?? options.braces ?? braces,
			hints,
		};
	};
};

/** Stops the run before anything is sent. If the node continues on errors, each item becomes an error item instead. */
const refuseAll = (
	run: Run<unknown>,
	indexes: readonly number[],
	toError: (itemIndex: number) => NodeOperationError,
	output: Array<INodeExecutionData | undefined>,
): void => {
	for (const itemIndex of indexes) {
		// Unless the node continues on errors, this throws, and the error is about all items.
		const about = run.context.continueOnFail() ? itemIndex : indexes;
		output[itemIndex] = run.failed(about, toError(itemIndex));
	}
};

/** A successful run means that messages were sent. If all messages are skipped, each of them is a failure. */
const failSkipped = (
	run: Run<unknown>,
	skipped: ReadonlyMap<number, SkippedMessage>,
	output: Array<INodeExecutionData | undefined>,
): void => {
	const count = howMany(skipped.size, 'item has', 'items have');
	const toError = (itemIndex: number) =>
		new NodeOperationError(
			run.context.getNode(),
			`No message was sent: ${count} no value for a placeholder`,
			{
				description: `${skipped.get(itemIndex)?.reason}. Add the field to the items, write a fallback such as {name|friend}, or set '${missingValues.displayName}' to 'Leave It Empty'.`,
			},
		);
	refuseAll(run, [...skipped.keys()], toError, output);
};

interface ReadEntries {
	entries: Outgoing[];
	output: Array<INodeExecutionData | undefined>;
}

/** Without the fields that have no value. A loop, because this runs for every message. */
const onlyGiven = (fields: Record<string, IDataObject[string]>): IDataObject => {
	const given: IDataObject = {};
	for (const name of Object.keys(fields)) {
		if (fields[name] !== undefined) given[name] = fields[name];
	}
	return given;
};

/** The item of a message: who and what became of it first, IDs last. */
const toResult = (
	{
		destination,
		outcome,
		reason,
		reasonCode,
		...ids
	}: Readonly<Record<string, string | undefined>>,
	shown: IDataObject,
): IDataObject => onlyGiven({ destination, outcome, reason, reasonCode, ...shown, ...ids });

const toSkipped = ({ ownId: id, destination, shown, reason }: SkippedMessage): IDataObject =>
	toResult(
		{
			destination,
			outcome: 'skipped',
			reason: `${reason}.`,
			reasonCode: 'missingValue',
			externalMessageId: id,
		},
		shown,
	);

const sendWords = { one: 'message sent', many: 'messages sent', none: 'Nothing was sent.' };

/**
 * Reads every item before anything is sent. Items that can't be read become error items, or stop the node together. An item that
 * the user wants skipped becomes a result that says so. If all items are skipped, that is a failure.
 */
export const readEntries = (
	run: Run<unknown>,
	read: (itemIndex: number) => ReadMessage,
): ReadEntries => {
	const total = run.items.length;
	const entries: Outgoing[] = [];
	const output = new Array<INodeExecutionData | undefined>(total);
	const leftBraces = { text: new LeftBraces(), json: new LeftBraces('json') };
	const skipped = new Map<number, SkippedMessage>();
	const hints = new Set<string>();
	const wrong: Failure[] = [];
	const { sent } = messagesOf(run.context);
	for (let itemIndex = 0; itemIndex < total; itemIndex++) {
		const tried = sent.get(itemIndex);
		if (tried !== undefined) {
			entries.push(tried.entry);
			continue;
		}
		try {
			const message = read(itemIndex);
			if ('skipped' in message) {
				output[itemIndex] = { json: toSkipped(message.skipped), pairedItem: { item: itemIndex } };
				skipped.set(itemIndex, message.skipped);
				continue;
			}
			const { outgoing, braces } = message;
			entries.push(outgoing);
			for (const hint of message.hints) hints.add(hint);
			if (braces !== undefined) leftBraces[braces.format].add(braces.text);
		} catch (error) {
			if (run.context.continueOnFail()) output[itemIndex] = run.failed(itemIndex, error);
			else wrong.push({ itemIndex, is: 'wrong', error: run.errorOf(error, itemIndex) });
		}
	}
	failTogether(run, wrong, sendWords);
	for (const braces of Object.values(leftBraces)) braces.tell(run.context);
	for (const hint of hints) addHint(run.context, hint);
	// A run with one item usually handles one event among many, so skipping it is what the user chose.
	if (entries.length === 0 && total > 1) failSkipped(run, skipped, output);
	else if (skipped.size > 0) {
		addHint(
			run.context,
			`${skipped.size} of ${howMany(total, 'message')} ${skipped.size === 1 ? 'is' : 'are'} left out, because a placeholder has no value. The field "reason" in the result names the placeholder.`,
		);
	}
	return { entries, output };
};

/** Why the run as a whole must not send. Both mistakes cost money before anyone notices them. */
const reasonToRefuse = (
	entries: readonly Outgoing[],
	{ most, allowsOneNumber }: EntryOptions,
): { message: string; advice: string } | undefined => {
	const [first] = entries;
	const count = entries.length.toLocaleString('en');
	if (entries.length > most) {
		return {
			message: `This run would send ${count} messages, but '${mostMessages.displayName}' is ${most.toLocaleString('en')}`,
			advice: `If you want to send that many, increase '${mostMessages.displayName}' in 'Options'.`,
		};
	}
	const isOneNumber = entries.every(({ body }) => body.destination === first?.body.destination);
	if (entries.length < 2 || !isOneNumber || allowsOneNumber) return undefined;
	return {
		message: `All ${count} messages would go to the same phone number, ${first?.body.destination}`,
		advice: `Set '${phoneLabel}' to an expression such as {{ $json.phone }}. If all messages are for this number, add '${allowOneNumber.displayName}' in 'Options'.`,
	};
};

/** Adds the callback login to the URLs that are sent to the service. The credential is read once for each URL. */
const protectCallbacks = async (
	{ context }: Run<unknown>,
	entries: readonly Outgoing[],
): Promise<void> => {
	const known = new Map<string, Awaited<ReturnType<typeof toCallback>>>();
	for (const entry of entries) {
		const { body, callbackAuthentication } = entry;
		const { callbackUrl: given } = body;
		// An earlier try has done it.
		if (given === undefined || entry.secrets !== undefined) continue;
		const key = `${callbackAuthentication} ${given}`;
		const callback = known.get(key) ?? (await toCallback(context, given, callbackAuthentication));
		known.set(key, callback);
		body.callbackUrl = callback.callbackUrl;
		entry.secrets = callback.secrets;
	}
};

/** The output of an operation that sends, with its own fields in the middle. */
export const sentItem = <Own extends z.ZodRawShape>(own: Own) =>
	z.object({
		destination: z.string(),
		outcome: z.enum(['accepted', 'skipped', 'wouldBeSent']),
		reason: z.string(),
		reasonCode: z.string(),
		...own,
		status: z.string(),
		alreadySent: z.boolean(),
		externalMessageId: z.string(),
		messageUuid: z.string(),
	});

type SentBody = Readonly<Record<string, unknown>>;

interface Sending {
	endpoint: SendEndpoint;
	optionsParam: OptionsParam;
	/** The fields of the result that name what was sent. */
	show: (body: SentBody) => IDataObject;
	/** What a dry run shows in addition. */
	preview: (body: SentBody) => IDataObject;
}

/** What Send would do with each message. It looks for earlier messages with the same IDs, as Send does, and sends nothing. */
const rehearse = async (
	run: Run<unknown>,
	{ entries, output }: ReadEntries,
	{ show, preview }: Sending,
): Promise<void> => {
	const earlier = await findSentBefore(run.context, entries);
	let sendable = 0;
	let sentBefore = 0;
	let unchecked = 0;
	for (const entry of entries) {
		const { itemIndex, body, ownId: id, isGiven } = entry;
		const found = earlier.get(entry);
		if (found !== undefined && found.is !== 'done') {
			const { error } = found;
			unchecked++;
			output[itemIndex] = run.failed(
				itemIndex,
				error instanceof ServiceError ? error.after('Nothing was sent.') : error,
			);
			continue;
		}
		if (found === undefined) sendable++;
		else sentBefore++;
		const json = toResult(
			{
				destination: body.destination,
				...(found === undefined
					? { outcome: 'wouldBeSent' }
					: {
							outcome: 'accepted',
							reason: "It was already sent with this custom message ID and won't be sent again.",
							reasonCode: 'alreadySent',
						}),
				// A generated ID would be another one in the real run.
				...(isGiven && { externalMessageId: id }),
				messageUuid: found?.value.messageUuid,
			},
			{ ...show(body), ...preview(body), ...(found && { alreadySent: true }) },
		);
		output[itemIndex] = { json, pairedItem: { item: itemIndex } };
	}
	const total = run.items.length;
	const again =
		sentBefore === 0
			? ''
			: ` ${howMany(sentBefore, 'message was', 'messages were')} already sent and won't be sent again.`;
	const others = unchecked === 0 ? '' : ` ${howMany(unchecked, 'message')} couldn't be checked.`;
	addHint(
		run.context,
		`Nothing was sent. ${sendable.toLocaleString('en')} of ${howMany(total, 'message')} would be sent.${again}${others} The service checks the sender name and whether it can reach the number only when it sends. To send, set '${sendingMode.displayName}' to 'Send'.`,
	);
};

/** Sends the messages, or shows what would be sent. Returns all items: of accepted, failed and skipped messages. */
export const sendEntries = async (
	run: Run<unknown>,
	read: (itemIndex: number) => ReadMessage,
	sending: Sending,
): Promise<INodeExecutionData[]> => {
	const { endpoint, optionsParam, show } = sending;
	const readable = readEntries(run, read);
	const { entries, output } = readable;
	const finished = () => {
		const items = output.filter((item) => item !== undefined);
		alignColumns(
			items.filter(({ json }) => !('error' in json)),
			emptyLike,
		);
		return items;
	};
	const [first] = entries;
	if (first === undefined) return finished();
	const objection = reasonToRefuse(entries, optionsReader(run, optionsParam)(first.itemIndex));
	if (objection !== undefined) {
		const { message, advice } = objection;
		const description = `Nothing was sent. ${advice}`;
		const toError = () => new NodeOperationError(run.context.getNode(), message, { description });
		refuseAll(
			run,
			entries.map(({ itemIndex }) => itemIndex),
			toError,
			output,
		);
		return finished();
	}
	await protectCallbacks(run, entries);
	if (run.reader([sendingMode]).at(first.itemIndex).mode === 'dryRun') {
		await rehearse(run, readable, sending);
		return finished();
	}
	const outcomes = await deliver(run.context, entries, endpoint);
	for (const sent of await tell(run, entries, outcomes, output)) {
		const { entry, message, alreadySent, messageUuid } = sent;
		const json = toResult(
			{
				destination: entry.body.destination,
				outcome: 'accepted',
				externalMessageId: entry.ownId,
				messageUuid,
			},
			onlyGiven({ ...show(entry.body), status: message?.status || undefined, alreadySent }),
		);
		output[entry.itemIndex] = { json, pairedItem: { item: entry.itemIndex } };
	}
	return finished();
};
