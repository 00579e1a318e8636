import { nodes } from '../nodes/all.cts';
import type { Row } from '../nodes/row.cts';
import { jsonOf, useSandbox } from '../support/sandbox.cts';
import { useCounts } from './support/counts.cts';

/** No server has such a name: RFC 2606 keeps it free. */
const nowhere = 'http://service.invalid/api/v1';
const words = /^The service's (?:URL doesn't exist|host name couldn't be looked up)$/;

const counts = useCounts('names');

/** Send and Wait stops before: n8n has an address here that only the sandbox could report to. */
const asks = ({ operation }: Row) => operation !== 'message.sendAndWait';

describe.each(nodes)('$name, when the name of the service cannot be looked up', (tested) => {
	const bench = useSandbox(tested.node);

	test.each(tested.rows.filter(asks))('$operation: $title', async (row) => {
		await row.seed?.(bench.sandbox);
		bench.forget();
		const { error, items } = await bench.run(row.operation, row.parameters, {
			inputItems: [row.input ?? { json: {} }],
			credentials: bench.credentials({ baseUrl: nowhere }),
		});
		counts.runs++;
		counts.faults++;
		counts.stopped++;
		if (row.operation === 'account.ping') {
			expect(jsonOf(items)).toMatchObject([
				{ available: false, reason: expect.stringMatching(words) as string },
			]);
			return;
		}
		expect(error?.message).toMatch(words);
		expect(error?.description).not.toContain('not known');
		expect(error?.description).toMatch(/Check (?:'Base URL' in the credential|your n8n's network)/);
		expect(await bench.everything()).toEqual([]);
	});
});
