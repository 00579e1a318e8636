import type { Workflow } from '../../host/n8n/workflow.cts';
import type { Figure } from '../support/figure.cts';
import { inRounds } from '../support/rounds.cts';
import { latencyMs } from '../support/service.cts';
import { chain, httpStep, oneByOne, partnerStep } from '../support/workflows.cts';

const companyId = 101;

const numbers = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		phone: `+7 916 ${String(index).padStart(7, '0')}`,
		digits: `7916${String(index).padStart(7, '0')}`,
	}));

export const blacklistAdd: Figure = {
	name: 'Blacklist Add',
	run: async ({ service, run, quick, report }) => {
		const size = quick ? 50 : 5_000;
		// One by one takes minutes for all; it takes the same time for each, so some stand for all.
		const sample = quick ? 5 : 250;

		const source = httpStep('Items', { url: `${service.url}/items`, options: {} });
		const request = httpStep(
			'HTTP Request',
			{
				method: 'PUT',
				url: `${service.url}/recipients`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: `={{ { companyId: ${companyId}, msisdn: $json.digits, blacklist: true } }}`,
				options: {},
			},
			service.credential,
		);
		const ours = chain('bench-blacklist-ours', [
			source,
			partnerStep('Ours', service.credential, {
				resource: 'blacklist',
				operation: 'add',
				companyId: { __rl: true, mode: 'id', value: String(companyId) },
				msisdn: '={{ $json.phone }}',
			}),
		]);
		const allAtOnce = chain('bench-blacklist-at-once', [source, request]);
		// The node's own Batching waits between requests but never for an answer, and with an interval of 0 not at all:
		// one by one takes a loop. Only the node's own time counts, not what the loop adds.
		const inTurn = oneByOne('bench-blacklist-one-by-one', source, request);

		const atATime: Record<string, number> = {};
		const measure = async (workflow: Workflow, node: string, count: number) => {
			service.items = numbers(count);
			service.forget();
			const finished = await run(workflow);
			const arrived = service.blacklisted.size;
			if (arrived !== count || finished.items(node).length !== count) {
				throw new Error(`${arrived} numbers arrived instead of ${count}.`);
			}
			atATime[workflow.id] = service.mostAtATime;
			return finished.ms(node);
		};
		// Logs in, compiles and fills caches.
		await measure(ours, 'Ours', Math.min(100, size));
		await measure(allAtOnce, 'HTTP Request', Math.min(100, size));
		const times = await inRounds(
			quick ? 1 : 3,
			{
				ours: async () => await measure(ours, 'Ours', size),
				allAtOnce: async () => await measure(allAtOnce, 'HTTP Request', size),
				oneByOne: async () => (await measure(inTurn, 'HTTP Request', sample)) * (size / sample),
			},
			report,
		);

		const what = `${size.toLocaleString('en')} numbers, ${latencyMs} ms latency`;
		const side = { name: 'Blacklist Add', values: times.ours };
		return [
			{
				what,
				unit: 'ms',
				ours: side,
				theirs: { name: 'HTTP Request, one by one', values: times.oneByOne },
				limit: 1 / 5,
				note: `in Loop Over Items, measured with ${sample} numbers and scaled`,
			},
			{
				what,
				unit: 'ms',
				ours: side,
				theirs: { name: 'HTTP Request, all at once', values: times.allAtOnce },
				limit: 1.5,
				note: `requests open at the service at once: ours ${atATime[ours.id]}, theirs ${atATime[allAtOnce.id]}`,
			},
		];
	},
};
