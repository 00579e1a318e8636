import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { giveUp } from './giveUp.cts';

export interface Received {
	method: string;
	/** Path and query, as they came over the wire. */
	url: string;
	headers: IncomingMessage['headers'];
	body: Buffer;
}

/** How the server treats one request. It may also never answer. */
export type Behaviour = (request: Received, response: ServerResponse) => void;

export const json =
	(status: number, body: unknown, headers: Record<string, string> = {}): Behaviour =>
	(_, response) => {
		response.writeHead(status, { 'content-type': 'application/json', ...headers });
		response.end(JSON.stringify(body));
	};

export const text =
	(status: number, body: string, contentType = 'text/plain'): Behaviour =>
	(_, response) => {
		response.writeHead(status, { 'content-type': contentType });
		response.end(body);
	};

/** The connection is torn down without an answer. */
export const reset: Behaviour = (_, response) => response.socket?.resetAndDestroy();

/** The request is taken and never answered. */
export const hang: Behaviour = () => undefined;

/** The request is taken and never answered, and the client has waited long enough. */
export const tooLate: Behaviour = (_, response) => giveUp(response);

/** Half of an answer, then nothing more. */
export const truncated =
	(status: number, body: unknown): Behaviour =>
	(_, response) => {
		const whole = JSON.stringify(body);
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(whole.slice(0, Math.floor(whole.length / 2)));
	};

export interface TestServer {
	url: string;
	received: Received[];
	/** The requests with this method and path, query left out. */
	receivedAt(method: string, path: string): Received[];
	close(): Promise<void>;
}

/** A server on loopback whose answer to each request is decided by the test. */
export const startServer = async (
	answer: (request: Received) => Behaviour,
): Promise<TestServer> => {
	const received: Received[] = [];
	const server = createServer((incoming, response) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('error', () => undefined);
		incoming.on('end', () => {
			const request: Received = {
				method: incoming.method ?? '',
				url: incoming.url ?? '',
				headers: incoming.headers,
				body: Buffer.concat(chunks),
			};
			received.push(request);
			answer(request)(request, response);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		received,
		receivedAt: (method, path) =>
			received.filter((one) => one.method === method && one.url.split('?')[0] === path),
		close: async () => {
			const closed = new Promise<void>((resolve) => server.close(() => resolve()));
			server.closeAllConnections();
			await closed;
		},
	};
};
