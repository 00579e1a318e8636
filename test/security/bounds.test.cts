import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import { partner } from '../../core/contract/partner';
import { send } from '../../core/transport/send';
import { json, text, type Behaviour } from '../support/server.cts';
import { attempt, type Attempted } from '../support/transportNode.cts';
import { createCompany, dispatch, getDispatch, quick } from '../transport/calls.cts';
import { partnerCredential, servePartner, stalled } from '../transport/service.cts';

/** What the user reads is short and says something, whatever the service sends. */
const expectShort = ({ failure, record }: Attempted) => {
	expect(failure?.message.length).toBeLessThan(200);
	expect(failure?.description?.length).toBeLessThan(1_200);
	expect(`${failure?.message} ${failure?.description}`).not.toMatch(
		/Maximum call stack|Invalid string length|heap|is not a function|Cannot read/,
	);
	expect(record.length).toBeLessThan(100_000);
};

const megabyte = 1024 * 1024;
const reply = async (behaviour: Behaviour, run = getDispatch.run) => {
	const service = await servePartner(() => behaviour);
	const options = { retry: { ...quick, attempts: 2 } };
	const attempted = await run(partnerCredential(service.url, { token: 'known' }), options);
	return { ...attempted, service };
};

/** An answer that goes on for as long as anybody listens; up to 640 MB, so that whoever listens to the end is told so here. */
const endless =
	(status: number, counted: { bytes: number }, packed = false): Behaviour =>
	(_, response) => {
		response.writeHead(status, {
			'content-type': 'application/json',
			...(packed && { 'content-encoding': 'gzip' }),
		});
		const target = packed ? createGzip({ level: 1 }) : response;
		if (target !== response) target.pipe(response);
		const chunk = Buffer.alloc(megabyte, ' ');
		let isOpen = true;
		response.once('close', () => {
			isOpen = false;
		});
		const write = () => {
			if (!isOpen) return;
			if (counted.bytes >= 640 * megabyte) {
				target.end();
				return;
			}
			counted.bytes += chunk.length;
			// One after the other, as fast as they are taken in.
			target.write(chunk, () => setImmediate(write));
		};
		write();
	};

describe('an answer that does not end', () => {
	it.each([
		['with 200', 200, false],
		['with 400', 400, false],
		['with 500', 500, false],
		['that unpacks to more and more', 200, true],
	])('%s is left after 64 MB, and the connection is closed', async (_, status, packed) => {
		const counted = { bytes: 0 };
		const before = process.memoryUsage().rss;
		const { service, ...attempted } = await reply(endless(status, counted, packed));

		expectShort(attempted);
		if (status === 200) {
			expect(attempted.failure?.message).toBe("The service's response is larger than 64 MB");
			expect(attempted.failure?.outcome).toBe('unknown');
		}
		// What waits in buffers on the way counts too, and a 500 is asked for a second time. Packed, gigabytes fit in there.
		if (!packed) expect(counted.bytes).toBeLessThan(400 * megabyte);
		expect(process.memoryUsage().rss - before).toBeLessThan(600 * megabyte);
		expect(service.calls.length).toBeLessThanOrEqual(2);
	});

	it('a call that may not be repeated is not', async () => {
		const { service, failure } = await reply(endless(201, { bytes: 0 }), createCompany.run);
		expect(failure?.outcome).toBe('unknown');
		expect(service.calls).toHaveLength(1);
	});

	it('during the log-in', async () => {
		const service = await servePartner(
			() => json(200, dispatch),
			() => endless(200, { bytes: 0 }),
		);
		const attempted = await getDispatch.run(partnerCredential(service.url));
		expectShort(attempted);
		expect(attempted.failure?.message).toBe("The service's response is larger than 64 MB");
		expect(service.calls).toHaveLength(0);
	});

	it('an answer that begins and stops does not hold its connection', async () => {
		let server: Server | undefined;
		const open = new Set<unknown>();
		try {
			server = createServer((_, response) => stalled(200, dispatch)(null as never, response));
			server.on('connection', (socket) => {
				open.add(socket);
				socket.once('close', () => open.delete(socket));
			});
			await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
			const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
			const { failure } = await getDispatch.run(partnerCredential(url, { token: 'known' }), {
				retry: { ...quick, attempts: 1 },
			});
			expect(failure?.message).toBe("The service didn't respond in time");
			while (open.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
		} finally {
			server?.closeAllConnections();
			await new Promise((resolve) => server?.close(resolve));
		}
	});
});

it('an answer of 30 MB is no reason to stop', async () => {
	const large = { ...dispatch, note: 'x'.repeat(30 * megabyte) };
	const { reply: received } = await reply(json(200, large));
	expect((received as typeof large).note.length).toBe(30 * megabyte);
});

const deep = (levels: number) => '{"a":['.repeat(levels) + '1' + ']}'.repeat(levels);
const errorText = (body: string) => JSON.stringify({ error: { code: 4000, msg: body } });

describe.each([200, 400, 401, 429, 500])('answered with %d', (status) => {
	it.each([
		['10 MB of text', 'x'.repeat(10 * megabyte)],
		['1 MB of spaces and line breaks', ' \r\n\t'.repeat(megabyte / 4)],
		['10 MB of error text', errorText('x'.repeat(10 * megabyte))],
		['1 MB of control characters', errorText('\u0001\u2028a'.repeat(megabyte / 3))],
		['a web page of 10 MB', `<!DOCTYPE html><p>${'x'.repeat(10 * megabyte)}`],
		['nested 10,000 deep', deep(5_000)],
		['nested 1,000,000 deep', deep(500_000)],
		['an error nested 10,000 deep', `{"error": {"code": 1, "msg": ${deep(5_000)}}}`],
		['a list', '[1, [2, {}], null]'],
		['a number', '1e400'],
		['null', 'null'],
		['a code that is none', '{"error": {"code": "4000", "msg": ["x"]}}'],
		['a code without bounds', '{"error": {"code": 1e308, "msg": "x"}}'],
		['a code called like a method', '{"error": {"code": "constructor", "msg": "toString"}}'],
		[
			'prototype keys',
			'{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}',
		],
		[
			'an error with prototype keys',
			'{"error": {"code": 1, "msg": "x", "__proto__": {"polluted": 1}}}',
		],
	])('%s', async (_, body) => {
		const { service, ...attempted } = await reply(text(status, body, 'application/json'));

		expect(service.calls.length).toBeLessThanOrEqual(2);
		// With 200 an object of another shape is taken as it is.
		if (attempted.failure === undefined) expect(status).toBe(200);
		else expectShort(attempted);
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
		expect(() => JSON.stringify(attempted.reply)).not.toThrow();
	});
});

it('prototype keys of an answer are fields like any other', async () => {
	const body = '{"__proto__": {"polluted": 1}, "constructor": {"polluted": 1}, "name": "Spring"}';
	const { reply: received } = await reply(text(200, body, 'application/json'));
	expect(Object.keys(received as object)).toEqual(['__proto__', 'constructor', 'name']);
	expect((received as Record<string, unknown>).polluted).toBeUndefined();
	expect(Object.getPrototypeOf(received)).not.toHaveProperty('polluted');
});

it.each(['Infinity', '1e300', '-1', '99999999999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT', 'x'])(
	'Retry-After: %s ends at once and makes sense',
	async (value) => {
		const attempted = await reply(json(429, {}, { 'retry-after': value }));
		expectShort(attempted);
		expect(attempted.failure?.description).not.toMatch(/Infinity|NaN|-\d/);
	},
);

it('a redirection to an address of 10 KB is shown shortened', async () => {
	const location = `https://elsewhere.example/${'x'.repeat(10_000)}`;
	const attempted = await reply(json(302, {}, { location }));
	expectShort(attempted);
});

describe('what is noted in the log about an odd reply', () => {
	it('is one short line, without secrets', async () => {
		const noted: string[] = [];
		const service = await servePartner(() =>
			json(200, { ...dispatch, status: `known\r\nERROR: forged line ${'x'.repeat(megabyte)}` }),
		);
		await attempt(partnerCredential(service.url, { token: 'known' }), async (context) => {
			const warn = jest.spyOn(context.logger, 'warn').mockImplementation((line) => {
				noted.push(String(line));
			});
			try {
				return await send(context, partner.dispatchGet, { path: { id: 5 } });
			} finally {
				warn.mockRestore();
			}
		});
		expect(noted).toHaveLength(1);
		expect(noted[0]).not.toMatch(/[\r\n]/);
		expect(noted[0]).not.toContain('known\\r');
		expect(noted[0]?.length).toBeLessThan(700);
	});
});

describe('a token that is none', () => {
	it.each([
		['a header of its own', 'abc\r\nX-Injected: 1'],
		['a line break', 'abc\n'],
		['a space', 'abc def'],
		['letters no header can carry', 'токен'],
		['a zero', 'abc\u0000'],
		['10 MB', 'x'.repeat(10 * megabyte)],
		['a number', 5],
		['a list', ['abc']],
		['an object', { toString: 'abc' }],
		['nothing', null],
		['true', true],
	])('%s: the call is never sent, and the message is short', async (_, token) => {
		const service = await servePartner(
			() => json(200, dispatch),
			() => json(200, { token }),
		);
		const attempted = await getDispatch.run(partnerCredential(service.url), { retry: quick });
		expectShort(attempted);
		expect(attempted.failure?.message).toBe("The service's response couldn't be read");
		expect(service.calls).toHaveLength(0);
	});
});
