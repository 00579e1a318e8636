import fc from 'fast-check';
import { endpointUrl, toQueryString } from '../../core/transport/request';

/** Every character there is. */
const anyText = fc.string({ unit: 'binary' });
const single = fc.oneof(anyText, fc.integer(), fc.double({ noNaN: true }), fc.boolean());
const value = fc.oneof(single, fc.array(single), fc.constant(undefined));

describe('toQueryString', () => {
	it('is read back as the same pairs in the same order', () => {
		fc.assert(
			fc.property(fc.dictionary(anyText, value), (query) => {
				const expected = Object.entries(query).flatMap(([name, values]) =>
					values === undefined ? [] : [values].flat().map((one) => [name, String(one)]),
				);
				const text = toQueryString(query);
				expect([...new URLSearchParams(text)]).toEqual(expected);
				expect(text.startsWith('?')).toBe(expected.length > 0);
			}),
		);
	});

	it('is nothing but one query when it is part of an address', () => {
		fc.assert(
			fc.property(fc.dictionary(anyText, value), (query) => {
				const text = toQueryString(query);
				const url = new URL(`https://example.com/path${text}`);
				expect(url.pathname).toBe('/path');
				expect(url.hash).toBe('');
				expect([...url.searchParams]).toEqual([...new URLSearchParams(text)]);
			}),
		);
	});
});

describe('the path', () => {
	const fill = (path: string, values: Record<string, string | number>) =>
		endpointUrl('https://example.com', { api: 'partner', path }, values);

	const segment = fc.oneof(
		{ weight: 4, arbitrary: fc.string({ unit: 'binary', minLength: 1 }) },
		{ weight: 1, arbitrary: fc.constantFrom('.', '..', '...', '%2e', '%2E.', '/', '\\', '//') },
	);

	/** No address can hold these as a segment, so refusing them is right. */
	const cannotBeSent = new Set(['.', '..']);

	it('keeps the number of segments, and each is read back as it was', () => {
		fc.assert(
			fc.property(segment, segment, (a, b) => {
				let url: string;
				try {
					url = fill('/things/{a}/parts/{b}', { a, b });
				} catch {
					expect(cannotBeSent.has(a) || cannotBeSent.has(b)).toBe(true);
					return;
				}

				const { pathname, search, hash } = new URL(url);

				expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'things', a, 'parts', b]);
				expect(search + hash).toBe('');
			}),
		);
	});

	it('takes numbers as they are', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1 }), (id) => {
				expect(fill('/senders/{id}/suspend', { id })).toBe(
					`https://example.com/senders/${id}/suspend`,
				);
			}),
		);
	});
});
