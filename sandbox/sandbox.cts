import { Hono } from 'hono';
import { accessDenied, notFound } from './api/apiError.cts';
import { clientOf } from './client.cts';
import { controlRoutes } from './control/routes.cts';
import { demo, urlsOf } from './demo.cts';
import { handleEvent } from './time/events.cts';
import { faceRoutes } from './face/routes.cts';
import { Faults } from './api/faults.cts';
import { maskedQuery } from './api/masked.cts';
import { accountRoutes } from './api/messaging/account.cts';
import { messagingDispatchRoutes } from './api/messaging/dispatches.cts';
import { entityRoutes } from './api/messaging/entities.cts';
import { listRoutes } from './api/messaging/list.cts';
import { sendRoutes } from './api/messaging/send.cts';
import { verifierRoutes } from './api/messaging/verifier.cts';
import { Outbox, resendMs, type SendCallback } from './time/outbox.cts';
import { isOwnRequest } from './api/ownHost.cts';
import { companyRoutes } from './api/partner/companies.cts';
import { dispatchRoutes } from './api/partner/dispatches.cts';
import { messageRoutes, priceRoutes, recipientRoutes } from './api/partner/messages.cts';
import { senderRoutes } from './api/partner/senders.cts';
import { tokenRoutes } from './api/partner/token.cts';
import { RequestLog } from './api/requestLog.cts';
import {
	delayHeader,
	errorResponse,
	faultHeader,
	routeOn,
	type App,
	type Connection,
} from './api/route.cts';
import { seedWorld, type SeedName } from './stored/seed.cts';
import { readSnapshot, writeSnapshot } from './stored/snapshot.cts';
import { Store } from './stored/store.cts';
import { Timeline, type TimedEvent } from './time/timeline.cts';
import { isoOf } from './stored/views.cts';
import type { World } from './stored/world.cts';

export interface SandboxOptions {
	/** The virtual time at the start. The default is a Monday morning. */
	now?: number;
	seed?: SeedName;
	/** The sandbox's URL. Without a server it is only a name. */
	origin?: string;
	/** Sends callbacks. Without it, every callback is logged as if the response were 200. */
	send?: SendCallback;
	uuid?: () => string;
	/** Whether to check every reply with the contract's schema. The default is true. */
	checkReplies?: boolean;
}

const mondayMorning = Date.UTC(2026, 2, 2, 7, 0, 0);
const local: Connection = { address: '127.0.0.1' };

/** The whole service within one process: without sockets and timers, and with its own clock. */
export const createSandbox = (options: SandboxOptions = {}) => {
	const timeline = new Timeline(options.now ?? mondayMorning);
	const outbox = new Outbox(timeline, options.send ?? (async () => 200));
	const world: World = {
		store: new Store(),
		origin: options.origin ?? `http://${demo.host}:${demo.port}`,
		pace: { speed: 1 },
		timeline,
		outbox,
		faults: new Faults(),
		requests: new RequestLog(),
		uuid: options.uuid ?? (() => crypto.randomUUID()),
	};
	let changeCount = 0;
	const runEvent = (event: TimedEvent) => {
		changeCount++;
		handleEvent(world, event);
	};
	const reset = (seed: SeedName = options.seed ?? 'demo') => seedWorld(world, seed);
	let asleep: Array<{ until: number; wake: () => void }> = [];
	const wakeDue = () => {
		const due = asleep.filter(({ until }) => until <= timeline.now);
		asleep = asleep.filter(({ until }) => until > timeline.now);
		for (const { wake } of due) wake();
	};
	let stepping: Promise<void> | undefined;
	let behind = 0;

	const step = async (ms: number): Promise<void> => {
		const until = timeline.now + ms;
		for (;;) {
			// A running callback may have to be resent. Until its result is known, time must not pass that moment.
			timeline.run(until, runEvent, () => (outbox.oldestStart ?? Infinity) + resendMs - 1);
			wakeDue();
			if (outbox.oldestStart !== undefined) await outbox.allFinished();
			else if (timeline.now >= until) return;
		}
	};

	/** Advances the clock and waits for the responses to the callbacks of that time, including resends. */
	const advance = async (ms: number): Promise<void> => {
		while (stepping !== undefined) await stepping;
		stepping = step(ms).finally(() => (stepping = undefined));
		await stepping;
	};

	/** Advances the clock without waiting for responses, as real time does. */
	const tick = (ms: number): void => {
		behind += ms;
		if (stepping !== undefined) return;
		timeline.run(timeline.now + behind, runEvent);
		behind = 0;
		wakeDue();
	};

	const app: App = new Hono();
	app.use(async (context, next) => {
		if (isOwnRequest(context.req.raw)) return await next();
		return errorResponse(accessDenied());
	});
	const route = routeOn(app, world, options.checkReplies ?? true);
	tokenRoutes(route, world);
	companyRoutes(route, world);
	senderRoutes(route, world);
	dispatchRoutes(route, world);
	messageRoutes(route, world);
	recipientRoutes(route, world);
	priceRoutes(route, world);
	accountRoutes(route, world);
	sendRoutes(route, world);
	listRoutes(route, world);
	verifierRoutes(route, world);
	messagingDispatchRoutes(route, world);
	entityRoutes(route, world);
	controlRoutes(app, { world, advance, reset });
	faceRoutes(app, world, () => changeCount + outbox.finished + world.requests.total);
	app.notFound((context) => {
		const { method, path } = context.req;
		if (!path.startsWith(demo.controlPath)) {
			const at = isoOf(timeline.now);
			const query = maskedQuery(context.req.url);
			const trace = world.requests.begin();
			world.requests.add({ ...trace, at, method, path, query, endpoint: null, status: 404 });
		}
		return errorResponse(notFound(`there is no ${method} ${path}`));
	});
	app.onError((error) => errorResponse(error));
	reset();

	/** The application's response. Connection faults are headers for server.cts. */
	const handle = async (request: Request, connection: Connection = local): Promise<Response> => {
		const response = await app.fetch(request, connection);
		if (request.method !== 'GET') changeCount++;
		// Node would write the real time.
		response.headers.set('date', new Date(timeline.now).toUTCString());
		return response;
	};

	/** The response as a client sees it: a reset rejects, a hang never resolves, a delay ends by the virtual clock. */
	const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
		const response = await handle(new Request(input, init));
		const fault = response.headers.get(faultHeader);
		if (fault === 'reset') throw new TypeError('fetch failed: ECONNRESET');
		if (fault === 'hang') return await new Promise<never>(() => undefined);
		const delay = response.headers.get(delayHeader);
		if (delay !== null) {
			const until = timeline.now + Number(delay);
			await new Promise<void>((wake) => asleep.push({ until, wake }));
		}
		return response;
	};

	return {
		world,
		handle,
		fetch,
		advance,
		tick,
		reset,
		get now() {
			return timeline.now;
		},
		get urls() {
			return urlsOf(world.origin);
		},
		/** Increases with everything that may have changed the snapshot, except the time. */
		get changes() {
			return changeCount + outbox.finished;
		},
		faults: world.faults,
		requests: world.requests,
		get callbacks() {
			return [...outbox.entries.values()];
		},
		/** A typed client of this sandbox, with the demo credentials. */
		client: () => clientOf(fetch, world.origin),
		snapshot: () => writeSnapshot(world),
		/** Restores a snapshot. Throws an error if these bytes aren't one. */
		restore: (bytes: Uint8Array) => readSnapshot(world, bytes),
	};
};
export type Sandbox = ReturnType<typeof createSandbox>;
