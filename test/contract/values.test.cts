import { Datetime } from '../../core/contract/values';
import { verdict } from './support.cts';

describe('datetime: an ISO 8601 timestamp', () => {
	for (const text of ['2026-02-28T10:00:00Z', '2028-02-29T10:00:00+03:00']) {
		it(`takes ${text}`, () => {
			expect(verdict(Datetime, text)).toBe('taken');
		});
	}
	for (const text of [
		'2026-02-30T10:00:00Z',
		'2026-02-29T10:00:00+03:00',
		'2026-04-31T10:00:00Z',
		'2026-03-01T25:00:00Z',
		'2026-03-01T10:60:00Z',
		'20260301T100000',
	]) {
		it(`refuses ${text}`, () => {
			expect(verdict(Datetime, text)).toBe('refused there');
		});
	}
});
