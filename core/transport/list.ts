import type { Endpoint, Listing, Paging, RequestOf } from '../contract/endpoint';
import { connect, type Caller } from './connection';
import { ServiceError } from './errors';
import { toShowable } from './redact';
import { describeShape, readList, type ReadList } from './replyShape';
import { sendMeasured, type SendOptions } from './send';
import type { Problem } from './types';

interface ListOptions extends SendOptions {
	/** The maximum number of entries; all if missing. */
	limit?: number;
	/** How many entries to request at a time. */
	pageSize?: number;
	/** Stops after the first entry for which this returns true. */
	until?: (entry: Item) => boolean;
	/** Called with the total number of entries every time the service reports it. */
	onTotal?: (total: number) => void;
}

/** An endpoint whose response is a list. */
type ListEndpoint = Endpoint & { readonly paging: Listing };
type Item = Record<string, unknown>;

const usualSize = 100;
/** Enough to hide the latency of single pages, and few enough not to overload a service. */
const pagesAtATime = 4;
/** List size is limited, because a faulty service may return pages without end. n8n couldn't keep more entries in memory. */
const mostItems = 1_000_000;
const mostBytes = 512 * 1024 * 1024;

/**
 * Receives pages in order and passes on each entry once, even if it moved to a later page while the list was read. Stores only the
 * keys of entries.
 */
class Intake {
	/** How many entries were passed on. */
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
		for (const entry of entries) {
			if (this.isFull) break;
			// If the entry has no key field, the whole entry is its key.
			if (!this.isNew(entry[this.key] ?? JSON.stringify(entry))) continue;
			this.onEntry(entry);
			this.count++;
			this.isFull = this.count >= this.limit || this.until(entry);
			added++;
		}
		return added;
	}
}

/** The response contains no list, or only a part of it. This is an error, because treating it as an empty list could send twice. */
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

/** Page sizes to try, the largest first, because the contract doesn't say which sizes a service accepts. */
const sizesFor = ({ defaultSize }: Paging, wanted: number): number[] => {
	return [...new Set([wanted, usualSize, defaultSize, 10])].filter((size) => size <= wanted);
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
		// The paging parameters are the endpoint's own, so the request still has the endpoint's type.
		const { reply, bytes } = await sendMeasured(caller, endpoint, full as RequestOf<E>, options);
		this.bytes += bytes;
		if (this.bytes > mostBytes) throw endless(endpoint);
		const page = readList(reply);
		// A list without a total is shown nowhere for the partner API. Elsewhere, an empty one could be any odd response.
		const isFirst = query.page === 1;
		const isEmpty = page?.entries.length === 0;
		const needsTotal =
			endpoint.paging !== 'whole' && (endpoint.api === 'partner' || (isFirst && isEmpty));
		if (page === undefined || (needsTotal && page.total === undefined))
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
 * Reads a list page by page and passes on its entries in order, so that a long list doesn't have to fit into memory. Reads the
 * first page alone, because it reports the total, then several pages at a time. Stops at the total of the newest page, so the list
 * may grow or shrink in the meantime. Without a total it stops at a page without new entries; a short page isn't the end, because
 * the service may limit the page size. A list that ends before its total is an error, because entries are missing.
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
	// If the first page isn't full although there are more entries, its size is the service's real page size.
	const size = count > 0 && count < asked ? count : asked;
	const window = Math.floor((paging.window ?? Infinity) / size) * size;
	let total = first.total ?? Infinity;
	let least = first.total ?? 0;
	let idlePages = count === 0 ? pagesAtATime : 0;
	const isOver = () => intake.isFull || idlePages >= (total === Infinity ? 1 : pagesAtATime);
	// A short first page without a total may be the last one, so the next pages are read one at a time.
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
			const added = intake.add(page.entries);
			// A page that repeats earlier entries isn't the end of a list: the service may ignore the page number.
			if (added === 0 && page.entries.length > 0 && page.total === undefined && !intake.isFull) {
				throw await unreadable(caller, endpoint, 'shortList', 'the same page twice');
			}
			idlePages = added === 0 ? idlePages + 1 : 0;
			if (page.total !== undefined) {
				total = page.total;
				least = Math.min(least, page.total);
			}
			if (page.entries.length === 0) idlePages = pagesAtATime;
			if (intake.count > mostItems) throw endless(endpoint);
		}
	}
	const { count: received, isFull } = intake;
	if (!isFull && received < Math.min(least, limit, window)) {
		throw await unreadable(caller, endpoint, 'shortList', `${received} of ${least} entries`);
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

/** The first entry of a list that fits, for entries that the service can't return directly. */
export const find = async <E extends ListEndpoint>(
	caller: Caller,
	endpoint: E,
	request: RequestOf<E>,
	fits: (entry: Item) => boolean,
): Promise<Item | undefined> => {
	const entries = await list(caller, endpoint, request, { until: fits });
	return entries.find(fits);
};
