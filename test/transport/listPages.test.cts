import type { ServerResponse } from 'node:http';
import { messaging } from '../../core/contract/messaging';
import { json, type Behaviour, type Received } from '../support/server.cts';
import {
	companies,
	cut,
	ids,
	numbers,
	pageOf,
	readCompanies,
	tryList,
	type CompanyPage,
} from './companies.cts';
import { messagingCredential, serve } from './service.cts';

describe('several pages at a time', () => {
	/** Answers later pages earlier, four at a time or as many as are left, and tells how many requests were open at the same moment. */
	const backwards = (last: number, answer: (page: number) => CompanyPage) => {
		const open = new Map<number, () => void>();
		let left = last;
		const seen = { most: 0, withFirst: 0 };
		const behaviour =
			(page: number): Behaviour =>
			(request: Received, response: ServerResponse) => {
				open.set(page, json(200, answer(page)).bind(undefined, request, response));
				seen.most = Math.max(seen.most, open.size);
				if (open.has(1)) seen.withFirst = Math.max(seen.withFirst, open.size);
				if (open.size < (page === 1 ? 1 : Math.min(4, left))) return;
				left -= open.size;
				const replies = [...open].sort(([a], [b]) => b - a);
				open.clear();
				for (const [, reply] of replies) reply();
			};
		return { behaviour, seen };
	};

	it('are asked for after the first, and the order is kept', async () => {
		const all = companies(950);
		const { behaviour, seen } = backwards(10, (page) => cut(all, page, 100));
		const { reply, pages } = await readCompanies(({ page }) => behaviour(page));
		expect(ids(reply)).toBe('1-950');
		expect(pages).toHaveLength(10);
		expect(seen.withFirst).toBe(1);
		expect(seen.most).toBeGreaterThan(1);
		expect(seen.most).toBeLessThanOrEqual(4);
	});

	it('are taken up to the limit, and no more are asked for', async () => {
		const all = companies(950);
		const { behaviour } = backwards(4, (page) => cut(all, page, 100));
		const { reply, pages } = await readCompanies(({ page }) => behaviour(page), { limit: 350 });
		expect(ids(reply)).toBe('1-350');
		expect(pages).toHaveLength(4);
	});
});

describe('a service that gives smaller pages than asked for', () => {
	const cap = 40;
	const all = companies(450);

	it.each<[string, (size: number) => Partial<CompanyPage>]>([
		['says so', () => ({})],
		['says nothing about the size', () => ({ perPage: undefined })],
		['repeats the size that was asked for', (size) => ({ perPage: size })],
	])('and %s', async (_, said) => {
		const { reply } = await readCompanies(({ page, size }) => ({
			...cut(all, page, Math.min(size, cap)),
			...said(size),
		}));
		expect(ids(reply)).toBe('1-450');
	});

	it('and is asked for a limit', async () => {
		const { reply, pages } = await readCompanies(
			({ page, size }) => cut(all, page, Math.min(size, cap)),
			{ limit: 100 },
		);
		expect(ids(reply)).toBe('1-100');
		expect(pages).toHaveLength(3);
	});
});

it('asks for nothing beyond the window of the service', async () => {
	const endpoint = {
		...messaging.messageList,
		paging: { ...messaging.messageList.paging, window: 300 },
	} as const;
	const server = await serve((request) => {
		const { page, size } = pageOf(request);
		const items = numbers(1, size).map((index) => ({ messageUuid: `u-${page}-${index}` }));
		return page * size <= 300
			? json(200, { total: 1_000, items })
			: json(400, { error: { code: 4000, msg: 'page × per_page is above the limit' } });
	});

	await tryList(messagingCredential(`${server.url}/api/v1`), endpoint, {});

	const reached = server.received.map(pageOf).map(({ page, size }) => page * size);
	expect(Math.max(...reached)).toBeLessThanOrEqual(300);
});
