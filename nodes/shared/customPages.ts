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

/** For lists that a custom call reads page by page. */
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
				{ name: 'One Page', value: 'one', description: 'Return the answer as it is' },
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
			description: 'The query parameter with the number of the page. The first page is 1.',
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
					? 'The query parameter with the size of the page. Leave empty for the usual name: per_page for /company, perPage for other lists.'
					: 'The query parameter with the size of the page. Leave empty for the usual name, per_page.',
		},
		{
			displayName: 'Page Size',
			name: 'pageSize',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 100,
			displayOptions: { show: allPages },
			description: 'How many entries to ask for at a time',
		},
		{
			displayName: 'Max Items',
			name: 'maxItems',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 10000,
			displayOptions: { show: allPages },
			description: 'Max number of items to return. If the list has more, a hint says so.',
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

/** By the method too: n8n shows a field that depends on an expression, whatever the expression gives. */
export const readsAllPages = ({ method, pages }: PageValues): boolean =>
	method === 'GET' && pages === 'all';

const endpoints: Readonly<Record<Endpoint['api'], readonly Endpoint[]>> = {
	partner: Object.values(partner),
	messaging: Object.values(messaging),
};

/** The messaging API answers at `/message` and at `/v1/message`. */
const withoutVersion = (path: string) => path.replace(/^\/v1(?=\/)/, '');

/** How the contract cuts this list into pages; for other lists, how it does that most often. */
const pagingOf = (api: Endpoint['api'], path: string): Paging => {
	for (const { method, path: known, paging } of endpoints[api]) {
		if (method !== 'GET' || typeof paging !== 'object') continue;
		if (withoutVersion(known) === withoutVersion(path)) return paging;
	}
	// What tells entries apart is not known: no field does, so whole entries are compared.
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
		throw new UnfitValueError('Page Size Parameter', 'must not be the same as "Page Parameter"');
	}
	const taken = [number, size].find((name) => Object.hasOwn(query, name));
	if (taken !== undefined) {
		throw new UnfitValueError(
			'Query Parameters',
			`contains "${taken}", which All Pages sets by itself. Remove it, or choose "One Page" in "Pages"`,
		);
	}
};

/** All entries of a list, by the rules of every other list: what can't be read as one, or ends early, is an error. */
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
		{ limit: maxItems, pageSize, onTotal: (told) => (total = told) },
	).catch((error: unknown) => {
		const isNoList = error instanceof ServiceError && error.problem.reply === 'noList';
		if (!isNoList) throw error;
		throw new NodeOperationError(context.getNode(), "The service's answer isn't a list", {
			description: `All Pages needs a list of objects. Choose "One Page" in "Pages" to get the answer as it is. The service sent ${error.problem.found}.`,
			itemIndex,
		});
	});
	if (entries.length >= maxItems && (total === undefined || total > maxItems)) {
		const have =
			total === undefined ? 'may have more' : `has ${howMany(total, 'entry', 'entries')}`;
		addHintOnce(context, `"Max Items" was reached at ${maxItems}: the list ${have}.`);
	}
	return toItems(entries);
};
