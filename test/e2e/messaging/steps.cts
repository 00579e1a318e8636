import { demo } from '../../../sandbox/demo.cts';
import { fields, linksOf, messagingStep, splitOut, type Step } from '../support/step.cts';

const { numbers, senderNames } = demo;
const orders = [
	{ phone: '8 (916) 123-45-67', order: 1 },
	{ phone: `+${numbers.beeline}`, order: 2 },
	{ phone: numbers.tele2, order: 3 },
];
const start = 'Start';
/** The service sends at most seven days ahead. */
const inThreeDays = '={{ $now.plus(3, "days") }}';
const aLocalTime = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) as string;
/** The sandbox counts its codes from here. */
const firstCode = '1000';

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
				{ externalMessageId: 'story-1', destination: numbers.mts, outcome: 'accepted' },
				{ externalMessageId: 'story-2', destination: numbers.beeline, outcome: 'accepted' },
				{ externalMessageId: 'story-3', destination: numbers.tele2, outcome: 'accepted' },
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
			message: 'Hello',
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
			expect(json).toMatchObject([{ destination: numbers.mts, steps: 2, outcome: 'accepted' }]);
			const root = store.byUuid.get(String(json[0]?.messageUuid));
			expect(root?.single?.plan?.steps).toHaveLength(2);
		},
	),

	messagingStep(
		'message.sendCascade',
		'Cascade with options',
		{
			destination: numbers.mts,
			cascade: {
				step: [
					{
						channelType: 'VIBER',
						senderName: senderNames.viber,
						contentFormat: 'fields',
						contentFields: { field: [{ name: 'text', value: 'Hello' }] },
						condition: 'not_read',
						ttl: 120,
					},
					{
						channelType: 'SMS',
						senderName: 'replaced',
						text: 'Hello',
						additionalFields: `{ "senderName": "${senderNames.sms}" }`,
					},
				],
			},
			options: {
				localSendTime: inThreeDays,
				hours: [9, 10, 11],
				days: [1, 2],
				useLocalTime: false,
			},
		},
		({ json, store }) => {
			expect(json).toMatchObject([{ destination: numbers.mts, steps: 2, outcome: 'accepted' }]);
			const { single } = store.byUuid.get(String(json[0]?.messageUuid)) ?? {};
			expect(single).toMatchObject({
				localSendTime: aLocalTime,
				hours: [9, 10, 11],
				days: [1, 2],
				useLocalTime: false,
			});
			expect(single?.plan?.steps).toMatchObject([
				{ content: { text: 'Hello' }, condition: 'not_read', ttl: 120 },
				{ senderName: senderNames.sms, content: { text: 'Hello' } },
			]);
		},
	),

	fields('A customer', { name: 'Anna' }, { after: start }),
	messagingStep(
		'message.send',
		'Send fields',
		{
			channelType: 'VIBER',
			senderName: senderNames.viber,
			destination: numbers.mts,
			contentFormat: 'fields',
			contentFields: {
				field: [
					{ name: 'contentType', type: 'text', value: 'button' },
					{ name: 'text', type: 'text', value: 'Hello {name}' },
					{ name: 'button.url', type: 'text', value: 'https://example.com' },
					{ name: 'button.size', type: 'number', value: '2' },
				],
			},
			// What has a field of its own is replaced.
			options: { ttl: 60, additionalFields: '{ "ttl": 300, "imageUrl": "a" }' },
		},
		({ json, store }) => {
			expect(json).toMatchObject([{ destination: numbers.mts, outcome: 'accepted' }]);
			expect(store.byUuid.get(String(json[0]?.messageUuid))?.single).toMatchObject({
				ttl: 300,
				content: {
					contentType: 'button',
					text: 'Hello Anna',
					button: { url: 'https://example.com', size: 2 },
				},
			});
		},
	),

	messagingStep(
		'message.send',
		'Send later',
		{
			channelType: 'SMS',
			senderName: senderNames.sms,
			destination: numbers.mts,
			text: 'Hello',
			options: { localSendTime: inThreeDays },
		},
		({ json, store }) =>
			expect(store.byUuid.get(String(json[0]?.messageUuid))?.single?.localSendTime).toEqual(
				aLocalTime,
			),
		{ after: start },
	),
	messagingStep(
		'message.stop',
		'Stop',
		{ messageUuid: '={{ $json.messageUuid }}' },
		({ json, store }) => {
			expect(json).toMatchObject([{ stopped: true, result: 'stopped' }]);
			expect(store.byUuid.get(String(json[0]?.messageUuid))?.isStopping).toBe(true);
		},
	),

	messagingStep(
		'verification.sendCode',
		'Send code',
		{
			destination: '8 (916) 123-45-67',
			channelType: 'SMS',
			gatewayId: 'a1B2c3',
		},
		({ json, store }) => {
			expect(json).toEqual([{ uuid: expect.any(String), destination: numbers.mts }]);
			expect(store.codes.get(String(json[0]?.uuid))?.code).toBe(firstCode);
		},
		{ after: start },
	),
	fields('Two tries', { codes: ['0000', firstCode] }),
	splitOut('Each try', 'codes'),
	messagingStep(
		'verification.checkCode',
		'Right code?',
		{ uuid: "={{ $('Send code').first().json.uuid }}", code: '={{ $json.codes }}' },
		({ json, items }) => {
			expect(json).toEqual([
				{ confirmed: false, outcome: 'wrongCode', status: 'WRONG_CODE' },
				{ confirmed: true, outcome: 'confirmed', status: 'CONFIRMED' },
			]);
			expect(items.flatMap(linksOf)).toEqual([0, 1]);
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
];
