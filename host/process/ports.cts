import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Opens the port for a moment. */
export function isFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
			server.close(() => resolve(true));
		});
	});
}

/**
 * A random one below those that the system gives to outgoing connections: n8n listens only many seconds later, and until then a
 * connection could take it.
 */
export async function freePort(): Promise<number> {
	for (let tries = 0; tries < 100; tries++) {
		const port = randomInt(20_000, 32_000);
		if (await isFree(port)) return port;
	}
	throw new Error('No port is free on 127.0.0.1.');
}
