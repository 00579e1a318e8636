import { undoAfterwards } from '../../e2e/support/cleanup.cts';
import { json, startServer, type Received } from '../../support/server.cts';

/** Answers every request with JSON, until the test file is through. */
async function serve(answer: (request: Received) => unknown): Promise<string> {
	const server = await startServer((request) => async (_, response) => {
		json(200, await answer(request))(request, response);
	});
	undoAfterwards(server.close);
	return server.url;
}

/** Somebody's list: a JSON array that the HTTP Request node turns into items. */
export async function startRows(): Promise<(count: number) => string> {
	const url = await serve((request) =>
		Array.from({ length: Number(request.url.slice(1)) }, (_, index) => ({
			phone: `+7 916 ${String(index).padStart(7, '0')}`,
			name: `Name ${index}`,
			code: index,
		})),
	);
	return (count) => `${url}/${count}`;
}

export interface Counter {
	readonly url: string;
	/** How often each key has come. */
	readonly counts: ReadonlyMap<string, number>;
	/** From now on nobody is answered; gives what ends it. */
	hold(): () => void;
	/** How many wait for their answer. */
	held(): number;
}

/** The last step of a workflow: a call of `/{key}` says that an event was worked on to the end. */
export async function startCounter(): Promise<Counter> {
	const counts = new Map<string, number>();
	let gate = Promise.resolve();
	let held = 0;
	const url = await serve(async (request) => {
		const key = request.url.slice(1);
		counts.set(key, (counts.get(key) ?? 0) + 1);
		held++;
		await gate;
		held--;
		return {};
	});
	return {
		url,
		counts,
		hold: () => {
			let release = () => {};
			gate = new Promise((resolve) => (release = resolve));
			return release;
		},
		held: () => held,
	};
}
