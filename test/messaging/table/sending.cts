import type { INodeParameters } from 'n8n-workflow';
import { messaging } from '../../../core/contract/messaging';
import { demo } from '../../../sandbox/demo.cts';
import { receiveInbound } from '../../../sandbox/time/inbound.cts';
import type { Sandbox } from '../../../sandbox/sandbox.cts';
import type { Row } from '../../nodes/row.cts';
import type { Bench, Wire } from '../../support/sandbox.cts';

const { numbers, senderNames } = demo;
export const messagePath = '/api/v1/message';

/** What a look for own ids asks. */
const lookFor = (...ids: string[]): Wire => ({
	method: 'GET',
	path: messagePath,
	query: [
		...ids.map((id): [string, string] => ['message_uuid', id]),
		['page', '1'],
		['per_page', '100'],
	],
});

/** The single messages the service holds, oldest first. */
const singles = ({ store }: Pick<Bench, 'store'>) =>
	[...store.byUuid.values()].filter(({ single }) => single !== undefined);

/** A message that is there before, as `Send` would have sent it. */
export const addMessage = async (
	sandbox: Sandbox,
	fields: Partial<{ externalMessageId: string; destination: string; localSendTime: string }> = {},
) => {
	const { items } = await sandbox.client().call(messaging.messageSend, {
		body: [
			{
				channelType: 'SMS',
				senderName: senderNames.sms,
				destination: numbers.mts,
				content: 'Hello',
				...fields,
			},
		],
	});
	return items[0]?.messageUuid ?? '';
};

/** An own id as the node makes one up, for the item at that place. */
const madeUp = (place = 0) =>
	expect.stringMatching(
		new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}-${place}$`),
	) as string;
const someUuid = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;

/** The second of three items has a name nobody has approved. */
const noSender = (error: string): Row['refused'] => ({
	parameters: { senderName: '={{ $json.name }}', options: { allowOneNumber: true } },
	items: [{ name: senderNames.sms }, { name: 'NOBODY' }, { name: senderNames.sms }],
	message: `The service rejected this message (code 404). The service says: ${error}`,
	ofThree: '1 of 3 messages was not sent',
	says: 'Check its values',
});
const notApproved = 'sender name NOBODY is not approved for SMS and this number';

const resumeUrl = expect.stringMatching(
	/^http:\/\/127\.0\.0\.1\/unused\/e1\/2\?report=[0-9a-f]{8}&signature=[0-9a-f]{64}$/,
) as string;

const post = (body: object, path = messagePath): Wire => ({ method: 'POST', path, body: [body] });
/** The least that a message by SMS needs, as it is on the screen; on the wire, its text is the content. */
const sms = { channelType: 'SMS', senderName: senderNames.sms, destination: numbers.mts };
const screen = { ...sms, text: 'Hello' };
const sent = { ...sms, content: 'Hello' };
/** The same on the screen and on the wire. */
const callbackUrl = 'https://n8n.example/hook?a=1';
const when = { localSendTime: '2026-03-03 10:00:00', useLocalTime: false, shortUrl: true };
const ofSend = {
	...when,
	callbackUrl,
	callbackEvents: ['delivered', 'sent', 'read', 'price', 'click'],
	days: [1, 7],
	hours: [0, 9, 23],
	templateId: 77,
	trafficType: 'AUTHORIZE',
	ttl: 600,
};
const ofCascade = { ...when, callbackUrl, callbackEvents: ['read'], days: [1, 2], hours: [9, 10] };

/** Two steps with everything, as they are on the screen and on the wire. */
const stepsOnScreen = [
	{
		channelType: 'VIBER',
		senderName: senderNames.viber,
		contentFormat: 'json',
		content: '{ "contentType": "text", "text": "Hello", "caption": "Open" }',
		condition: 'not_read',
		ttl: 600,
	},
	{
		channelType: 'SMS',
		senderName: senderNames.sms,
		text: 'Hello',
		condition: '',
		additionalFields: '{ "trafficType": "SERVICE" }',
	},
];

const stepsOnWire = [
	{
		channelType: 'VIBER',
		senderName: senderNames.viber,
		content: { contentType: 'text', text: 'Hello', caption: 'Open' },
		condition: 'not_read',
		ttl: 600,
	},
	{
		channelType: 'SMS',
		senderName: senderNames.sms,
		// An object on every channel.
		content: { text: 'Hello' },
		trafficType: 'SERVICE',
	},
];

interface OfChannel {
	channelType: string;
	senderName: string;
	/** The content as it is on the screen, and as it is sent. */
	screen: INodeParameters;
	content: unknown;
}

/** One message, whose content depends on its channel. */
const toChannel = (title: string, { screen, content, ...channel }: OfChannel): Row => ({
	operation: 'message.send',
	title,
	parameters: { ...channel, destination: numbers.mts, ...screen },
	wire: [post({ ...channel, destination: numbers.mts, content, externalMessageId: madeUp() })],
	output: (json) =>
		expect(json).toMatchObject([{ channelType: channel.channelType, outcome: 'accepted' }]),
	state: (bench) => expect(singles(bench)).toHaveLength(1),
});

export const sendingRows: Row[] = [
	{
		operation: 'message.send',
		title: 'the least',
		parameters: { ...screen, destination: '8 (916) 123-45-67' },
		wire: [post({ ...sent, externalMessageId: madeUp() })],
		output: (json) =>
			expect(json).toEqual([
				{
					messageUuid: someUuid,
					externalMessageId: madeUp(),
					destination: numbers.mts,
					channelType: 'SMS',
					outcome: 'accepted',
				},
			]),
		state: (bench) =>
			expect(singles(bench)).toMatchObject([{ destination: numbers.mts, text: 'Hello' }]),
		refused: noSender(notApproved),
	},
	{
		operation: 'message.send',
		title: 'everything there is',
		parameters: {
			...screen,
			destination: `+${numbers.mts}`,
			externalMessageId: ' order-1 ',
			options: {
				...ofSend,
				additionalFields: '{ "priority": "high" }',
				callbackAuthentication: 'none',
				localCompletionTime: '2026-03-03T18:00:00',
				tags: 'spring, vip',
			},
		},
		wire: [
			lookFor('order-1'),
			post({
				...sent,
				...ofSend,
				externalMessageId: 'order-1',
				priority: 'high',
				localCompletionTime: '2026-03-03 18:00:00',
				tags: ['spring', 'vip'],
			}),
		],
		output: (json) =>
			expect(json).toMatchObject([{ externalMessageId: 'order-1', outcome: 'accepted' }]),
		state: (bench) => {
			const { localSendTime, templateId, ttl } = ofSend;
			const single = { externalMessageId: 'order-1', localSendTime, templateId, ttl };
			expect(singles(bench)).toMatchObject([{ single }]);
		},
	},
	toChannel('a messenger, with a text', {
		channelType: 'VIBER',
		senderName: senderNames.viber,
		screen: { text: 'Hello' },
		content: { contentType: 'text', text: 'Hello' },
	}),
	toChannel('VK: a plain text', {
		channelType: 'VK',
		senderName: 'tulips_vk',
		screen: { text: 'Hello' },
		content: 'Hello',
	}),
	toChannel('WhatsApp, with a header and a footer', {
		channelType: 'WHATSAPP',
		senderName: senderNames.whatsapp,
		screen: { text: 'Order 17 is ready', header: 'Tulips', footer: 'Open 9 to 18' },
		content: {
			contentType: 'text',
			text: 'Order 17 is ready',
			header: { text: 'Tulips' },
			footer: { text: 'Open 9 to 18' },
		},
	}),
	{
		...toChannel('a messenger, with a content of its own', {
			channelType: 'WHATSAPP',
			senderName: senderNames.whatsapp,
			screen: {
				contentFormat: 'json',
				content: '{ "contentType": "image", "url": "https://example.com/a.jpg" }',
			},
			content: { contentType: 'image', url: 'https://example.com/a.jpg' },
		}),
		seed: ({ world }) =>
			receiveInbound(world, {
				channelType: 'WHATSAPP',
				senderName: senderNames.whatsapp,
				destination: numbers.mts,
				text: 'Hi',
			}),
		state: (bench) => expect(singles(bench)).toHaveLength(2),
	},
	{
		operation: 'message.send',
		title: 'an Custom Message ID that was used before: not sent again',
		seed: async (sandbox) => await addMessage(sandbox, { externalMessageId: 'order-1' }),
		parameters: { ...screen, externalMessageId: 'order-1' },
		wire: [lookFor('order-1')],
		output: (json) =>
			expect(json).toEqual([
				{
					messageUuid: someUuid,
					externalMessageId: 'order-1',
					destination: numbers.mts,
					channelType: 'SMS',
					outcome: 'accepted',
					alreadySent: true,
					status: 'sending',
				},
			]),
	},
	{
		operation: 'message.sendAndWait',
		title: 'waits for the delivery',
		parameters: { ...sms, message: 'Hello', externalMessageId: 'order-1' },
		wire: [
			lookFor('order-1'),
			post({
				...sent,
				externalMessageId: 'order-1',
				callbackUrl: resumeUrl,
				callbackEvents: ['delivered'],
			}),
			lookFor('order-1'),
		],
		output: (json) =>
			// What leaves the node if nobody reports anything until the limit.
			expect(json).toEqual([
				{
					outcome: 'timeout',
					messageUuid: someUuid,
					waitId: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
					externalMessageId: 'order-1',
					destination: numbers.mts,
					channelType: 'SMS',
				},
			]),
		state: (bench) => expect(singles(bench)).toHaveLength(1),
	},
	{
		operation: 'message.sendCascade',
		title: 'two steps',
		parameters: { destination: numbers.mts, cascade: { step: stepsOnScreen } },
		wire: [post({ destination: numbers.mts, cascade: stepsOnWire }, `${messagePath}/cascade`)],
		output: (json) =>
			expect(json).toEqual([
				{ messageUuid: someUuid, destination: numbers.mts, steps: 2, outcome: 'accepted' },
			]),
		state: (bench) =>
			expect(singles(bench)).toMatchObject([{ single: { plan: { steps: [{}, {}] } } }]),
		refused: {
			// With own IDs: without them it is not certain which of three was refused.
			parameters: {
				cascade: { step: [{ senderName: '={{ $json.name }}', text: 'Hello' }] },
				externalMessageId: '={{ $json.id }}',
				options: { allowOneNumber: true },
			},
			items: [
				{ name: senderNames.sms, id: 'a' },
				{ name: 'NOBODY', id: 'b' },
				{ name: senderNames.sms, id: 'c' },
			],
			message: `The service rejected this message (code 404). The service says: ${notApproved}`,
			ofThree: '1 of 3 messages was not sent',
			says: 'Check its values',
		},
	},
	{
		operation: 'message.sendCascade',
		title: 'with an own ID and everything else',
		parameters: {
			destination: numbers.mts,
			cascade: { step: stepsOnScreen },
			externalMessageId: 'order-1',
			options: {
				...ofCascade,
				additionalFields: '{ "priority": "high" }',
				callbackAuthentication: 'none',
				localSendTime: '2026-03-03 10:00',
				localCompletionTime: '2026-03-03 12:00',
			},
		},
		wire: [
			lookFor('order-1'),
			post(
				{
					...ofCascade,
					destination: numbers.mts,
					cascade: stepsOnWire,
					externalMessageId: 'order-1',
					priority: 'high',
					localCompletionTime: '2026-03-03 12:00:00',
				},
				`${messagePath}/cascade`,
			),
		],
		output: (json) => expect(json).toMatchObject([{ externalMessageId: 'order-1', steps: 2 }]),
		state: (bench) => expect(singles(bench)).toHaveLength(1),
	},
];
