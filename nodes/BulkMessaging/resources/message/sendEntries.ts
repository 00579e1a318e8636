import { NodeOperationError, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { addHint, howMany } from '../../../../core/engine/hints';
import { alignColumns, emptyLike } from '../../../../core/engine/items';
import type { Run } from '../../../../core/engine/operation';
import { ServiceError } from '../../../../core/transport/outcome';
import { z } from '../../../../vendor/zod';
import { toCallback } from '../../../shared/callback';
import { phoneLabel } from '../../../shared/phone';
import { deliver, findSentBefore } from './delivery/deliver';
import { messagesOf, type Outgoing, type SendEndpoint } from './delivery/outgoing';
import { tell } from './delivery/tell';
import {
	nothingSentNow,
	optionsReader,
	readEntries,
	refuseAll,
	type EntryOptions,
	type EntryReader,
	type OptionsParam,
	type ReadEntries,
} from './entries';
import { allowOneNumber, mostMessages, sendingMode } from './params/options';
import { onlyGiven, toResult } from './result';

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
	const { sent, secrets } = messagesOf(context);
	const known = new Map<string, Awaited<ReturnType<typeof toCallback>>>();
	for (const entry of entries) {
		const { body, callbackAuthentication } = entry;
		const { callbackUrl: given } = body;
		// For a message that was tried, an earlier try has done it.
		if (given === undefined || sent.has(entry.itemIndex)) continue;
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

/** What Send would do with each message. It looks for earlier messages with the same IDs, as Send does, and sends nothing. */
const rehearse = async (
	run: Run<unknown>,
	{ entries, output }: ReadEntries,
	{ show, preview }: Sending,
): Promise<void> => {
	const earlier = await findSentBefore(run.context, entries);
	for (const entry of entries) {
		const { itemIndex, body, ownId: id, isGiven } = entry;
		const found = earlier.get(entry);
		if (found !== undefined && found.is !== 'done') {
			const { error } = found;
			output[itemIndex] = run.failed(
				itemIndex,
				error instanceof ServiceError ? error.after('Nothing was sent.') : error,
			);
			continue;
		}
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
	const sendable = entries.length - earlier.size;
	const sentBefore = [...earlier.values()].filter(({ is }) => is === 'done').length;
	const unchecked = earlier.size - sentBefore;
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
	read: EntryReader,
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
		const description = `${nothingSentNow(run)} ${advice}`;
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
