import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A client gives up when a server says that it will never answer, not when a real time limit passes: on a busy machine, a request
 * that is answered may take longer than any limit a test could wait for.
 */

const channel = 'net.client.socket';
const clients = new Set<Socket>();
const remember = (message: unknown) => {
	const { socket } = message as { socket: Socket };
	clients.add(socket);
	socket.once('close', () => clients.delete(socket));
};
subscribe(channel, remember);
afterAll(() => {
	unsubscribe(channel, remember);
});

/** Ends the time that the client waits for this response, in the way Node.js itself does it. The client is in this process. */
export const giveUp = ({ socket }: Pick<ServerResponse, 'socket'>): void => {
	const client = [...clients].find(
		({ localPort }) => localPort !== undefined && localPort === socket?.remotePort,
	);
	client?.emit('timeout');
};

/** How long the package waits for a response. */
export const clientLimitMs = 70_000;

/** For the sandbox: a client doesn't wait for a response that takes longer than its limit. */
export const giveUpLate = (response: ServerResponse, ms: number): void => {
	if (ms > clientLimitMs) giveUp(response);
};

/** Ends the time that the client waits for the end of the next response, as soon as it begins to read it. */
export const giveUpReading = (): void => {
	jest.spyOn(AbortSignal, 'timeout').mockImplementationOnce(() => {
		const limit = new AbortController();
		setImmediate(() => limit.abort());
		return limit.signal;
	});
};
