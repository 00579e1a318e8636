import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Credential } from '../../host/n8n/credential.cts';
import { digitsOf } from './recipients.cts';

/** As far away as a messaging API usually is. */
export const messageLatencyMs = 20;

const apiKey = 'bench-api-key';

export interface MessageService {
	readonly url: string;
	/** For our node, and for n8n's own. */
	readonly credential: Credential;
	/** What `GET /items` gives: the input of a workflow, so that both sides get the very same items. */
	items: unknown[];
	/** How far away it is; 20 ms at first. */
	latencyMs: number;
	/** Throws unless exactly the first `count` people got a message, each that many times; then forgets them. */
	expectArrived(count: number, times?: number): void;
	close(): Promise<void>;
}

interface Message {
	destination: string;
	externalMessageId: string;
}

/** The messaging API as far as a figure needs it, with next to no work of its own. */
export async function startMessageService(): Promise<MessageService> {
	let items: unknown[] = [];
	let latencyMs = messageLatencyMs;
	const arrived = new Map<string, number>();

	const accept = (messages: Message[]) => {
		for (const { destination } of messages) {
			arrived.set(destination, (arrived.get(destination) ?? 0) + 1);
		}
		return {
			errors: false,
			items: messages.map(({ externalMessageId }) => ({
				messageUuid: randomUUID(),
				externalMessageId,
				code: 201,
			})),
		};
	};

	const handle = async (request: IncomingMessage, response: ServerResponse) => {
		const body = await text(request);
		const answer = (status: number, reply: unknown) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(reply));
		};
		const route = `${request.method} ${request.url}`;
		if (route === 'GET /items') return answer(200, items);
		const isAllowed = request.headers.authorization === `Bearer ${apiKey}`;
		if (!isAllowed || route !== 'POST /api/v1/message') return answer(404, {});
		await pause(latencyMs);
		return answer(200, accept(JSON.parse(body) as Message[]));
	};

	const server = createServer((request, response) => {
		// A request that breaks off is the other side's failure and shows there.
		handle(request, response).catch(() => response.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}`;

	return {
		url,
		credential: {
			id: 'distantMessagingApi',
			name: 'A distant service',
			type: 'bulkMessagingApi',
			data: { baseUrl: `${url}/api/v1`, apiKey, scheme: 'Bearer' },
		},
		get items() {
			return items;
		},
		set items(given) {
			items = given;
		},
		get latencyMs() {
			return latencyMs;
		},
		set latencyMs(given) {
			latencyMs = given;
		},
		expectArrived: (count, times = 1) => {
			for (let index = 0; index < count; index++) {
				const came = arrived.get(digitsOf(index)) ?? 0;
				if (came !== times) throw new Error(`${digitsOf(index)} got ${came} messages.`);
			}
			if (arrived.size !== count) throw new Error(`${arrived.size} people instead of ${count}.`);
			arrived.clear();
		},
		close: async () => {
			await new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			});
		},
	};
}
