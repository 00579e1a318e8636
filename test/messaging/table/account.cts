import { messaging } from '../../../core/contract/messaging';
import { demo } from '../../../sandbox/demo.cts';
import type { Sandbox } from '../../../sandbox/sandbox.cts';
import { invalid, notFound, type Row } from '../../nodes/row.cts';

const { numbers } = demo;
const widgetPath = '/api/v1/verifier/widget';

/** The sandbox opens the account's book for the month when it is first asked. */
const askBefore = async (sandbox: Sandbox) => await sandbox.client().call(messaging.balance);

export const accountRows: Row[] = [
	{
		operation: 'account.getBalance',
		title: 'one item per currency',
		seed: askBefore,
		parameters: {},
		wire: [{ method: 'GET', path: '/api/v1/balance' }],
		output: (json) => expect(json).toEqual([{ currency: 'RUB', amount: 10_000 }]),
		refused: { fault: { method: 'GET', path: '/api/v1/balance' }, ...invalid },
	},
	{
		operation: 'account.getBalance',
		title: 'raw, above the minimum',
		seed: askBefore,
		parameters: { output: 'raw', threshold: { below: { minimum: 10_000, currency: ' rub ' } } },
		wire: [{ method: 'GET', path: '/api/v1/balance' }],
		output: (json) => expect(json).toEqual([{ RUB: 10_000 }]),
	},
	{
		operation: 'account.ping',
		title: 'the service is there',
		parameters: {},
		wire: [{ method: 'GET', path: '/api/v1/ping' }],
		output: (json) =>
			expect(json).toEqual([{ available: true, latencyMs: expect.any(Number) as number }]),
		refused: {
			parameters: { failWhenUnavailable: true },
			fault: { method: 'GET', path: '/api/v1/ping' },
			...invalid,
		},
	},
	{
		operation: 'verification.send',
		title: 'with more than the key',
		parameters: { key: 'widget-1', additionalFields: `{ "destination": "${numbers.mts}" }` },
		wire: [
			{
				method: 'POST',
				path: `${widgetPath}/send`,
				body: { key: 'widget-1', destination: numbers.mts },
			},
		],
		output: (json) => expect(json).toEqual([{ messageUuid: expect.any(String) as string }]),
		state: ({ store }) =>
			expect([...store.verifications]).toMatchObject([['widget-1', { status: 'PENDING' }]]),
		refused: {
			parameters: { additionalFields: '={{ { senderName: $json.name } }}' },
			items: [{ name: 'INFO' }, { name: 'NOBODY' }, { name: 'INFO' }],
			message:
				'Verification widget, error 230: the sender name set in the widget for the channel is inactive, for example after it was closed',
			httpCode: '400',
		},
	},
	{
		operation: 'verification.check',
		title: 'confirmed',
		seed: ({ world: { store } }) => {
			store.verifications.set('widget-1', { messageUuid: 'u', status: 'CONFIRMED' });
			store.verifications.set('widget-2', { messageUuid: 'v', status: 'PENDING' });
		},
		parameters: { key: 'widget-1' },
		wire: [{ method: 'POST', path: `${widgetPath}/check`, body: { key: 'widget-1' } }],
		output: (json) => expect(json).toEqual([{ confirmed: true, status: 'CONFIRMED' }]),
		refused: {
			parameters: { key: '={{ $json.key }}' },
			items: [{ key: 'widget-1' }, { key: 'widget-9' }, { key: 'widget-2' }],
			...notFound,
		},
	},
	{
		operation: 'verification.sendCode',
		title: 'to a number as people write it',
		parameters: { destination: '8 (916) 123-45-67', channelType: 'SMS', gatewayId: ' 42 ' },
		wire: [
			{
				method: 'POST',
				path: '/api/v1/verifier/send',
				body: { channelType: 'SMS', destination: numbers.mts, gatewayId: '42' },
			},
		],
		output: (json) =>
			expect(json).toEqual([{ uuid: expect.any(String) as string, destination: numbers.mts }]),
		state: ({ store }) =>
			expect([...store.codes.values()]).toEqual([
				{ code: '1000', sentAt: expect.any(Number) as number, checks: 0 },
			]),
		refused: { fault: { method: 'POST', path: '/api/v1/verifier/send' }, ...invalid },
	},
	{
		operation: 'verification.checkCode',
		title: 'the right one',
		seed: ({ world: { store, timeline } }) => {
			store.codes.set('u-1', { code: '0042', sentAt: timeline.now, checks: 0 });
		},
		parameters: { uuid: 'u-1', code: ' 0042 ' },
		wire: [{ method: 'POST', path: '/api/v1/verifier/check', body: { uuid: 'u-1', code: '0042' } }],
		output: (json) =>
			expect(json).toEqual([{ confirmed: true, outcome: 'confirmed', status: 'CONFIRMED' }]),
		state: ({ store }) => expect(store.codes.get('u-1')?.checks).toBe(1),
		refused: { fault: { method: 'POST', path: '/api/v1/verifier/check' }, ...invalid },
	},
];
