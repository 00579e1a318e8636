import type { IHttpRequestOptions } from 'n8n-workflow';
import type { Clock } from './clock.cts';
import { fateOf, readFaultOf } from './faults.cts';
import { oddAnswer, unreachable } from './oddAnswers.cts';
import type { Random } from './random.cts';
import { route, type Routed } from './routes.cts';
import type { Answer } from './records.cts';
import type { Service } from './service.cts';

/** A run as the network sees it. */
export interface Client {
	name: string;
	away?: Away;
}

/**
 * When a process is asleep, or from when on it is killed: it sends nothing and gets no answer. What it has sent is still carried
 * out.
 */
export interface Away {
	from: number;
	/** `Infinity` if it is killed. */
	until: number;
}

interface FullResponse {
	statusCode: number;
	headers: Record<string, string>;
	body: unknown;
}

const connectionLost = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
const connectionRefused = () =>
	Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
const timedOut = () => Object.assign(new Error('timeout exceeded'), { code: 'ECONNABORTED' });
const never = async () => await new Promise<never>(() => undefined);

/** Whatever a process waits for, it notices only when it is awake. */
export const awake = async (clock: Clock, away: Away | undefined): Promise<void> => {
	if (away === undefined || clock.now < away.from || clock.now >= away.until) return;
	await (away.until === Infinity ? never() : clock.sleep(away.until - clock.now));
};

const shortened = (value: unknown) => (JSON.stringify(value) ?? String(value)).slice(0, 300);

/** Carries requests to the service and answers back, sometimes late, sometimes not at all. */
export class Network {
	/** When each run's last first page was read: a later page of the same list isn't older. */
	private readonly firstPageAt = new Map<string, number>();

	requests = 0;

	constructor(
		private readonly clock: Clock,
		private readonly random: Random,
		private readonly service: Service,
		private readonly without: ReadonlySet<string>,
		/** Writes a line about what happens; `undefined` if nobody reads it. */
		private readonly log?: (line: string) => void,
	) {}

	async request(client: Client, options: IHttpRequestOptions): Promise<FullResponse> {
		const { clock } = this;
		const { method = 'GET', timeout = 70_000 } = options;
		const url = new URL(options.url);
		const path = `${url.pathname}${url.search}`;
		const body = Buffer.isBuffer(options.body) ? parsedBody(options.body) : undefined;
		await awake(clock, client.away);
		const number = ++this.requests;
		const title = `#${number} ${method} ${path}`;
		this.log?.(`${client.name} → ${title}${body === undefined ? '' : ` ${shortened(body)}`}`);
		const sentAt = clock.now;
		const routed = route(this.service, client.name, { method, path, body });
		await clock.sleep(this.latency(routed));
		const answer =
			routed.kind === 'change' ? await this.change(routed, title) : await this.read(routed, client);
		await clock.sleep(this.latency(routed));
		await awake(clock, client.away);
		const isLate = clock.now - sentAt > timeout;
		const shown = answer === undefined ? 'no answer' : `${answer.status} ${shortened(answer.body)}`;
		this.log?.(`${client.name} ← #${number} ${isLate ? 'too late' : shown}`);
		if (isLate) throw timedOut();
		if (answer === undefined) throw connectionLost();
		if (answer === unreachable) throw connectionRefused();
		const headers = { date: new Date(clock.now).toUTCString() };
		return { statusCode: answer.status, headers, body: answer.body };
	}

	private latency(routed: Routed): number {
		const isSlow = routed.kind === 'read' && routed.isList && this.service.world.hasSlowLists;
		return this.random.between(1, isSlow ? 750 : 125);
	}

	private async change(
		routed: Extract<Routed, { kind: 'change' }>,
		title: string,
	): Promise<Answer | undefined> {
		const { clock, service, random } = this;
		const fate = fateOf(service, random, routed, this.without);
		if (fate.fault !== 'none') this.log?.(`    ${title}: ${fate.fault}`);
		let real: Answer | undefined;
		const carryOut = () => {
			real = routed.carryOut();
			this.log?.(`    ${title} is carried out: ${real.status} ${shortened(real.body)}`);
		};
		if (fate.carriedOutIn === 0) carryOut();
		else if (fate.carriedOutIn !== undefined) clock.at(clock.now + fate.carriedOutIn, carryOut);
		// Made now: what happens while the client waits doesn't change the answer.
		const answer = fate.answer(real);
		if (fate.waitMs > 0) await clock.sleep(fate.waitMs);
		return answer;
	}

	private async read(
		{ lag, look, page, isList }: Extract<Routed, { kind: 'read' }>,
		{ name }: Client,
	): Promise<Answer | undefined> {
		const { random, clock, service } = this;
		const fault = readFaultOf(service, random, page);
		if (fault === 'lost') return undefined;
		if (fault === 'error') return { status: random.pick([500, 502, 503, 429]), body: '' };
		if (fault === 'odd') return oddAnswer(random);
		const { lagMs } = service.world;
		const key = `${name} ${lag ?? ''}`;
		const back = (most: number) => (most === 0 ? 0 : random.below(most));
		const asked = clock.now - back(lag === undefined ? 0 : lagMs[lag]);
		const at = page > 1 ? Math.max(asked, this.firstPageAt.get(key) ?? 0) : asked;
		if (page === 1 && isList) this.firstPageAt.set(key, at);
		const answer = look({ at, countersAt: Math.min(at, clock.now - back(lagMs.counters)) });
		return fault === 'firstPageAgain' ? this.firstPages.get(key) : this.keep(key, page, answer);
	}

	private readonly firstPages = new Map<string, Answer>();

	private keep(key: string, page: number, answer: Answer): Answer {
		if (page === 1) this.firstPages.set(key, answer);
		return answer;
	}
}

const parsedBody = (bytes: Buffer): unknown => JSON.parse(bytes.toString());
