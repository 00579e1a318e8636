import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { undoAfterwards } from '../../e2e/support/cleanup.cts';

export interface Counter {
	readonly url: string;
	/** How often each key has come. */
	readonly counts: Map<string, number>;
}

/** The last step of a workflow: `POST /{key}` says that an event was worked on to the end. */
export async function startCounter(): Promise<Counter> {
	const counts = new Map<string, number>();
	const server = createServer((request, response) => {
		const key = decodeURIComponent(request.url?.slice(1) ?? '');
		counts.set(key, (counts.get(key) ?? 0) + 1);
		request.resume();
		response.setHeader('content-type', 'application/json').end('{}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	undoAfterwards(
		async () =>
			await new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	);
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, counts };
}
