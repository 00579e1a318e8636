import type * as Exchanging from '../../core/transport/exchange';
import { list } from '../../core/transport/list';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { json, reset, text } from '../support/server.cts';
import { attempt } from '../support/transportNode.cts';
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

/** How many bytes each answer is said to have: half a gigabyte of them would take too long. */
const mockBytes: { each?: number } = {};
jest.mock('../../core/transport/exchange', () => {
	const actual = jest.requireActual<typeof Exchanging>('../../core/transport/exchange');
	const exchange: typeof actual.exchange = async (...given) => {
		const outcome = await actual.exchange(...given);
		if (outcome.kind !== 'answer') return outcome;
		return { ...outcome, bytes: mockBytes.each ?? outcome.bytes };
	};
	return { ...actual, exchange };
});

describe('everything', () => {
	it.each([
		[0, 1],
		[99, 1],
		[100, 1],
		[101, 2],
		[200, 2],
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

describe('a service that rejects the size of a page', () => {
	it.each([400, 422])('with %i is asked for smaller ones', async (status) => {
		const all = companies(25);

		const { reply, pages } = await readCompanies(({ page, size }) =>
			size > 10 ? json(status, {}) : cut(all, page, size),
		);

		expect(reply).toEqual(all);
		expect([...new Set(pages.map(({ size }) => size))]).toEqual([100, 10]);
	});

	it('is asked for no larger ones than the limit needs', async () => {
		const { failure, pages } = await readCompanies(() => json(400, {}), { limit: 7 });
		expect(failure?.outcome).toBe('refused');
		expect(pages).toEqual([{ page: 1, size: 7 }]);
	});

	it.each([401, 403, 404, 409])(
		'is told from one that rejects the call with %i',
		async (status) => {
			const { failure, pages } = await readCompanies(() => json(status, {}));
			expect(failure?.problem.status).toBe(status);
			expect(new Set(pages.map(({ size }) => size))).toEqual(new Set([100]));
		},
	);
});

describe('entries', () => {
	it('without the field that tells them apart are told apart by everything they contain', async () => {
		const { reply } = await readCompanies(() =>
			json(200, { total: 2, items: [{ name: 'A' }, { name: 'B' }, { name: 'A' }].slice(0, 2) }),
		);
		expect(reply).toEqual([{ name: 'A' }, { name: 'B' }]);
		const all = [{ name: 'A' }, { name: 'A' }];
		const twice = await readCompanies(() => json(200, { total: 2, items: all }));
		expect(twice.failure?.message).toBe("The service's list is incomplete");
	});

	it('with the same ID are one, even if they have changed in between', async () => {
		const all = [
			{ companyId: 1, name: 'A' },
			{ companyId: 1, name: 'B' },
		];
		const { reply } = await readCompanies(({ page }) =>
			json(200, { total: page === 1 ? 120 : 1, items: all.slice(0, page === 1 ? 2 : 0) }),
		);
		expect(reply).toEqual([{ companyId: 1, name: 'A' }]);
	});
});

it('a list without pages is read as a whole', async () => {
	const service = await servePartner(() => json(200, [{ id: 1 }, { id: 1 }]));
	const { reply } = await attempt(
		partnerCredential(service.url),
		async (context) => await list(context, partner.senderList, { query: { companyId: 5 } }),
	);
	expect(reply).toEqual([{ id: 1 }, { id: 1 }]);
	expect(asked(service.calls)).toEqual(['GET /senders?companyId=5']);
});

it('a service that gives more than was asked for is asked for the same size all the same', async () => {
	const { reply, pages } = await readCompanies(({ page }) => cut(companies(450), page, 150));
	expect(ids(reply)).toBe('1-450');
	expect(new Set(pages.map(({ size }) => size))).toEqual(new Set([100]));
});

describe('a list that is too long for anybody', () => {
	/** Each page brings as many new ones, whatever was asked for. */
	const pageOfEntries = (page: number, count: number) =>
		json(200, {
			total: Math.max(1_000_000, 4 * count),
			items: numbers(1, count).map((index) => ({ companyId: page * count + index })),
		});

	it('ends with an error after a million entries', async () => {
		const { failure, pages } = await readCompanies(({ page }) => pageOfEntries(page, 250_001));
		expect(pages).toHaveLength(5);
		expect(failure?.problem).toMatchObject({ status: 200, reply: 'endless' });
		expect(failure?.description).toContain("Set 'Limit'");
		expect(failure?.outcome).toBe('refused');
	});

	it('is read up to a million entries', async () => {
		const { reply, failure } = await readCompanies(({ page }) =>
			page <= 4 ? pageOfEntries(page, 250_000) : json(200, { total: 1_000_000, items: [] }),
		);
		expect(failure).toBeUndefined();
		expect(reply).toHaveLength(1_000_000);
	});

	it.each([
		[128, undefined],
		[129, 'endless'],
	])('four pages of %i MB each: %s', async (megabytes, problem) => {
		mockBytes.each = megabytes * 1024 * 1024;
		const { failure } = await readCompanies(({ page, size }) => cut(companies(400), page, size));
		mockBytes.each = undefined;
		expect(failure?.problem.reply).toBe(problem);
		expect(failure?.outcome).toBe(problem && 'refused');
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

	it('cuts what a service gives too much', async () => {
		const { reply } = await readCompanies(() => cut(companies(450), 1, 100), { limit: 7 });
		expect(ids(reply)).toBe('1-7');
	});
});

it.each([0, 1, 150])(
	'a bare array of %d entries may not be all of them: an error',
	async (count) => {
		const server = await serve(() =>
			json(
				200,
				numbers(1, count).map((index) => ({ index })),
			),
		);
		const { reply, failure } = await tryList(
			messagingCredential(`${server.url}/api/v1`),
			messaging.messageList,
			{},
		);
		expect(reply).toBeUndefined();
		expect(failure?.message).toBe("The service's response doesn't contain a readable list");
	},
);

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
