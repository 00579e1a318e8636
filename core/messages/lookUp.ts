import type { z } from '../../vendor/zod';
import { messaging, type ApiMessage } from '../contract/messaging';
import type { Caller } from '../transport/connection';
import { list } from '../transport/list';
import { UnsettledError } from '../transport/untilSettled';

export type FoundMessage = z.output<typeof ApiMessage>;
export type Found = Map<string, FoundMessage[]>;

/** Half of what servers usually allow for an address. */
const longestQuery = 4_000;
const requestsAtATime = 4;

/** Ids in groups that fit into an address each. */
export function* inAddresses(ids: readonly string[]): Generator<string[]> {
	let group: string[] = [];
	let length = 0;
	for (const id of ids) {
		const own = `&message_uuid=${encodeURIComponent(id.replace(/\p{Cs}/gu, '?'))}`.length;
		if (group.length > 0 && length + own > longestQuery) {
			yield group;
			group = [];
			length = 0;
		}
		group.push(id);
		length += own;
	}
	if (group.length > 0) yield group;
}

/** The service gave other messages than those it was asked for: it cannot be relied on to settle anything. */
const unreliable = () =>
	new UnsettledError('The service does not find messages by their own IDs as it should');

/** The field that holds what was asked for. */
type IdField = 'externalMessageId' | 'messageUuid';

const ask = async (
	caller: Caller,
	ids: readonly string[],
	found: Found,
	field: IdField = 'externalMessageId',
): Promise<void> => {
	const wanted = new Set<unknown>(ids);
	const isStranger = (entry: Record<string, unknown>) =>
		!wanted.has(entry.externalMessageId) && !wanted.has(entry.messageUuid);
	const entries = await list(
		caller,
		messaging.messageList,
		// "matches both `message_uuid` and `external_message_id`", and is known to take several values.
		{ query: { message_uuid: [...ids] } },
		{ until: isStranger },
	);
	if (entries.some(isStranger)) throw unreliable();
	// Entries of the list, checked softly by the transport.
	for (const message of entries as FoundMessage[]) {
		const id = message[field];
		if (typeof id !== 'string' || !wanted.has(id)) continue;
		const others = found.get(id);
		if (others === undefined) found.set(id, [message]);
		else others.push(message);
	}
};

const askForAll = async (
	caller: Caller,
	ids: readonly string[],
	field?: IdField,
): Promise<Found> => {
	const found: Found = new Map();
	const groups = [...inAddresses(ids)];
	for (let next = 0; next < groups.length; next += requestsAtATime) {
		const some = groups.slice(next, next + requestsAtATime);
		// All are waited for: none may still be under way when the node has ended.
		const outcomes = await Promise.allSettled(
			some.map(async (group) => ask(caller, group, found, field)),
		);
		const failed = outcomes.find((outcome) => outcome.status === 'rejected');
		if (failed !== undefined) throw failed.reason;
	}
	return found;
};

/** The first and the last that were not found, asked for alone. */
const isFoundAlone = async (caller: Caller, missing: readonly string[]): Promise<boolean> => {
	const alone: Found = new Map();
	for (const id of new Set([missing[0] ?? '', missing.at(-1) ?? '']))
		await ask(caller, [id], alone);
	return alone.size > 0;
};

/**
 * Which messages have these own ids. That a question for several is answered for all of them is probed, because whoever
 * trusts a wrong "not there" sends twice. A message that came to light just now is found by asking again.
 */
export const findByOwnIds = async (caller: Caller, ids: readonly string[]): Promise<Found> => {
	for (let round = 1; round <= 2; round++) {
		const found = await askForAll(caller, ids);
		const missing = ids.filter((id) => !found.has(id));
		if (ids.length === 1 || missing.length === 0) return found;
		if (!(await isFoundAlone(caller, missing))) return found;
	}
	throw unreliable();
};

/** The messages with these UUIDs, as far as there are any. */
export const findByUuids = async (
	caller: Caller,
	uuids: readonly string[],
): Promise<ReadonlyMap<string, FoundMessage | undefined>> => {
	const found = await askForAll(caller, uuids, 'messageUuid');
	return new Map(uuids.map((uuid) => [uuid, found.get(uuid)?.[0]]));
};
