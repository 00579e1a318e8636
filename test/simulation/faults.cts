import { aboutAnother, failure, oddAnswer, unreachable } from './oddAnswers.cts';
import type { Random } from './random.cts';
import type { Routed } from './routes.cts';
import type { Answer } from './records.cts';
import type { Service } from './service.cts';

/** What goes wrong with a request that changes something, and how often, compared with the others. */
const changeFaults = {
	/** It never arrives. */
	lostBefore: 3,
	/** It is carried out, and its answer is lost. */
	lostAfter: 3,
	/** It is carried out up to 200 seconds later. */
	late: 3,
	/** 5xx without carrying it out. */
	errorBefore: 2,
	/** 5xx after carrying it out. */
	errorAfter: 3,
	/** 302, 413 or 429 without carrying it out. */
	turnedAway: 1,
	/** The service itself rejects it, in the contract's words. */
	rejected: 2,
	/** No connection is made. */
	unreachable: 1,
	/** 302 although it was carried out. */
	redirectedAfter: 0.3,
	/** 413 or 429 although it was carried out. */
	limitedAfter: 0.3,
	/** It is carried out, and the answer is about another dispatch or message. */
	otherId: 1,
	/** It isn't carried out, and the answer is about another dispatch or message. */
	otherIdOnly: 0.5,
	/** It is carried out, and the answer is a success with an empty or odd body. */
	odd: 1,
} as const;
type ChangeFault = keyof typeof changeFaults;
export const changeFaultNames = Object.keys(changeFaults);

/**
 * Left out unless somebody asks for them: an answer that means "not carried out, send it later", to a request that was carried
 * out. Nobody who believes such an answer can send a single message at most once.
 */
export const contradictions: ReadonlySet<string> = new Set(['limitedAfter']);

/** What becomes of a request: when it is carried out, and what the client sees. */
interface Fate {
	fault: ChangeFault | 'none';
	/** In how many milliseconds it is carried out; `undefined` if never. */
	carriedOutIn?: number;
	/** Given what the service really answers. `undefined` if the answer is lost. */
	answer: (real: Answer | undefined) => Answer | undefined;
	/** How long the client waits for a lost or late answer. */
	waitMs: number;
}

const pickFault = (random: Random, without: ReadonlySet<string>): ChangeFault => {
	const possible = Object.entries(changeFaults).filter(([name]) => !without.has(name));
	let left = random.next() * possible.reduce((sum, [, weight]) => sum + weight, 0);
	for (const [name, weight] of possible) {
		left -= weight;
		if (left < 0) return name as ChangeFault;
	}
	return 'lostBefore';
};

/** Decides what becomes of a request that changes something. */
export const fateOf = (
	service: Service,
	random: Random,
	change: Extract<Routed, { kind: 'change' }>,
	without: ReadonlySet<string>,
): Fate => {
	const waitMs = random.pick([0, 0, 1_000, 20_000, 70_000]);
	if (!random.chance(service.world.faultyChanges)) {
		return { fault: 'none', carriedOutIn: 0, answer: (real) => real, waitMs: 0 };
	}
	const fault = pickFault(random, without);
	const lost = () => undefined;
	const serverError = failure(random.pick([500, 502, 503, 504]));
	const turnedAway = failure(random.pick([302, 413, 429]));
	const rejection = {
		status: random.pick([400, 403, 404]),
		body: { error: { code: 4000, msg: 'Bad Request' } },
	};
	const limited = failure(random.pick([413, 429]));
	const odd = oddAnswer(random);
	switch (fault) {
		case 'lostBefore':
			return { fault, answer: lost, waitMs };
		case 'lostAfter':
			return { fault, carriedOutIn: 0, answer: lost, waitMs };
		case 'late': {
			const carriedOutIn = random.below(random.pick([2_000, 20_000, 70_000, 200_000]));
			const answer = random.chance(0.5) ? lost : () => serverError;
			return { fault, carriedOutIn, answer, waitMs };
		}
		case 'errorBefore':
			return { fault, answer: () => serverError, waitMs: 0 };
		case 'errorAfter':
			return { fault, carriedOutIn: 0, answer: () => serverError, waitMs: 0 };
		case 'turnedAway':
			return { fault, answer: () => turnedAway, waitMs: 0 };
		case 'rejected':
			return { fault, answer: () => rejection, waitMs: 0 };
		case 'unreachable':
			return { fault, answer: () => unreachable, waitMs: 0 };
		case 'redirectedAfter':
			return { fault, carriedOutIn: 0, answer: () => failure(302), waitMs: 0 };
		case 'limitedAfter':
			return { fault, carriedOutIn: 0, answer: () => limited, waitMs: 0 };
		case 'otherId':
			return {
				fault,
				carriedOutIn: 0,
				answer: (real) => aboutAnother(service, random, change, real),
				waitMs: 0,
			};
		case 'otherIdOnly':
			return { fault, answer: () => aboutAnother(service, random, change, undefined), waitMs: 0 };
		case 'odd':
			return { fault, carriedOutIn: 0, answer: () => odd, waitMs: 0 };
	}
};

type ReadFault = 'none' | 'lost' | 'error' | 'odd' | 'firstPageAgain';

export const readFaultOf = ({ world }: Service, random: Random, page: number): ReadFault => {
	if (!random.chance(world.faultyReads)) return 'none';
	if (page > 1 && random.chance(0.5)) return 'firstPageAgain';
	return random.pick(['lost', 'lost', 'lost', 'error', 'error', 'error', 'odd']);
};
