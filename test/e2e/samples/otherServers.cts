import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { undoAfterwards } from '../support/cleanup.cts';

/** Servers on 127.0.0.1 in place of those that a sample talks to in production. They are closed after the test file. */

async function listen(server: Server) {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	undoAfterwards(async () => {
		await new Promise<void>((resolve) => {
			server.close(() => resolve());
			// n8n may keep a connection open.
			server.unref();
			resolve();
		});
	});
	return (server.address() as AddressInfo).port;
}

interface Request {
	method: string;
	url: string;
	authorization?: string;
	/** From JSON; `undefined` if there is none. */
	body: unknown;
}

/** Keeps every request, and answers each with JSON. */
export async function startWebServer(answer: (request: Request) => object) {
	const requests: Request[] = [];
	const server = createHttpServer((incoming, response) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const text = Buffer.concat(chunks).toString();
			const { method = '', url = '', headers } = incoming;
			const { authorization } = headers;
			const body: unknown = text === '' ? undefined : JSON.parse(text);
			const request = { method, url, authorization, body };
			requests.push(request);
			response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
			response.end(JSON.stringify(answer(request)));
		});
	});
	return { url: `http://127.0.0.1:${await listen(server)}`, requests };
}

/** Accepts every mail, without a login and without encryption, and keeps it as it came. */
export async function startMailServer() {
	const mails: string[] = [];
	const server = createServer((socket) => {
		let received = '';
		let isData = false;
		const say = (line: string) => socket.write(`${line}\r\n`);
		const read = () => {
			const end = isData ? '\r\n.\r\n' : '\r\n';
			const at = received.indexOf(end);
			if (at < 0) return;
			const part = received.slice(0, at);
			received = received.slice(at + end.length);
			if (isData) mails.push(part);
			const isMail = isData;
			isData = !isMail && part === 'DATA';
			say(isData ? '354 Go ahead' : part === 'QUIT' && !isMail ? '221 Bye' : '250 Ok');
			read();
		};
		socket.on('error', () => socket.destroy());
		socket.on('data', (chunk) => {
			received += chunk.toString('latin1');
			read();
		});
		say('220 127.0.0.1');
	});
	return { port: await listen(server), mails };
}
