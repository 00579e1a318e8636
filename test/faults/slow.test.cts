import { faultHeader } from '../../sandbox/api/route.cts';
import type { Sandbox } from '../../sandbox/sandbox.cts';
import { nodes } from '../nodes/all.cts';
import { useCounts } from './support/counts.cts';
import { useOperationRuns } from './support/operationRuns.cts';
import { seedsOf } from './support/seed.cts';

const counts = useCounts('slow');

/** How often a node looks before it takes something for not done. */
const looks = 4;

/**
 * Lets the service carry out one request late: nobody waits for its answer any more, and so many others have come
 * meanwhile. Gives what ends that.
 */
const holdBack =
	(place: number, others: number) =>
	(sandbox: Sandbox): (() => Promise<void>) => {
		const handle = sandbox.handle.bind(sandbox);
		let unsafe = 0;
		let late: (() => Promise<unknown>) | undefined;
		let passed = 0;
		const release = async () => {
			const carryOut = late;
			late = undefined;
			await carryOut?.();
		};
		const spy = jest.spyOn(sandbox, 'handle').mockImplementation(async (request, connection) => {
			counts.requests++;
			const isCall = request.method !== 'GET' && !request.url.endsWith('/auth/token');
			if (isCall && ++unsafe === place) {
				counts.faults++;
				const { url, method, headers } = request;
				// Read now: nobody is there later to send it.
				const body = await request.arrayBuffer();
				late = async () => await handle(new Request(url, { method, headers, body }), connection);
				return new Response(null, { headers: { [faultHeader]: 'hang' } });
			}
			if (late !== undefined && passed++ === others) await release();
			return await handle(request, connection);
		});
		return async () => {
			await release();
			spy.mockRestore();
		};
	};

describe.each(nodes)('$name, when a request is carried out after nobody waits for it', (tested) => {
	const { goAlong, runDisturbed } = useOperationRuns(tested, counts);

	const changing = tested.rows
		.map((row) => ({ ...row, unsafe: row.wire.filter(({ method }) => method !== 'GET').length }))
		.filter(({ unsafe }) => unsafe > 0);

	test.each(changing)('$operation: $title', async (row) => {
		const way = await goAlong(row);
		const wrong: string[] = [];
		for (const seed of seedsOf(`slow ${tested.name} ${row.operation} ${row.title}`, 0.25)) {
			const others = seed % looks;
			for (let place = 1; place <= row.unsafe; place++) {
				const one = await runDisturbed(row, way, holdBack(place, others));
				if (one !== undefined) wrong.push(`request ${place}, ${others} others: ${one}`);
			}
		}
		expect(wrong).toEqual([]);
	});
});
