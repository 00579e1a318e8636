import { fieldOf } from '../../../../../core/transport/replyShape';
import type { Recipients } from '../plan/recipient';

/** The usual case: the messages are in the order of the recipients, and none is missing. */
const isInOrder = (
	recipients: Recipients,
	messages: ReadonlyArray<{ destination: string }>,
): boolean => {
	if (messages.length !== recipients.length) return false;
	let index = 0;
	for (const { destination } of recipients) {
		if (destination !== messages[index++]?.destination) return false;
	}
	return true;
};

/**
 * Returns the message of each recipient; the service may have left some out. If a number has more messages than recipients, the
 * last ones are used, because the others existed before.
 */
export const matchInOrder = <T extends { destination: string }>(
	recipients: Recipients,
	messages: readonly T[],
): ReadonlyArray<T | undefined> => {
	if (isInOrder(recipients, messages)) return messages;
	const numbers = Array.from(recipients, ({ destination }) => destination);
	const byNumber = new Map<string, T[]>();
	for (const message of messages) {
		const same = byNumber.get(message.destination);
		if (same === undefined) byNumber.set(message.destination, [message]);
		else same.push(message);
	}
	const wanted = new Map<string, number>();
	for (const number of numbers) wanted.set(number, (wanted.get(number) ?? 0) + 1);
	return numbers.map((number) => {
		const same = byNumber.get(number) ?? [];
		const open = wanted.get(number) ?? 0;
		wanted.set(number, open - 1);
		return same.splice(Math.max(same.length - open, 0), 1)[0];
	});
};

/** The same, but `undefined` if any message doesn't belong to one of the recipients. */
export const matchAll = <T extends { destination: string }>(
	recipients: Recipients,
	messages: readonly T[],
): ReadonlyArray<T | undefined> | undefined => {
	const matched = matchInOrder(recipients, messages);
	let count = 0;
	for (const message of matched) if (message !== undefined) count++;
	return count === messages.length ? matched : undefined;
};

/** The order of a message list, if it is known. */
export type ListOrder = 'oldestFirst' | 'newestFirst' | undefined;

const timeIn = (entry: Record<string, unknown> | undefined) => {
	const time = Date.parse(String(entry && fieldOf(entry, 'createdAt')));
	return Number.isNaN(time) ? undefined : time;
};

export const orderOf = (entries: ReadonlyArray<Record<string, unknown>>): ListOrder => {
	const [first, last] = [timeIn(entries[0]), timeIn(entries.at(-1))];
	if (first === undefined || last === undefined || first === last) return undefined;
	return first < last ? 'oldestFirst' : 'newestFirst';
};

/** The list without its `before` oldest messages. If the order isn't known, one result for each possible order. */
export const laterThan = <T>(all: readonly T[], before: number, order: ListOrder): T[][] => {
	const oldestFirst = all.slice(before);
	const newestFirst = all.slice(0, all.length - before);
	if (order !== undefined) return [order === 'oldestFirst' ? oldestFirst : newestFirst];
	return before === 0 ? [oldestFirst] : [oldestFirst, newestFirst];
};
