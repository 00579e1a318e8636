import { createServer } from 'node:net';

/** Opens a port for a moment (0: any free port). Returns its number, or `undefined` if it is in use. */
function tryPort(port: number): Promise<number | undefined> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(undefined));
		server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
			const address = server.address();
			const opened = address !== null && typeof address === 'object' ? address.port : undefined;
			server.close(() => resolve(opened));
		});
	});
}

export async function isFree(port: number) {
	return (await tryPort(port)) !== undefined;
}

export async function freePort() {
	const port = await tryPort(0);
	if (port === undefined) throw new Error('No port is free on 127.0.0.1.');
	return port;
}
