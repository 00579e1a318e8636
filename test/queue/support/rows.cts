import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { undoAfterwards } from '../../e2e/support/cleanup.cts';

/** Somebody's list, `GET /rows/{count}`: a JSON array that the HTTP Request node turns into items. */
export async function startRows(): Promise<(count: number) => string> {
	const server = createServer((request, response) => {
		const count = Number(request.url?.split('/').at(-1));
		const rows = Array.from({ length: count }, (_, index) => ({
			phone: `+7 916 ${String(index).padStart(7, '0')}`,
			name: `Name ${index}`,
			code: index,
		}));
		response.setHeader('content-type', 'application/json').end(JSON.stringify(rows));
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
	return (count) => `http://127.0.0.1:${port}/rows/${count}`;
}
