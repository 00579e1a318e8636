import type { Endpoint } from '../core/contract/endpoint';
import { messaging } from '../core/contract/messaging';
import { partner } from '../core/contract/partner';
import { z } from '../vendor/zod';
import * as shapes from './dialectShapes.cts';
import type { Created, List, Moved, Priced, Said, Sent } from './dialectShapes.cts';
import type { Filters } from './messaging/calls.cts';

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

/** Every endpoint as `emptyReplies` names it. */
export const endpointNames: readonly string[] = [
	...Object.values(partner),
	...Object.values(messaging),
].map(nameOf);

// Object.keys forgets the names that the type knows.
const optionsOf = <Name extends string>(table: Record<Name, unknown>) =>
	Object.keys(table) as [Name, ...Name[]];

/** The members that are a choice, with their options in order: the first is the default. */
export const dialectOptions = {
	sendReply: optionsOf(shapes.sendReply),
	listEnvelope: optionsOf(shapes.listEnvelope),
	keyCase: optionsOf(shapes.keyCase),
	ownIds: optionsOf(shapes.ownIds),
	repeatedFilters: optionsOf(shapes.repeatedFilters),
	createReply: optionsOf(shapes.createReply),
	appendReply: optionsOf(shapes.createReply),
	moveReply: optionsOf(shapes.moveReply),
	priceEstimate: optionsOf(shapes.priceEstimate),
	charges: optionsOf(shapes.charges),
} as const;

/** 204 and 205 have no body: `emptyReplies` is for them. */
const SuccessStatus = z
	.number()
	.int()
	.min(200)
	.max(299)
	.refine((status) => status !== 204 && status !== 205, 'has no body');

/**
 * How the sandbox answers where the service may answer otherwise than we think. It changes only what is said, and with
 * `charges` what is paid: the request is carried out exactly once, whatever the answer looks like. A member that is not
 * given is as by default.
 */
export const Dialect = z
	.object({
		/** The answer to sending messages and cascades. */
		sendReply: z.enum(dialectOptions.sendReply).default('items'),
		/** The lists that have an envelope: messages of both APIs, companies, dispatches. */
		listEnvelope: z.enum(dialectOptions.listEnvelope).default('items'),
		/** The keys of message objects and of the answers to sending and stopping. */
		keyCase: z.enum(dialectOptions.keyCase).default('camel'),
		/** `externalMessageId`: shown and found, only found, or neither. */
		ownIds: z.enum(dialectOptions.ownIds).default('kept'),
		/** A filter of `GET /v1/message` that is given more than once; `direction` may always be. */
		repeatedFilters: z.enum(dialectOptions.repeatedFilters).default('any'),
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
		/** Endpoints such as `PUT /recipients` that answer 204 without a body. */
		emptyReplies: z
			.array(z.string().refine((name) => endpointNames.includes(name), 'is not an endpoint'))
			.default([]),
		/** The status of every successful answer in JSON; null: as the contract has it. */
		successStatus: SuccessStatus.nullable().default(null),
		createReply: z.enum(dialectOptions.createReply).default('contract'),
		appendReply: z.enum(dialectOptions.appendReply).default('contract'),
		/** The answer to starting and stopping a dispatch. */
		moveReply: z.enum(dialectOptions.moveReply).default('contract'),
		/** Of a dispatch that is read or listed; in the answer to creating it is an object anyway. */
		priceEstimate: z.enum(dialectOptions.priceEstimate).default('number'),
		/** What a price of a tariff is paid for: a message, as the contract says, or each of its parts. */
		charges: z.enum(dialectOptions.charges).default('message'),
	})
	.strict();
export type Dialect = z.output<typeof Dialect>;

/** `otherDispatch` is the id of a dispatch that is not the one the reply is about. */
type Speak<Reply> = (reply: Reply, dialect: Dialect, otherDispatch: (id: number) => number) => Said;

const inCase = (said: Said, { keyCase }: Dialect): Said =>
	said.json === undefined || said === shapes.errorBody
		? said
		: { ...said, json: shapes.keyCase[keyCase](said.json) };

const withOwnIds = <Reply extends Sent>(reply: Reply, { ownIds }: Dialect): Reply => ({
	...reply,
	items: reply.items.map(shapes.ownIds[ownIds]),
});

/** JSON leaves out what is `undefined`. */
const withEstimate = (dispatch: Priced, dialect: Dialect) => ({
	...dispatch,
	priceEstimate: shapes.priceEstimate[dialect.priceEstimate](dispatch.priceEstimate),
});

const sent: Speak<Sent> = (reply, dialect) => {
	const said = shapes.sendReply[dialect.sendReply](withOwnIds(reply, dialect));
	return dialect.sendReply === 'snake' ? said : inCase(said, dialect);
};
const list: Speak<List> = (reply, { listEnvelope }) => shapes.listEnvelope[listEnvelope](reply);
const move: Speak<Moved> = (reply, { moveReply }) => shapes.moveReply[moveReply](reply);

/** The endpoints that have a dialect. */
const speech: Readonly<Record<string, Speak<never> | undefined>> = {
	[nameOf(messaging.messageSend)]: sent,
	[nameOf(messaging.cascadeSend)]: sent,
	[nameOf(messaging.messageStop)]: (reply: Sent, dialect) =>
		inCase({ json: withOwnIds(reply, dialect) }, dialect),
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

/** What goes out instead of a reply as the contract has it, after the request was carried out. */
export const speak = (
	dialect: Dialect,
	endpoint: Endpoint,
	reply: unknown,
	otherDispatch: (id: number) => number,
): Said & { status: number } => {
	const { status, replyType } = endpoint;
	const name = nameOf(endpoint);
	if (dialect.emptyReplies.includes(name)) return { status: 204 };
	if (replyType === 'text') return { status, text: String(reply) };
	// What this endpoint's handler returns is what this endpoint's row takes.
	const said = speech[name]?.(reply as never, dialect, otherDispatch) ?? { json: reply };
	const usual = said.json === undefined ? status : (dialect.successStatus ?? status);
	return { status: usual, ...said };
};

/** How often a message of so many parts pays the price of its tariff. */
export const timesCharged = ({ charges }: Dialect, parts: number): number =>
	shapes.charges[charges](parts);

/** The filters as this dialect understands them; `undefined`: nothing matches. */
export const hear = ({ repeatedFilters }: Dialect, filters: Filters): Filters | undefined => {
	const heard: Record<string, unknown> = { ...filters };
	for (const [name, values] of Object.entries(filters)) {
		if (name === 'direction' || !Array.isArray(values) || values.length < 2) continue;
		const left = shapes.repeatedFilters[repeatedFilters](values, name);
		if (left === 'nothing') return undefined;
		heard[name] = left === 'everything' ? undefined : left;
	}
	// Each filter holds some of its own values, or none.
	return heard as Filters;
};

/** Whether a list knows it already. */
export const isIndexed = (
	{ indexLagMs }: Dialect,
	{ createdAt }: { createdAt: number },
	now: number,
): boolean => createdAt + indexLagMs <= now;
