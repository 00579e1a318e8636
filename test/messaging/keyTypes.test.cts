import { keyTypes } from '../../core/contract/keys';
import { BulkMessagingApi } from '../../credentials/BulkMessagingApi.credentials';
import { demo } from '../../sandbox/demo.cts';
import { useMessaging } from './messages.cts';
import { plainRow } from './table/plain.cts';

/** A key works for one section of the API. The error says which type an operation needs. */

const bench = useMessaging();
const { messages, entities, verification, builder } = keyTypes;

test.each([
	['message.send', demo.verifierKey, messages],
	['message.get', demo.entitiesKey, messages],
	['message.getAll', demo.entitiesKey, messages],
	['message.stop', demo.widgetKey, messages],
	['dispatch.get', demo.entitiesKey, messages],
	['dispatch.getAll', demo.entitiesKey, messages],
	['dispatch.addMessages', demo.entitiesKey, messages],
	['dispatch.start', demo.entitiesKey, messages],
	['dispatch.stop', demo.entitiesKey, messages],
	['template.get', demo.messagesOnlyKey, entities],
	['template.getAll', demo.messagesOnlyKey, entities],
	['template.update', demo.messagesOnlyKey, entities],
	['senderName.create', demo.messagesOnlyKey, entities],
	['senderName.getAll', demo.messagesOnlyKey, entities],
	['verification.reportFlashCall', demo.entitiesKey, messages],
	['verification.sendCode', demo.messagesOnlyKey, verification],
	['verification.checkCode', demo.widgetKey, verification],
	['verification.check', demo.messagesOnlyKey, `${verification}, or for ${builder}`],
])('%s with a key of another type: says which one it needs', async (operation, apiKey, needed) => {
	const { parameters, input = { json: {} } } = plainRow(operation);
	const credentials = bench.credentials({ apiKey });
	const { error } = await bench.run(operation, parameters, { credentials, inputItems: [input] });
	expect(error?.message).toBe("This API key isn't allowed to use this operation");
	expect(error?.description).toContain(`This operation needs an API key for ${needed}.`);
});

test.each([
	['template.get', entities],
	['dispatch.stop', messages],
	['dispatch.addMessages', messages],
	['message.send', messages],
])('%s: a 403 without a code names the type too', async (operation, needed) => {
	bench.sandbox.faults.add({ kind: 'status', status: 403, body: '{}', times: 10 });
	const { error } = await bench.run(operation, plainRow(operation).parameters);
	expect(error?.message).toBe("The service doesn't allow this operation with this credential");
	expect(error?.description).toContain(`This operation needs an API key for ${needed}.`);
});

test('the balance works with every type, so it names none', async () => {
	for (const apiKey of [demo.messagesOnlyKey, demo.entitiesKey, demo.verifierKey, demo.widgetKey]) {
		const { error } = await bench.run(
			'account.getBalance',
			{},
			{ credentials: bench.credentials({ apiKey }) },
		);
		expect(error).toBeUndefined();
	}
});

test('the credential names the four types, and what its test proves', () => {
	const notice = new BulkMessagingApi().properties.find(({ type }) => type === 'notice');
	for (const type of Object.values(keyTypes)) expect(notice?.displayName).toContain(type);
	expect(notice?.displayName).toContain('messages and dispatches of one traffic center');
	expect(notice?.displayName).toContain('The test shows only that the service knows the key');
});
