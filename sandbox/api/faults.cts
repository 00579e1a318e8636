import { z } from '../../vendor/zod';

export const FaultKind = z.enum([
	'status',
	'reset',
	'hang',
	'delay',
	'commit-then-status',
	'commit-then-reset',
	'commit-then-hang',
]);
export type FaultKind = z.infer<typeof FaultKind>;

const what = {
	/** `path` is the contract's path (`/dispatches/{id}/messages`) or the full path. `*` matches anything. */
	match: z.object({ method: z.string(), path: z.string() }).partial().strict().default({}),
	status: z.number().int().min(200).max(599).default(503),
	ms: z.number().int().nonnegative().max(86_400_000).default(1_000),
	headers: z.record(z.string()).default({}),
	/** The code in the error body, e.g. 110 with status 400 for an error of the widget. Without it, the status times 10. */
	code: z.number().int().positive().optional(),
	/** The body for kinds with a status. Without it, an error body in the contract's format. */
	body: z.string().optional(),
};

export const Fault = z
	.object({
		kind: FaultKind,
		/** How many matching requests fail. */
		times: z.number().int().positive().default(1),
		/** How many matching requests pass first. */
		after: z.number().int().nonnegative().default(0),
		...what,
	})
	.strict();
export type Fault = z.infer<typeof Fault>;

export const RandomFaults = z
	.object({
		rate: z.number().min(0).max(1),
		seed: z.number().int().default(1),
		kinds: z.array(FaultKind).min(1).default(['status']),
		...what,
	})
	.strict();
export type RandomFaults = z.infer<typeof RandomFaults>;

/** What happens to one request. */
export type Strike = Pick<Fault, 'kind' | 'status' | 'code' | 'ms' | 'headers' | 'body'>;

/** A small random generator (mulberry32): the same rate and seed always fail the same requests. */
const randomFrom = (seed: number) => {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
};

/** Escapes a text for use in a regular expression. */
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** `*` matches anything, `{id}` one segment. */
const pathMatches = (pattern: string, path: string): boolean =>
	new RegExp(
		`^${pattern
			.split(/(\*|\{\w+\})/)
			.map((piece, index) => (index % 2 === 0 ? literal(piece) : piece === '*' ? '.*' : '[^/]+'))
			.join('')}$`,
	).test(path);

const matches = (
	{ method, path }: Fault['match'],
	request: { method: string; path: string; endpointPath: string },
): boolean =>
	(method === undefined || method.toUpperCase() === request.method) &&
	(path === undefined ||
		path === request.endpointPath ||
		pathMatches(path, request.path) ||
		pathMatches(path, request.endpointPath));

/** Decides which requests fail, and how. */
export class Faults {
	private planned: Fault[] = [];
	private random: (RandomFaults & { next: () => number }) | undefined;

	/** `faults.add({kind: 'reset', match: {path: '/dispatches'}, times: 2})` */
	add(fault: z.input<typeof Fault>): Fault {
		const complete = Fault.parse(fault);
		this.planned.push(complete);
		return complete;
	}

	setRandom(faults: z.input<typeof RandomFaults>): RandomFaults {
		const complete = RandomFaults.parse(faults);
		this.random = { ...complete, next: randomFrom(complete.seed) };
		return complete;
	}

	clear(): void {
		this.planned = [];
		this.random = undefined;
	}

	get waiting(): { planned: Fault[]; random: RandomFaults | null } {
		if (this.random === undefined) return { planned: [...this.planned], random: null };
		const { rate, seed, kinds, match, status, code, ms, headers, body } = this.random;
		const random = { rate, seed, kinds, match, status, code, ms, headers, body };
		return { planned: [...this.planned], random };
	}

	/** The fault for this request, if any. A planned fault is used up. */
	strike(request: { method: string; path: string; endpointPath: string }): Strike | undefined {
		const planned = this.planned.find(({ match }) => matches(match, request));
		if (planned !== undefined && planned.after > 0) {
			planned.after--;
			return undefined;
		}
		if (planned !== undefined) {
			planned.times--;
			if (planned.times === 0) this.planned = this.planned.filter((fault) => fault !== planned);
			return planned;
		}
		const { random } = this;
		if (random === undefined || !matches(random.match, request)) return undefined;
		// Both numbers are drawn every time, so that the list of kinds doesn't change which requests fail.
		const [point, choice] = [random.next(), random.next()];
		if (point >= random.rate) return undefined;
		return { ...random, kind: random.kinds[Math.floor(choice * random.kinds.length)] };
	}
}
