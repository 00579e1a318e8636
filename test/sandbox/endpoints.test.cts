import type { Endpoint } from '../../core/contract/endpoint';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { demo } from '../../sandbox/demo.cts';
import { calls } from '../../sandbox/api/messaging/calls.cts';
import { open } from './support.cts';

const endpoints: Array<[string, Endpoint]> = [
	...Object.entries(partner).map(([name, endpoint]): [string, Endpoint] => [
		`partner ${name}`,
		endpoint,
	]),
	...Object.entries(messaging).map(([name, endpoint]): [string, Endpoint] => [
		`messaging ${name}`,
		endpoint,
	]),
];

const addressOf = ({ api, path }: Endpoint) => {
	const filled = path.replace(/\{\w+\}/g, '1');
	if (api === 'partner') return demo.partnerPath + filled;
	return path.startsWith('/api/') ? filled : demo.messagingPath + filled;
};

describe('every endpoint of the contract', () => {
	test.each(endpoints)('%s is served, and asks for its credential', async (_, endpoint) => {
		const { sandbox } = open();
		const response = await sandbox.fetch(`${sandbox.urls.origin}${addressOf(endpoint)}`, {
			method: endpoint.method,
		});
		if (endpoint.auth === 'none') {
			expect([200, 400]).toContain(response.status);
		} else {
			expect(response.status).toBe(401);
			// The widget has its own number for it.
			const code = endpoint.path.endsWith('/widget/send') ? 330 : 4010;
			expect(await response.json()).toMatchObject({ error: { code } });
		}
		expect(sandbox.requests.count(`${endpoint.method} ${endpoint.path}`)).toBe(1);
	});

	test('another address is 4040, and counted as unknown', async () => {
		const { sandbox } = open();
		const { partnerUrl } = sandbox.urls;
		for (const [method, path] of [
			['GET', '/nothing'],
			['DELETE', '/company'],
			['GET', '/company/101'],
		]) {
			const response = await sandbox.fetch(partnerUrl + path, { method });
			expect(response.status).toBe(404);
			expect(await response.json()).toMatchObject({ error: { code: 4040 } });
		}
		expect(sandbox.requests.count('unknown')).toBe(3);
	});
});

describe('the calls whose bodies the contract does not show', () => {
	test('are all of the messaging API but ping and balance', () => {
		expect([...Object.keys(calls), 'ping', 'balance'].sort()).toEqual(
			Object.keys(messaging).sort(),
		);
	});

	test.each(Object.entries<Endpoint>(calls))('%s shares no schema with the nodes', (name, own) => {
		const theirs = Object.entries<Endpoint>(messaging).find(([other]) => other === name)?.[1];
		expect([own.method, own.path]).toEqual([theirs?.method, theirs?.path]);
		expect(own.reply).not.toBe(theirs?.reply);
		const input = (endpoint?: Endpoint) => endpoint?.body ?? endpoint?.query;
		// Starting and stopping a dispatch have only its ID.
		expect(input(own) === undefined).toBe(input(theirs) === undefined);
		if (input(own) !== undefined) expect(input(own)).not.toBe(input(theirs));
	});
});

describe('the doubled version', () => {
	const ask = async (path: string, messagePath?: 'short' | 'literal') => {
		const { sandbox } = open();
		if (messagePath !== undefined) sandbox.world.store.settings.messagePath = messagePath;
		const response = await sandbox.fetch(`${sandbox.urls.messagingUrl}${path}`, {
			headers: { authorization: `Bearer ${demo.apiKey}` },
		});
		return response.status;
	};

	test('/v1/message answers with and without it, unless a setting leaves only one', async () => {
		for (const path of ['/message', '/v1/message']) expect(await ask(path)).toBe(200);
		expect(await ask('/message', 'short')).toBe(200);
		expect(await ask('/v1/message', 'short')).toBe(404);
		expect(await ask('/message', 'literal')).toBe(404);
		expect(await ask('/v1/message', 'literal')).toBe(200);
	});
});
