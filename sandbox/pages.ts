import type { Settings } from './settings';

/** One page of a list, by number and size; both count from 1. A page behind the end is empty. */
export const pageOf = <Item>(
	items: readonly Item[],
	{ page = 1, size }: { page?: number; size: number },
	{ maxPageSize }: Settings,
) => {
	const perPage = Math.min(size, maxPageSize ?? size);
	const first = (page - 1) * perPage;
	return { page, perPage, total: items.length, items: items.slice(first, first + perPage) };
};
