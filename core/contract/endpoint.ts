import type { z } from '../../vendor/zod';
import type { NeededKey } from './keys';
import { levelOf, shapeOf, sourceOf, type Level, type SourceName } from './provenance';

export type Fields = z.ZodObject<z.ZodRawShape, z.UnknownKeysParam>;

/** How a list is paged. The service calls the page size `per_page` for companies and `perPage` elsewhere. */
export interface Paging {
	readonly number: string;
	readonly size: string;
	readonly defaultSize: number;
	/** The field that identifies an entry of the list. */
	readonly key: string;
	/** The largest `page × size` that the service allows, if there is one. */
	readonly window?: number;
	/** Entries can't be deleted, so a page with a smaller total than another one is out of date. */
	readonly onlyGrows?: true;
	/** The response's shape is assumed: a bare list that is shorter than a page is complete. Nothing may be sent because of it. */
	readonly mayBeBare?: true;
}

/** A list comes page by page, or whole in one response. */
export type Listing = Paging | 'whole';

/**
 * The single definition of a call: the nodes send it, the sandbox responds to it, and the tests check it against the written
 * contract.
 */
export interface Endpoint {
	readonly api: 'partner' | 'messaging';
	readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** As in the contract, with `{name}` for path parameters. */
	readonly path: string;
	readonly auth: 'none' | 'credential';
	/** The type of API key it needs, on the messaging API. */
	readonly key?: NeededKey | 'any';
	/** Where its method and path come from, if the interface doesn't state them. */
	readonly source?: SourceName;
	/** The field of the credential that can replace the path, if the path isn't stated. */
	readonly pathSetting?: string;
	/**
	 * Whether carrying out the call twice has the same effect as once. Only such calls may be repeated when the outcome of the first
	 * is unknown.
	 */
	readonly repeatable: boolean;
	readonly encoding: 'json' | 'multipart' | 'none';
	readonly status: 200 | 201;
	/** `any`: the response isn't published and isn't needed, so the call isn't repeated to get another one. */
	readonly replyType: 'json' | 'text' | 'any';
	readonly pathParams?: Fields;
	readonly query?: Fields;
	readonly body?: z.ZodTypeAny;
	readonly reply: z.ZodTypeAny;
	/** Only for lists. */
	readonly paging?: Listing;
	/** The field of the response with the ID from the path, or from the same field of the body. */
	readonly idField?: string;
}

type EndpointDraft = Pick<Endpoint, 'reply'> & Partial<Omit<Endpoint, 'api' | 'method' | 'path'>>;

/** The endpoint with the types of its draft, and defaults for everything that the draft leaves out. */
const endpointOf =
	(api: Endpoint['api']) =>
	<const Draft extends EndpointDraft>(
		method: Endpoint['method'],
		path: string,
		draft: Draft,
	): Omit<Endpoint, keyof Draft> & Draft => ({
		api,
		method,
		path,
		auth: 'credential',
		repeatable: method !== 'POST',
		encoding: draft.body === undefined ? 'none' : 'json',
		status: 200,
		replyType: 'json',
		...draft,
	});

export const partnerEndpoint = endpointOf('partner');
export const messagingEndpoint = endpointOf('messaging');

type Input<S> = S extends z.ZodTypeAny ? z.input<S> : never;

/** What a caller must pass for an endpoint: exactly the parts that it has. */
export type RequestOf<E extends Endpoint> = (E['pathParams'] extends Fields
	? { path: Input<E['pathParams']> }
	: { path?: undefined }) &
	(E['query'] extends Fields
		? Record<string, never> extends Input<E['query']>
			? { query?: Input<E['query']> }
			: { query: Input<E['query']> }
		: { query?: undefined }) &
	(E['body'] extends z.ZodTypeAny
		? undefined extends Input<E['body']>
			? { body?: Input<E['body']> }
			: { body: Input<E['body']> }
		: { body?: undefined });

/**
 * A body that was already built and checked piece by piece (a bulk send), as bytes, so that its parts don't have to stay in memory
 * while the service works.
 */
export class WrittenBody<Body> {
	/** Only for the compiler: the type of the body. */
	declare readonly says?: Body;

	readonly bytes: Buffer;

	constructor(body: Body) {
		this.bytes = Buffer.from(JSON.stringify(body));
	}
}

/** The same with an already written body. */
export type WrittenRequestOf<E extends Endpoint> = Omit<RequestOf<E>, 'body'> & {
	body: WrittenBody<Input<E['body']>>;
};

export type ReplyOf<E extends Endpoint> = z.output<E['reply']>;

type EntryOf<Reply> = Reply extends
	| { items: Array<infer Entry> }
	| { tariffs: Array<infer Entry> }
	| { senderFees: Array<infer Entry> }
	| Array<infer Entry>
	? Entry
	: never;

/** What a caller gets: the response, or the entries of all pages if it is a list. */
export type ResultOf<E extends Endpoint> = E['paging'] extends Listing
	? Array<EntryOf<ReplyOf<E>>>
	: ReplyOf<E>;

const withInner = (field: z.ZodTypeAny): z.ZodTypeAny[] => [
	field,
	...Object.values(shapeOf(field)).flatMap(withInner),
];

/**
 * The level of a whole request. If the call itself is known and only some of its fields are assumed, at any depth, it is published: the
 * rest of the request is documented.
 */
export const levelOfRequest = ({ source, pathParams, query, body }: Endpoint): Level => {
	if (source !== undefined) return levelOf(source);
	const parts = [pathParams, query, body].flatMap((part) => part ?? []);
	const isStated = parts.flatMap(withInner).every((field) => sourceOf(field) === undefined);
	return isStated ? 'stated' : 'published';
};
