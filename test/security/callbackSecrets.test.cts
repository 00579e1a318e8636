import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { nodes } from '../nodes/all.cts';
import { plainRowOf, withField } from '../nodes/plain.cts';
import { useSandbox } from '../support/sandbox.cts';

/** The service keeps login and password of the callbacks: it may repeat them whatever it is asked. */

const callback = { login: 'callbacks-login', password: 'c@llback "pass" /word' };
const pair = `${callback.login}:${callback.password}`;
const forms = [
	callback.password,
	JSON.stringify(callback.password).slice(1, -1),
	encodeURIComponent(callback.password),
	Buffer.from(pair).toString('base64'),
];
const callbackUrl = 'https://n8n.example.com/webhook/1/fast';

const cases = [
	{
		node: new BulkMessagingPartner(),
		name: 'Bulk Messaging Partner',
		calls: [
			['dispatch.create', '*/senders'],
			['dispatch.create', '*/dispatches'],
			['dispatch.send', '*/dispatches'],
			['dispatch.send', '*/start'],
		],
	},
	{
		node: new BulkMessaging(),
		name: 'Bulk Messaging',
		calls: [
			['message.send', '*/message'],
			['message.sendCascade', '*/cascade'],
		],
	},
] as const;

describe.each(cases)('$name', ({ node, name, calls }) => {
	const bench = useSandbox(node);
	const plainRow = plainRowOf(nodes.find((one) => one.name === name)?.rows ?? []);

	test.each(calls)('%s, when %s repeats them', async (operation, path) => {
		const { parameters } = plainRow(operation);
		bench.sandbox.faults.add({
			kind: 'status',
			status: 400,
			times: 5,
			match: { path },
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ error: { code: 4000, msg: `No: ${forms.join(' and ')}` } }),
		});
		const { error, run } = await bench.run(
			operation,
			withField(parameters, 'options.callbackUrl', callbackUrl),
			{ credentials: { ...bench.credentials(), bulkMessagingCallbackApi: callback } },
		);
		expect(error?.description).toContain('The service says: No: ***');
		const kept = JSON.stringify([run, error, error?.message, error?.description]);
		for (const form of forms) expect(kept).not.toContain(form);
	});
});
