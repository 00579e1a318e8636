import {
	companies,
	cut,
	ids,
	readCompanies,
	type Company,
	type CompanyPage,
} from './companies.cts';

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

	it('takes an entry once that every page shows', async () => {
		const pinned = companies(1)[0] as Company;
		const others = companies(396, 2);

		const { reply } = await readCompanies(({ page }) => ({
			page,
			perPage: 100,
			total: 400,
			items: [pinned, ...others.slice((page - 1) * 99, page * 99)],
		}));

		expect(ids(reply)).toBe('1-397');
	});
});

describe('a service whose total cannot be trusted', () => {
	const untrue = (total: number) => (page: CompanyPage) => ({ ...page, total });

	it('repeats one page without end', async () => {
		const { reply, pages } = await readCompanies(() =>
			untrue(1_000_000)(cut(companies(100), 1, 100)),
		);

		expect(ids(reply)).toBe('1-100');
		expect(pages.length).toBeLessThanOrEqual(10);
	});

	it('gives empty pages without end', async () => {
		const { reply, pages } = await readCompanies(({ page, size }) =>
			untrue(1_000_000)(cut(companies(250), page, size)),
		);

		expect(ids(reply)).toBe('1-250');
		expect(pages.length).toBeLessThanOrEqual(5);
	});

	it('grows its total with every page and repeats itself', async () => {
		const { reply, pages } = await readCompanies(({ page }) =>
			untrue((page + 10) * 100)(cut(companies(200), ((page - 1) % 2) + 1, 100)),
		);

		expect(ids(reply)).toBe('1-200');
		expect(pages.length).toBeLessThanOrEqual(15);
	});

	it('gives no list at all', async () => {
		const { reply, failure } = await readCompanies(
			() => ({ page: 1, total: 5 }) as unknown as CompanyPage,
		);

		expect(failure).toBeUndefined();
		expect(reply).toEqual([]);
	});
});
