import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Endpoint, ReplyOf, RequestOf } from '../../../core/contract/endpoint';
import { toNodeError } from '../../../core/engine/failure';
import { send } from '../../../core/transport/send';

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** If the list can't be loaded, the error has the same texts as in a run of the node. */
export const askForList = async <E extends Endpoint>(
	context: ILoadOptionsFunctions,
	endpoint: E,
	request: RequestOf<E>,
): Promise<ReplyOf<E>> => {
	const outcome = await send(context, endpoint, request).then(
		(reply) => ({ reply }),
		(error: unknown) => ({ error }),
	);
	if ('reply' in outcome) return outcome.reply;
	throw toNodeError(context.getNode(), outcome.error, { params: [] });
};

const companyOf = (context: ILoadOptionsFunctions): number =>
	Number(context.getCurrentNodeParameter('companyId', { extractValue: true }) ?? '');

const isId = (id: number) => Number.isInteger(id) && id > 0;

export const hasCompany = (context: ILoadOptionsFunctions): boolean => isId(companyOf(context));

export const chosenCompany = (context: ILoadOptionsFunctions): number => {
	const id = companyOf(context);
	if (isId(id)) return id;
	throw new NodeOperationError(context.getNode(), 'Choose a company first', {
		description: 'This list shows entries that belong to the company chosen above.',
	});
};

const matches = ({ name, value }: INodeListSearchItems | INodePropertyOptions, filter: string) =>
	filter === '' || `${name} ${String(value)}`.toLowerCase().includes(filter.toLowerCase());

/** For lists that the service returns in one response. */
export const searchAll = (
	load: (context: ILoadOptionsFunctions) => Promise<INodeListSearchItems[]>,
): Search =>
	async function (this: ILoadOptionsFunctions, filter = '') {
		const results = (await load(this)).filter((entry) => matches(entry, filter));
		return { results };
	};

const searchPageSize = 100;
/** A search reads at most this many pages at a time; scrolling down reads the next ones. */
const pagesPerSearch = 10;

interface Page<Item> {
	total: number;
	perPage: number;
	items: Item[];
}

/**
 * For lists that the service returns in pages and can't search: reads pages until there is a full page of matches, or
 * `pagesPerSearch` pages are read. The token is the number of the next page.
 */
export const searchPages = <Item>(
	load: (context: ILoadOptionsFunctions, page: number, size: number) => Promise<Page<Item>>,
	toEntry: (item: Item) => INodeListSearchItems,
): Search =>
	async function (this: ILoadOptionsFunctions, filter = '', paginationToken = '1') {
		const results: INodeListSearchItems[] = [];
		const first = Number(paginationToken);
		for (let page = first; ; page++) {
			const { items, total, perPage } = await load(this, page, searchPageSize);
			for (const item of items) {
				const entry = toEntry(item);
				if (matches(entry, filter)) results.push(entry);
			}
			// The service may return smaller pages than requested.
			if (items.length === 0 || page * Math.min(perPage, searchPageSize) >= total)
				return { results };
			if (results.length >= searchPageSize || page - first + 1 >= pagesPerSearch) {
				return { results, paginationToken: String(page + 1) };
			}
		}
	};

/**
 * The same with the newest entry first, in whichever order the service lists them: a higher ID is newer. If the service lists the
 * oldest first, pages are read from the last to the first. The token is the number of the next page, negative in that case.
 */
export const searchNewestFirst = <Item>(
	load: (context: ILoadOptionsFunctions, page: number, size: number) => Promise<Page<Item>>,
	toEntry: (item: Item) => INodeListSearchItems,
	idOf: (item: Item) => number,
): Search =>
	async function (this: ILoadOptionsFunctions, filter = '', paginationToken = '') {
		const results: INodeListSearchItems[] = [];
		let page = Math.abs(Number(paginationToken)) || 1;
		let isBackward = paginationToken.startsWith('-');
		let read = await load(this, page, searchPageSize);
		const { items: first, total, perPage } = read;
		const pages = Math.max(1, Math.ceil(total / Math.max(1, Math.min(perPage, searchPageSize))));
		const [oldest, newest] = [first[0], first.at(-1)];
		const isAscending = oldest !== undefined && newest !== undefined && idOf(oldest) < idOf(newest);
		if (paginationToken === '' && isAscending) {
			isBackward = true;
			page = pages;
			if (pages > 1) read = await load(this, page, searchPageSize);
		}
		for (let count = 1; ; count++) {
			const sorted = [...read.items].sort((a, b) => idOf(b) - idOf(a));
			for (const item of sorted) {
				const entry = toEntry(item);
				if (matches(entry, filter)) results.push(entry);
			}
			page += isBackward ? -1 : 1;
			if (read.items.length === 0 || page < 1 || page > pages) return { results };
			if (results.length >= searchPageSize || count >= pagesPerSearch) {
				return { results, paginationToken: `${isBackward ? '-' : ''}${page}` };
			}
			read = await load(this, page, searchPageSize);
		}
	};
