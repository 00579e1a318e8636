import { messaging } from '../../core/contract/messaging';
import { json, text, type Behaviour } from '../support/server.cts';
import { trySend } from './calls.cts';
import { asked, inOrder, messagingCredential, serve } from './service.cts';

const merged = '/api/v1/message';
const literal = '/api/v1/v1/message';
const accepted = { errors: false, items: [{ messageUuid: 'u-1', code: 201 }] };
const notFound = json(404, { error: { code: 4040, msg: 'Not Found' } });

const sendMessage = async (url: string) =>
	await trySend(messagingCredential(`${url}/api/v1`), messaging.messageSend, {
		body: [
			{ channelType: 'SMS', senderName: 'FIVE', destination: '79120000001', content: 'Hello' },
		],
	});

/** None of these shows that the route exists: somebody in front of the service may have answered. */
const inconclusive: Array<[string, Behaviour]> = [
	['401', json(401, { error: { code: 4010, msg: 'Not Authenticated' } })],
	['429', json(429, {}, { 'retry-after': '3600' })],
	['502 with a web page', text(502, '<html></html>', 'text/html')],
	['503', text(503, '')],
	['"Multiple choices"', json(300, {})],
	['a redirect', json(302, {}, { location: '/' })],
];

it.each(
	inconclusive.flatMap(([name, answer]) =>
		[merged, literal].map((place) => [name, place, answer] as const),
	),
)('%s at %s says nothing about the path', async (_, place, answer) => {
	const other = place === merged ? literal : merged;
	let isBack = false;
	const server = await serve(({ url }) => {
		if (isBack) return url === other ? json(200, accepted) : notFound;
		return url === place ? answer : notFound;
	});
	await sendMessage(server.url);
	isBack = true;
	const { reply } = await sendMessage(server.url);
	expect(reply).toEqual(accepted);
	expect(server.receivedAt('POST', literal).length).toBeGreaterThan(0);
});

it('a 429 at first leaves the way open', async () => {
	const server = await serve(inOrder(text(429, ''), notFound, json(200, accepted)));
	const { reply } = await sendMessage(server.url);
	expect(reply).toEqual(accepted);
	expect(asked(server.received)).toEqual([`POST ${merged}`, `POST ${merged}`, `POST ${literal}`]);
});
