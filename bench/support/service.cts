import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import {
	dispatchId,
	earlierDispatch,
	earlierMessages,
	ReceivedDispatch,
	senders,
} from './receivedDispatch.cts';
import { ReportedMessages, reportId } from './reportedMessages.cts';

/** As far away as a service usually is. */
export const latencyMs = 50;
/** As far away as the list of dispatches is. */
export const listLatencyMs = 20;

const credentials = { login: 'bench', password: 'bench-password' };
const token = 'bench-token';

export interface Service {
	readonly url: string;
	readonly credentials: typeof credentials;
	/** What `GET /items` gives: the input of a workflow, so that both sides get the very same items. */
	items: unknown[];
	/** How many dispatches the company had before: `Earlier 1`, `Earlier 2` and so on. With some, their list is 20 ms away. */
	earlier: number;
	/** How many messages the finished dispatch has. */
	reported: number;
	/** Whether the list of messages is 50 ms away. */
	delaysMessages: boolean;
	/** Whether everything about dispatches is 50 ms away. */
	delaysDispatches: boolean;
	/** Since the last `forget`: the numbers that were blacklisted, and how many requests were open at once. */
	readonly blacklisted: ReadonlySet<string>;
	readonly mostAtATime: number;
	/** Since the last `forget`: every dispatch that was created. Only the newest is listed, and requests about any of them are for the newest. */
	readonly dispatches: readonly ReceivedDispatch[];
	forget(): void;
	close(): Promise<void>;
}

const answerText = (response: ServerResponse, status: number, json: string) => {
	response.writeHead(status, { 'content-type': 'application/json' });
	response.end(json);
};
const answer = (response: ServerResponse, status: number, body: unknown) =>
	answerText(response, status, JSON.stringify(body));

/**
 * The partner API as far as a figure needs it, with next to no work of its own: the sandbox checks and stores
 * everything, which thousands of requests at once would have to queue for. The blacklist is 50 ms away. Dispatches are
 * answered at once unless a figure wants otherwise: waiting for the service would hide what is to be seen.
 */
export async function startService(): Promise<Service> {
	let items: unknown[] = [];
	let earlier = 0;
	let reported = new ReportedMessages(0);
	let delaysMessages = false;
	let delaysDispatches = false;
	const blacklisted = new Set<string>();
	let open = 0;
	let mostAtATime = 0;
	let dispatches: ReceivedDispatch[] = [];
	let made = 0;
	const create = () => {
		// A service never gives an ID twice.
		const created = new ReceivedDispatch(dispatchId + made++ * 1_000_000);
		dispatches.push(created);
		return created;
	};
	const newest = () => dispatches.at(-1) ?? create();

	/** The newest first. */
	const listDispatches = async (address: string) => {
		const { searchParams } = new URL(address, 'http://bench');
		const page = Number(searchParams.get('page') ?? 1);
		const perPage = Number(searchParams.get('perPage') ?? 10);
		const first = (page - 1) * perPage;
		const created = dispatches.slice(-1);
		const total = created.length + earlier;
		const length = Math.max(0, Math.min(perPage, total - first));
		if (earlier > 0) await pause(listLatencyMs);
		const listed = Array.from(
			{ length },
			(_, index) => created[first + index]?.state ?? earlierDispatch(total - first - index),
		);
		return { page, perPage, total, items: listed };
	};

	const handle = async (request: IncomingMessage, response: ServerResponse) => {
		const body = await text(request);
		const address = request.url?.split('?')[0] ?? '';
		const ofDispatch = /^\/dispatches\/(\d+)(\/messages)?$/.exec(address);
		const id = ofDispatch?.[1] === String(reportId) ? reportId : dispatchId;
		const path = ofDispatch === null ? address : `/dispatches/${id}${ofDispatch[2] ?? ''}`;
		const route = `${request.method} ${path}`;
		if (route === 'GET /items') return answer(response, 200, items);
		if (route === 'POST /auth/token') return answer(response, 200, { token });
		if (request.headers.authorization !== `Bearer ${token}`) {
			return answer(response, 401, { error: { code: 4010, msg: 'No such token' } });
		}
		if (delaysDispatches) await pause(latencyMs);
		switch (route) {
			case 'GET /senders':
				return answer(response, 200, senders);
			case `GET /senders/${senders[0].id}`:
				return answer(response, 200, senders[0]);
			case 'GET /price/tariffs':
				return answer(response, 200, { tariffs: [] });
			case `GET /dispatches/${reportId}`:
				return answer(response, 200, reported.state);
			case 'GET /messages':
				if (
					new URL(request.url ?? '', 'http://bench').searchParams.get('dispatchId') !==
					String(reportId)
				) {
					return answerText(response, 200, earlierMessages());
				}
				if (delaysMessages) await pause(latencyMs);
				return answerText(response, 200, reported.page(request.url ?? ''));
			case 'GET /dispatches':
				return answer(response, 200, await listDispatches(request.url ?? ''));
			case 'POST /dispatches':
				return answerText(response, 200, create().receive(body));
			case `POST /dispatches/${dispatchId}/messages`:
				return answerText(response, 200, newest().receive(body));
			case `GET /dispatches/${dispatchId}`:
				return answer(response, 200, newest().state);
			case 'PUT /recipients': {
				const { msisdn, companyId, blacklist } = JSON.parse(body) as Record<string, unknown>;
				blacklisted.add(String(msisdn));
				mostAtATime = Math.max(mostAtATime, ++open);
				await pause(latencyMs);
				open--;
				return answer(response, 200, { msisdn, companyId, blacklist });
			}
			default:
				return answer(response, 404, { error: { code: 4040, msg: 'No such route' } });
		}
	};

	const server = createServer((request, response) => {
		// A request that breaks off is the other side's failure and shows there.
		handle(request, response).catch(() => response.destroy());
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		// Room for everybody who knocks at once: a refused connection would be tried again a second later.
		server.listen({ port: 0, host: '127.0.0.1', backlog: 8192 }, resolve);
	});
	const { port } = server.address() as AddressInfo;

	return {
		url: `http://127.0.0.1:${port}`,
		credentials,
		get items() {
			return items;
		},
		set items(given) {
			items = given;
		},
		get earlier() {
			return earlier;
		},
		set earlier(given) {
			earlier = given;
		},
		get reported() {
			return reported.total;
		},
		set reported(total) {
			reported = new ReportedMessages(total);
		},
		get delaysMessages() {
			return delaysMessages;
		},
		set delaysMessages(given) {
			delaysMessages = given;
		},
		get delaysDispatches() {
			return delaysDispatches;
		},
		set delaysDispatches(given) {
			delaysDispatches = given;
		},
		blacklisted,
		get mostAtATime() {
			return mostAtATime;
		},
		get dispatches() {
			return dispatches;
		},
		forget: () => {
			blacklisted.clear();
			dispatches = [];
			mostAtATime = 0;
		},
		close: async () => {
			await new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			});
		},
	};
}
