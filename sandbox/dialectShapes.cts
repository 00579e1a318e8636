import { badRequest } from './apiError.cts';
import { currency } from './money.cts';

/** What goes out: JSON, text, or no body at all. Without a status it is the usual one. */
export interface Said {
	status?: number;
	json?: unknown;
	text?: string;
}

type Row = Record<string, unknown>;
export type Sent = Row & { items: Row[] };
export type List<Item extends Row = Row> = Row & { total: number; items: Item[] };
/** The reply to creating and to appending. */
export type Created = Row & { id: number };
export type Moved = Row & { id: number };
export type Priced = Row & { priceEstimate: number };

const json = (value: unknown): Said => ({ json: value });
const noContent = (): Said => ({ status: 204 });
/** The contract shows this body, so no dialect changes its keys. */
export const errorBody: Said = json({ error: { code: 5000, msg: 'Something went wrong' } });

const without = (row: Row, ...names: string[]): Row =>
	Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

type Rename = (name: string) => string;
/** The content of a message is what the user sent: its keys stay. */
const ofTheUser = 'content';

const renamed = (value: unknown, rename: Rename): unknown => {
	if (Array.isArray(value)) return value.map((element) => renamed(element, rename));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [
			rename(name),
			name === ofTheUser ? inner : renamed(inner, rename),
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
/** What an item shows. Whether a filter finds it is decided where messages are listed. */
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
	// The first one, so that whoever goes by the place gets every other one wrong.
	fewer: (reply) => json({ ...reply, items: reply.items.slice(1) }),
	emptyObject: () => json({}),
	emptyArray: () => json([]),
	empty202: () => ({ status: 202 }),
	noContent,
	text: () => ({ status: 200, text: 'OK' }),
	errorBody: () => errorBody,
	errorsTrue: () => json({ errors: true }),
} satisfies Record<string, (reply: Sent) => Said>;

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
	// One list is complete, the other is not, and nothing says which.
	twoLists: (reply) => json({ ...reply, items: reply.items.slice(1), data: reply.items }),
} satisfies Record<string, (reply: List) => Said>;

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
} satisfies Record<string, (reply: Created, otherId: () => number) => Said>;

export const moveReply = {
	contract: json,
	emptyObject: () => json({}),
	stillCreated: ({ id }) => json({ id, status: 'CREATED' }),
	noStatus: ({ id }) => json({ id }),
	noContent,
	errorBody: () => errorBody,
} satisfies Record<string, (reply: Moved) => Said>;

export const priceEstimate = {
	number: (price) => price,
	missing: () => undefined,
	null: () => null,
	commaText: (price) => price.toFixed(2).replace('.', ','),
	text: (price) => price.toFixed(2),
	object: (total) => ({ total, currency }),
	nan: () => 'NaN',
} satisfies Record<string, (price: number) => unknown>;

/** How often the price of a message is charged. The contract calls it "the price per message". */
export const charges = {
	message: () => 1,
	part: (parts) => parts,
} satisfies Record<string, (parts: number) => number>;

/** What is left of a filter of `GET /v1/message` that was repeated: its values, or whether everything or nothing matches. */
export const repeatedFilters = {
	any: (values) => values,
	first: (values) => values.slice(0, 1),
	last: (values) => values.slice(-1),
	refuse: (values, name) => {
		throw badRequest(`${name}: was given ${values.length} times`);
	},
	ignored: () => 'everything',
	none: () => 'nothing',
} satisfies Record<
	string,
	(values: readonly unknown[], name: string) => readonly unknown[] | 'everything' | 'nothing'
>;
