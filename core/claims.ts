/** A name that may be used only once (a dispatch's name, a custom message ID), claimed by one run in this process. */
export interface Claim<Result> {
	/** The run's ledger. All tries of a run have the same. */
	readonly owner: object;
	/** What became of it; `undefined` while the run is at work. */
	result?: Result;
	/** When it ended (`performance.now()`). */
	endedAt?: number;
	/** Resolves when the run has ended with a result. */
	readonly ended: Promise<void>;
	end(result: Result): void;
}

/** Longer than a service's list may be out of date. After that, the list itself shows what was done. */
const listLagMs = 120_000;

/** Longer than any use of claims looks back. */
const keptMs = 60 * 60_000;

/** From so many names on, those that no longer decide anything are dropped. */
const mostClaims = 50_000;

/** By name, oldest first. Known only to this process: other processes are handled by the service's own list. */
const claims = new Map<string, Array<Claim<unknown>>>();

/** Claims on a text only serve a hint. */
export const textClaim = 'text ';

let dropsFrom = mostClaims;

/**
 * Drops the oldest claims that have ended, many at a time: first those that only serve a hint. The others keep messages from being
 * sent twice, so they stay while a run is at work or a list may be out of date, however many they are.
 */
const dropOldest = (): void => {
	if (claims.size <= dropsFrom) return;
	const now = performance.now();
	for (const [isHint, keptAfterEndMs] of [
		[true, 0],
		[false, listLagMs],
	] as const) {
		for (const [name, some] of claims) {
			if (claims.size <= mostClaims / 2) break;
			if (name.startsWith(textClaim) !== isHint) continue;
			if (some.every(({ endedAt = Infinity }) => now - endedAt >= keptAfterEndMs))
				claims.delete(name);
		}
	}
	// If most of them must stay, they aren't looked through again for each new one.
	dropsFrom = Math.max(mostClaims, 2 * claims.size);
};

/**
 * The claims that are under way or ended a short time ago. Each kind of name is claimed in one place only, so the type of its
 * results is certain.
 */
export const claimsOn = <Result>(
	name: string,
	endedWithinMs = listLagMs,
): ReadonlyArray<Claim<Result>> =>
	((claims.get(name) ?? []) as Array<Claim<Result>>).filter(
		({ endedAt }) => endedAt === undefined || performance.now() - endedAt < endedWithinMs,
	);

/** Claims a name, without asking whether another run has claimed it. */
export const claim = <Result>(name: string, owner: object): Claim<Result> => {
	let resolve: () => void = () => undefined;
	const ended = new Promise<void>((done) => {
		resolve = done;
	});
	const made: Claim<Result> = {
		owner,
		ended,
		end: (result) => {
			made.result = result;
			made.endedAt = performance.now();
			resolve();
		},
	};
	const others = claimsOn(name, keptMs);
	// Set again, so that a name that is used often isn't among the oldest.
	claims.delete(name);
	claims.set(name, [...others, made as Claim<unknown>]);
	dropOldest();
	return made;
};
