import type { Endpoint, Paging, RequestOf } from '../../core/contract/endpoint';
import { partner } from '../../core/contract/partner';
import { list } from '../../core/transport/list';
import type { Credentials } from '../support/n8n.cts';
import { json, type Behaviour, type Received } from '../support/server.cts';
import { attempt } from '../support/transportNode.cts';
import { company, quick } from './calls.cts';
import { partnerCredential, servePartner } from './service.cts';

type ListOptions = Parameters<typeof list>[3];
export type Company = typeof company;

/** Companies 1 to `count`. */
export const companies = (count: number, from = 1): Company[] =>
	Array.from({ length: count }, (_, index) => ({ ...company, companyId: from + index }));

/** The ids of companies in their order, runs of them shortened: `1-450, 7`. */
export const ids = (items: unknown): string => {
	const runs: Array<[number, number]> = [];
	for (const { companyId } of items as Company[]) {
		const last = runs.at(-1);
		if (last?.[1] === companyId - 1) last[1] = companyId;
		else runs.push([companyId, companyId]);
	}
	return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
};

export const numbers = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Which page, and of what size, was asked for. */
export const pageOf = ({ url }: Pick<Received, 'url'>) => {
	const { searchParams } = new URL(url, 'http://localhost');
	const size = searchParams.get('per_page') ?? searchParams.get('perPage');
	return { page: Number(searchParams.get('page')), size: Number(size) };
};

export const tryList = async <E extends Endpoint & { readonly paging: Paging }>(
	credentials: Credentials,
	endpoint: E,
	request: RequestOf<E>,
	options: ListOptions = {},
) =>
	await attempt(
		credentials,
		async (context) => await list(context, endpoint, request, { retry: quick, ...options }),
	);

export interface CompanyPage {
	page: number;
	perPage?: number;
	total: number;
	items: Company[];
}

/** One page of a list, as a good service cuts it. */
export const cut = (all: readonly Company[], page: number, size: number): CompanyPage => ({
	page,
	perPage: size,
	total: all.length,
	items: all.slice((page - 1) * size, page * size),
});

/** Reads the whole company list of a service that answers each page as the test says. */
export const readCompanies = async (
	answer: (asked: { page: number; size: number }, request: Received) => CompanyPage | Behaviour,
	options: ListOptions = {},
) => {
	const service = await servePartner((request) => {
		const page = answer(pageOf(request), request);
		return typeof page === 'function' ? page : json(200, page);
	});
	const attempted = await tryList(
		partnerCredential(service.url, { token: 'still-valid' }),
		partner.companyList,
		{},
		options,
	);
	return { ...attempted, service, pages: service.calls.map(pageOf) };
};
