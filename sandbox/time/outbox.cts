import { hashOf } from './outcomes.cts';
import type { Timeline } from './timeline.cts';

export interface CallbackRequest {
	/** Without login and password: they are sent as a header. */
	url: string;
	headers: Record<string, string>;
	body: string;
}
/** The receiver's response. */
interface CallbackResponse {
	status: number;
	/** The beginning of the body, for the page. */
	answer?: string;
}
/** Sends one callback. It may return only the status, and rejects if there was no response. */
export type SendCallback = (request: CallbackRequest) => Promise<number | CallbackResponse>;

export interface CallbackAttempt extends Partial<CallbackResponse> {
	at: number;
	error?: string;
}
export interface CallbackEntry {
	id: number;
	kind: 'dispatch' | 'message';
	url: string;
	authorization: string | null;
	body: unknown;
	createdAt: number;
	state: CallbackState;
	/** When the next attempt is due. An attempt planned for an earlier time is skipped. */
	nextAt?: number;
	attempts: CallbackAttempt[];
}
/** `stopped`: the user stopped further attempts. */
export const callbackStates = ['pending', 'delivered', 'expired', 'stopped'] as const;
type CallbackState = (typeof callbackStates)[number];

/** The contract: "resends every 5 minutes, for a period of one day". */
export const resendMs = 5 * 60_000;
const resendPeriodMs = 24 * 3_600_000;
const lanesPerUrl = 64;

export const isSuccess = (status: number | undefined): boolean =>
	status !== undefined && status >= 200 && status < 300;

/** A part of a URL as it was meant, or as it is if it can't be decoded. */
export const decodePart = (text: string): string => {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
};

/** "It may carry a login and password in the URL for Basic authorization." */
export const splitCredentials = (callbackUrl: string) => {
	const url = new URL(callbackUrl);
	const { username, password } = url;
	if (username === '' && password === '') return { url: url.href, authorization: null };
	url.username = '';
	url.password = '';
	const pair = Buffer.from(`${decodePart(username)}:${decodePart(password)}`).toString('base64');
	return { url: url.href, authorization: `Basic ${pair}` };
};

/** Whether it reports a recipient's reply. */
export const isReply = ({ body }: Pick<CallbackEntry, 'body'>): boolean => {
	const [first] = (Array.isArray(body) ? body : [body]) as Array<Record<string, unknown>>;
	return first?.callback_event === 'inbound_sent';
};

/** The messages that a callback reports: one of a dispatch, or several single ones. */
export const uuidsIn = (body: unknown): string[] => {
	const reported = (Array.isArray(body) ? body : [body]) as Array<Record<string, unknown>>;
	const uuids = reported.map((one) => one.messageUuid ?? one.message_uuid);
	return [...new Set(uuids.filter((uuid) => typeof uuid === 'string'))];
};

/** Sends callbacks, resends them until the response is 2xx, and logs every attempt. */
export class Outbox {
	entries = new Map<number, CallbackEntry>();
	/** The callbacks that report a message, by its UUID. */
	byMessage = new Map<string, number[]>();
	/** Events of single messages whose batch isn't sent yet, by callback URL. */
	batches = new Map<string, unknown[]>();
	private lanes = new Map<string, CallbackEntry[]>();
	/** When each running attempt was started, oldest first. */
	private running = new Map<number, number>();
	private waiting: Array<() => void> = [];
	private lastId = 0;
	/** How many attempts have ended. */
	finished = 0;
	private readonly targets = new Map<string, ReturnType<typeof splitCredentials>>();

	constructor(
		private readonly timeline: Timeline,
		private readonly send: SendCallback,
	) {}

	/** The start of the oldest running attempt. It can't be resent earlier than five minutes later. */
	get oldestStart(): number | undefined {
		return this.running.values().next().value;
	}

	/** Resolves when no attempt is running. */
	async allFinished(): Promise<void> {
		if (this.running.size > 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	/** Callbacks of one message are sent in order: they share a lane, and each lane sends one at a time. */
	post(kind: CallbackEntry['kind'], callbackUrl: string, body: unknown, laneKey: string): void {
		let target = this.targets.get(callbackUrl);
		if (target === undefined) {
			target = splitCredentials(callbackUrl);
			this.targets.set(callbackUrl, target);
		}
		const entry: CallbackEntry = {
			id: ++this.lastId,
			kind,
			...target,
			body,
			createdAt: this.timeline.now,
			state: 'pending',
			attempts: [],
		};
		this.entries.set(entry.id, entry);
		this.index(entry);
		this.start(entry, `${entry.url} ${hashOf(laneKey, 0) % lanesPerUrl}`);
	}

	/** Adds an event to the next array that is sent to this URL. */
	batch(callbackUrl: string, event: unknown, windowMs: number, most: number): void {
		const open = this.batches.get(callbackUrl);
		if (open === undefined) {
			this.batches.set(callbackUrl, [event]);
			this.timeline.plan(this.timeline.now + windowMs, {
				kind: 'callback-flush',
				url: callbackUrl,
			});
		} else open.push(event);
		if ((open?.length ?? 1) >= most) this.flush(callbackUrl);
	}

	flush(callbackUrl: string): void {
		const events = this.batches.get(callbackUrl);
		this.batches.delete(callbackUrl);
		if (events !== undefined) this.post('message', callbackUrl, events, callbackUrl);
	}

	/** Makes the planned attempt, unless the callback was sent or stopped meanwhile. */
	resendIfDue(id: number): void {
		const entry = this.entries.get(id);
		if (entry?.state !== 'pending' || this.running.has(id)) return;
		if ((entry.nextAt ?? 0) > this.timeline.now) return;
		this.start(entry, `again ${id}`);
	}

	/** Makes one more attempt now, in any state. Returns false while an attempt is running. */
	resendNow(entry: CallbackEntry): boolean {
		if (this.running.has(entry.id)) return false;
		entry.state = 'pending';
		this.start(entry, `again ${entry.id}`);
		return true;
	}

	stopRetrying(entry: CallbackEntry): void {
		if (entry.state === 'pending') entry.state = 'stopped';
	}

	/** Deletes everything. Responses that arrive later are ignored. */
	clear(): void {
		this.load([], []);
		this.lastId = 0;
	}

	load(entries: CallbackEntry[], batches: Array<[string, unknown[]]>): void {
		this.entries = new Map(entries.map((entry) => [entry.id, entry]));
		this.byMessage = new Map();
		for (const entry of entries) this.index(entry);
		this.batches = new Map(batches);
		this.lastId = entries.reduce((last, { id }) => Math.max(last, id), 0);
		this.lanes.clear();
		this.running.clear();
		this.wake();
	}

	private index({ id, body }: CallbackEntry): void {
		for (const uuid of uuidsIn(body)) {
			const known = this.byMessage.get(uuid);
			if (known === undefined) this.byMessage.set(uuid, [id]);
			else known.push(id);
		}
	}

	private start(entry: CallbackEntry, laneKey: string): void {
		this.running.set(entry.id, this.timeline.now);
		const lane = this.lanes.get(laneKey);
		if (lane !== undefined) {
			lane.push(entry);
			return;
		}
		const opened = [entry];
		this.lanes.set(laneKey, opened);
		void this.runLane(laneKey, opened);
	}

	private async runLane(laneKey: string, lane: CallbackEntry[]): Promise<void> {
		for (let index = 0; index < lane.length; index++) {
			const entry = lane[index];
			if (this.entries.get(entry.id) !== entry) return;
			const result = await this.tryOnce(entry);
			if (this.entries.get(entry.id) !== entry) return;
			this.finish(entry, result);
		}
		this.lanes.delete(laneKey);
		if (this.running.size === 0) this.wake();
	}

	private async tryOnce({ url, authorization, body }: CallbackEntry) {
		const headers: Record<string, string> = { 'content-type': 'application/json' };
		if (authorization !== null) headers.authorization = authorization;
		try {
			const response = await this.send({ url, headers, body: JSON.stringify(body) });
			return typeof response === 'number' ? { status: response } : response;
		} catch (error) {
			return { error: error instanceof Error ? error.message : String(error) };
		}
	}

	private finish(entry: CallbackEntry, result: Omit<CallbackAttempt, 'at'>): void {
		const at = this.running.get(entry.id) ?? this.timeline.now;
		this.running.delete(entry.id);
		this.finished++;
		entry.attempts.push({ at, ...result });
		if (isSuccess(result.status)) {
			entry.state = 'delivered';
		} else if (entry.state === 'stopped') {
			return;
		} else if (at + resendMs - entry.createdAt > resendPeriodMs) {
			entry.state = 'expired';
		} else {
			entry.nextAt = at + resendMs;
			this.timeline.plan(entry.nextAt, { kind: 'callback-attempt', id: entry.id });
		}
	}

	private wake(): void {
		for (const resolve of this.waiting.splice(0)) resolve();
	}
}
