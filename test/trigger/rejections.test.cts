import { RejectionLog } from '../../nodes/BulkMessagingTrigger/callbacks/rejections';
import { dispatchSent } from './bodies.cts';
import { basic, login, startHost, type Host, type HostOptions } from './host.cts';

const minute = 60_000;

describe('one reason', () => {
	test('is logged first, then once a minute, with how many were left out', () => {
		const log = new RejectionLog();
		expect(log.add('a', 'x', 1_000)).toBe(0);
		expect(log.add('a', 'x', 1_000)).toBeUndefined();
		expect(log.add('a', 'x', 999 + minute)).toBeUndefined();
		expect(log.add('a', 'x', 1_000 + minute)).toBe(2);
	});

	test('is logged again when the clock was set back', () => {
		const log = new RejectionLog();
		log.add('a', 'x', 1_000);
		log.add('a', 'x', 1_001);
		expect(log.add('a', 'x', 999)).toBe(1);
	});
});

describe('the log', () => {
	test('forgets what was logged longest ago, not what is in use', () => {
		const log = new RejectionLog(2);
		log.add('a', 'x', 0);
		log.add('b', 'x', 1);
		log.add('a', 'x', minute);
		log.add('c', 'x', minute + 1);
		expect(log.add('a', 'x', minute + 2)).toBeUndefined();
		expect(log.add('b', 'x', minute + 3)).toBe(0);
	});
});

const wrong = (text: string) => ({ authorization: basic(text) });

describe('what the owner reads', () => {
	let now: jest.SpyInstance<number, []>;
	let time: number;
	beforeEach(() => {
		time = Date.UTC(2026, 2, 2, 7);
		now = jest.spyOn(Date, 'now').mockImplementation(() => time);
	});
	afterEach(() => now.mockRestore());

	/** Everything that goes to the log while the trigger is called. */
	const logOf = async (
		options: HostOptions,
		call: (host: Host) => Promise<unknown>,
	): Promise<string[]> => {
		const host = await startHost(options);
		const lines: string[] = [];
		const keep = (line: string) => void lines.push(line);
		const spies = [
			jest.spyOn(host.logger, 'warn').mockImplementation(keep),
			jest.spyOn(host.logger, 'error').mockImplementation(keep),
		];
		try {
			await call(host);
			await host.settled();
			return lines;
		} finally {
			spies.forEach((spy) => spy.mockRestore());
		}
	};

	const prefix = (status: number) =>
		new RegExp(`^Trigger in workflow "Reports" \\(w\\d+\\) rejected a callback with ${status}: `);

	test.each<[string, number, HostOptions, { authorization?: string | null }, string]>([
		['no login', 401, {}, { authorization: null }, 'no login was sent. Choose this trigger'],
		['another scheme', 401, {}, { authorization: 'Bearer abc' }, 'no login was sent'],
		['a wrong login', 401, {}, wrong(`someone:${login.password}`), 'the login or the password is'],
		['a wrong password', 401, {}, wrong(`${login.login}:other`), 'the login or the password is'],
		[
			'another address',
			403,
			{ parameters: { options: { allowedAddresses: '192.0.2.7' } }, ip: '203.0.113.9' },
			{},
			"the caller isn't in 'Allowed IP Addresses'. Its IP address is 203.0.113.9.",
		],
		[
			'an address that is none',
			403,
			{ parameters: { options: { allowedAddresses: '192.0.2.7' } }, ip: 'forged\nline' },
			{},
			'Its IP address is unknown.',
		],
		[
			'an address with a zone',
			403,
			{ parameters: { options: { allowedAddresses: '192.0.2.7' } }, ip: 'fe80::1%forged line' },
			{},
			'Its IP address is fe80::1.',
		],
		[
			'settings that make no sense',
			500,
			{ parameters: { options: { allowedAddresses: 'callbacks.example' } } },
			{},
			'contains "callbacks.example"',
		],
	])('%s', async (_, status, options, call, reason) => {
		const lines = await logOf(options, async (host) => {
			const answer = await host.post('fast', dispatchSent, call);
			expect(answer.status).toBe(status);
		});
		expect(lines).toHaveLength(1);
		expect(lines[0]).toMatch(prefix(status));
		expect(lines[0]).toContain(reason);
		for (const secret of [login.password, 'someone', 'forged', basic().slice('Basic '.length)]) {
			expect(lines[0]).not.toContain(secret);
		}
	});

	test('once a minute, and then how many were left out; other reasons and triggers are not held back', async () => {
		const none = { authorization: null };
		const lines = await logOf({}, async (host) => {
			for (let count = 0; count < 5; count++) await host.post('fast', dispatchSent, none);
			await host.post('confirmed', dispatchSent, none);
			await host.post('fast', dispatchSent, wrong('a:b'));
			await host.post('fast', '17');
			await host.post('fast', 'null');
			time += minute;
			await host.post('fast', dispatchSent, none);
			time += minute;
			await host.post('fast', dispatchSent, none);
		});
		const [first, second, third, fourth, fifth] = lines;
		expect(lines).toHaveLength(5);
		expect(first).toContain('no login was sent');
		expect(first).not.toContain('not logged');
		expect(second).toContain('the login or the password is wrong');
		expect(third).toContain("the body isn't a callback: the body is a number");
		expect(fourth).toContain(
			'5 more rejected for this reason since the last entry were not logged.',
		);
		expect(fifth).not.toContain('not logged');
		expect(
			await logOf({}, async (host) => await host.post('fast', dispatchSent, none)),
		).toHaveLength(1);
	});

	test('a callback that is accepted is not logged', async () => {
		expect(await logOf({}, async (host) => await host.post('fast', dispatchSent))).toEqual([]);
	});
});
