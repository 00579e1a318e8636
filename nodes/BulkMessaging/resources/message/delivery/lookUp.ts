import type { z } from '../../../../../vendor/zod';
import type { ApiMessage } from '../../../../../core/contract/message';
import { messaging } from '../../../../../core/contract/messaging';
import { UnsettledError } from '../../../../../core/transport/lookThenSend';
import type { Caller } from '../../../../../core/transport/connection';
import { ServiceError } from '../../../../../core/transport/errors';
import { list } from '../../../../../core/transport/list';
import { fieldOf, textIn, type ReplyEntry } from '../../../../../core/transport/replyShape';
import type { AcceptedId } from '../../../../../core/transport/witness';
import { inAddresses } from './inAddresses';
import { ownIdIn, uuidIn } from './reply';

type ApiFields = z.output<typeof ApiMessage>;

/** What is used of a message that was looked up. */
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

/** What looking has shown. */
interface LookResult {
	found: Found;
	/** A message that certainly is there was found the same way, so that what was not found is not there. */
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

/** The service shows other messages than those it was asked for: nothing it says about them proves anything. */
const unreliable = () =>
	new UnsettledError("The service doesn't find messages by their IDs as it should");

type IdReader = (entry: ReplyEntry) => string | undefined;

/** One question. `undefined` when the answer holds messages that nobody asked for. */
const askForMessages = async (
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

/** The contract calls only `direction` repeatable. A service may refuse such a question. */
const isRefused = (error: unknown) =>
	error instanceof ServiceError && error.outcome === 'refused' && !error.wasAnswered;

/** The control between the others, where a service that reads only the first or only the last value would not find it. */
const withControl = (ids: readonly string[], control: string | undefined): readonly string[] => {
	if (control === undefined || ids.includes(control)) return ids;
	const middle = Math.ceil(ids.length / 2);
	return [...ids.slice(0, middle), control, ...ids.slice(middle)];
};

/** Looks for messages by their IDs. */
class Looking {
	private readonly found: Found = new Map();

	private isProven = false;

	private controlAlone: Promise<boolean> | undefined;

	constructor(
		private readonly caller: Caller,
		private readonly idOf: IdReader,
		private readonly control: string | undefined,
		/** Whether "not found" must be certain: then a question for several is believed only if it finds the control. */
		private readonly mustBeSure: boolean,
	) {}

	async for(ids: readonly string[]): Promise<LookResult> {
		// Every question that doesn't show the control takes it back.
		this.isProven = this.control !== undefined && ids.length > 0;
		await this.atATime([...inAddresses(ids)], async (group) => await this.askFor(group));
		return { found: this.found, isProven: this.isProven };
	}

	/** All are waited for: none may still be under way when the node has ended. */
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

	/** `undefined` when the answer cannot be believed. */
	private async askForSeveral(group: readonly string[]): Promise<ReplyEntry[] | undefined> {
		const { caller, control, mustBeSure } = this;
		const question = withControl(group, control);
		const entries = await askForMessages(caller, question).catch((error: unknown) => {
			if (isRefused(error)) return undefined;
			throw error;
		});
		if (entries === undefined) return undefined;
		const isSeen =
			question.length > group.length && entries.some((one) => mentions(one, control ?? ''));
		return isSeen || (!mustBeSure && control === undefined) ? entries : undefined;
	}

	private async askForOne(id: string): Promise<void> {
		const entries = await askForMessages(this.caller, [id]);
		if (entries === undefined) throw unreliable();
		this.take(entries, [id]);
	}

	/** Once: the same question has the same answer for all groups. */
	private async lookForControl(): Promise<void> {
		const { control, caller } = this;
		if (control === undefined) return;
		this.controlAlone ??= askForMessages(caller, [control]).then(
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

/** Looks for messages whose answer was lost. `control` is one that certainly is there. */
export const lookForOwnIds = async (
	caller: Caller,
	ids: readonly string[],
	control?: string,
): Promise<LookResult> =>
	await new Looking(caller, ownIdIn, control, control !== undefined).for(ids);

/** Any message of the account: whoever asks for several IDs and does not get it back cannot rely on the answer. */
const anyMessage = async (caller: Caller): Promise<string | undefined> => {
	const [entry] = await list(caller, messaging.messageList, {}, { limit: 1 });
	return entry && uuidIn(entry);
};

/** Whether the service still has a message, by the ID it gave it. */
const isStillThere = async (caller: Caller, uuid: string | undefined): Promise<boolean> =>
	uuid !== undefined &&
	(await askForMessages(caller, [uuid]))?.some((entry) => mentions(entry, uuid)) === true;

/**
 * Which messages have these own IDs already. `settled` is a message that must be found by now: if the service has it and
 * doesn't find it by its own ID, nothing protects from sending again, and that is an error.
 */
export const findEarlier = async (
	caller: Caller,
	ids: readonly string[],
	settled?: Pick<AcceptedId, 'id' | 'uuid'>,
): Promise<Found> => {
	const control = settled?.id ?? (ids.length > 1 ? await anyMessage(caller) : undefined);
	const { found, isProven } = await new Looking(caller, ownIdIn, control, true).for(ids);
	const isMissing = settled !== undefined && !isProven && !found.has(settled.id);
	if (isMissing && (await isStillThere(caller, settled.uuid))) throw unreliable();
	return found;
};

/** The messages with these UUIDs, as far as there are any. */
export const findByUuids = async (
	caller: Caller,
	uuids: readonly string[],
): Promise<ReadonlyMap<string, FoundMessage | undefined>> => {
	const { found } = await new Looking(caller, uuidIn, undefined, false).for(uuids);
	return new Map(uuids.map((uuid) => [uuid, found.get(uuid)?.[0]]));
};
