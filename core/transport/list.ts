import { createHash } from 'crypto';
import type { Endpoint, Listing, Paging, RequestOf } from '../contract/endpoint';
import { connect, type Caller } from './connection';
import { ServiceError } from './errors';
import { toShowable } from './redact';
import { describeShape, readList, type ReadList } from './replyShape';
import { sendMeasured, type SendOptions } from './send';
import type { Problem } from './types';

interface ListOptions extends SendOptions {
	/** At most this many items; everything when left out. */
	limit?: number;
	/** How many to ask for at a time. */
	pageSize?: number;
	/** Stops behind the first entry that fits. */
	until?: (entry: Item) => boolean;
	/** Told how many there are, every time the service says so. */
	onTotal?: (total: number) => void;
}

/** An endpoint whose reply is a list. */
type ListEndpoint = Endpoint & { readonly paging: Listing };
type Item = Record<string, unknown>;

const usualSize = 100;
/** Enough to hide the latency of single pages, few enough for a service to tolerate. */
const pagesAtATime = 4;
/** More than n8n can hold in memory; only a service that makes entries up has so many. */
const mostItems = 1_000_000;
const mostBytes = 512 * 1024 * 1024;

const digestOf = (entries: readonly Item[]): string =>
	createHash('sha256').update(JSON.stringify(entries)).digest('base64');

/**
 * Takes pages in order and hands each entry on, keeping only what tells it from the others. An entry that moved to a later page
 * while the list was read is handed on once.
 */
class Intake {
	/** How many entries were handed on. */
	count = 0;

	isFull = false;

	private readonly seen = new Set<unknown>();

	constructor(
		private readonly key: string,
		private readonly limit: number,
		private readonly until: (entry: Item) => boolean,
		private readonly onEntry: (entry: Item) => void,
	) {}

	private isNew(id: unknown): boolean {
		if (this.seen.has(id)) return false;
		this.seen.add(id);
		return true;
	}

	/** How many entries were new. */
	add(entries: readonly Item[]): number {
		let added = 0;
		// Where nothing tells entries apart, equal ones may be meant: only a whole page that came before is none.
		if (this.key === '' && !this.isNew(digestOf(entries))) return 0;
		for (const entry of entries) {
			if (this.isFull) break;
			// Without the field that tells entries apart, the whole entry does.
			if (this.key !== '' && !this.isNew(entry[this.key] ?? JSON.stringify(entry))) continue;
			this.onEntry(entry);
			this.count++;
			this.isFull = this.count >= this.limit || this.until(entry);
			added++;
		}
		return added;
	}
}

/** A reply that holds no list, or not all of it. It is an error: whoever takes it for an empty list sends twice. */
const unreadable = async (
	caller: Caller,
	endpoint: Endpoint,
	reply: Problem['reply'],
	found: string,
): Promise<ServiceError> => {
	const secrets = (await connect(caller, endpoint.api)).secrets();
	return new ServiceError(
		{ status: 200, reply, found: toShowable(found, secrets) },
		'refused',
		endpoint,
	);
};

/** Sizes to ask for, the largest first: which one a service still accepts is not in the contract. */
const sizesFor = ({ defaultSize }: Paging, wanted: number): number[] => {
	return [...new Set([wanted, defaultSize, 10])].filter((size) => size <= wanted);
};

const isTooLarge = (error: unknown) =>
	error instanceof ServiceError && (error.problem.status === 400 || error.problem.status === 422);

/** Reads the pages of one list. */
class PageReader<E extends ListEndpoint> {
	private bytes = 0;

	constructor(
		private readonly caller: Caller,
		private readonly endpoint: E,
		private readonly request: RequestOf<E>,
		private readonly options: SendOptions & Pick<ListOptions, 'onTotal'>,
	) {}

	async fetch(query: Record<string, number>): Promise<ReadList> {
		const { caller, endpoint, request } = this;
		const { onTotal, ...options } = this.options;
		const full = { ...request, query: { ...request.query, ...query } };
		// The paging parameters come from the endpoint's own description, so the request stays one of its kind.
		const { reply, bytes } = await sendMeasured(caller, endpoint, full as RequestOf<E>, options);
		this.bytes += bytes;
		if (this.bytes > mostBytes) throw endless(endpoint);
		const page = readList(reply);
		if (page === undefined)
			throw await unreadable(caller, endpoint, 'noList', describeShape(reply));
		if (page.total !== undefined) onTotal?.(page.total);
		return page;
	}

	/** The first page, and the size the service accepts. */
	async fetchFirst(paging: Paging, wanted: number): Promise<{ page: ReadList; size: number }> {
		const [largest = 1, ...smaller] = sizesFor(paging, wanted);
		const ask = async (size: number) => ({
			page: await this.fetch({ [paging.number]: 1, [paging.size]: size }),
			size,
		});
		let first = ask(largest);
		for (const size of smaller) {
			first = first.catch(async (error: unknown) => {
				if (isTooLarge(error)) return await ask(size);
				throw error;
			});
		}
		return await first;
	}
}

const endless = (endpoint: Endpoint) =>
	new ServiceError({ status: 200, reply: 'endless' }, 'refused', endpoint);

/**
 * Reads a list page by page and hands its entries on as they come, so that a long list need not fit into memory: the first page
 * alone, because it tells the total, then several at a time. The order is kept. It ends at the total of the newest page, so
 * that a list may grow or shrink meanwhile. Without a total it ends at a page that brings nothing new: a short page may be all
 * that the service gives at a time. A list that ends before its total is an error: what was handed on is not all of it then.
 */
export const visit = async <E extends ListEndpoint>(
	caller: Caller,
	endpoint: E,
	request: RequestOf<E>,
	onEntry: (entry: Item) => void,
	{ limit = Infinity, pageSize = usualSize, until = () => false, ...options }: ListOptions = {},
): Promise<void> => {
	const { paging } = endpoint;
	const reader = new PageReader(caller, endpoint, request, options);
	if (paging === 'whole') {
		for (const entry of (await reader.fetch({})).entries) onEntry(entry);
		return;
	}
	const intake = new Intake(paging.key, limit, until, onEntry);

	const { page: first, size: asked } = await reader.fetchFirst(paging, Math.min(pageSize, limit));
	intake.add(first.entries);
	const count = first.entries.length;
	// A first page that is not full although there is more shows the size the service really gives.
	const size = count > 0 && count < asked ? count : asked;
	const window = Math.floor((paging.window ?? Infinity) / size) * size;
	let total = first.total ?? Infinity;
	let least = first.total ?? 0;
	let idlePages = count === 0 ? pagesAtATime : 0;
	const isOver = () => intake.isFull || idlePages >= (total === Infinity ? 1 : pagesAtATime);
	// One page too many costs little; a short page without a total may be the last one.
	const atATime = first.total === undefined && count < asked ? 1 : pagesAtATime;
	for (let next = 2; !isOver() && (next - 1) * size < Math.min(total, limit, window); ) {
		const last = Math.ceil(Math.min(total, limit, window) / size);
		const numbers = [];
		while (numbers.length < atATime && next <= last) numbers.push(next++);
		const pages = await Promise.all(
			numbers.map(
				async (number) => await reader.fetch({ [paging.number]: number, [paging.size]: size }),
			),
		);
		for (const page of pages) {
			idlePages = intake.add(page.entries) === 0 ? idlePages + 1 : 0;
			if (page.total !== undefined) {
				total = page.total;
				least = Math.min(least, page.total);
			}
			if (page.entries.length === 0) idlePages = pagesAtATime;
			if (intake.count > mostItems) throw endless(endpoint);
		}
	}
	const { count: taken, isFull } = intake;
	if (!isFull && taken < Math.min(least, limit, window)) {
		throw await unreadable(caller, endpoint, 'shortList', `${taken} of ${least} entries`);
	}
};

/** All entries of a list at once. */
export const list = async <E extends ListEndpoint>(
	caller: Caller,
	endpoint: E,
	request: RequestOf<E>,
	options?: ListOptions,
): Promise<Item[]> => {
	const entries: Item[] = [];
	await visit(caller, endpoint, request, (entry) => entries.push(entry), options);
	return entries;
};

/** The first entry of a list that fits, for what the service cannot be asked for directly. */
export const find = async <E extends ListEndpoint>(
	caller: Caller,
	endpoint: E,
	request: RequestOf<E>,
	fits: (entry: Item) => boolean,
): Promise<Item | undefined> => {
	const entries = await list(caller, endpoint, request, { until: fits });
	return entries.find(fits);
};
