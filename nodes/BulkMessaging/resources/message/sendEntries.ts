import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import {
	carryOutAll,
	eachItem,
	type Unit,
	type UnitOutcome,
} from '../../../../core/engine/carryOutAll';
import { addHint, howMany } from '../../../../core/engine/hints';
import { alignColumns, emptyLike } from '../../../../core/engine/items';
import type { DoneWords, Run } from '../../../../core/engine/operation';
import { secretsOf } from '../../../../core/transport/connection';
import { ServiceError } from '../../../../core/transport/outcome';
import { z } from '../../../../vendor/zod';
import { toCallback } from '../../../shared/callback';
import { phoneLabel } from '../../../shared/phone';
import { LeftBraces, missingValues } from '../../../shared/placeholders';
import { deliver, findSentBefore } from './delivery/deliver';
import {
	isAccepted,
	messageJournalOf,
	outcomesOf,
	triedAt,
	triedIn,
	type AcceptedRecord,
	type MessageRecord,
} from './delivery/journal';
import type { Outgoing, SendEndpoint } from './delivery/outgoing';
import { hintAtRepeats } from './delivery/repeats';
import { describeMessage, errorOfRun, isSafe, toError, type MessageWords } from './delivery/words';
import { optionsReader, type EntryOptions, type EntryReader, type OptionsParam } from './entries';
import { allowOneNumber, mostMessages, sendingMode } from './params/options';
import { onlyGiven, toResult } from './result';

/** Why the run as a whole must not send. Both mistakes cost money before anyone notices them. */
const reasonToRefuse = (
	entries: readonly Outgoing[],
	{ most, allowsOneNumber }: EntryOptions,
): MessageWords | undefined => {
	const [first] = entries;
	const count = entries.length.toLocaleString('en');
	if (entries.length > most) {
		return {
			code: 'tooMany',
			title: `This run would send ${count} messages, but '${mostMessages.displayName}' is ${most.toLocaleString('en')}`,
			description: `If you want to send that many, increase '${mostMessages.displayName}' in 'Options'.`,
		};
	}
	const isOneNumber = entries.every(({ body }) => body.destination === first?.body.destination);
	if (entries.length < 2 || !isOneNumber || allowsOneNumber) return undefined;
	return {
		code: 'oneNumber',
		title: `All ${count} messages would go to the same phone number, ${first?.body.destination}`,
		description: `Set '${phoneLabel}' to an expression such as {{ $json.phone }}. If all messages are for this number, add '${allowOneNumber.displayName}' in 'Options'.`,
	};
};

/** Adds the callback login to the URLs that are sent to the service. The credential is read once for each URL. */
const protectCallbacks = async (
	{ context }: Run<unknown>,
	entries: readonly Outgoing[],
): Promise<void> => {
	const { secrets } = messageJournalOf(context);
	const known = new Map<string, Awaited<ReturnType<typeof toCallback>>>();
	for (const entry of entries) {
		const { body, callbackAuthentication } = entry;
		const { callbackUrl: given } = body;
		// For a message that was tried, an earlier try has done it.
		if (given === undefined || triedAt(context, entry.itemIndex) !== undefined) continue;
		const key = `${callbackAuthentication} ${given}`;
		const callback = known.get(key) ?? (await toCallback(context, given, callbackAuthentication));
		known.set(key, callback);
		body.callbackUrl = callback.callbackUrl;
		for (const secret of callback.secrets) secrets.add(secret);
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

/** A message that was read: it is sent, or left out because the user chose so. */
type Read = { outgoing: Outgoing } | { skipped: IDataObject };
type ReadOutcomes = Map<Unit<Read>, UnitOutcome>;
type Entries = ReadonlyMap<Outgoing, Unit<Read>>;

const done = (json: IDataObject): UnitOutcome => ({ is: 'done', rows: [{ json }] });

const failed = (node: INode, words: MessageWords, itemIndex?: number): UnitOutcome => ({
	is: 'failed',
	error: toError(node, words, itemIndex),
});

/** A successful run means that messages were sent. If all messages are skipped, each of them is a failure. */
const objectionToSkipped = (skipped: ReadonlyArray<Unit<Read>>): MessageWords => {
	const [first] = skipped;
	const reason = first !== undefined && 'skipped' in first.task ? first.task.skipped.reason : '';
	return {
		code: 'allSkipped',
		title: `No message was sent: ${howMany(skipped.length, 'item has', 'items have')} no value for a placeholder`,
		description: `${String(reason)} Add the field to the items, write a fallback such as {name|friend}, or set '${missingValues.displayName}' to 'Leave It Empty'.`,
	};
};

export const hintAtSkipped = (context: IExecuteFunctions, count: number, total: number): void => {
	if (count === 0) return;
	addHint(
		context,
		`${count} of ${howMany(total, 'message')} ${count === 1 ? 'is' : 'are'} left out, because a placeholder has no value. The field "reason" in the result names the placeholder.`,
	);
};

/** Hints about texts that the service would accept, but that the user may not want. */
export const hintAtTexts = (context: IExecuteFunctions, entries: readonly Outgoing[]): void => {
	const leftBraces = { text: new LeftBraces(), json: new LeftBraces('json') };
	for (const { braces } of entries) {
		if (braces !== undefined) leftBraces[braces.format].add(braces.text);
	}
	for (const braces of Object.values(leftBraces)) braces.tell(context);
	for (const hint of new Set(entries.flatMap((entry) => entry.hints))) addHint(context, hint);
};

/** What Send would do with each message. It looks for earlier messages with the same IDs, as Send does, and sends nothing. */
const rehearse = async (
	{ context, items }: Run<unknown>,
	entries: Entries,
	{ show, preview }: Sending,
): Promise<ReadOutcomes> => {
	const earlier = await findSentBefore(context, [...entries.keys()]);
	const outcomes: ReadOutcomes = new Map();
	for (const [entry, unit] of entries) {
		const { body, ownId: id, isGiven } = entry;
		const found = earlier.get(entry);
		if (found !== undefined && found.is !== 'done') {
			const { error } = found;
			const isOurs = error instanceof ServiceError;
			const said = isOurs ? error.after('Nothing was sent.') : error;
			outcomes.set(unit, { is: 'failed', error: said });
			continue;
		}
		const why =
			found === undefined
				? { outcome: 'wouldBeSent' }
				: {
						outcome: 'accepted',
						reason: "It was already sent with this custom message ID and won't be sent again.",
						reasonCode: 'alreadySent',
					};
		// A generated ID would be another one in the real run.
		const ids = {
			...(isGiven && { externalMessageId: id }),
			messageUuid: found?.value.messageUuid,
		};
		const shown = { ...show(body), ...preview(body), ...(found && { alreadySent: true }) };
		outcomes.set(unit, done(toResult({ destination: body.destination, ...why, ...ids }, shown)));
	}
	const sentBefore = [...earlier.values()].filter(({ is }) => is === 'done').length;
	const unchecked = earlier.size - sentBefore;
	const again =
		sentBefore === 0
			? ''
			: ` ${howMany(sentBefore, 'message was', 'messages were')} already sent and won't be sent again.`;
	const others = unchecked === 0 ? '' : ` ${howMany(unchecked, 'message')} couldn't be checked.`;
	addHint(
		context,
		`Nothing was sent. ${(entries.size - earlier.size).toLocaleString('en')} of ${howMany(items.length, 'message')} would be sent.${again}${others} The service checks the sender name and whether it can reach the number only when it sends. To send, set '${sendingMode.displayName}' to 'Send'.`,
	);
	return outcomes;
};

const toRow = (
	{ entry: { body, ownId }, outcome: { value } }: AcceptedRecord,
	show: Sending['show'],
): IDataObject => {
	const { message, alreadySent, messageUuid } = value;
	const ids = { externalMessageId: ownId, messageUuid };
	return toResult(
		{ destination: body.destination, outcome: 'accepted', ...ids },
		onlyGiven({ ...show(body), status: message?.status || undefined, alreadySent }),
	);
};

const sendAll = async (
	run: Run<unknown>,
	entries: Entries,
	sending: Sending,
): Promise<ReadOutcomes> => {
	const { context } = run;
	const list = [...entries.keys()];
	const [first] = list;
	if (first === undefined) return new Map();
	const node = context.getNode();
	const toOutcome = (message: MessageRecord, all: readonly MessageRecord[]): UnitOutcome =>
		isAccepted(message)
			? done(toRow(message, sending.show))
			: failed(node, describeMessage(message, all, secretsOf(context)), message.entry.itemIndex);
	const options = optionsReader(run, sending.optionsParam)(first.itemIndex);
	const objection = reasonToRefuse(list, options);
	if (objection !== undefined) {
		const tried = triedIn(context);
		const now = tried.length > 0 ? 'Nothing was sent in this attempt.' : 'Nothing was sent.';
		const words = { ...objection, description: `${now} ${objection.description}` };
		const outcomes: ReadOutcomes = new Map();
		for (const [{ itemIndex }, unit] of entries) {
			const message = triedAt(context, itemIndex);
			outcomes.set(unit, message ? toOutcome(message, tried) : failed(node, words));
		}
		return outcomes;
	}
	await protectCallbacks(run, list);
	if (run.reader([sendingMode]).at(first.itemIndex).mode === 'dryRun') {
		return await rehearse(run, entries, sending);
	}
	const messages = await deliver(context, list, sending.endpoint);
	const isCanceled = context.getExecutionCancelSignal()?.aborted === true;
	if ((isCanceled || !context.continueOnFail()) && !messages.every(isAccepted)) {
		throw errorOfRun(node, messages, { secrets: secretsOf(context), isCanceled });
	}
	hintAtRepeats(context, messages.filter(isAccepted));
	return new Map(
		messages.map((message) => [
			// Each message was made from one of these entries.
			entries.get(message.entry) as Unit<Read>,
			toOutcome(message, messages),
		]),
	);
};

const sendWords: DoneWords = {
	one: 'message sent',
	many: 'messages sent',
	none: 'Nothing was sent.',
	again: 'sent again',
};

/** Sends the messages, or shows what would be sent. Returns all items: of accepted, failed and skipped messages. */
export const sendEntries = async (
	run: Run<unknown>,
	read: EntryReader,
	sending: Sending,
): Promise<INodeExecutionData[]> => {
	const { context, items } = run;
	return await carryOutAll<number, Read>(run, {
		units: eachItem(run),
		prepare: (itemIndex) => {
			const tried = triedAt(context, itemIndex);
			return tried === undefined ? read(itemIndex) : { outgoing: tried.entry };
		},
		needsAll: true,
		carryOut: async (units) => {
			const entries = new Map<Outgoing, Unit<Read>>();
			const outcomes: ReadOutcomes = new Map();
			for (const unit of units) {
				if ('skipped' in unit.task) outcomes.set(unit, done(unit.task.skipped));
				else entries.set(unit.task.outgoing, unit);
			}
			hintAtTexts(context, [...entries.keys()]);
			// A run with one item usually handles one event among many, so skipping it is what the user chose.
			if (entries.size === 0 && items.length > 1) {
				const words = objectionToSkipped(units);
				return new Map(units.map((unit) => [unit, failed(context.getNode(), words)]));
			}
			hintAtSkipped(context, outcomes.size, items.length);
			for (const one of await sendAll(run, entries, sending)) outcomes.set(...one);
			const rows = units.flatMap((unit) => {
				const outcome = outcomes.get(unit);
				return outcome?.is === 'done' ? outcome.rows : [];
			});
			alignColumns(rows, emptyLike);
			return outcomes;
		},
		words: sendWords,
		known: () => outcomesOf(triedIn(context)),
		isRepeatable: () => isSafe(triedIn(context)),
	});
};
