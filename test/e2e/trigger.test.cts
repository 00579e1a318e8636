import { setTimeout as pause } from 'node:timers/promises';
import { isOlderThan, startN8n, type Execution, type OwnN8n } from './support/n8n.cts';
import { startDoor } from './trigger/door.cts';
import { startService, type Service } from './trigger/service.cts';
import {
	authorization,
	login,
	nothing,
	password,
	triggered,
	withLogin,
} from './trigger/workflows.cts';

/** Callbacks from the sandbox into a real n8n. */

const callbackCredential = {
	id: 'sandboxCallbackApi',
	name: 'Sandbox: callbacks',
	type: 'bulkMessagingCallbackApi',
	data: { login, password },
};

let n8n: OwnN8n;
let service: Service;

beforeAll(async () => {
	// One proxy in front of n8n, as many people have it; and expressions that do not cost a tenth of a second each.
	const environment = { N8N_PROXY_HOPS: '1', N8N_EXPRESSION_ENGINE: 'legacy' };
	[n8n, service] = await Promise.all([startN8n({ environment, hasCode: false }), startService()]);
	await n8n.importCredentials([callbackCredential]);
});

const publish = async (id: string, parameters?: Record<string, unknown>, next = nothing) => {
	await n8n.importWorkflow(triggered(id, next, parameters));
	await n8n.publish(id);
	return { fast: `${n8n.url}/webhook/${id}/fast`, confirmed: `${n8n.url}/webhook/${id}/confirmed` };
};

/** All executions of a workflow, oldest first, when every one has ended. */
const executionsOf = async (id: string): Promise<Execution[]> => {
	// There the fast address answers before the execution is on record.
	if (isOlderThan('2.8')) await pause(5_000);
	const summaries = await n8n.executions(id);
	const executions = [];
	for (const one of summaries.reverse())
		executions.push(await n8n.session.executionEnd(String(one.id)));
	return executions;
};
const itemsOf = async (id: string) =>
	(await executionsOf(id)).flatMap((execution) =>
		execution.items('Trigger').map(({ json }) => json),
	);

const post = async (
	url: string,
	body: unknown,
	headers: Record<string, string> = { authorization },
) =>
	await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});

const event = (id: string) => ({
	message_uuid: id,
	channel_type: 'SMS',
	callback_event: 'sent',
	status: 'sent',
	status_time: '2026-03-02T07:00:02Z',
});

describe.each(['fast', 'confirmed'] as const)(
	'the service calls back at the address %s',
	(address) => {
		test('every event becomes an item', async () => {
			const id = `events-${address}`;
			const callbackUrl = withLogin((await publish(id))[address]);
			const { control, advance } = service;
			await control('PUT', '/inbound-rules', { rules: [{ trafficCenterId: 1, callbackUrl }] });

			const read = await service.message(callbackUrl, '79161112233');
			const unsent = await service.message(callbackUrl, '79169990002');
			const [ofDispatch] = await service.dispatch(1, callbackUrl, ['sent', 'delivered']);
			await advance(60_000);
			await control('POST', `/messages/${read}/click`, {});
			await control('POST', '/inbound', {
				senderName: 'FLOWERS',
				destination: '79161112233',
				text: 'Yes',
			});
			await service.deliverAll();

			const items = await itemsOf(id);
			const summary = items.map(({ source, messageUuid, event: kind, outcome }) =>
				[source, messageUuid, kind, outcome].join(' '),
			);
			const inbound = items.find(({ event: kind }) => kind === 'inboundMessage');
			expect(summary.sort()).toEqual(
				[
					`dispatch ${ofDispatch} sent sent`,
					`dispatch ${ofDispatch} deliveryResult delivered`,
					`message ${read} sent sent`,
					`message ${read} deliveryResult delivered`,
					`message ${read} priceChanged priced`,
					`message ${read} readResult read`,
					`message ${read} linkClicked clicked`,
					`message ${unsent} deliveryResult failed`,
					`message ${unsent} priceChanged priced`,
					`message ${String(inbound?.messageUuid)} inboundMessage received`,
				].sort(),
			);
			expect(inbound).toMatchObject({
				text: 'Yes',
				destination: '79161112233',
				channelType: 'WHATSAPP',
			});
			const failed = items.find(({ outcome }) => outcome === 'failed');
			expect(failed).toMatchObject({
				externalMessageId: 'crm-17',
				errorCode: 455,
				reason: expect.stringContaining('restricted') as string,
			});
		});

		test('a service that hears no answer resends for a day: one execution per event', async () => {
			const id = `day-${address}`;
			await publish(id);
			const door = await startDoor(n8n.url, 20);
			door.losesAnswers = true;

			const uuids = await service.dispatch(2, withLogin(`${door.url}/webhook/${id}/${address}`), [
				'delivered',
			]);
			await service.advance(25 * 3_600_000);

			const sent = service.sandbox.callbacks.filter(({ url }) => url.startsWith(door.url));
			expect(sent.map(({ state, attempts }) => [state, attempts.length])).toEqual(
				uuids.map(() => ['expired', 289]),
			);
			expect(new Set(door.answers)).toEqual(new Set([200]));
			expect(door.answers).toHaveLength(2 * 289);
			const executions = await executionsOf(id);
			expect(executions.map(({ status }) => status)).toEqual(uuids.map(() => 'success'));
			const items = executions.flatMap((one) =>
				one.items('Trigger').map(({ json }) => json.messageUuid),
			);
			expect(items.sort()).toEqual([...uuids].sort());
			process.stdout.write(
				`${address}: ${door.answers.length} calls in a day, ${executions.length} executions\n`,
			);
		});

		test('who may not call gets nothing but a refusal', async () => {
			const id = `access-${address}`;
			const url = (
				await publish(id, { options: { allowedAddresses: '192.0.2.0/24, 2001:db8::/32' } })
			)[address];
			const from = (ip: string) => ({ 'x-forwarded-for': ip });

			const wrong = `Basic ${Buffer.from('callback:wrong').toString('base64')}`;
			for (const given of [
				{ authorization: '' },
				{ authorization: wrong },
				{ authorization: 'Bearer x' },
			]) {
				const refused = await post(url, [event('a')], { ...from('192.0.2.7'), ...given });
				expect([refused.status, await refused.text()]).toEqual([401, 'Unauthorized']);
				expect(refused.headers.get('www-authenticate')).toMatch(/^Basic /);
			}
			// What a caller claims behind the proxy's back does not count.
			for (const ip of ['203.0.113.5', '192.0.2.7, 203.0.113.5', '2001:db9::1']) {
				const refused = await post(url, [event('a')], { ...from(ip), authorization });
				expect([refused.status, await refused.text()]).toEqual([403, 'Forbidden']);
			}
			expect(await n8n.executions(id)).toEqual([]);

			for (const [index, ip] of [
				'192.0.2.7',
				'203.0.113.5, 192.0.2.8',
				'::ffff:192.0.2.9',
				'2001:db8::5',
			].entries()) {
				expect((await post(url, [event(`b${index}`)], { ...from(ip), authorization })).status).toBe(
					200,
				);
			}
			expect(await itemsOf(id)).toHaveLength(4);
		});

		test('bad input is refused, or kept; nothing genuine is lost', async () => {
			const id = `input-${address}`;
			const url = (await publish(id))[address];
			const status = async (body: unknown) => (await post(url, body)).status;

			expect(await status('[{"callback_event": ')).toBe(422);
			for (const body of ['"text"', '17', 'null', '{}', '[1]'])
				expect([body, await status(body)]).toEqual([body, 400]);
			expect(await status([])).toBe(200);
			// n8n's own limit.
			expect(
				await status(JSON.stringify([{ ...event('big'), extra: 'x'.repeat(17 * 1024 * 1024) }])),
			).toBeGreaterThanOrEqual(400);
			expect(await n8n.executions(id)).toEqual([]);

			const deep = '['.repeat(20_000) + ']'.repeat(20_000);
			const hostile = `[${deep}, {"__proto__": {"polluted": 1}, "callback_event": "typing"}, 17, ${JSON.stringify(event('good'))}]`;
			expect(await status(hostile)).toBe(200);
			expect(
				await status(JSON.stringify([{ ...event('15 MB'), extra: 'x'.repeat(15 * 1024 * 1024) }])),
			).toBe(200);
			const many = Array.from({ length: 10_000 }, (_, index) => event(`m${index}`));
			expect(await status(many)).toBe(200);

			const executions = (await executionsOf(id)).map((one) =>
				one.items('Next').map(({ json }) => json),
			);
			expect(executions).toHaveLength(3);
			// There a long one may be on record after the next one.
			if (isOlderThan('2.8')) {
				const order = [4, 1, 10_000];
				executions.sort((a, b) => order.indexOf(a.length) - order.indexOf(b.length));
			}
			const [first, second, third] = executions;
			expect(first.map((json) => json.event)).toEqual(['unknown', 'unknown', 'unknown', 'sent']);
			expect(second).toMatchObject([{ messageUuid: '15 MB' }]);
			expect(third.map((json) => json.messageUuid)).toEqual(many.map((one) => one.message_uuid));
		});
	},
);

test('confirmed: a workflow that fails is answered 500 and runs again; fast: it is answered before it runs', async () => {
	const failing = {
		name: 'Next',
		type: 'n8n-nodes-base.stopAndError',
		typeVersion: 1,
		parameters: { errorMessage: 'no luck' },
	};
	const { fast, confirmed } = await publish('failing', {}, failing);

	expect((await post(confirmed, [event('a')])).status).toBe(500);
	expect((await post(confirmed, [event('a')])).status).toBe(500);
	expect((await post(fast, [event('b')])).status).toBe(200);
	expect((await post(fast, [event('b')])).status).toBe(200);

	const executions = await executionsOf('failing');
	expect(executions.map(({ status }) => status)).toEqual(['error', 'error', 'error']);
});

test('confirmed: n8n answers when the workflow goes to sleep in a Wait node', async () => {
	const wait = {
		name: 'Next',
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		parameters: { resume: 'timeInterval', amount: 1, unit: 'hours' },
	};
	const { confirmed } = await publish('sleeping', {}, wait);

	expect((await post(confirmed, [event('a')])).status).toBe(200);

	expect((await n8n.executions('sleeping')).map(({ status }) => status)).toEqual(['waiting']);
});

/** What the button "Listen for test event" does. */
const listen = async (id: string) => {
	const { session } = n8n;
	await session.ask('POST', `/rest/workflows/${id}/run`, {
		workflowData: await session.workflow(id),
		triggerToStartFrom: { name: 'Trigger' },
		runData: {},
		startNodes: [],
	});
};

test('listening for a test event: the same callback may be sent again', async () => {
	await n8n.importWorkflow(triggered('listening', nothing));
	for (const address of ['fast', 'fast', 'confirmed']) {
		await listen('listening');
		const url = `${n8n.url}/webhook-test/listening/${address}`;
		expect((await post(url, [event('a')], {})).status).toBe(401);
		expect((await post(url, [event('a')])).status).toBe(200);
	}
	expect(await itemsOf('listening')).toHaveLength(3);
});

test('settings that let nobody in are told when somebody tries them', async () => {
	await n8n.importWorkflow(
		triggered('senseless', nothing, { options: { allowedAddresses: 'callbacks.example' } }),
	);
	await expect(listen('senseless')).rejects.toThrow(
		'contains \\"callbacks.example\\", which isn\'t an IP address',
	);
});

test('a resend after a restart runs nothing: the fast address has it on record', async () => {
	const { fast } = await publish('restart');
	expect((await post(fast, [event('a')])).status).toBe(200);
	await executionsOf('restart');
	await n8n.stop();
	await n8n.start();

	expect((await post(fast, [event('a'), event('b')])).status).toBe(200);
	expect((await post(fast, [event('a')])).status).toBe(200);

	const executions = await executionsOf('restart');
	const ids = executions.map((one) => one.items('Next').map(({ json }) => json.messageUuid));
	expect(ids).toEqual([['a'], ['b']]);
});
