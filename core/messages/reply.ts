import type { ReplyOf } from '../contract/endpoint';
import type { messaging } from '../contract/messaging';

export type ReplyItem = ReplyOf<typeof messaging.messageSend>['items'][number];

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

/** The reply is checked softly: whatever came, its items are objects or there are none. */
const itemsOf = (reply: unknown): ReplyItem[] => {
	const items = isObject(reply) ? reply.items : undefined;
	return Array.isArray(items) ? (items.filter(isObject) as ReplyItem[]) : [];
};

/**
 * Gives each message its part of the reply: by its id, or by its place where the service does not repeat ids and answers
 * for as many as were sent. Nothing for a message the reply is silent about.
 */
export const matchReply = (
	ids: ReadonlyArray<string | undefined>,
	reply: unknown,
	idField: 'externalMessageId' | 'messageUuid' = 'externalMessageId',
): Array<ReplyItem | undefined> => {
	const items = itemsOf(reply);
	const byId = new Map<string, ReplyItem>();
	for (const item of items) {
		const id = item[idField];
		if (typeof id === 'string') byId.set(id, item);
	}
	const inOrder = items.length === ids.length ? items : [];
	return ids.map((id, place) => {
		if (id !== undefined && byId.has(id)) return byId.get(id);
		const item = inOrder[place];
		// One that names another id is somebody else's, wherever it stands.
		return typeof item?.[idField] === 'string' ? undefined : item;
	});
};

/** `code` is that of HTTP: 2xx is a success. Nothing when the service leaves it open. */
export const isTaken = ({ code, messageUuid }: ReplyItem): boolean | undefined => {
	if (typeof code === 'number') return code >= 200 && code < 300;
	return messageUuid ? true : undefined;
};

/** What the service says about one message, wherever it says it. */
export const wordsOf = (item: ReplyItem): string => {
	const { msg, message, error } = item as Record<string, unknown>;
	const inner = isObject(error) ? (error.msg ?? error.message) : error;
	const text = [msg, message, inner].find((one) => typeof one === 'string' && one !== '');
	return typeof text === 'string' ? text : '';
};
