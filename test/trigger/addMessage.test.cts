import { NodeHelpers, type INodeCredentialDescription, type INodeParameters } from 'n8n-workflow';
import { BulkMessagingTrigger } from '../../nodes/BulkMessagingTrigger/BulkMessagingTrigger.node';
import { demo } from '../../sandbox/demo.cts';
import { useMessaging } from '../messaging/messages.cts';
import { addKnown, uuids } from '../messaging/table/messages.cts';
import * as bodies from './bodies.cts';
import { login, startHost, type Address, type HostOptions } from './host.cts';

/* The option 'Add Message': each event has the phone number, the sender name and the text of its message. */

const bench = useMessaging();
const [first = '', second = '', third = ''] = uuids;
const addresses: Address[] = ['fast', 'confirmed'];
const path = '/api/v1/message';

const unsentOf = (message_uuid: string) => ({ ...bodies.ofMessages.unsent, message_uuid });
const sentOf = (message_uuid: string) => ({ ...bodies.sent, message_uuid });

const open = async (parameters: INodeParameters = {}, more: HostOptions = {}) =>
	await startHost({
		parameters: { options: { addMessage: true }, ...parameters },
		credentials: { bulkMessagingCallbackApi: login, ...bench.credentials() },
		...more,
	});

const theMessage = {
	destination: demo.numbers.mts,
	senderName: demo.senderNames.sms,
	text: expect.any(String) as string,
};
const added = ['destination', 'senderName', 'text', 'messageError'];

describe.each(addresses)('on the URL %s', (address) => {
	test('every event has its message, from one request', async () => {
		await addKnown(bench.sandbox, 2);
		const host = await open();
		const posted = [unsentOf(first), sentOf(second), unsentOf(second)];
		expect(await host.deliver(address, posted)).toBe(200);
		expect(host.items).toMatchObject([
			{ event: 'deliveryResult', outcome: 'failed', messageUuid: first, ...theMessage },
			{ event: 'sent', messageUuid: second, ...theMessage },
			{ event: 'deliveryResult', messageUuid: second, ...theMessage },
		]);
		expect(Object.keys(host.items[0]).slice(0, 6)).toEqual([
			...['event', 'outcome', 'reason'],
			...['destination', 'senderName', 'text'],
		]);
		const asked = (await bench.wire()).map(({ method, query }) => ({ method, query }));
		expect(asked).toEqual([
			{
				method: 'GET',
				query: expect.arrayContaining([
					['message_uuid', first],
					['message_uuid', second],
				]) as unknown,
			},
		]);
	});

	test('a message that the service does not list: the event says so', async () => {
		await addKnown(bench.sandbox, 1);
		const host = await open();
		expect(await host.deliver(address, [sentOf(first), sentOf(third)])).toBe(200);
		expect(host.items).toMatchObject([
			theMessage,
			{
				event: 'sent',
				messageError: expect.stringContaining("The service doesn't list it") as string,
			},
		]);
		expect(host.items[0]).not.toHaveProperty('messageError');
		expect(host.items[1]).not.toHaveProperty('text');
	});

	test.each([
		[{ destination: null }, 'phone number', ['senderName', 'text']],
		[{ destination: ' ', content: '' }, 'phone number and text', ['senderName']],
		[{ content: { contentType: 'image' } }, 'text', ['destination', 'senderName']],
	])('the message has %j: the event says what is missing', async (lacks, missing, kept) => {
		const message = { messageUuid: first, destination: '79161234567', senderName: 'Shop' };
		const items = [{ ...message, content: 'Hello', ...lacks }];
		bench.respond('status', 'GET', `*${path}*`, { total: 1, items });
		const host = await open();
		expect(await host.deliver(address, [sentOf(first)])).toBe(200);
		expect(host.items).toMatchObject([
			{ messageError: `The service returned the message without its ${missing}.` },
		]);
		expect(added.filter((name) => name in host.items[0])).toEqual(
			added.filter((name) => kept.includes(name) || name === 'messageError'),
		);
	});

	test.each([500, 401, 404])('the service answers %s: the event still starts', async (status) => {
		const repeated = `${login.login}:${login.password} ${demo.apiKey}`;
		const body = { code: 9999, message: repeated };
		bench.respond('status', 'GET', `*${path}*`, body, { status });
		const host = await open();
		expect(await host.deliver(address, [sentOf(first)])).toBe(200);
		expect(host.items).toMatchObject([
			{
				event: 'sent',
				messageUuid: first,
				messageError: expect.stringContaining("The message couldn't be looked up. ") as string,
			},
		]);
		for (const secret of [login.password, demo.apiKey]) {
			expect(JSON.stringify(host.items)).not.toContain(secret);
		}
	});

	test('the service does not answer in time: the event starts the workflow', async () => {
		await addKnown(bench.sandbox, 1);
		const limit = new AbortController();
		const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal);
		bench.flight.beforeAnswer = async () => {
			limit.abort();
			await new Promise(() => undefined);
		};
		const host = await open();
		expect(await host.deliver(address, [sentOf(first)])).toBe(200);
		timeout.mockRestore();
		expect(host.items).toMatchObject([
			{
				event: 'sent',
				messageError: expect.stringContaining('took longer than 10 seconds') as string,
			},
		]);
	});

	test('a duplicate is not looked up', async () => {
		await addKnown(bench.sandbox, 1);
		const host = await open();
		for (let time = 0; time < 3; time++) {
			expect(await host.deliver(address, [sentOf(first)])).toBe(200);
		}
		expect(host.items).toHaveLength(1);
		expect(bench.sent('GET', path)).toBe(1);
	});
});

test('a duplicate after a restart is not looked up', async () => {
	await addKnown(bench.sandbox, 1);
	const host = await open();
	await host.deliver('fast', [sentOf(first)]);
	const stored = await host.execute([
		[{ json: { isConfirmed: false, elements: [sentOf(first)] } }],
	]);
	expect(stored.flat()).toEqual([]);
	expect(bench.sent('GET', path)).toBe(1);
});

test('events that contain what there is to know are not looked up', async () => {
	const host = await open();
	await host.deliver('fast', [
		...Object.values(bodies.ofDispatches),
		bodies.inbound,
		{ event: 'new' },
	]);
	expect(host.items).toHaveLength(4);
	for (const item of host.items) expect(item).not.toHaveProperty('messageError');
	expect(host.items[0]).toMatchObject({ destination: '79161234567' });
	expect(bench.recorded).toEqual([]);
});

test('raw: the message is added to what the service sent', async () => {
	await addKnown(bench.sandbox, 1);
	const host = await open({ output: 'raw' });
	await host.deliver('fast', [sentOf(first)]);
	expect(host.items).toEqual([{ ...sentOf(first), ...theMessage }]);
});

test.each([{}, { addMessage: false }])('%j: nothing is looked up', async (options) => {
	const host = await open({ options });
	await host.deliver('fast', [sentOf(first)]);
	for (const name of added) expect(host.items[0]).not.toHaveProperty(name);
	expect(bench.recorded).toEqual([]);
});

test('several hundred messages: a request for as many as fit into its URL', async () => {
	await addKnown(bench.sandbox, 1);
	const others = Array.from({ length: 300 }, (_, index) =>
		sentOf(`00000000-0000-4000-9000-${String(index).padStart(12, '0')}`),
	);
	const host = await open();
	await host.deliver('fast', [...others, sentOf(first)]);
	expect(host.items).toHaveLength(301);
	expect(host.items.at(-1)).toMatchObject(theMessage);
	expect(bench.sent('GET', path)).toBeLessThan(6);
});

test('one of several requests fails: only its messages have that reason', async () => {
	await addKnown(bench.sandbox, 1);
	const others = Array.from({ length: 150 }, (_, index) =>
		sentOf(`00000000-0000-4000-9000-${String(index).padStart(12, '0')}`),
	);
	// The first request passes.
	bench.fault('status', 'GET', `*${path}*`, { status: 400, after: 1, times: 10 });
	const host = await open();
	await host.deliver('fast', [...others, sentOf(first)]);
	const have = (words: string) =>
		host.items.filter(({ messageError }) => String(messageError).includes(words)).length;
	const counts = [have("The service doesn't list it"), have('rejected the request as invalid')];
	expect(counts.every((count) => count > 0)).toBe(true);
	expect(counts[0] + counts[1]).toBeGreaterThanOrEqual(others.length);
});

describe('the credential', () => {
	test('is shown only with the option', () => {
		const { description } = new BulkMessagingTrigger();
		const credential = description.credentials?.find(({ name }) => name === 'bulkMessagingApi');
		const isShown = (options: INodeParameters) =>
			NodeHelpers.displayParameter(
				{ authentication: 'basic', options },
				credential as INodeCredentialDescription,
				{ typeVersion: 2 },
				description,
			);
		expect(isShown({ addMessage: true })).toBe(true);
		expect(isShown({ addMessage: false })).toBe(false);
		expect(isShown({})).toBe(false);
	});

	test('is missing: activation says so, and events still start the workflow', async () => {
		const host = await open({}, { credentials: { bulkMessagingCallbackApi: login } });
		await expect(host.activate()).rejects.toThrow(
			"'Add Message' needs a Bulk Messaging API credential",
		);
		await host.deliver('fast', [sentOf(first)]);
		expect(host.items).toMatchObject([
			{ messageError: expect.stringContaining('Choose one in the trigger') as string },
		]);
	});

	test('has a wrong base URL: the event says so', async () => {
		const credentials = {
			bulkMessagingCallbackApi: login,
			...bench.credentials({ baseUrl: 'nowhere' }),
		};
		const host = await open({}, { credentials });
		await host.activate();
		await host.deliver('fast', [sentOf(first)]);
		expect(host.items).toMatchObject([
			{ messageError: expect.stringContaining("'Base URL' in the credential") as string },
		]);
	});
});
