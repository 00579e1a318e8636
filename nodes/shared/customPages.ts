import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { customEndpoint, type Endpoint, type Paging } from '../../core/contract/endpoint';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { UnfitValueError } from '../../core/engine/errors';
import { addHintOnce, howMany } from '../../core/engine/hints';
import { toItems } from '../../core/engine/items';
import type { Param } from '../../core/engine/params';
import { requireWhole } from '../../core/engine/prepare';
import { ServiceError } from '../../core/transport/errors';
import { list } from '../../core/transport/list';

const allPages = { method: ['GET'], pages: ['all'] } as const;

/** For lists that an API request reads page by page. */
export const customPageParams = (api: Endpoint['api']) =>
	[
		{
			displayName: 'Pages',
			name: 'pages',
			type: 'options',
			options: [
				{
					name: 'All Pages',
					value: 'all',
					description: 'Read a list page by page and return one item per entry',
				},
				{ name: 'One Page', value: 'one', description: 'Return the response unchanged' },
			],
			default: 'one',
			displayOptions: { show: { method: ['GET'] } },
			description: 'How much of a list to return',
		},
		{
			displayName: 'Page Parameter',
			name: 'pageName',
			type: 'string',
			default: 'page',
			required: true,
			displayOptions: { show: allPages },
			description: 'The query parameter for the page number. The first page is 1.',
		},
		{
			displayName: 'Page Size Parameter',
			name: 'sizeName',
			type: 'string',
			default: '',
			placeholder: api === 'partner' ? 'e.g. perPage' : 'e.g. per_page',
			displayOptions: { show: allPages },
			description:
				api === 'partner'
					? 'The query parameter for the page size. Leave empty for the usual name: per_page for /company, perPage for other lists.'
					: 'The query parameter for the page size. Leave empty for the usual name, per_page.',
		},
		{
			displayName: 'Page Size',
			name: 'pageSize',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100,
			displayOptions: { show: allPages },
			description: 'How many entries to request at a time',
		},
		{
			displayName: 'Max Items',
			name: 'maxItems',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 10000,
			displayOptions: { show: allPages },
			description: 'Max number of items to return. If the list has more, a hint tells you.',
		},
	] as const satisfies readonly Param[];

interface PageValues {
	method: Endpoint['method'];
	path: string;
	pages: 'all' | 'one';
	pageName: string;
	sizeName?: string;
	pageSize: number;
	maxItems: number;
}

/** Checks the method too, because n8n always shows a field whose condition depends on an expression. */
export const readsAllPages = ({ method, pages }: PageValues): boolean =>
	method === 'GET' && pages === 'all';

const endpoints: Readonly<Record<Endpoint['api'], readonly Endpoint[]>> = {
	partner: Object.values(partner),
	messaging: Object.values(messaging),
};

/** The messaging API has `/message` and `/v1/message` for the same list. */
const withoutVersion = (path: string) => path.replace(/^\/v1(?=\/)/, '');

/** How the contract pages this list; for lists that aren't in the contract, the most common way. */
const pagingOf = (api: Endpoint['api'], path: string): Paging => {
	for (const { method, path: known, paging } of endpoints[api]) {
		if (method !== 'GET' || typeof paging !== 'object') continue;
		if (withoutVersion(known) === withoutVersion(path)) return paging;
	}
	// The field that identifies an entry is unknown, so whole pages are compared.
	return {
		number: 'page',
		size: api === 'partner' ? 'perPage' : 'per_page',
		defaultSize: 10,
		key: '',
	};
};

const toPaging = (api: Endpoint['api'], { path, pageName, sizeName }: PageValues): Paging => {
	const usual = pagingOf(api, path);
	return { ...usual, number: pageName, size: sizeName ?? usual.size };
};

export const checkCustomPages = (
	api: Endpoint['api'],
	values: PageValues,
	query: Readonly<Record<string, unknown>>,
): void => {
	if (!readsAllPages(values)) return;
	requireWhole(values.pageSize, 'Page Size');
	requireWhole(values.maxItems, 'Max Items');
	const { number, size } = toPaging(api, values);
	if (number === size) {
		throw new UnfitValueError('Page Size Parameter', "must not be the same as 'Page Parameter'");
	}
	const repeated = [number, size].find((name) => Object.hasOwn(query, name));
	if (repeated !== undefined) {
		throw new UnfitValueError(
			'Query Parameters',
			`contains "${repeated}", which 'All Pages' sets automatically. Remove it, or set 'Pages' to 'One Page'`,
		);
	}
};

/** All entries of a list. As for every other list, a response that isn't a list or ends early is an error. */
export const readAllPages = async (
	api: Endpoint['api'],
	values: PageValues,
	query: Record<string, unknown>,
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<IDataObject[]> => {
	const { method, path, pageSize, maxItems } = values;
	const endpoint = customEndpoint(api, method, path, { paging: toPaging(api, values) });
	let total: number | undefined;
	const entries = await list(
		context,
		endpoint,
		{ query },
		{ limit: maxItems, pageSize, onTotal: (reported) => (total = reported) },
	).catch((error: unknown) => {
		const isNoList = error instanceof ServiceError && error.problem.reply === 'noList';
		if (!isNoList) throw error;
		throw new NodeOperationError(context.getNode(), "The service's response isn't a list", {
			description: `'All Pages' needs a list of objects. To get the response unchanged, set 'Pages' to 'One Page'. The service sent ${error.problem.found}.`,
			itemIndex,
		});
	});
	if (entries.length >= maxItems && (total === undefined || total > maxItems)) {
		const have =
			total === undefined ? 'may contain more' : `contains ${howMany(total, 'entry', 'entries')}`;
		addHintOnce(
			context,
			`'Max Items' limited the result to ${howMany(maxItems, 'item')}. The list ${have}.`,
		);
	}
	return toItems(entries);
};
