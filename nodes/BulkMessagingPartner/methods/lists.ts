import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Endpoint, ReplyOf, RequestOf } from '../../../core/contract/endpoint';
import { partner } from '../../../core/contract/partner';
import type { SenderEntry } from '../../../core/contract/sender';
import { toNodeError } from '../../../core/engine/failure';
import { send } from '../../../core/transport/send';
import { channelOptions } from '../../shared/channels';
import { brandOptions, senderStatusOptions } from '../shared/options';

type ListContext = ILoadOptionsFunctions;
type Search = (
	this: ListContext,
	filter?: string,
	token?: string,
) => Promise<INodeListSearchResult>;

/** If the list can't be loaded, the error has the same texts as in a run of the node. */
const askForList = async <E extends Endpoint>(
	context: ListContext,
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

const companyMissing = 'Choose a company first';

/** `undefined` if the user hasn't chosen one yet. */
const companyIn = (context: ListContext): number | undefined => {
	const id = Number(context.getCurrentNodeParameter('companyId', { extractValue: true }) ?? '');
	return Number.isInteger(id) && id > 0 ? id : undefined;
};

const chosenCompany = (context: ListContext): number => {
	const id = companyIn(context);
	if (id !== undefined) return id;
	throw new NodeOperationError(context.getNode(), companyMissing, {
		description: 'This list shows entries that belong to the company chosen above.',
	});
};

const matches = ({ name, value }: INodeListSearchItems, filter: string) =>
	filter === '' || `${name} ${String(value)}`.toLowerCase().includes(filter.toLowerCase());

/** For lists that the service returns in one response. */
const searchAll = (load: (context: ListContext) => Promise<INodeListSearchItems[]>): Search =>
	async function (this: ListContext, filter = '') {
		return { results: (await load(this)).filter((entry) => matches(entry, filter)) };
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
 * `pagesPerSearch` pages are read. With `idOf`, the newest entry comes first, in whichever order the service lists them: a higher
 * ID is newer. If the service lists the oldest first, pages are read from the last to the first. The token is the number of the
 * next page, negative in that case.
 */
const searchPages = <Item>(
	load: (context: ListContext, page: number) => Promise<Page<Item>>,
	toEntry: (item: Item) => INodeListSearchItems,
	idOf: (item: Item) => number = () => 0,
): Search =>
	async function (this: ListContext, filter = '', token = '') {
		const results: INodeListSearchItems[] = [];
		let page = Math.abs(Number(token)) || 1;
		let isBackward = token.startsWith('-');
		let read = await load(this, page);
		const { items: first, total, perPage } = read;
		// The service may return smaller pages than requested.
		const pages = Math.max(1, Math.ceil(total / Math.max(1, Math.min(perPage, searchPageSize))));
		const [oldest, newest] = [first[0], first.at(-1)];
		const isAscending = oldest !== undefined && newest !== undefined && idOf(oldest) < idOf(newest);
		if (token === '' && isAscending) {
			isBackward = true;
			page = pages;
			if (pages > 1) read = await load(this, page);
		}
		for (let count = 1; ; count++) {
			const sorted = [...read.items].sort((a, b) => idOf(b) - idOf(a));
			for (const entry of sorted.map(toEntry)) if (matches(entry, filter)) results.push(entry);
			page += isBackward ? -1 : 1;
			if (read.items.length === 0 || page < 1 || page > pages) return { results };
			if (results.length >= searchPageSize || count >= pagesPerSearch) {
				return { results, paginationToken: `${isBackward ? '-' : ''}${page}` };
			}
			read = await load(this, page);
		}
	};

const nameOf = (options: ReadonlyArray<{ name: string; value: string }>, value: string) =>
	options.find((option) => option.value === value)?.name ?? value;

const describeSender = ({ senderName, channelType, brand, status, suspended }: SenderEntry) =>
	[
		senderName,
		nameOf(channelOptions, channelType),
		nameOf(brandOptions, brand),
		`${nameOf(senderStatusOptions, status)}${suspended ? ', Suspended' : ''}`,
	].join(' · ');

const loadSenders = async (
	context: ListContext,
	isWanted: (sender: SenderEntry) => boolean = () => true,
) => {
	const query = { companyId: chosenCompany(context) };
	const senders = (await askForList(context, partner.senderList, { query })).filter(isWanted);
	return senders.map((sender) => ({ name: describeSender(sender), value: sender.id }));
};

const loadDocuments = async (context: ListContext) => {
	const path = { id: chosenCompany(context) };
	const documents = await askForList(context, partner.documentList, { path });
	return documents.map(({ id, filename, createdAt }) => ({
		name: `${filename} (${createdAt.slice(0, 10)})`,
		value: id,
	}));
};

export const listSearch = {
	searchCompanies: searchPages(
		async (context, page) =>
			await askForList(context, partner.companyList, { query: { page, per_page: searchPageSize } }),
		({ companyId, name, status }) => ({
			name: status === 'DISABLED' ? `${name} (disabled)` : name,
			value: companyId,
		}),
	),
	searchDispatches: searchPages(
		async (context, page) =>
			await askForList(context, partner.dispatchList, {
				query: { companyId: chosenCompany(context), page, perPage: searchPageSize },
			}),
		({ id, name, status, createdAt }) => ({
			name: `${name} (${id}, ${String(createdAt).slice(0, 10)}, ${status.toLowerCase()})`,
			value: id,
		}),
		({ id }) => id,
	),
	searchSenders: searchAll(async (context) => await loadSenders(context)),
	searchDocuments: searchAll(loadDocuments),
};

/** For a dispatch: lists only sender names that it can use, so that a chosen name isn't rejected later. */
export const loadOptions = {
	async getSenders(this: ListContext): Promise<INodePropertyOptions[]> {
		// Not an error, because n8n shows errors in place of the field. Choosing this entry is rejected like any other wrong ID.
		if (companyIn(this) === undefined) return [{ name: companyMissing, value: '' }];
		const channel = this.getCurrentNodeParameter('channelType');
		const isListed = channelOptions.some(({ value }) => value === channel);
		return await loadSenders(
			this,
			({ channelType, status, suspended }) =>
				status === 'APPROVED' && !suspended && (!isListed || channelType === channel),
		);
	},
};
