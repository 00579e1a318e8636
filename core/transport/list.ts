import type { Endpoint, Listing, RequestOf } from '../contract/endpoint';
import type { Caller } from './connection';
import { ServiceError } from './outcome';
import { unreadable } from './readable';
import { readList, type ReadList } from './replyShape';
import { send, type SendOptions } from './send';
import type { Problem } from './types';

interface ListOptions extends Omit<SendOptions, 'onBytes'> {
	/** The maximum number of entries; all if missing. */
	limit?: number;
	/** How many entries to request at a time. */
	pageSize?: number;
	/** Stops after the first entry for which this returns true. */
	until?: (entry: Item) => boolean;
	/** Called if the service lists fewer entries than there are, and than `limit`. Without it, that is an error. */
	onCut?: (listable: number, total: number) => void;
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

const listError = (endpoint: Endpoint, reply: Problem['reply'], found?: string) =>
	new ServiceError({ status: 200, reply, found }, 'refused', endpoint);

const isTooLarge = (error: unknown) =>
	error instanceof ServiceError && (error.problem.status === 400 || error.problem.status === 422);

/**
 * Reads a list page by page and passes on its entries in order, so that a long list doesn't have to fit into memory. Reads the
 * first page alone, because it reports the total, then several pages at a time. Stops at the total of the newest page, so the list
 * may grow or shrink in the meantime. A short page isn't the end, because the service may limit the page size. A list that ends
 * before its total is an error, because entries are missing. So is one without a total: an empty one could be any odd response.
 */
export const visit = async <E extends ListEndpoint>(
	caller: Caller,
	endpoint: E,
	request: RequestOf<E>,
	onEntry: (entry: Item) => void,
	{ limit = Infinity, pageSize = usualSize, until, onCut, ...options }: ListOptions = {},
): Promise<void> => {
	const { paging } = endpoint;
	let bytes = 0;
	const onBytes = (more: number) => {
		bytes += more;
	};
	const fetchPage = async (query: Record<string, number>): Promise<Required<ReadList>> => {
		// The paging parameters are the endpoint's own, so the request still has the endpoint's type.
		const full = { ...request, query: { ...request.query, ...query } } as RequestOf<E>;
		const reply: unknown = await send(caller, endpoint, full, { ...options, onBytes });
		if (bytes > mostBytes) throw listError(endpoint, 'endless');
		const page = readList(reply);
		const isWhole = (count: number) =>
			paging === 'whole' ||
			(paging.mayBeBare === true &&
				Array.isArray(reply) &&
				(count < (query[paging.size] ?? 0) || count >= limit));
		if (page === undefined || (page.total === undefined && !isWhole(page.entries.length))) {
			throw unreadable(caller, endpoint, reply, 'noList');
		}
		const { entries, total = entries.length } = page;
		return { entries, total };
	};
	if (paging === 'whole') {
		for (const entry of (await fetchPage({})).entries) onEntry(entry);
		return;
	}

	const seen = new Set<unknown>();
	let isFull = false;
	/** Passes on each entry once, even if it moved to a later page while the list was read. Returns how many were new. */
	const passOn = (entries: readonly Item[]): number => {
		const before = seen.size;
		for (const entry of entries) {
			if (isFull) break;
			// If the entry has no key field, the whole entry is its key.
			const key = entry[paging.key] ?? JSON.stringify(entry);
			if (seen.has(key)) continue;
			seen.add(key);
			onEntry(entry);
			isFull = seen.size >= limit || until?.(entry) === true;
		}
		return seen.size - before;
	};

	// The contract doesn't say which page sizes a service accepts, so smaller ones are tried if it rejects the first.
	const sizes = [usualSize, paging.defaultSize, 10];
	let asked = Math.min(pageSize, limit);
	let first: Required<ReadList> | undefined;
	while (first === undefined) {
		const query = { [paging.number]: 1, [paging.size]: asked };
		first = await fetchPage(query).catch((error: unknown) => {
			const smaller = sizes.find((size) => size < asked);
			if (smaller === undefined || !isTooLarge(error)) throw error;
			asked = smaller;
			return undefined;
		});
	}
	passOn(first.entries);
	const count = first.entries.length;
	// If the first page isn't full although there are more entries, its size is the service's real page size.
	const size = count > 0 && count < asked ? count : asked;
	const window = Math.floor((paging.window ?? Infinity) / size) * size;
	let { total } = first;
	/** How many entries the list has at least. */
	let needed = total;
	let idlePages = count === 0 ? pagesAtATime : 0;
	const isOver = () => isFull || idlePages >= pagesAtATime;
	for (let next = 2; !isOver() && (next - 1) * size < Math.min(total, limit, window); ) {
		const last = Math.ceil(Math.min(total, limit, window) / size);
		const numbers = [];
		while (numbers.length < pagesAtATime && next <= last) numbers.push(next++);
		const pages = await Promise.all(
			numbers.map(
				async (number) => await fetchPage({ [paging.number]: number, [paging.size]: size }),
			),
		);
		for (const page of pages) {
			const added = passOn(page.entries);
			idlePages = added === 0 ? idlePages + 1 : 0;
			({ total } = page);
			needed = paging.onlyGrows ? Math.max(needed, total) : Math.min(needed, total);
			if (page.entries.length === 0) idlePages = pagesAtATime;
			if (seen.size > mostItems) throw listError(endpoint, 'endless');
		}
	}
	if (!isFull && seen.size < Math.min(needed, limit, window)) {
		throw listError(endpoint, 'shortList', `${seen.size} of ${needed} entries`);
	}
	if (isFull || Math.min(total, limit) <= window) return;
	if (onCut === undefined) throw listError(endpoint, 'shortList', `${window} of ${total} entries`);
	onCut(window, total);
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
