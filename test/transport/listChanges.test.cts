import {
	companies,
	cut,
	ids,
	readCompanies,
	type Company,
	type CompanyPage,
} from './companies.cts';

const short = "The service's list is incomplete";

describe('a list that changes while it is read', () => {
	it.each([250, 100, 120, 399])('shrinks from 450 to %d', async (left) => {
		const { reply, failure, pages } = await readCompanies(({ page, size }) =>
			cut(companies(page === 1 ? 450 : left), page, size),
		);

		expect(failure).toBeUndefined();
		expect(ids(reply)).toBe(`1-${left}`);
		expect(pages.length).toBeLessThanOrEqual(5);
	});

	it('shrinks to nothing', async () => {
		const { reply, failure } = await readCompanies(({ page, size }) =>
			cut(companies(page === 1 ? 950 : 0), page, size),
		);
		expect(failure).toBeUndefined();
		expect(ids(reply)).toBe('1-100');
	});

	it.each([251, 300, 301, 950])('grows from 250 to %d', async (grown) => {
		const { reply } = await readCompanies(({ page, size }) =>
			cut(companies(page === 1 ? 250 : grown), page, size),
		);

		expect(ids(reply)).toBe(`1-${grown}`);
	});

	it('grows with every page and ends when it stops growing', async () => {
		let total = 150;
		const { reply } = await readCompanies(({ page, size }) => {
			total = Math.min(total + 150, 1_000);
			return cut(companies(total), page, size);
		});
		expect(ids(reply)).toBe('1-1000');
	});

	it('takes an entry once that has moved to a later page', async () => {
		const all = companies(450);
		const withNewOnTop = [...companies(5, 1_001), ...all];
		const { reply } = await readCompanies(({ page, size }) =>
			cut(page === 1 ? all : withNewOnTop, page, size),
		);
		expect(ids(reply)).toBe('1-450');
	});

	it('ends at its total, not at a page that only repeats the one before', async () => {
		const all = companies(1_000);
		// A hundred new ones on top move all pages that have not been read yet.
		const grown = [...companies(100, 5_001), ...all];
		const { reply, failure } = await readCompanies(({ page, size }) =>
			cut(page < 5 ? all : grown, page, size),
		);
		expect(failure).toBeUndefined();
		expect(ids(reply)).toBe('1-1000');
	});

	it('is an error when one entry hides others: every page shows it again', async () => {
		const pinned = companies(1)[0] as Company;
		const others = companies(396, 2);
		const { failure } = await readCompanies(({ page }) => ({
			page,
			perPage: 100,
			total: 400,
			items: [pinned, ...others.slice((page - 1) * 99, page * 99)],
		}));
		expect(failure?.message).toBe(short);
		expect(failure?.description).toContain('The service sent 397 of 400 entries.');
	});
});

describe('a service whose total cannot be trusted', () => {
	const untrue = (total: number) => (page: CompanyPage) => ({ ...page, total });

	it.each<[string, (asked: { page: number; size: number }) => CompanyPage, number]>([
		['repeats one page without end', () => untrue(1_000_000)(cut(companies(100), 1, 100)), 10],
		[
			'gives empty pages without end',
			({ page, size }) => untrue(1_000_000)(cut(companies(250), page, size)),
			5,
		],
		[
			'grows its total with every page and repeats itself',
			({ page }) => untrue((page + 10) * 100)(cut(companies(200), ((page - 1) % 2) + 1, 100)),
			15,
		],
	])('%s', async (_, answer, mostPages) => {
		const { failure, pages } = await readCompanies(answer);
		expect(failure?.message).toBe(short);
		expect(pages.length).toBeLessThanOrEqual(mostPages);
	});

	it.each<[unknown, string]>([
		[{ page: 1, total: 5 }, 'an object with the fields page, total'],
		[{ items: null }, 'an object with the fields items'],
		// What is readable in itself, but not as this list.
		[{ items: [] }, 'an object with the fields items'],
		[[], 'a list without a total'],
		[{ total: 0, data: [] }, 'an object with the fields total, data'],
		[['a'], "a list whose entries aren't objects"],
	])('gives %j: never taken for an empty list', async (body, found) => {
		const { reply, failure } = await readCompanies(() => body as CompanyPage);
		expect(reply).toBeUndefined();
		expect(failure?.message).toBe("The service's response doesn't contain a readable list");
		expect(failure?.description).toContain(`${found}.`);
	});

	it('gives an empty list and a total: never taken for an empty list', async () => {
		const { failure, pages } = await readCompanies(() => untrue(7)(cut([], 1, 100)));
		expect(failure?.message).toBe(short);
		expect(failure?.description).toContain('The service sent 0 of 7 entries.');
		expect(pages).toHaveLength(1);
	});

	it('gives an error with 200: never taken for an empty list', async () => {
		const error = { error: { code: 4000, msg: 'Not today' } };
		const { failure } = await readCompanies(() => error as unknown as CompanyPage);
		expect(failure?.description).toContain('The service says: Not today');
	});
});
