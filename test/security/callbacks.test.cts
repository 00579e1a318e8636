import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { webhooks } from '../../nodes/BulkMessagingTrigger/webhooks';
import { dispatchSent, sent } from '../trigger/bodies.cts';
import { basic, login, startHost, type Host } from '../trigger/host.cts';

/** What test/trigger does not have: calls that no well-behaved client can send, and what follows from many of them. */

const body = JSON.stringify(dispatchSent);

/** One request, byte for byte as it is written here. Gives the whole answer. */
const sendRaw = async ({ url }: Host, lines: string[], content = body): Promise<string> =>
	await new Promise((resolve, reject) => {
		const socket = connect(Number(new URL(url).port), '127.0.0.1');
		let answer = '';
		socket.on('data', (chunk) => (answer += chunk.toString()));
		socket.on('error', reject);
		socket.on('close', () => resolve(answer));
		const head = [
			'POST /fast HTTP/1.1',
			'Host: 127.0.0.1',
			'Content-Type: application/json',
			`Content-Length: ${Buffer.byteLength(content)}`,
			'Connection: close',
			...lines,
		];
		socket.end(`${head.join('\r\n')}\r\n\r\n${content}`);
	});

const wrong = basic(`${login.login}:wrong-password`);

describe('credentials in a place or form where they do not count', () => {
	test.each<[string, string[]]>([
		[
			'a wrong header before the right one',
			[`Authorization: ${wrong}`, `Authorization: ${basic()}`],
		],
		['an empty header before the right one', ['Authorization:', `Authorization: ${basic()}`]],
		['Proxy-Authorization', [`Proxy-Authorization: ${basic()}`]],
		['X-Authorization', [`X-Authorization: ${basic()}`]],
		['a cookie', [`Cookie: authorization=${encodeURIComponent(basic())}`]],
		['a forwarded user', [`X-Forwarded-User: ${login.login}`, 'X-Forwarded-For: 127.0.0.1']],
		['a header with a tab in it', [`Authorization: Basic\t${basic().slice(6)}`]],
		['base64 with a line folded', [`Authorization: Basic`, ` ${basic().slice(6)} x`]],
		[
			'a zero behind the password',
			[`Authorization: ${basic(`${login.login}:${login.password}\u0000`)}`],
		],
		['two logins in one', [`Authorization: ${basic(`${login.login}:${login.password}:`)}`]],
	])('%s', async (_, headers) => {
		const host = await startHost();
		const answer = await sendRaw(host, headers);
		await host.settled();
		expect(answer).toMatch(/^HTTP\/1\.1 (?:400|401) /);
		expect(host.started).toEqual([]);
	});

	test.each([
		['login and password as parameters', `?login=${login.login}&password=${login.password}`],
		['a header as a parameter', `?authorization=${encodeURIComponent(basic())}`],
		['a header as a list', `?authorization[]=${encodeURIComponent(basic())}`],
	])('%s of the address', async (_, query) => {
		const host = await startHost();
		const { status } = await host.post('fast', dispatchSent, { authorization: null, query });
		expect(status).toBe(401);
		expect(host.started).toEqual([]);
	});

	test('in the body', async () => {
		const host = await startHost();
		const withLogin = {
			...dispatchSent,
			...login,
			authorization: basic(),
			headers: { authorization: basic() },
		};
		expect(await host.post('fast', withLogin, { authorization: null })).toMatchObject({
			status: 401,
		});
		expect(host.started).toEqual([]);
	});
});

test('the right header, written by hand, passes: what is refused above is refused for its credentials', async () => {
	const host = await startHost();
	expect(await sendRaw(host, [`Authorization: ${basic()}`])).toMatch(/^HTTP\/1\.1 200 /);
	await host.settled();
	expect(host.items).toHaveLength(1);
});

test('who is refused is not remembered: the true callback that follows is taken', async () => {
	const host = await startHost();
	for (let count = 0; count < 20; count++) {
		expect(await host.post('fast', dispatchSent, { authorization: wrong })).toMatchObject({
			status: 401,
		});
	}
	expect(await host.post('fast', dispatchSent)).toMatchObject({ status: 200 });
	await host.settled();
	expect(host.items).toHaveLength(1);
});

test('a body of 16 MB, the most n8n takes in, is refused by its credentials alone', async () => {
	const host = await startHost();
	const large = JSON.stringify([{ ...sent, padding: 'x'.repeat(16 * 1024 * 1024) }]);
	const { status, text } = await host.post('fast', large, { authorization: wrong });
	expect(status).toBe(401);
	expect(text.length).toBeLessThan(100);
	expect(host.started).toEqual([]);
});

test.each([
	['an object', `{"__proto__": {"polluted": 1}, ${body.slice(1)}`],
	['headers', body],
])('prototype keys in %s change no prototype', async (_, content) => {
	const host = await startHost({
		parameters: { options: { includeHeaders: true, includeQuery: true } },
	});
	const { status } = await host.post('fast', content, {
		headers: { __proto__: 'x', constructor: 'y' } as unknown as Record<string, string>,
		query: '?__proto__[polluted]=1&constructor.prototype.polluted=1&__proto__=1',
	});
	await host.settled();
	expect(status).toBe(200);
	expect(host.items).toHaveLength(1);
	expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	expect(host.items[0]?.polluted).toBeUndefined();
});

/** Time cannot be measured fairly on a busy machine: this holds that the comparison is the one made for it. */
test('login and password are compared in constant time', () => {
	const source = readFileSync(
		path.join(__dirname, '../../nodes/BulkMessagingTrigger/callbacks/authenticate.ts'),
		'utf8',
	);
	expect(source).toMatch(/timingSafeEqual\(digest\(one\), digest\(other\)\)/);
	expect(source).not.toMatch(/password\s*[!=]==?|[!=]==?\s*password/);
});

test('only POST is offered', () => {
	expect(webhooks.map(({ httpMethod }) => httpMethod)).toEqual(webhooks.map(() => 'POST'));
});
