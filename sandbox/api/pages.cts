import { badRequest } from './apiError.cts';
import type { Dialect } from './dialect.cts';

/** One page of a list. Page numbers start at 1. A page after the last one is empty. */
export const pageOf = <Item,>(
	items: readonly Item[],
	{ page = 1, size, usual }: { page?: number; size?: number; usual: number },
	{ most, mode }: Dialect['pageSize'] = { most: null, mode: 'cut' },
) => {
	if (most !== null && mode === 'refuse' && (size ?? 0) > most) {
		throw badRequest(`the page size must not be above ${most}`);
	}
	const perPage = Math.min(size ?? usual, most ?? Infinity);
	const first = (page - 1) * perPage;
	return { page, perPage, total: items.length, items: items.slice(first, first + perPage) };
};
