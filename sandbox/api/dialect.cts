import type { Endpoint } from '../../core/contract/endpoint';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { z } from '../../vendor/zod';
import * as shapes from './dialectShapes.cts';
import type { Created, List, Moved, Priced, Row, Shaped, Sent } from './dialectShapes.cts';
import { singleFilters, type Filters } from './messaging/calls.cts';

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** Every endpoint as `emptyReplies` names it. */
export const endpointNames: readonly string[] = [
	...Object.values(partner),
	...Object.values(messaging),
].map(nameOf);

// Object.keys returns string[] and loses the names in the type.
const optionsOf = <Name extends string>(table: Record<Name, unknown>) =>
	Object.keys(table) as [Name, ...Name[]];

/** The members with a fixed set of options. The first option is the default. */
export const dialectOptions = {
	sendReply: optionsOf(shapes.sendReply),
	listEnvelope: optionsOf(shapes.listEnvelope),
	keyCase: optionsOf(shapes.keyCase),
	ownIds: optionsOf(shapes.ownIds),
	repeatedFilters: optionsOf(shapes.repeatedFilters),
	repeatedSingles: optionsOf(shapes.repeatedSingles),
	createReply: optionsOf(shapes.createReply),
	appendReply: optionsOf(shapes.createReply),
	moveReply: optionsOf(shapes.moveReply),
	priceEstimate: optionsOf(shapes.priceEstimate),
	charges: optionsOf(shapes.charges),
} as const;

/** Not 204 or 205, which have no body: `emptyReplies` is for that. */
const SuccessStatus = z
	.number()
	.int()
	.min(200)
	.max(299)
	.refine((status) => status !== 204 && status !== 205, 'has no body');

/**
 * How the sandbox responds where the service may respond differently than we expect. It changes only the response, and
 * with `charges` also the price: whatever the response looks like, the request is processed exactly once. A missing member
 * has its default.
 */
export const Dialect = z
	.object({
		/** The response to sending messages and cascades. */
		sendReply: z.enum(dialectOptions.sendReply).default('items'),
		/** The lists that have an envelope: messages of both APIs, companies, dispatches. */
		listEnvelope: z.enum(dialectOptions.listEnvelope).default('items'),
		/** The keys of message objects and of the responses to sending and stopping. */
		keyCase: z.enum(dialectOptions.keyCase).default('camel'),
		/** `externalMessageId`: shown and found, only found, or neither. */
		ownIds: z.enum(dialectOptions.ownIds).default('kept'),
		/** A repeatable filter of `GET /v1/message` that is given more than once, except `direction`. */
		repeatedFilters: z.enum(dialectOptions.repeatedFilters).default('any'),
		/** A filter that is read once, such as `country_code`, and is given more than once. */
		repeatedSingles: z.enum(dialectOptions.repeatedSingles).default('refuse'),
		/** How long a new message or dispatch is missing from the lists, in virtual milliseconds. */
		indexLagMs: z.number().int().nonnegative().default(0),
		/** The largest page, and what happens to a request for a larger one. */
		pageSize: z
			.object({
				most: z.number().int().positive().nullable().default(null),
				mode: z.enum(['cut', 'refuse']).default('cut'),
			})
			.strict()
			.default({}),
		/** Endpoints such as `PUT /recipients` that respond with 204 and no body. */
		emptyReplies: z
			.array(z.string().refine((name) => endpointNames.includes(name), 'is not an endpoint'))
			.default([]),
		/** The status of every successful JSON response, or null for the contract's. */
		successStatus: SuccessStatus.nullable().default(null),
		createReply: z.enum(dialectOptions.createReply).default('contract'),
		appendReply: z.enum(dialectOptions.appendReply).default('contract'),
		/** The response to starting and stopping a dispatch. */
		moveReply: z.enum(dialectOptions.moveReply).default('contract'),
		/** Of a dispatch that is read or listed. In the response to creating one, it is always an object. */
		priceEstimate: z.enum(dialectOptions.priceEstimate).default('number'),
		/** What a tariff's price applies to: a message, as the contract says, or each of its parts. */
		charges: z.enum(dialectOptions.charges).default('message'),
	})
	.strict();
export type Dialect = z.output<typeof Dialect>;

/** `otherDispatch` returns the id of a different dispatch. */
type Shaper<Reply> = (
	reply: Reply,
	dialect: Dialect,
	otherDispatch: (id: number) => number,
) => Shaped;

const inCase = (shaped: Shaped, { keyCase }: Dialect): Shaped =>
	shaped.json === undefined || shaped === shapes.errorBody
		? shaped
		: { ...shaped, json: shapes.keyCase[keyCase](shaped.json) };

const withOwnIds = <Reply extends Sent>(reply: Reply, { ownIds }: Dialect): Reply => ({
	...reply,
	items: reply.items.map(shapes.ownIds[ownIds]),
});

/** JSON leaves out `undefined` values. */
const withEstimate = (dispatch: Priced, dialect: Dialect) => ({
	...dispatch,
	priceEstimate: shapes.priceEstimate[dialect.priceEstimate](dispatch.priceEstimate),
});

const sent: Shaper<Sent> = (reply, dialect) => {
	const shaped = shapes.sendReply[dialect.sendReply](withOwnIds(reply, dialect));
	return dialect.sendReply === 'snake' ? shaped : inCase(shaped, dialect);
};
const list: Shaper<List> = (reply, { listEnvelope }) => shapes.listEnvelope[listEnvelope](reply);
const move: Shaper<Moved> = (reply, { moveReply }) => shapes.moveReply[moveReply](reply);

/** The endpoints that have a dialect. */
const shapers: Readonly<Record<string, Shaper<never> | undefined>> = {
	[nameOf(messaging.messageSend)]: sent,
	[nameOf(messaging.cascadeSend)]: sent,
	[nameOf(messaging.messageStop)]: (reply: Sent, dialect) =>
		inCase({ json: withOwnIds(reply, dialect) }, dialect),
	[nameOf(messaging.messageGet)]: (reply: Row, dialect) =>
		inCase({ json: shapes.ownIds[dialect.ownIds](reply) }, dialect),
	[nameOf(messaging.verificationSend)]: (reply: object, dialect) =>
		inCase({ json: reply }, dialect),
	[nameOf(messaging.messageList)]: (reply: List, dialect) =>
		inCase(shapes.listEnvelope[dialect.listEnvelope](withOwnIds(reply, dialect)), dialect),
	[nameOf(partner.companyList)]: list,
	[nameOf(partner.messageList)]: list,
	[nameOf(partner.dispatchList)]: (reply: List<Priced>, dialect) =>
		shapes.listEnvelope[dialect.listEnvelope]({
			...reply,
			items: reply.items.map((dispatch) => withEstimate(dispatch, dialect)),
		}),
	[nameOf(partner.dispatchGet)]: (reply: Priced, dialect) => ({
		json: withEstimate(reply, dialect),
	}),
	[nameOf(partner.dispatchCreate)]: (reply: Created, { createReply }, otherDispatch) =>
		shapes.createReply[createReply](reply, () => otherDispatch(reply.id)),
	[nameOf(partner.dispatchAppend)]: (reply: Created, { appendReply }, otherDispatch) =>
		shapes.createReply[appendReply](reply, () => otherDispatch(reply.id)),
	[nameOf(partner.dispatchStart)]: move,
	[nameOf(partner.dispatchStop)]: move,
};

/** Turns the contract's reply into this dialect's response, after the request was processed. */
export const shapeReply = (
	dialect: Dialect,
	endpoint: Endpoint,
	reply: unknown,
	otherDispatch: (id: number) => number,
): Shaped & { status: number } => {
	const { status, replyType } = endpoint;
	const name = nameOf(endpoint);
	if (dialect.emptyReplies.includes(name)) return { status: 204 };
	if (replyType === 'text') return { status, text: String(reply) };
	// Each entry accepts what the handler of its endpoint returns.
	const shaped = shapers[name]?.(reply as never, dialect, otherDispatch) ?? { json: reply };
	const usual = shaped.json === undefined ? status : (dialect.successStatus ?? status);
	return { status: usual, ...shaped };
};

/** How often a message with this many parts pays its tariff's price. */
export const timesCharged = ({ charges }: Dialect, parts: number): number =>
	shapes.charges[charges](parts);

/** The filters as this dialect reads them, or `undefined` if nothing matches. */
export const readFilters = (
	{ repeatedFilters, repeatedSingles }: Dialect,
	filters: Filters,
): Filters | undefined => {
	const read: Record<string, unknown> = { ...filters };
	for (const [name, values] of Object.entries(filters)) {
		if (name === 'direction' || !Array.isArray(values) || values.length < 2) continue;
		const readValues = singleFilters.has(name)
			? shapes.repeatedSingles[repeatedSingles]
			: shapes.repeatedFilters[repeatedFilters];
		const left = readValues(values, name);
		if (left === 'nothing') return undefined;
		read[name] = left === 'everything' ? undefined : left;
	}
	// Each filter has some of its own values, or is undefined.
	return read as Filters;
};

/** Whether lists already show it. */
export const isIndexed = (
	{ indexLagMs }: Dialect,
	{ createdAt }: { createdAt: number },
	now: number,
): boolean => createdAt + indexLagMs <= now;
