import type { Workflow } from '../../host/n8n/workflow.cts';
import type { MessagesTask } from '../programs/bareMessages.cts';
import type { Figure } from '../support/figure.cts';
import { messageLatencyMs, startMessageService } from '../support/messageService.cts';
import { runInCore, startProgram } from '../support/programs.cts';
import { batchSize, digitsOf, rowsUpTo } from '../support/recipients.cts';
import { inRounds } from '../support/rounds.cts';
import { latencyMs } from '../support/service.cts';
import { chain, httpStep, messagingStep, oneByOne } from '../support/workflows.cts';

const senderName = 'FLOWERS';
const sendMessage = {
	resource: 'message',
	operation: 'send',
	channelType: 'SMS',
	senderName,
	destination: '={{ $json.phone }}',
	text: '={{ $json.name }}',
	options: { mostMessages: 10_000 },
};

export const messageSend: Figure = {
	name: 'Message Send',
	run: async (ground) => {
		const { run, quick, report, putCredentials } = ground;
		const size = quick ? 1_000 : 10_000;
		// The same for both sides: V8 compiles what runs often, and n8n runs for weeks.
		const warmUps = quick ? 1 : 3;
		// One by one takes minutes for all; it takes the same time for each, so some stand for all.
		const sample = quick ? 5 : 250;
		const service = await startMessageService();
		try {
			await putCredentials([service.credential]);
			const source = httpStep('Items', { url: `${service.url}/items`, options: {} });
			const ours = chain('bench-message-ours', [
				source,
				messagingStep('Ours', service.credential, sendMessage),
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
			const bareRuns = async (sizes: number[]) => {
				const task: MessagesTask = { baseUrl, apiKey, senderName, sizes };
				const runs = await startProgram('bareMessages', task, ground);
				service.expectArrived(size, sizes.length);
				return runs;
			};
			const bare = async () => {
				const sizes = Array.from({ length: warmUps + 1 }, () => size);
				return (await bareRuns(sizes))[warmUps].ms;
			};
			const first = await inRounds(
				quick ? 1 : 5,
				{
					ours: async () => {
						const credential = { baseUrl, apiKey, scheme: 'Bearer' };
						const task = { node: 'BulkMessaging', parameters: sendMessage, credential } as const;
						const [measured] = await runInCore({ ...task, sizes: [size] }, ground);
						service.expectArrived(size);
						return measured.ms;
					},
					bare: async () => (await bareRuns([size]))[0].ms,
				},
				report,
			);
			// Compiles and fills caches.
			for (let count = 0; count < warmUps; count++) await measure(ours, 'Ours', rows);
			await measure(inTurn, 'HTTP Request', ready.slice(0, 5));
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

			service.latencyMs = latencyMs;
			const distant = await inRounds(
				quick ? 1 : 3,
				{ ours: async () => await measure(ours, 'Ours', rows), bare },
				report,
			);

			const messages = `${size.toLocaleString('en')} messages from items`;
			const what = `${messages}, ${messageLatencyMs} ms latency`;
			const side = { name: 'Message Send', values: times.ours };
			return [
				{
					what: `${what}, the first run after a start`,
					unit: 'ms',
					ours: { name: 'Message Send', values: first.ours },
					theirs: { name: 'a plain script', values: first.bare },
					limit: 1.5,
					note: "each in a new process, our node in n8n's engine, without the time to load the code: V8 has compiled nothing yet",
				},
				{
					what,
					unit: 'ms',
					ours: side,
					theirs: { name: 'a plain script', values: times.bare },
					limit: 1.5,
					note: `its own process with the rows in memory, the same number parser, the same requests of ${batchSize.toLocaleString('en')} with Node's fetch, and no checks; of n8n only the time of our node counts`,
				},
				{
					what: `${messages}, ${latencyMs} ms latency`,
					unit: 'ms',
					ours: { name: 'Message Send', values: distant.ours },
					theirs: { name: 'a plain script', values: distant.bare },
					limit: 0.5,
					note: 'the script sends one request after another, our node the first alone and then six at a time',
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
