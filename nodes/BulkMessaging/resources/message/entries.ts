import type { IDataObject } from 'n8n-workflow';
import { UnfitValueError } from '../../../../core/engine/errors';
import type { Run } from '../../../../core/engine/operation';
import type { Param } from '../../../../core/engine/params';
import { InvalidRequestError } from '../../../../core/transport/outcome';
import { wholeNumberIn } from '../../../../core/transport/replyShape';
import type { z } from '../../../../vendor/zod';
import { additionalFields, toAdditional } from '../../../shared/additionalFields';
import { checkCallback, defaultEvents, wantedCallbackUrl } from '../../../shared/callback';
import { splitList } from '../../../shared/lists';
import { defaultCountry, phoneLabel, requireDigits } from '../../../shared/phone';
import { triedIn } from './delivery/journal';
import type { Outgoing } from './delivery/outgoing';
import { allowOneNumber, mostMessages, type OptionValues } from './params/options';
import { ownId } from './params/content';
import { toResult } from './result';
import { bracesIn, firstBraces, reasonToSkip, type BracesFound, type FilledContent } from './texts';

/** The result of reading an item. */
type ReadMessage =
	| { outgoing: Outgoing; options: EntryOptions }
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
	for (const { entry } of triedIn(context)) {
		const { itemIndex } = entry;
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
