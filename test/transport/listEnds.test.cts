import type { ServerResponse } from 'node:http';
import { json, type Behaviour, type Received } from '../support/server.cts';
import { quick } from './calls.cts';
import { companies, cut, ids, readCompanies } from './companies.cts';

describe('a list ends', () => {
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

	it('with a total, behind a page that is smaller than asked for', async () => {
		const behaviour = together(4, (page) => json(200, cut(companies(200), page, 40)));
		const { reply } = await readCompanies(({ page }) => behaviour(page), options);
		expect(ids(reply)).toBe('1-200');
	});
});
