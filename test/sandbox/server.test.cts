import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { clientOf } from '../../sandbox/client.cts';
import { demo } from '../../sandbox/demo.cts';
import { startSandbox, type ServerOptions } from '../../sandbox/server.cts';
import { mts, refusal, tele2 } from './support.cts';

const root = path.join(__dirname, '..', '..');
const company = { name: 'New', counteragentType: 'LEGAL', counteragentInn: '7712345678' } as const;

const closing: Array<() => Promise<void> | void> = [];
afterEach(async () => {
	for (const close of closing.splice(0).reverse()) await close();
});

const start = async (options: ServerOptions = {}) => {
	const running = await startSandbox({ port: 0, speed: 0, ...options });
	closing.push(running.close);
	return { ...running, ...clientOf(fetch, running.origin) };
};

const folder = () => {
	const made = mkdtempSync(path.join(tmpdir(), 'sandbox-test-'));
	closing.push(() => rmSync(made, { recursive: true, force: true }));
	return made;
};

const receiver = async (answer: (count: number) => number = () => 200) => {
	const received: Array<{ headers: IncomingHttpHeaders; body: string }> = [];
	const server = createServer((request, response) => {
		let body = '';
		request.on('data', (piece) => (body += String(piece)));
		request.on('end', () => {
			received.push({ headers: request.headers, body });
			response.writeHead(answer(received.length)).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const close = async () =>
		await new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	closing.push(close);
	return { received, close, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
};

describe('over HTTP', () => {
	test('the Date header has the virtual time', async () => {
		const { origin } = await start({ now: Date.UTC(2026, 2, 2, 7, 0, 5) });
		const { headers } = await fetch(`${origin}/api/v1/ping`);
		expect(headers.get('date')).toBe('Mon, 02 Mar 2026 07:00:05 GMT');
	});

	test('listens on 127.0.0.1 only', async () => {
		const { origin } = await start();
		const { port } = new URL(origin);
		const others = Object.values(networkInterfaces())
			.flatMap((list) => list ?? [])
			.filter(({ family, internal }) => family === 'IPv4' && !internal);
		for (const { address } of [...others, { address: '[::1]' }]) {
			await expect(fetch(`http://${address}:${port}/api/v1/ping`)).rejects.toThrow();
		}
	});

	test('knows the address of a caller', async () => {
		const { sandbox, call } = await start();
		const key = sandbox.world.store.keys.get(demo.apiKey);
		key!.ips = ['10.0.0.1'];
		expect(await refusal(call(messaging.balance))).toMatchObject({ status: 401, code: 4013 });
		key!.ips = ['127.0.0.1'];
		await call(messaging.balance);
	});

	test('lives on after a request that ends half-way', async () => {
		const { origin, call } = await start();
		const { port } = new URL(origin);
		const { connect } = await import('node:net');
		await new Promise<void>((resolve) => {
			const socket = connect(Number(port), '127.0.0.1', () => {
				socket.write(
					'POST /partner/auth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"lo',
				);
				socket.end();
			});
			socket.on('close', () => resolve());
			socket.resume();
		});
		expect(await call(messaging.ping)).toBe('PONG');
	});
});

describe('faults of the connection', () => {
	test('hang never answers, and does not keep the server from closing', async () => {
		const { sandbox, messagingUrl, close } = await start();
		sandbox.faults.add({ kind: 'hang' });
		const answer = fetch(`${messagingUrl}/ping`);
		answer.catch(() => undefined);
		while (sandbox.requests.count('GET /ping') === 0) await new Promise(setImmediate);
		expect((await fetch(`${messagingUrl}/ping`)).status).toBe(200);
		await close();
		await expect(answer).rejects.toThrow('fetch failed');
	});
});

describe('callbacks to a real receiver', () => {
	const dispatch = {
		companyId: demo.companies.flowers,
		name: 'Test',
		senderIds: [demo.senders.mts, demo.senders.tele2],
		channelType: 'SMS',
		text: 'Hello',
		messages: [{ destination: mts }, { destination: tele2 }],
	};

	test('nobody listens: the attempt is logged, and made again', async () => {
		const { sandbox, call } = await start();
		const body = {
			...dispatch,
			callbackUrl: 'http://127.0.0.1:1/',
			messages: [{ destination: mts }],
		};
		const { id } = await call(partner.dispatchCreate, { body });
		await call(partner.dispatchStart, { path: { id } });
		await sandbox.advance(11 * 60_000);
		expect(sandbox.callbacks).toHaveLength(1);
		const [{ state, attempts }] = sandbox.callbacks;
		expect([state, attempts.length]).toEqual(['pending', 3]);
		expect(attempts[0].error).toContain('ECONNREFUSED');
	});

	test('the real clock delivers by itself', async () => {
		const { call, sandbox } = await start();
		const { id } = await call(partner.dispatchCreate, { body: dispatch });
		await call(partner.dispatchStart, { path: { id } });
		// Only now: a token lives for an hour of this clock.
		sandbox.world.pace.speed = 200;
		while (sandbox.world.store.dispatches.get(id)?.status !== 'COMPLETED') {
			await new Promise(setImmediate);
		}
		expect(sandbox.world.store.dispatches.get(id)?.messageCount.delivered).toBe(2);
	});
});

describe('the state file', () => {
	test('survives a restart', async () => {
		const state = path.join(folder(), 'state');
		const first = await start({ state });
		const { companyId } = await first.call(partner.companyCreate, { body: { company, budget: 5 } });
		await first.close();
		const second = await start({ state });
		const { items } = await second.call(partner.companyList);
		expect(items.at(-1)).toMatchObject({ companyId, budget: { value: 5 } });
		expect(readdirSync(path.dirname(state))).toEqual(['state']);
	});

	test.each(['', 'not JSON', '{"version": 9}'])(
		'%j is refused in one sentence and left alone',
		async (text) => {
			const state = path.join(folder(), 'state');
			writeFileSync(state, text);
			await expect(startSandbox({ port: 0, speed: 0, state })).rejects.toThrow(
				/^The state file .*state can't be used: /,
			);
			expect(readFileSync(state, 'utf8')).toBe(text);
		},
	);

	test('a folder is refused in one sentence', async () => {
		await expect(startSandbox({ port: 0, speed: 0, state: folder() })).rejects.toThrow(
			/^The state file .* can't be read: /,
		);
	});

	test('a file that cannot be written is reported once, and the sandbox continues', async () => {
		const lines: string[] = [];
		const place = path.join(folder(), 'missing');
		const running = await start({
			state: path.join(place, 'state'),
			log: (line) => lines.push(line),
		});
		await running.call(partner.companyCreate, { body: { company } });
		running.save();
		await running.call(partner.companyCreate, { body: { company } });
		running.save();
		expect(lines).toEqual([
			expect.stringMatching(/^The state can't be saved to .*ENOENT.* continues without saving\.$/),
		]);
		expect(await running.call(messaging.ping)).toBe('PONG');
		expect(existsSync(place)).toBe(false);
	});
});

describe('npm run sandbox', () => {
	const run = (...args: string[]) => {
		const node = path.join(root, 'node_modules', 'node', 'bin', 'node');
		const child = spawn(existsSync(node) ? node : process.execPath, [
			'--import',
			'tsx',
			path.join(root, 'sandbox', 'server.cts'),
			...args,
		]);
		closing.push(() => void child.kill('SIGKILL'));
		let output = '';
		child.stdout.on('data', (piece) => (output += String(piece)));
		child.stderr.on('data', (piece) => (output += String(piece)));
		const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
		const says = async (text: string) => {
			while (!output.includes(text)) {
				if (child.exitCode !== null) throw new Error(`it ended: ${output}`);
				await new Promise((resolve) => child.stdout.once('data', resolve));
			}
			return output;
		};
		return { child, ended, says, output: () => output };
	};

	test('prints the addresses and credentials, serves, and ends on SIGTERM with the state saved', async () => {
		const state = path.join(folder(), 'state');
		const { child, ended, says } = run('--port', '0', '--speed', '60', '--state', state);
		const output = await says('Ctrl-C');
		for (const value of [demo.login, demo.password, demo.apiKey]) expect(output).toContain(value);
		const [, messagingUrl] = /Messaging API +(\S+)/.exec(output) ?? [];
		expect(output).toMatch(/Partner API +http:\/\/127\.0\.0\.1:\d+\/partner/);
		expect(await (await fetch(`${messagingUrl}/ping`)).text()).toBe('PONG');
		child.kill('SIGTERM');
		expect(await ended).toBe(0);
		expect(existsSync(state)).toBe(true);
	});

	test('a port that is taken, and a wrong option: one sentence and exit code 1', async () => {
		const { host } = await receiver();
		const [, port] = host.split(':');
		const taken = run('--port', port);
		const wrong = run('--speed', 'fast');
		expect(await taken.ended).toBe(1);
		expect(taken.output()).toContain('--port N');
		expect(await wrong.ended).toBe(1);
		expect(wrong.output().trim()).toBe('--speed needs a number of 0 or more, not "fast".');
	});
});
