import { partnerEndpoint } from '../../core/contract/endpoint';
import { messaging } from '../../core/contract/messaging';
import { z } from '../../vendor/zod';
import { json, reset, text, tooLate, type Behaviour } from '../support/server.cts';
import { send } from '../../core/transport/send';
import { attempt } from '../support/transportNode.cts';
import { trySend } from './calls.cts';
import {
	asked,
	inOrder,
	messagingCredential,
	partnerCredential,
	serve,
	servePartner,
	type Answer,
} from './service.cts';

const merged = '/api/v1/message';
const literal = '/api/v1/v1/message';
const messages = [
	{ channelType: 'SMS', senderName: 'FIVE', destination: '79120000001', content: 'Hello' },
];
const accepted = { errors: false, items: [{ messageUuid: 'u-1', code: 201 }] };
const page = { total: 0, items: [] };
const notFound = json(404, { error: { code: 4040, msg: 'Not Found' } });

const sendMessage = async (url: string) =>
	await trySend(messagingCredential(`${url}/api/v1`), messaging.messageSend, { body: messages });
const listMessages = async (url: string) =>
	await trySend(messagingCredential(`${url}/api/v1`), messaging.messageList, {
		query: { page: 1, status: ['sent', 'read'] },
	});

/** A service that has its routes at one of the two places. */
const serveAt = async (path: string, answer: Answer) =>
	await serve((request) => (request.url.split('?')[0] === path ? answer(request) : notFound));
const good: Answer = ({ method }) => json(200, method === 'POST' ? accepted : page);

it('/v1/message merges with the version that the base URL ends with', async () => {
	const server = await serveAt(merged, good);
	expect((await sendMessage(server.url)).reply).toEqual(accepted);
	expect((await listMessages(server.url)).reply).toEqual(page);
	expect(asked(server.received)).toEqual([
		`POST ${merged}`,
		`GET ${merged}?page=1&status=sent&status=read`,
	]);
});

/** Several messages in one run. */
const sendTwice = async (url: string) =>
	await attempt(messagingCredential(`${url}/api/v1`), async (context) => {
		await send(context, messaging.messageSend, { body: messages });
		return await send(context, messaging.messageSend, { body: messages });
	});

it('a 404 leads to the literal path, which is remembered for the run', async () => {
	const server = await serveAt(literal, good);
	expect((await sendTwice(server.url)).reply).toEqual(accepted);
	expect(asked(server.received)).toEqual([`POST ${merged}`, `POST ${literal}`, `POST ${literal}`]);
	expect(server.receivedAt('POST', literal).map(({ body }) => JSON.parse(String(body)))).toEqual([
		messages,
		messages,
	]);
});

it('a path that has worked is not doubted by a later 404', async () => {
	const server = await serveAt(merged, inOrder(json(200, accepted), notFound));
	const { failure } = await sendTwice(server.url);
	expect(failure).toMatchObject({ outcome: 'refused', problem: { status: 404 } });
	expect(asked(server.received)).toEqual([`POST ${merged}`, `POST ${merged}`]);
});

it('both answering 404 is reported, and nothing is remembered', async () => {
	const server = await serve(() => notFound);

	const first = await sendMessage(server.url);
	await sendMessage(server.url);

	expect(first.failure).toMatchObject({
		outcome: 'refused',
		message: "The service didn't find the requested entry",
		problem: { status: 404 },
	});
	expect(asked(server.received)).toEqual([
		`POST ${merged}`,
		`POST ${literal}`,
		`POST ${merged}`,
		`POST ${literal}`,
	]);
});

it.each([
	['a connection reset', reset],
	['no answer in time', tooLate],
	['500', text(500, '')],
	['a web page with 200', text(200, '<html><body>Log in</body></html>', 'text/html')],
])('the outcome at the literal path is unknown after %s', async (_, trouble) => {
	const server = await serveAt(literal, inOrder(trouble, json(200, accepted)));
	const { failure } = await sendMessage(server.url);
	expect(server.receivedAt('POST', literal)).toHaveLength(1);
	expect(failure?.outcome).toBe('unknown');
});

it('a reading call is repeated at the literal path too', async () => {
	const server = await serveAt(literal, inOrder(reset, json(200, page)));
	const { reply } = await listMessages(server.url);
	expect(reply).toEqual(page);
});

it('a lost connection at first leaves the way open', async () => {
	const server = await serve(inOrder(reset, notFound, json(200, page)));
	const { reply } = await listMessages(server.url);
	expect(reply).toEqual(page);
	expect(server.received).toHaveLength(3);
});

it('a /v1/ of the partner API has one place only: a 404 is not asked for again', async () => {
	const service = await servePartner(() => notFound);
	await trySend(
		partnerCredential(service.url, { token: 'still-valid' }),
		partnerEndpoint('POST', '/v1/things', { body: z.object({}), reply: z.unknown() }),
		{ body: {} },
	);
	expect(asked(service.received)).toEqual(['POST /v1/things']);
});

it.each([
	['verificationSend', messaging.verificationSend, '/api/v1/verifier/widget/send'],
	['verificationCheck', messaging.verificationCheck, '/api/v1/verifier/widget/check'],
])('%s has an absolute path', async (_, endpoint, path) => {
	const server = await serve(() => json(200, { status: 'CONFIRMED' }));
	await trySend(messagingCredential(`${server.url}/gateway/api/v1`), endpoint, {
		body: { key: 'widget-key' },
	});
	expect(asked(server.received)).toEqual([`POST ${path}`]);
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
