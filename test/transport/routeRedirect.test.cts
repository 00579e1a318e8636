import { messaging } from '../../core/contract/messaging';
import { json } from '../support/server.cts';
import { trySend } from './calls.cts';
import { messagingCredential, serve } from './service.cts';

const literal = '/api/v1/v1/message';
const page = { total: 0, items: [] };

it('"Multiple choices" is not a success: it says nothing about the path', async () => {
	let isBack = false;
	const server = await serve(({ url }) => {
		if (!isBack) return json(300, {});
		return url === literal ? json(200, page) : json(404, {});
	});
	const ask = async () =>
		await trySend(messagingCredential(`${server.url}/api/v1`), messaging.messageList, {});

	expect((await ask()).failure?.problem.status).toBe(300);
	isBack = true;
	expect((await ask()).reply).toEqual(page);
});
