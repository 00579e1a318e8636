import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { json, reset, text } from '../support/server.cts';
import { companies, cut, ids, numbers, pageOf, readCompanies, tryList } from './companies.cts';
import { dispatch, quick } from './calls.cts';
import {
	asked,
	inOrder,
	messagingCredential,
	partnerCredential,
	serve,
	servePartner,
} from './service.cts';

describe('everything', () => {
	it.each([
		[0, 1],
		[1, 1],
		[99, 1],
		[100, 1],
		[101, 2],
		[200, 2],
		[450, 5],
		[1_234, 13],
	])('%d entries come in order, in %d pages', async (count, pageCount) => {
		const all = companies(count);

		const { reply, pages } = await readCompanies(({ page, size }) => cut(all, page, size));

		expect(reply).toEqual(all);
		expect(pages.map(({ page }) => page).sort((a, b) => a - b)).toEqual(numbers(1, pageCount));
		expect(new Set(pages.map(({ size }) => size))).toEqual(new Set([100]));
	});

	it('asks with the names that the endpoint has, and keeps the other filters', async () => {
		const items = Array.from({ length: 100 }, (_, index) => ({ ...dispatch, id: index + 1 }));
		const service = await servePartner((request) =>
			json(200, {
				page: pageOf(request).page,
				perPage: 100,
				total: 130,
				items: pageOf(request).page === 1 ? items : items.slice(0, 30),
			}),
		);

		await tryList(partnerCredential(service.url), partner.dispatchList, {
			query: { companyId: 5, status: 'STARTED' },
		});

		expect(asked(service.calls)).toEqual([
			'GET /dispatches?companyId=5&status=STARTED&page=1&perPage=100',
			'GET /dispatches?companyId=5&status=STARTED&page=2&perPage=100',
		]);
	});
});

describe('a limit', () => {
	it.each([
		[1, 1, 1],
		[10, 10, 1],
		[100, 100, 1],
		[150, 150, 2],
		[250, 250, 3],
		[1_000, 450, 5],
	])('of %d of 450 gives %d entries with %d requests', async (limit, count, requests) => {
		const all = companies(450);

		const { reply, pages } = await readCompanies(({ page, size }) => cut(all, page, size), {
			limit,
		});

		expect(ids(reply)).toBe(count === 1 ? '1' : `1-${count}`);
		expect(pages).toHaveLength(requests);
	});

	it('asks for no more than it needs', async () => {
		const { pages } = await readCompanies(({ page, size }) => cut(companies(450), page, size), {
			limit: 7,
		});

		expect(pages).toEqual([{ page: 1, size: 7 }]);
	});

	it('cuts what a service gives too much', async () => {
		const { reply } = await readCompanies(() => cut(companies(450), 1, 100), { limit: 7 });

		expect(ids(reply)).toBe('1-7');
	});
});

describe('a bare array', () => {
	const message = (index: number) => ({ messageUuid: `u-${index}` });
	const readMessages = async (count: number, limit?: number) => {
		const server = await serve((request) => {
			const { page, size } = pageOf(request);
			return json(
				200,
				numbers(1, count)
					.slice((page - 1) * size, page * size)
					.map(message),
			);
		});
		const { reply } = await tryList(
			messagingCredential(`${server.url}/api/v1`),
			messaging.messageList,
			{},
			{ limit },
		);
		return { reply, server };
	};

	it.each([0, 1, 99, 100, 101, 200, 730])('of %d entries is read to its end', async (count) => {
		const { reply } = await readMessages(count);

		expect(reply).toEqual(numbers(1, count).map(message));
	});

	it('ends with a page that brings nothing new: a short one may be all that is given at a time', async () => {
		const { reply, server } = await readMessages(450);

		expect(reply).toHaveLength(450);
		expect(server.received.length).toBeLessThanOrEqual(9);
	});

	it('ends at the limit', async () => {
		const { reply, server } = await readMessages(730, 150);

		expect(reply).toEqual(numbers(1, 150).map(message));
		expect(server.received).toHaveLength(2);
	});
});

describe('a page that fails', () => {
	it.each([
		['a connection reset', reset],
		['503', text(503, '')],
		['429', text(429, '')],
		['half a JSON', text(200, '{"page":1,"it')],
	])('once with %s is asked for again', async (_, trouble) => {
		const all = companies(450);
		const third = inOrder(trouble, json(200, cut(all, 3, 100)));

		const { reply, pages } = await readCompanies(({ page, size }, request) =>
			page === 3 ? third(request) : cut(all, page, size),
		);

		expect(reply).toEqual(all);
		expect(pages.filter(({ page }) => page === 3)).toHaveLength(2);
		expect(pages).toHaveLength(6);
	});

	it('for good fails the list', async () => {
		const { reply, failure, pages } = await readCompanies(({ page, size }) =>
			page === 3 ? text(503, '') : cut(companies(450), page, size),
		);

		expect(reply).toBeUndefined();
		expect(failure).toMatchObject({ outcome: 'unknown', problem: { status: 503 } });
		expect(pages.filter(({ page }) => page === 3)).toHaveLength(quick.attempts);
	});
});
