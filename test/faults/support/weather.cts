import type { RandomFaults } from '../../../sandbox/api/faults.cts';

type Weather = Pick<RandomFaults, 'seed' | 'status' | 'ms' | 'headers' | 'body'>;

const pick = <T,>(list: readonly T[], seed: number): T => list[seed % list.length] as T;

/** Own faults of a service, and refusals that have nothing to do with the request. */
const statuses = [500, 503, 502, 504, 429, 408, 401, 403, 404, 400, 200];

const html = '<!doctype html><html><body>Bad gateway</body></html>';
const bodies = [undefined, html, '', '{"error": {"code": 5000, "msg": "Half of'];

/** How the requests of a run fail: every seed another way. */
export const weatherOf = (seed: number, limitMs: number): Weather => {
	const status = pick(statuses, seed);
	// An answer that says "done" and cannot be read, as a proxy may give.
	const body =
		status === 200 ? pick(['', html, '{"half": '], seed >>> 4) : pick(bodies, seed >>> 4);
	return {
		seed,
		status,
		body,
		headers: (seed >>> 8) % 3 === 0 ? { 'retry-after': '1' } : {},
		// Slow, or so slow that nobody waits for it.
		ms: (seed >>> 10) % 4 === 0 ? limitMs * 2 : 1,
	};
};
