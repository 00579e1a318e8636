import { z } from '../../vendor/zod';

export type Fields = z.ZodObject<z.ZodRawShape, z.UnknownKeysParam>;

/** How a list is cut into pages. The service names the size `per_page` for companies and `perPage` elsewhere. */
export interface Paging {
	readonly number: string;
	readonly size: string;
	readonly defaultSize: number;
	/** The field that tells one entry of the list from another. */
	readonly key: string;
	/** The largest `page × size` the service answers, where it has one. */
	readonly window?: number;
}

/** A list comes page by page, or whole in one reply. */
export type Listing = Paging | 'whole';

/**
 * One call of the service, once: the nodes send by it, the sandbox answers by it, the tests check it against the
 * written contract.
 */
export interface Endpoint<
	Path extends Fields | undefined = Fields | undefined,
	Query extends Fields | undefined = Fields | undefined,
	Body extends z.ZodTypeAny | undefined = z.ZodTypeAny | undefined,
	Reply extends z.ZodTypeAny = z.ZodTypeAny,
	Pages extends Listing | undefined = Listing | undefined,
> {
	readonly api: 'partner' | 'messaging';
	readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	/** As the contract writes it, with `{name}` for path parameters. */
	readonly path: string;
	readonly auth: 'none' | 'credential';
	/** Why we believe that it exists, where the published interface shows no method and path for it. */
	readonly assumed?: string;
	/** The field of the credential that can hold another path, for what is only assumed. */
	readonly pathSetting?: string;
	/**
	 * Whether carrying the call out twice leaves the service as carrying it out once. Only such calls may be
	 * repeated when the outcome of the first is unknown.
	 */
	readonly repeatable: boolean;
	readonly encoding: 'json' | 'multipart' | 'none';
	readonly status: 200 | 201;
	readonly replyType: 'json' | 'text' | 'any';
	readonly pathParams: Path;
	readonly query: Query;
	readonly body: Body;
	readonly reply: Reply;
	/** Only for lists. */
	readonly paging: Pages;
}

interface EndpointDraft<
	Path extends Fields | undefined,
	Query extends Fields | undefined,
	Body extends z.ZodTypeAny | undefined,
	Reply extends z.ZodTypeAny,
	Pages extends Listing | undefined,
> {
	method: Endpoint['method'];
	path: string;
	assumed?: string;
	pathSetting?: string;
	reply: Reply;
	pathParams?: Path;
	query?: Query;
	body?: Body;
	auth?: Endpoint['auth'];
	repeatable?: boolean;
	encoding?: Endpoint['encoding'];
	status?: Endpoint['status'];
	replyType?: Endpoint['replyType'];
	paging?: Pages;
}

const endpointOf =
	(api: Endpoint['api']) =>
	<
		Reply extends z.ZodTypeAny,
		Path extends Fields | undefined = undefined,
		Query extends Fields | undefined = undefined,
		Body extends z.ZodTypeAny | undefined = undefined,
		Pages extends Listing | undefined = undefined,
	>(
		draft: EndpointDraft<Path, Query, Body, Reply, Pages>,
	): Endpoint<Path, Query, Body, Reply, Pages> => ({
		auth: 'credential',
		repeatable: draft.method !== 'POST',
		encoding: draft.body === undefined ? 'none' : 'json',
		status: 200,
		replyType: 'json',
		...draft,
		api,
		// An absent part of the draft is `undefined`, which is what its type parameter says then.
		pathParams: draft.pathParams as Path,
		query: draft.query as Query,
		body: draft.body as Body,
		paging: draft.paging as Pages,
	});

export const partnerEndpoint = endpointOf('partner');
export const messagingEndpoint = endpointOf('messaging');

/** A call that the contract does not have. What it answers is not known, and neither is what it takes. */
export const customEndpoint = <Pages extends Listing | undefined = undefined>(
	api: Endpoint['api'],
	method: Endpoint['method'],
	path: string,
	{ encoding = 'json', paging }: { encoding?: Endpoint['encoding']; paging?: Pages } = {},
) =>
	({ partner: partnerEndpoint, messaging: messagingEndpoint })[api]({
		method,
		// Braces mark parameters in the contract's paths; here they are meant as they are.
		path: path.replaceAll('{', '%7B').replaceAll('}', '%7D'),
		repeatable: method !== 'POST' && method !== 'PATCH',
		replyType: 'any',
		query: z.object({}).passthrough(),
		body: z.unknown(),
		reply: z.unknown(),
		encoding,
		paging,
	});

type Input<S> = S extends z.ZodTypeAny ? z.input<S> : never;

/** What a caller must give for an endpoint: exactly the parts it has. */
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
 * A body that was built and checked piece by piece already (a bulk send), as the bytes that travel: what it was made of need
 * not be kept while the service works.
 */
export class WrittenBody<Body> {
	/** Only for the compiler: what it says. */
	declare readonly says?: Body;

	readonly bytes: Buffer;

	constructor(body: Body) {
		this.bytes = Buffer.from(JSON.stringify(body));
	}
}

/** The same with its body written already. */
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

/** What a caller gets: the reply, or the entries of all pages where it is a list. */
export type ResultOf<E extends Endpoint> = E['paging'] extends Listing
	? Array<EntryOf<ReplyOf<E>>>
	: ReplyOf<E>;
