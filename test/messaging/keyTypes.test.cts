import type { INodeParameters } from 'n8n-workflow';
import { keyTypes } from '../../core/contract/keys';
import { BulkMessagingApi } from '../../credentials/BulkMessagingApi.credentials';
import { demo } from '../../sandbox/demo.cts';
import { useMessaging } from './messages.cts';

/** A key works for one section of the API. The error says which type an operation needs. */

const bench = useMessaging();
const message: INodeParameters = {
	channelType: 'SMS',
	senderName: demo.senderNames.sms,
	destination: demo.numbers.mts,
	text: 'Hello',
};
const code = { destination: demo.numbers.mts, channelType: 'SMS', gatewayId: 'a1B2c3' };

test.each<[string, INodeParameters, string, string]>([
	['message.send', message, demo.verifierKey, keyTypes.messages],
	['message.getAll', {}, demo.entitiesKey, keyTypes.messages],
	['message.stop', { messageUuid: 'u' }, demo.widgetKey, keyTypes.messages],
	['verification.sendCode', code, demo.messagesOnlyKey, keyTypes.verification],
	['verification.checkCode', { uuid: 'u', code: '1' }, demo.widgetKey, keyTypes.verification],
	[
		'verification.check',
		{ key: 'k' },
		demo.messagesOnlyKey,
		`${keyTypes.verification}, or for ${keyTypes.builder}`,
	],
])(
	'%s with a key of another type: says which one it needs',
	async (operation, given, key, needed) => {
		const { error } = await bench.run(operation, given, {
			credentials: bench.credentials({ apiKey: key }),
		});
		expect(error?.message).toBe("This API key isn't allowed to use this operation");
		expect(error?.description).toContain(`This operation needs an API key for ${needed}.`);
	},
);

test.each<[string, INodeParameters, string]>([
	['template.get', { template_id: '512' }, keyTypes.entities],
	['dispatch.stop', { dispatchId: '17' }, keyTypes.messages],
	['dispatch.addMessages', { dispatchId: '17', destination: demo.numbers.mts }, keyTypes.messages],
	['message.send', message, keyTypes.messages],
])('%s: a 403 without a code names the type too', async (operation, given, needed) => {
	bench.sandbox.faults.add({ kind: 'status', status: 403, body: '{}', times: 10 });
	const { error } = await bench.run(operation, given);
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
