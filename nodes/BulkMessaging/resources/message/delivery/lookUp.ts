import type { z } from '../../../../../vendor/zod';
import type { ApiMessage } from '../../../../../core/contract/message';
import { messaging } from '../../../../../core/contract/messaging';
import { UnsettledError } from '../../../../../core/transport/lookThenSend';
import type { Caller } from '../../../../../core/transport/connection';
import { ServiceError } from '../../../../../core/transport/errors';
import { list } from '../../../../../core/transport/list';
import { fieldOf, textIn, type ReplyEntry } from '../../../../../core/transport/replyShape';
import type { AcceptedId } from '../../../../../core/transport/witness';
import { inUrlGroups } from './urlGroups';
import { ownIdIn, uuidIn } from './reply';

type ApiFields = z.output<typeof ApiMessage>;

/** The fields of a looked-up message that are used. */
export type FoundMessage = Pick<
	ApiFields,
	| 'messageUuid'
	| 'destination'
	| 'channelType'
	| 'status'
	| 'statusTime'
	| 'readStatus'
	| 'readStatusTime'
	| 'errorCode'
>;
type Found = Map<string, FoundMessage[]>;

/** The result of a search. */
interface SearchResult {
	found: Found;
	/** Whether the same search found a message that certainly exists, so that a message it didn't find doesn't exist. */
	isProven: boolean;
}

const requestsAtATime = 4;

const toFound = (entry: ReplyEntry): FoundMessage => {
	const errorCode = fieldOf(entry, 'errorCode');
	return {
		messageUuid: uuidIn(entry) ?? '',
		destination: textIn(entry, 'destination'),
		channelType: textIn(entry, 'channelType'),
		status: textIn(entry, 'status')?.toLowerCase(),
		statusTime: textIn(entry, 'statusTime'),
		readStatus: textIn(entry, 'readStatus')?.toLowerCase(),
		readStatusTime: textIn(entry, 'readStatusTime'),
		errorCode: typeof errorCode === 'number' ? errorCode : undefined,
	};
};

/** The service returned messages that weren't requested, so its list proves nothing. */
const unreliable = () =>
	new UnsettledError("The service doesn't find messages by their IDs correctly");

type IdReader = (entry: ReplyEntry) => string | undefined;

/** One search request. `undefined` if the response contains messages that weren't requested. */
const requestMessages = async (
	caller: Caller,
	ids: readonly string[],
): Promise<ReplyEntry[] | undefined> => {
	const wanted = new Set<unknown>(ids);
	const isStranger = (entry: ReplyEntry) =>
		!wanted.has(ownIdIn(entry)) && !wanted.has(uuidIn(entry));
	const entries = await list(
		caller,
		messaging.messageList,
		// "matches both `message_uuid` and `external_message_id`"
		{ query: { message_uuid: [...ids] } },
		{ until: isStranger },
	);
	return entries.some(isStranger) ? undefined : entries;
};

const mentions = (entry: ReplyEntry, id: string) => ownIdIn(entry) === id || uuidIn(entry) === id;

/** The contract allows only `direction` to be repeated, so a service may reject a request for several IDs. */
const isSearchRejected = (error: unknown) =>
	error instanceof ServiceError && error.outcome === 'refused' && !error.wasAnswered;

/** Puts the control in the middle, so that a service that reads only the first or the last ID doesn't find it. */
const withControl = (ids: readonly string[], control: string | undefined): readonly string[] => {
	if (control === undefined || ids.includes(control)) return ids;
	const middle = Math.ceil(ids.length / 2);
	return [...ids.slice(0, middle), control, ...ids.slice(middle)];
};

/**
 * Searches for messages by their IDs. The control is the ID of a message that certainly exists: if a request returns it, the
 * IDs that the same request doesn't find don't exist.
 */
class MessageSearch {
	private readonly found: Found = new Map();

	private isProven = false;

	private controlAlone: Promise<boolean> | undefined;

	constructor(
		private readonly caller: Caller,
		private readonly idOf: IdReader,
		private readonly control: string | undefined,
		/** Whether "not found" must be certain. Then the response to a request for several IDs must contain the control. */
		private readonly mustBeSure: boolean,
	) {}

	async for(ids: readonly string[]): Promise<SearchResult> {
		// A request that doesn't find the control sets it to false again.
		this.isProven = this.control !== undefined && ids.length > 0;
		await this.atATime([...inUrlGroups(ids)], async (group) => await this.askFor(group));
		return { found: this.found, isProven: this.isProven };
	}

	/** Waits for all requests, even after a failure: none may still be running when the node ends. */
	private async atATime<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
		for (let next = 0; next < all.length; next += requestsAtATime) {
			const outcomes = await Promise.allSettled(all.slice(next, next + requestsAtATime).map(work));
			const failed = outcomes.find((outcome) => outcome.status === 'rejected');
			if (failed !== undefined) throw failed.reason;
		}
	}

	private async askFor(group: readonly string[]): Promise<void> {
		const entries = group.length > 1 ? await this.askForSeveral(group) : undefined;
		if (entries !== undefined) {
			this.take(entries, group);
			return;
		}
		await this.atATime(group, async (id) => await this.askForOne(id));
		await this.lookForControl();
	}

	/** `undefined` if the response can't be trusted. */
	private async askForSeveral(group: readonly string[]): Promise<ReplyEntry[] | undefined> {
		const { caller, control, mustBeSure } = this;
		const ids = withControl(group, control);
		const entries = await requestMessages(caller, ids).catch((error: unknown) => {
			if (isSearchRejected(error)) return undefined;
			throw error;
		});
		if (entries === undefined) return undefined;
		const isSeen = ids.length > group.length && entries.some((one) => mentions(one, control ?? ''));
		return isSeen || (!mustBeSure && control === undefined) ? entries : undefined;
	}

	private async askForOne(id: string): Promise<void> {
		const entries = await requestMessages(this.caller, [id]);
		if (entries === undefined) throw unreliable();
		this.take(entries, [id]);
	}

	/** Searches for the control only once: the result is the same for all groups. */
	private async lookForControl(): Promise<void> {
		const { control, caller } = this;
		if (control === undefined) return;
		this.controlAlone ??= requestMessages(caller, [control]).then(
			(entries) => entries?.some((one) => mentions(one, control)) === true,
		);
		if (!(await this.controlAlone)) this.isProven = false;
	}

	private take(entries: readonly ReplyEntry[], ids: readonly string[]): void {
		const wanted = new Set(ids);
		for (const entry of entries) {
			const id = this.idOf(entry);
			if (id === undefined || !wanted.has(id)) continue;
			const message = toFound(entry);
			const others = this.found.get(id);
			if (others === undefined) this.found.set(id, [message]);
			else others.push(message);
		}
	}
}

/** Searches for messages whose response was lost. `control` is the ID of a message that certainly exists. */
export const lookForOwnIds = async (
	caller: Caller,
	ids: readonly string[],
	control?: string,
): Promise<SearchResult> =>
	await new MessageSearch(caller, ownIdIn, control, control !== undefined).for(ids);

/** The ID of any message of the account, as a control: a response to a request for several IDs must contain it. */
const anyMessage = async (caller: Caller): Promise<string | undefined> => {
	const [entry] = await list(caller, messaging.messageList, {}, { limit: 1 });
	return entry && uuidIn(entry);
};

/** Whether the service still has the message with this UUID. */
const isStillThere = async (caller: Caller, uuid: string | undefined): Promise<boolean> =>
	uuid !== undefined &&
	(await requestMessages(caller, [uuid]))?.some((entry) => mentions(entry, uuid)) === true;

/**
 * Finds earlier messages with these custom message IDs. `settled` is a message that the service must find by now. If the service
 * has it but doesn't find it by its custom message ID, duplicates can't be prevented, and that is an error.
 */
export const findEarlier = async (
	caller: Caller,
	ids: readonly string[],
	settled?: Pick<AcceptedId, 'id' | 'uuid'>,
): Promise<Found> => {
	const control = settled?.id ?? (ids.length > 1 ? await anyMessage(caller) : undefined);
	const { found, isProven } = await new MessageSearch(caller, ownIdIn, control, true).for(ids);
	const isMissing = settled !== undefined && !isProven && !found.has(settled.id);
	if (isMissing && (await isStillThere(caller, settled.uuid))) throw unreliable();
	return found;
};

/** The messages with these UUIDs; `undefined` for a UUID that isn't found. */
export const findByUuids = async (
	caller: Caller,
	uuids: readonly string[],
): Promise<ReadonlyMap<string, FoundMessage | undefined>> => {
	const { found } = await new MessageSearch(caller, uuidIn, undefined, false).for(uuids);
	return new Map(uuids.map((uuid) => [uuid, found.get(uuid)?.[0]]));
};
