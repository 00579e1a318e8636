import type { ServerResponse } from 'node:http';
import { json, type Behaviour, type Received } from '../support/server.cts';
import { quick } from './calls.cts';
import { companies, cut, ids, readCompanies, type CompanyPage } from './companies.cts';

/** A page without a total. */
const untold = ({ items }: CompanyPage) => json(200, items);

describe('a list ends', () => {
	it('without a total, at an empty page', async () => {
		const { reply, pages } = await readCompanies(({ page, size }) =>
			untold(cut(companies(5), page, size)),
		);

		expect(ids(reply)).toBe('1-5');
		expect(pages.map(({ page }) => page)).toEqual([1, 2]);
	});

	it('without a total, not at a page that repeats the one before: the service may ignore the number', async () => {
		const { failure } = await readCompanies(() => untold(cut(companies(5), 1, 100)));

		expect(failure?.message).toBe("The service's list is incomplete");
	});

	it('with a total, not at a page that only repeats the one before', async () => {
		const all = companies(1_000);
		// A hundred new ones on top move all pages that have not been read yet.
		const grown = [...companies(100, 5_001), ...all];

		const { reply, failure } = await readCompanies(({ page, size }) =>
			cut(page < 5 ? all : grown, page, size),
		);

		expect(failure).toBeUndefined();
		expect(ids(reply)).toBe('1-1000');
	});
});

it('a total is not reported where the service says none', async () => {
	const onTotal = jest.fn();

	await readCompanies(() => untold(cut(companies(5), 1, 100)), { onTotal });

	expect(onTotal).not.toHaveBeenCalled();
});

describe('several pages are asked for at a time', () => {
	/** Answers nothing behind the first page before as many requests are waiting. */
	const together = (count: number, answer: (page: number) => Behaviour) => {
		const waiting: Array<() => void> = [];
		return (page: number): Behaviour =>
			(request: Received, response: ServerResponse) => {
				const reply = () => answer(page)(request, response);
				if (page === 1) {
					reply();
					return;
				}
				waiting.push(reply);
				if (waiting.length === count) waiting.splice(0).forEach((one) => one());
			};
	};
	const options = { retry: { ...quick, attempts: 1 } };

	it('without a total, behind a full page', async () => {
		const behaviour = together(4, (page) => untold(cut(companies(350), page, 100)));

		const { reply } = await readCompanies(({ page }) => behaviour(page), options);

		expect(ids(reply)).toBe('1-350');
	});

	it('with a total, behind a page that is smaller than asked for', async () => {
		const behaviour = together(4, (page) => json(200, cut(companies(200), page, 40)));

		const { reply } = await readCompanies(({ page }) => behaviour(page), options);

		expect(ids(reply)).toBe('1-200');
	});
});
