import { badRequest } from './apiError.cts';
import { currency } from '../stored/money.cts';

/** A response with JSON, text or no body. Without a status it has the usual one. */
export interface Shaped {
	status?: number;
	json?: unknown;
	text?: string;
}

export type Row = Record<string, unknown>;
export type Sent = Row & { items: Row[] };
export type List<Item extends Row = Row> = Row & { total: number; items: Item[] };
/** The reply to creating a dispatch and to adding messages. */
export type Created = Row & { id: number };
export type Moved = Row & { id: number };
export type Priced = Row & { priceEstimate: number };

const json = (value: unknown): Shaped => ({ json: value });
const noContent = (): Shaped => ({ status: 204 });
/** The contract shows this body, so dialects don't change its keys. */
export const errorBody: Shaped = json({ error: { code: 5000, msg: 'Something went wrong' } });

const without = (row: Row, ...names: string[]): Row =>
	Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

type Rename = (name: string) => string;
/** A message's content comes from the user, so its keys stay. */
const userContent = 'content';

const renamed = (value: unknown, rename: Rename): unknown => {
	if (Array.isArray(value)) return value.map((element) => renamed(element, rename));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [
			rename(name),
			name === userContent ? inner : renamed(inner, rename),
		]),
	);
};
const toSnake: Rename = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const toPascal: Rename = (name) => name.charAt(0).toUpperCase() + name.slice(1);

// Each table is one member of the dialect: its options in order, the first is the default.

export const keyCase = {
	camel: (value) => value,
	snake: (value) => renamed(value, toSnake),
	pascal: (value) => renamed(value, toPascal),
} satisfies Record<string, (value: unknown) => unknown>;

const withoutOwnId = (item: Row) => without(item, 'externalMessageId');
/** How an item shows the custom message ID. messaging/list.cts decides whether filters find it. */
export const ownIds = {
	kept: (item) => item,
	hidden: withoutOwnId,
	lost: withoutOwnId,
} satisfies Record<string, (item: Row) => Row>;

const eachItem = (change: (item: Row) => unknown) => (reply: Sent) =>
	json({ ...reply, items: reply.items.map(change) });

export const sendReply = {
	items: json,
	array: (reply) => json(reply.items),
	single: (reply) => json(reply.items[0]),
	messages: ({ items: messages, ...rest }) => json({ ...rest, messages }),
	data: ({ items: data, ...rest }) => json({ ...rest, data }),
	snake: (reply) => json(keyCase.snake(reply)),
	uuid: eachItem(({ messageUuid: uuid }) => ({ uuid })),
	idsOnly: eachItem((item) => without(item, 'code')),
	noIds: eachItem(withoutOwnId),
	reversed: (reply) => json({ ...reply, items: [...reply.items].reverse() }),
	// The first item is missing, so that matching by position gets every other item wrong.
	fewer: (reply) => json({ ...reply, items: reply.items.slice(1) }),
	emptyObject: () => json({}),
	emptyArray: () => json([]),
	empty202: () => ({ status: 202 }),
	noContent,
	text: () => ({ status: 200, text: 'OK' }),
	errorBody: () => errorBody,
	errorsTrue: () => json({ errors: true }),
} satisfies Record<string, (reply: Sent) => Shaped>;

export const listEnvelope = {
	items: json,
	array: (reply) => json(reply.items),
	data: ({ items: data, ...rest }) => json({ ...rest, data }),
	results: ({ items: results, ...rest }) => json({ ...rest, results }),
	noTotal: (reply) => json(without(reply, 'total')),
	totalAsText: (reply) => json({ ...reply, total: String(reply.total) }),
	emptyObject: () => json({}),
	itemsNull: (reply) => json({ ...reply, items: null }),
	errorBody: () => errorBody,
	emptyWithTotal: (reply) => json({ ...reply, total: Math.max(reply.total, 7), items: [] }),
	// One list is complete and the other isn't. The response doesn't say which.
	twoLists: (reply) => json({ ...reply, items: reply.items.slice(1), data: reply.items }),
} satisfies Record<string, (reply: List) => Shaped>;

export const createReply = {
	contract: json,
	emptyObject: () => json({}),
	emptyArray: () => json([]),
	errorBody: () => errorBody,
	noId: (reply) => json(without(reply, 'id')),
	otherId: (reply, otherId) => json({ ...reply, id: otherId() }),
	textId: (reply) => json({ ...reply, id: String(reply.id) }),
	noMessages: (reply) => json(without(reply, 'messages')),
	noCounts: (reply) => json(without(reply, 'total', 'success', 'failed')),
	snake: (reply) => json(keyCase.snake(reply)),
	wrapped: (reply) => json({ data: reply }),
	noContent,
} satisfies Record<string, (reply: Created, otherId: () => number) => Shaped>;

export const moveReply = {
	contract: json,
	emptyObject: () => json({}),
	stillCreated: ({ id }) => json({ id, status: 'CREATED' }),
	noStatus: ({ id }) => json({ id }),
	noContent,
	errorBody: () => errorBody,
} satisfies Record<string, (reply: Moved) => Shaped>;

export const priceEstimate = {
	number: (price) => price,
	missing: () => undefined,
	null: () => null,
	commaText: (price) => price.toFixed(2).replace('.', ','),
	text: (price) => price.toFixed(2),
	object: (total) => ({ total, currency }),
	nan: () => 'NaN',
} satisfies Record<string, (price: number) => unknown>;

/** How often a price is charged. The contract calls it "the price per message". */
export const charges = {
	message: () => 1,
	part: (parts) => parts,
} satisfies Record<string, (parts: number) => number>;

type ReadValues = (
	values: readonly unknown[],
	name: string,
) => readonly unknown[] | 'everything' | 'nothing';

const last: ReadValues = (values) => values.slice(-1);
const refuse: ReadValues = (values, name) => {
	throw badRequest(`${name}: was given ${values.length} times`);
};

/** How a repeated filter of `GET /v1/message` is read: as these values, or as a match for everything or nothing. */
export const repeatedFilters = {
	any: (values) => values,
	first: (values) => values.slice(0, 1),
	last,
	refuse,
	ignored: () => 'everything',
	none: () => 'nothing',
} satisfies Record<string, ReadValues>;

/** The same for a filter that the service reads once. */
export const repeatedSingles = { refuse, last } satisfies Record<string, ReadValues>;
