import { NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { UnfitValueError } from '../../../../core/engine/errors';
import { addHint, howMany } from '../../../../core/engine/hints';
import type { Run } from '../../../../core/engine/operation';
import type { Param } from '../../../../core/engine/params';
import {
	failTogether,
	rangesOf,
	type Failure,
	type ItemOutcomes,
} from '../../../../core/engine/progress';
import { InvalidRequestError } from '../../../../core/transport/outcome';
import { wholeNumberIn } from '../../../../core/transport/replyShape';
import type { z } from '../../../../vendor/zod';
import { additionalFields, toAdditional } from '../../../shared/additionalFields';
import { checkCallback, defaultEvents, wantedCallbackUrl } from '../../../shared/callback';
import { LeftBraces, missingValues } from '../../../shared/placeholders';
import { splitList } from '../../../shared/lists';
import { defaultCountry, phoneLabel, requireDigits } from '../../../shared/phone';
import { messagesOf, type Outgoing } from './delivery/outgoing';
import { allowOneNumber, mostMessages, type OptionValues } from './params/options';
import { ownId } from './params/content';
import { toResult } from './result';
import { bracesIn, firstBraces, reasonToSkip, type BracesFound, type FilledContent } from './texts';

/** The result of reading an item. */
type ReadMessage =
	| {
			outgoing: Outgoing;
			options: EntryOptions;
	  }
	/** The item of a message that is skipped because the user chose so. It is a result, not an error. */
	| { skipped: IDataObject };

/** Reads one item. */
export type EntryReader = (itemIndex: number) => ReadMessage;

export const checkContract = <Schema extends z.ZodTypeAny>(
	schema: Schema,
	body: z.input<Schema>,
): void => {
	const { error } = schema.safeParse(body);
	if (error !== undefined) throw new InvalidRequestError(error.issues);
};

/** Rejects an ID that another item uses, or used in an earlier try: the two messages couldn't be told apart later. */
const ownIdRegister = ({ context }: Run<unknown>) => {
	const itemById = new Map<string, number>();
	for (const [itemIndex, { entry }] of messagesOf(context).sent) {
		if (entry.ownId !== undefined) itemById.set(entry.ownId, itemIndex);
	}
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

export const optionsReader = (run: Run<unknown>, param: OptionsParam) => {
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
	fill: (values: Values, itemIndex: number) => readonly FilledContent[];
	/** The fields of the item of a skipped message that name what was to be sent. */
	show: (values: Values) => IDataObject;
	toBody: (
		values: Values,
		filled: readonly FilledContent[],
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

export const entryReader = <Values extends RecipientValues>(
	run: Run<unknown>,
	{ read, optionsParam, fill, show, toBody }: EntryMaker<Values>,
): EntryReader => {
	const readOptions = optionsReader(run, optionsParam);
	const register = ownIdRegister(run);
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
			const ids = { externalMessageId: given };
			const why = { outcome: 'skipped', reason: `${reason}.`, reasonCode: 'missingValue' };
			return { skipped: toResult({ destination, ...why, ...ids }, show(values)) };
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
				body,
				braces: firstBraces(filled) ?? options.braces ?? braces,
				hints,
			},
			options,
		};
	};
};

/** Stops the run before anything is sent. If the node continues on errors, each item becomes an error item instead. */
export const refuseAll = (
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
	skipped: readonly number[],
	output: Array<INodeExecutionData | undefined>,
): void => {
	const count = howMany(skipped.length, 'item has', 'items have');
	const toError = (itemIndex: number) =>
		new NodeOperationError(
			run.context.getNode(),
			`No message was sent: ${count} no value for a placeholder`,
			{
				description: `${String(output[itemIndex]?.json.reason)} Add the field to the items, write a fallback such as {name|friend}, or set '${missingValues.displayName}' to 'Leave It Empty'.`,
			},
		);
	refuseAll(run, skipped, toError, output);
};

export interface ReadEntries {
	entries: Outgoing[];
	output: Array<INodeExecutionData | undefined>;
}

const sendWords = {
	one: 'message sent',
	many: 'messages sent',
	none: 'Nothing was sent.',
	again: 'sent again, unless a custom message ID prevents it',
};

/** What is known from earlier tries of this run. */
const knownOutcomes = ({ context }: Run<unknown>): ItemOutcomes =>
	new Map(
		[...messagesOf(context).sent].map(([itemIndex, { outcome }]) => [
			itemIndex,
			outcome.is === 'done' ? { entries: [{}] } : {},
		]),
	);

/** What an error says that stops this try before it sends anything. */
export const nothingSentNow = ({ context }: Run<unknown>): string => {
	const indexes = [...messagesOf(context).sent.keys()].sort((a, b) => a - b);
	return indexes.length === 0
		? sendWords.none
		: `Nothing was sent in this attempt. Already sent, or possibly sent: ${rangesOf(indexes)}.`;
};

/**
 * Reads every item before anything is sent. Items that can't be read become error items, or stop the node together. An item that
 * the user wants skipped becomes a result that says so. If all items are skipped, that is a failure.
 */
export const readEntries = (run: Run<unknown>, read: EntryReader): ReadEntries => {
	const total = run.items.length;
	const entries: Outgoing[] = [];
	const output = new Array<INodeExecutionData | undefined>(total);
	const leftBraces = { text: new LeftBraces(), json: new LeftBraces('json') };
	const skipped: number[] = [];
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
				output[itemIndex] = { json: message.skipped, pairedItem: { item: itemIndex } };
				skipped.push(itemIndex);
				continue;
			}
			entries.push(message.outgoing);
		} catch (error) {
			if (run.context.continueOnFail()) output[itemIndex] = run.failed(itemIndex, error);
			else wrong.push({ itemIndex, is: 'wrong', error: run.errorOf(error, itemIndex) });
		}
	}
	failTogether(run, wrong, sendWords, knownOutcomes(run));
	for (const { braces } of entries) {
		if (braces !== undefined) leftBraces[braces.format].add(braces.text);
	}
	for (const braces of Object.values(leftBraces)) braces.tell(run.context);
	for (const hint of new Set(entries.flatMap((entry) => entry.hints))) addHint(run.context, hint);
	// A run with one item usually handles one event among many, so skipping it is what the user chose.
	if (entries.length === 0 && total > 1) failSkipped(run, skipped, output);
	else if (skipped.length > 0) {
		addHint(
			run.context,
			`${skipped.length} of ${howMany(total, 'message')} ${skipped.length === 1 ? 'is' : 'are'} left out, because a placeholder has no value. The field "reason" in the result names the placeholder.`,
		);
	}
	return { entries, output };
};
