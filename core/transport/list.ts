import type { Endpoint, Paging, RequestOf } from '../contract/endpoint';
import { bytesOf } from './body';
import type { Caller } from './connection';
import { ServiceError } from './errors';
import { send, type SendOptions } from './send';

export interface ListOptions extends SendOptions {
	/** At most this many items; everything when left out. */
	limit?: number;
	/** Stops behind the first entry that fits. */
	until?: (entry: Item) => boolean;
	/** Told how many there are, every time the service says so. */
	onTotal?: (total: number) => void;
}

type PagedEndpoint = Endpoint & { readonly paging: Paging };
type Item = Record<string, unknown>;

const pageSize = 100;
/** Enough to hide the latency of single pages, few enough for a service to bear. */
const pagesAtATime = 4;
/** More than n8n can hold in memory; only a service that makes entries up has so many. */
const mostItems = 1_000_000;
const mostBytes = 512 * 1024 * 1024;

interface Page {
	items: Item[];
	total?: number;
}

const toPage = (reply: unknown): Page => {
	// Both list shapes: an envelope with `items`, or a bare array.
	if (Array.isArray(reply)) return { items: reply as Item[] };
	const { items, total } = reply as { items?: unknown; total?: unknown };
	return {
		items: Array.isArray(items) ? (items as Item[]) : [],
		total: typeof total === 'number' ? total : undefined,
	};
};

/** Collects pages in order. An entry that moved to a later page while the list was read is taken once. */
class Collected {
	readonly items: Item[] = [];

	private readonly seen = new Set<unknown>();

	constructor(
		private readonly key: string,
		private readonly limit: number,
		private readonly until: (entry: Item) => boolean,
	) {}

	isFull = false;

	/** How many entries were new. */
	add(entries: readonly Item[]): number {
		let added = 0;
		for (const entry of entries) {
			if (this.isFull) break;
			// Without the field that tells entries apart, the whole entry does.
			const id = entry?.[this.key] ?? JSON.stringify(entry);
			if (this.seen.has(id)) continue;
			this.seen.add(id);
			this.items.push(entry);
			this.isFull = this.items.length >= this.limit || this.until(entry);
			added++;
		}
		return added;
	}
}

/**
 * Reads a list page by page: the first alone, because it tells the total, then several at a time. The order is kept. It
 * ends at the total of the newest page, so a list that shrinks or grows meanwhile ends cleanly; an empty page, or several
 * in a row that bring nothing new, end it too, whatever total the service claims.
 */
export const list = async <E extends PagedEndpoint>(
	caller: Caller,
	endpoint: E,
	request: RequestOf<E>,
	{ limit = Infinity, until = () => false, onTotal, ...options }: ListOptions = {},
): Promise<Item[]> => {
	const { paging } = endpoint;
	const collected = new Collected(paging.key, limit, until);
	let bytes = 0;
	let size = Math.min(pageSize, limit);

	const fetchPage = async (number: number) => {
		const query = { ...request.query, [paging.number]: number, [paging.size]: size };
		// The paging parameters come from the endpoint's own description, so the request stays one of its kind.
		const reply = await send(caller, endpoint, { ...request, query } as RequestOf<E>, options);
		const page = toPage(reply);
		bytes += bytesOf(reply);
		if (bytes > mostBytes || collected.items.length > mostItems) {
			throw new ServiceError({ status: 200, reply: 'endless' }, 'refused', endpoint);
		}
		if (page.total !== undefined) onTotal?.(page.total);
		return page;
	};

	const first = await fetchPage(1);
	collected.add(first.items);
	const count = first.items.length;
	if (count === 0 || (first.total === undefined && count < size)) return collected.items;

	let total = first.total ?? Infinity;
	// A first page that is not full although there is more shows the size the service really gives.
	if (count < Math.min(size, total)) size = count;
	let idlePages = 0;
	for (let next = 2; !collected.isFull && (next - 1) * size < Math.min(total, limit); ) {
		const lastInWindow = Math.floor((paging.window ?? Infinity) / size);
		const lastWanted = Math.min(Math.ceil(Math.min(total, limit) / size), lastInWindow);
		if (next > lastWanted) break;
		const numbers = [];
		while (numbers.length < pagesAtATime && next <= lastWanted) numbers.push(next++);
		for (const page of await Promise.all(numbers.map(fetchPage))) {
			idlePages = collected.add(page.items) === 0 ? idlePages + 1 : 0;
			const isLast = page.total === undefined && page.items.length < size;
			if (isLast || page.items.length === 0 || idlePages === pagesAtATime) {
				if ((page.total ?? 0) > collected.items.length) {
					caller.logger.warn(
						`The list ${endpoint.path} ended after ${collected.items.length} entries, although the service speaks of ${page.total}`,
					);
				}
				return collected.items;
			}
			total = page.total ?? total;
		}
	}
	return collected.items;
};

/** The first entry of a list that fits, for what the service cannot be asked for directly. */
export const find = async <E extends PagedEndpoint>(
	caller: Caller,
	endpoint: E,
	request: RequestOf<E>,
	fits: (entry: Item) => boolean,
): Promise<Item | undefined> => {
	const entries = await list(caller, endpoint, request, { until: fits });
	return entries.find(fits);
};
