import { Agent, createServer, request as forward, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { undoAfterwards } from '../support/cleanup.cts';

export interface Door {
	/** What the service is told instead of n8n's own address. */
	readonly url: string;
	/** The status of every answer n8n has given. */
	readonly answers: number[];
	/** n8n answers, and the service does not hear it. */
	losesAnswers: boolean;
}

/** Stands between the service and n8n, and lets in so many at a time. It outlives n8n. */
export async function startDoor(target: string, mostAtATime: number): Promise<Door> {
	const agent = new Agent({ keepAlive: false });
	const waiting: Array<() => void> = [];
	let inside = 0;
	const enter = async () => {
		if (inside++ >= mostAtATime) await new Promise<void>((resolve) => waiting.push(resolve));
	};
	const leave = () => {
		inside--;
		waiting.shift()?.();
	};
	const door: Door & { url: string } = { url: '', answers: [], losesAnswers: false };
	const lose = (response: ServerResponse) => response.socket?.destroy();
	const server = createServer((incoming, outgoing) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('error', () => undefined);
		incoming.on('end', async () => {
			await enter();
			const { method, url = '', headers } = incoming;
			const onward = forward(new URL(url, target), { method, headers, agent }, (answer) => {
				answer.on('error', () => undefined);
				if (door.losesAnswers) {
					answer.resume();
					answer.on('end', () => lose(outgoing));
				} else {
					outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
					answer.pipe(outgoing);
				}
				answer.on('end', () => door.answers.push(answer.statusCode ?? 0));
			});
			onward.on('error', () => lose(outgoing));
			onward.on('close', leave);
			onward.end(Buffer.concat(chunks));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	undoAfterwards(async () => {
		agent.destroy();
		await new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	});
	const { port } = server.address() as AddressInfo;
	door.url = `http://127.0.0.1:${port}`;
	return door;
}
