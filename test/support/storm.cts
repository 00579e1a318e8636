import { FaultKind, type RandomFaults } from '../../sandbox/api/faults.cts';
import type { Sandbox } from '../../sandbox/sandbox.cts';

/** What fault runs count; a report sums them up. */
export interface Counts {
	runs: number;
	/** Ended well, or with an error. */
	completed: number;
	stopped: number;
	requests: number;
	faults: number;
	lost: number;
	duplicated: number;
	/** Errors and results that say something else than the service holds. */
	untrue: number;
}
export const noCounts = (): Counts => ({
	runs: 0,
	completed: 0,
	stopped: 0,
	requests: 0,
	faults: 0,
	lost: 0,
	duplicated: 0,
	untrue: 0,
});

type Weather = Pick<RandomFaults, 'seed'> &
	Partial<Pick<RandomFaults, 'rate' | 'kinds' | 'status' | 'ms' | 'headers' | 'body'>> & {
		/** How far the service's clock jumps at every tenth request: over an hour, its tokens expire. */
		jumpMs?: number;
	};

const everyKind = FaultKind.options;

/** Answers that say "not carried out": a service that carries it out all the same would lie. */
const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 408;

/** Lets requests of the sandbox fail, by default every fifth, and counts them. Gives what ends it. */
export const beginStorm = (
	{ faults, tick }: Sandbox,
	{ seed, rate = 0.2, kinds = everyKind, status = 503, ms = 1, headers, body, jumpMs }: Weather,
	counts: Pick<Counts, 'requests' | 'faults'>,
): (() => void) => {
	const honest = kinds.filter((kind) => kind !== 'commit-then-status' || !isRefusal(status));
	faults.setRandom({ rate, seed, kinds: honest, status, ms, headers, body });
	const strike = faults.strike.bind(faults);
	let count = 0;
	const spy = jest.spyOn(faults, 'strike').mockImplementation((request) => {
		const struck = strike(request);
		counts.requests++;
		if (jumpMs !== undefined && ++count % 10 === 0) tick(jumpMs);
		if (struck !== undefined) counts.faults++;
		return struck;
	});
	return () => {
		spy.mockRestore();
		faults.clear();
	};
};
