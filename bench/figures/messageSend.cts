import type { Workflow } from '../../host/n8n/workflow.cts';
import type { MessagesTask } from '../programs/bareMessages.cts';
import type { Figure } from '../support/figure.cts';
import { messageLatencyMs, startMessageService } from '../support/messageService.cts';
import { startProgram } from '../support/programs.cts';
import { batchSize, digitsOf, rowsUpTo } from '../support/recipients.cts';
import { inRounds } from '../support/rounds.cts';
import { chain, httpStep, messagingStep, oneByOne } from '../support/workflows.cts';

const senderName = 'FLOWERS';
/** The same for both sides: V8 compiles what runs often, and n8n runs for weeks. */
const warmUps = 3;

export const messageSend: Figure = {
	name: 'Message Send',
	run: async (ground) => {
		const { run, quick, report, putCredentials } = ground;
		const size = quick ? 2_000 : 10_000;
		// One by one takes minutes for all; it takes the same time for each, so some stand for all.
		const sample = quick ? 20 : 250;
		const service = await startMessageService();
		try {
			await putCredentials([service.credential]);
			const source = httpStep('Items', { url: `${service.url}/items`, options: {} });
			const ours = chain('bench-message-ours', [
				source,
				messagingStep('Ours', service.credential, {
					resource: 'message',
					operation: 'send',
					channelType: 'SMS',
					senderName,
					destination: '={{ $json.phone }}',
					text: '={{ $json.name }}',
				}),
			]);
			const inTurn = oneByOne(
				'bench-message-one-by-one',
				source,
				httpStep(
					'HTTP Request',
					{
						method: 'POST',
						url: `${service.url}/api/v1/message`,
						sendBody: true,
						specifyBody: 'json',
						jsonBody: `={{ [{ channelType: "SMS", senderName: "${senderName}", destination: $json.digits, content: $json.name }] }}`,
						options: {},
					},
					service.credential,
				),
			);
			const measure = async (workflow: Workflow, node: string, items: unknown[]) => {
				service.items = items;
				const finished = await run(workflow);
				service.expectArrived(items.length);
				if (finished.items(node).length !== items.length) throw new Error('Items are missing.');
				return finished.ms(node);
			};
			const rows = rowsUpTo(size);
			// That node cannot read numbers: it gets them ready.
			const ready = rowsUpTo(sample).map((row, index) => ({ ...row, digits: digitsOf(index) }));
			const { baseUrl, apiKey } = service.credential.data as { baseUrl: string; apiKey: string };
			const bare = async () => {
				const sizes = Array.from({ length: warmUps + 1 }, () => size);
				const task: MessagesTask = { baseUrl, apiKey, senderName, sizes };
				const runs = await startProgram('bareMessages', task, ground);
				service.expectArrived(size, sizes.length);
				return runs[warmUps].ms;
			};
			// Compiles and fills caches.
			for (let count = 0; count < warmUps; count++) await measure(ours, 'Ours', rows);
			await measure(inTurn, 'HTTP Request', ready.slice(0, 10));
			const times = await inRounds(
				quick ? 1 : 5,
				{
					ours: async () => await measure(ours, 'Ours', rows),
					bare,
					oneByOne: async () =>
						(await measure(inTurn, 'HTTP Request', ready)) * (size / ready.length),
				},
				report,
			);

			const what = `${size.toLocaleString('en')} messages from items, ${messageLatencyMs} ms latency`;
			const side = { name: 'Message Send', values: times.ours };
			return [
				{
					what,
					unit: 'ms',
					ours: side,
					theirs: { name: 'a plain script', values: times.bare },
					limit: 2,
					note: `its own process with the rows in memory, the same number parser, the same requests of ${batchSize.toLocaleString('en')} with Node's fetch, and no checks; of n8n only the time of our node counts`,
				},
				{
					what,
					unit: 'ms',
					ours: side,
					theirs: { name: 'HTTP Request, one by one', values: times.oneByOne },
					limit: 1 / 20,
					note: `one request per message, as the built-in Twilio node sends; that node itself knows no other address than Twilio's, so HTTP Request stands for it, in Loop Over Items, of which only the node's own time counts; measured with ${sample} messages and scaled`,
				},
			];
		} finally {
			await service.close();
		}
	},
};
