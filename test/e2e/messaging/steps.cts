import { demo } from '../../../sandbox/demo.cts';
import { fields, linksOf, messagingStep, splitOut, type Step } from '../support/step.cts';

const { numbers, senderNames } = demo;
const orders = [
	{ phone: '8 (916) 123-45-67', order: 1 },
	{ phone: `+${numbers.beeline}`, order: 2 },
	{ phone: numbers.tele2, order: 3 },
];
const start = 'Start';

export const messagingSteps: Step[] = [
	messagingStep('account.ping', 'Ping', {}, ({ json }) =>
		expect(json).toEqual([{ available: true, latencyMs: expect.any(Number) }]),
	),
	messagingStep(
		'account.getBalance',
		'Balance',
		{ threshold: { below: { minimum: 100, currency: 'RUB' } } },
		({ json }) => expect(json).toEqual([{ currency: 'RUB', amount: 10_000 }]),
	),

	fields('Orders', { orders }, { after: start }),
	splitOut('Each order', 'orders'),
	messagingStep(
		'message.send',
		'Send',
		{
			channelType: 'SMS',
			senderName: senderNames.sms,
			destination: '={{ $json.phone }}',
			text: '=Your order {{ $json.order }} is ready',
			externalMessageId: '=story-{{ $json.order }}',
			options: { tags: 'story' },
		},
		({ json, items, store }) => {
			expect(json).toMatchObject([
				{ externalMessageId: 'story-1', destination: numbers.mts, alreadySent: false },
				{ externalMessageId: 'story-2', destination: numbers.beeline, accepted: true },
				{ externalMessageId: 'story-3', destination: numbers.tele2, accepted: true },
			]);
			expect(items.flatMap(linksOf)).toEqual([0, 1, 2]);
			expect(store.byUuid.get(String(json[1]?.messageUuid))?.text).toBe('Your order 2 is ready');
		},
	),
	messagingStep(
		'message.get',
		'Get',
		{ message_uuid: '={{ $json.messageUuid }}' },
		({ json, of }) =>
			expect(json.map(({ messageUuid }) => messageUuid)).toEqual(
				of('Send').map(({ messageUuid }) => messageUuid),
			),
	),
	messagingStep(
		'message.getAll',
		'Get many',
		{ returnAll: true, filters: { tags: 'story', direction: ['outbound', 'inbound'] } },
		({ json }) => expect(json).toHaveLength(3),
		{ executeOnce: true },
	),
	messagingStep(
		'message.send',
		'Send again',
		{
			channelType: 'SMS',
			senderName: senderNames.sms,
			destination: '={{ $json.destination }}',
			text: 'Again',
			externalMessageId: '={{ $json.externalMessageId }}',
		},
		({ json, store }) => {
			expect(json.map(({ alreadySent }) => alreadySent)).toEqual([true, true, true]);
			expect(store.byExternalId.get('story-1')).toHaveLength(1);
		},
		{ after: 'Send' },
	),

	fields('One order', { phone: numbers.mts }, { after: start }),
	messagingStep(
		'message.sendAndWait',
		'Send and wait',
		{
			channelType: 'VIBER',
			senderName: senderNames.viber,
			destination: '={{ $json.phone }}',
			text: 'Hello',
		},
		({ json }) => expect(json).toMatchObject([{ outcome: 'delivered', channelType: 'VIBER' }]),
	),
	messagingStep(
		'message.sendCascade',
		'Cascade',
		{
			destination: '={{ $json.destination }}',
			cascade: {
				step: [
					{ channelType: 'VIBER', senderName: senderNames.viber, text: 'Hello' },
					{ channelType: 'SMS', senderName: senderNames.sms, text: 'Hello' },
				],
			},
		},
		({ json, store }) => {
			expect(json).toMatchObject([{ destination: numbers.mts, steps: 2, accepted: true }]);
			const root = store.byUuid.get(String(json[0]?.messageUuid));
			expect(root?.single?.plan?.steps).toHaveLength(2);
		},
	),

	messagingStep(
		'message.send',
		'Send in a far future',
		{
			channelType: 'SMS',
			senderName: senderNames.sms,
			destination: numbers.mts,
			text: 'Hello',
			options: { localSendTime: '2099-01-01T10:00:00' },
		},
		({ json, store }) =>
			expect(store.byUuid.get(String(json[0]?.messageUuid))?.single?.localSendTime).toBe(
				'2099-01-01 10:00:00',
			),
		{ after: start },
	),
	messagingStep(
		'message.stop',
		'Stop',
		{ messageUuid: '={{ $json.messageUuid }}' },
		({ json, store }) => {
			expect(json).toMatchObject([{ stopped: true, result: 'stopped' }]);
			expect(store.byUuid.get(String(json[0]?.messageUuid))?.state).toBe('unsent');
		},
	),

	messagingStep(
		'verification.send',
		'Verify',
		{ key: 'story-key', additionalFields: `{ "destination": "${numbers.mts}" }` },
		({ json, store }) =>
			expect(store.verifications.get('story-key')?.messageUuid).toBe(json[0]?.messageUuid),
		{ after: start },
	),
	messagingStep('verification.check', 'Verified?', { key: 'story-key' }, ({ json }) =>
		expect(json).toEqual([{ confirmed: false, status: 'PENDING' }]),
	),
	messagingStep('customCall.call', 'Custom call', { method: 'GET', path: '/balance' }, ({ json }) =>
		expect(json).toEqual([{ RUB: expect.any(Number) }]),
	),
];
