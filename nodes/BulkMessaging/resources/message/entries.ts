import { NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { UnfitValueError } from '../../../../core/engine/errors';
import { addHint, howMany } from '../../../../core/engine/hints';
import type { Run } from '../../../../core/engine/operation';
import type { Param } from '../../../../core/engine/params';
import { InvalidRequestError } from '../../../../core/transport/outcome';
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
import { phoneLabel, requireDigits } from '../../../shared/phone';
import { deliver } from './delivery/deliver';
import type { Outgoing, SendEndpoint, Sent } from './delivery/outgoing';
import { tell } from './delivery/tell';
import type { OptionValues } from './params/options';
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
	detail: string;
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

const toEntryOptions = (run: Run<unknown>, values: OptionValues, isFixed: boolean) => {
	const {
		usedBefore = 'skip',
		missingValues: whenMissing = 'stop',
		additionalFields: given,
		callbackAuthentication,
		callbackEvents = defaultEvents,
		callbackUrl: urlInField,
		tags,
		templateId,
		...options
	} = values;
	const additional = toAdditional(given);
	const inField = { callbackUrl: urlInField, callbackAuthentication };
	const callbackUrl = wantedCallbackUrl(inField, additional);
	checkCallback(run.context, callbackUrl, callbackAuthentication);
	return {
		usedBefore,
		whenMissing,
		callbackAuthentication,
		additional,
		/** In the service's format. */
		wire: {
			...options,
			tags: splitList(tags),
			templateId: templateId || undefined,
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
		const options = toEntryOptions(run, read(itemIndex).options as OptionValues, isFixed);
		if (read.isConstant) constant = options;
		return options;
	};
};

interface RecipientValues {
	destination: string;
	defaultCountry: string;
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
		const { additional, whenMissing, usedBefore, callbackAuthentication } = options;
		const to = additional.destination ?? values.destination;
		const destination = requireDigits(to, values.defaultCountry, phoneLabel);
		// `undefined` if the field, or the result of its expression, is empty.
		const given = values.externalMessageId?.trim() || undefined;
		const filled = fill(values, itemIndex);
		const detail = reasonToSkip(filled, whenMissing);
		if (detail !== undefined) {
			return { skipped: { ownId: given, destination, shown: show(values), detail } };
		}
		const parts = { itemIndex, destination, options, given };
		const { body, hints, braces } = toBody(values, filled, parts);
		const id = body.externalMessageId;
		if (id !== undefined) register(id, itemIndex);
		const isGiven = id !== undefined && (given ?? additional.externalMessageId) !== undefined;
		return {
			outgoing: { itemIndex, ownId: id, isGiven, usedBefore, callbackAuthentication, body },
			braces: filled.find((one) => one.braces)?.braces ?? options.braces ?? braces,
			hints,
		};
	};
};

/** A successful run means that messages were sent. If all messages are skipped, each of them is a failure. */
const failSkipped = (
	run: Run<unknown>,
	skipped: ReadonlyMap<number, SkippedMessage>,
	output: Array<INodeExecutionData | undefined>,
): void => {
	const indexes = [...skipped.keys()];
	const count = howMany(indexes.length, 'item has', 'items have');
	for (const [itemIndex, { detail }] of skipped) {
		const error = new NodeOperationError(
			run.context.getNode(),
			`No message was sent: ${count} no value for a placeholder`,
			{
				description: `${detail}. Add the field to the items, write a fallback such as {name|friend}, or set '${missingValues.displayName}' to 'Leave It Empty'.`,
			},
		);
		// Unless the node continues on errors, this throws, and the error is about all items.
		output[itemIndex] = run.failed(run.context.continueOnFail() ? itemIndex : indexes, error);
	}
};

interface ReadEntries {
	entries: Outgoing[];
	output: Array<INodeExecutionData | undefined>;
}

/** The item of a skipped message. Its reason has the same fields and values as that of a recipient of a dispatch. */
const toSkippedItem = ({ ownId: id, destination, shown }: SkippedMessage): IDataObject => ({
	messageUuid: null,
	externalMessageId: id ?? null,
	destination,
	...shown,
	accepted: false,
	alreadySent: false,
});

/**
 * Reads every item before anything is sent. An item that can't be read becomes an error item, or stops the node. An item that
 * the user wants skipped becomes a result that says so. If all items are skipped, that is a failure.
 */
export const readEntries = (
	run: Run<unknown>,
	read: (itemIndex: number) => ReadMessage,
	toJson: (skipped: SkippedMessage) => IDataObject = toSkippedItem,
): ReadEntries => {
	const total = run.items.length;
	const entries: Outgoing[] = [];
	const output = new Array<INodeExecutionData | undefined>(total);
	const leftBraces = { text: new LeftBraces(), json: new LeftBraces('json') };
	const skipped = new Map<number, SkippedMessage>();
	const hints = new Set<string>();
	for (let itemIndex = 0; itemIndex < total; itemIndex++) {
		try {
			const message = read(itemIndex);
			if ('skipped' in message) {
				const { detail } = message.skipped;
				const json = { ...toJson(message.skipped), reason: 'missingValue', detail };
				output[itemIndex] = { json, pairedItem: { item: itemIndex } };
				skipped.set(itemIndex, message.skipped);
				continue;
			}
			const { outgoing, braces } = message;
			entries.push(outgoing);
			for (const hint of message.hints) hints.add(hint);
			if (braces !== undefined) leftBraces[braces.format].add(braces.text);
		} catch (error) {
			output[itemIndex] = run.failed(itemIndex, error);
		}
	}
	for (const braces of Object.values(leftBraces)) braces.tell(run.context);
	for (const hint of hints) addHint(run.context, hint);
	// A run with one item usually handles one event among many, so skipping it is what the user chose.
	if (entries.length === 0 && total > 1) failSkipped(run, skipped, output);
	else if (skipped.size > 0) {
		addHint(
			run.context,
			`${skipped.size} of ${total} messages were not sent because a placeholder has no value. The field "detail" in the result names the placeholder.`,
		);
	}
	return { entries, output };
};

/** Adds the callback login to the URLs that are sent to the service. The credential is read once for each URL. */
const protectCallbacks = async (
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

/** The output of an operation that sends, with its own fields in the middle. */
export const sentItem = <Own extends z.ZodRawShape>(own: Own) =>
	z.object({
		messageUuid: z.string(),
		externalMessageId: z.string(),
		destination: z.string(),
		...own,
		accepted: z.boolean(),
		alreadySent: z.boolean(),
	});

/** Sends the messages. Returns all items: of accepted, failed and skipped messages. */
export const sendEntries = async (
	run: Run<unknown>,
	endpoint: SendEndpoint,
	{ entries, output }: ReadEntries,
	show: (sent: Sent) => IDataObject,
): Promise<INodeExecutionData[]> => {
	const secrets = await protectCallbacks(run, entries);
	const outcomes = await deliver(run.context, entries, { endpoint, secrets });
	for (const sent of await tell(run, entries, outcomes, secrets, output)) {
		const { entry } = sent;
		const json = {
			messageUuid: sent.messageUuid ?? null,
			externalMessageId: entry.ownId ?? null,
			destination: entry.body.destination,
			...show(sent),
			accepted: true,
			alreadySent: sent.alreadySent ?? false,
		};
		output[entry.itemIndex] = { json, pairedItem: { item: entry.itemIndex } };
	}
	return output.filter((item) => item !== undefined);
};
