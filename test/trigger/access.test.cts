import { dispatchSent } from './bodies.cts';
import { basic, login, startHost, type Host, type HostOptions } from './host.cts';

const { login: name, password } = login;

/** Refused calls start nothing, whatever the body is, and all get the same answer. */
const refused = async (host: Host, authorization: string | null) => {
	const bodies = [dispatchSent, [], { nonsense: true }];
	const answers = [];
	for (const body of bodies) {
		const { status, text, headers } = await host.post('fast', body, { authorization });
		answers.push({ status, text, asksFor: headers.get('www-authenticate') });
	}
	await host.settled();
	expect(host.started).toEqual([]);
	expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
	return answers[0];
};

describe('Basic authentication', () => {
	test('the right login and password pass, on both addresses', async () => {
		const host = await startHost();
		expect(await host.post('fast', dispatchSent)).toMatchObject({ status: 200 });
		expect(await host.deliver('confirmed', { ...dispatchSent, messageUuid: 'b' })).toBe(200);
		expect(host.items).toHaveLength(2);
	});

	test('the word Basic may be written in any case, with more than one space', async () => {
		const host = await startHost();
		const authorization = basic().replace('Basic ', 'bAsIc  ');
		expect(await host.post('fast', dispatchSent, { authorization })).toMatchObject({ status: 200 });
	});

	const wrong: Array<[string, string | null]> = [
		['nothing', null],
		['an empty header', ''],
		['Basic and nothing', 'Basic'],
		['Basic and a space', 'Basic '],
		['another scheme', basic().replace('Basic', 'Bearer')],
		['a wrong login', basic(`someone:${password}`)],
		['a wrong password', basic(`${name}:wrong`)],
		['both wrong', basic('someone:wrong')],
		['an empty password', basic(`${name}:`)],
		['an empty login', basic(`:${password}`)],
		['no colon', basic(name + password)],
		['a longer password', basic(`${name}:${password}x`)],
		['a shorter password', basic(`${name}:${password.slice(0, -1)}`)],
		['another case', basic(`${name}:${password.toUpperCase()}`)],
		['a space behind it', basic(`${name}:${password} `)],
		['not encoded', `Basic ${name}:${password}`],
		['encoded twice', `Basic ${Buffer.from(basic().slice(6)).toString('base64')}`],
		['the right one and more', `${basic()}, ${basic()}`],
		['a very long one', basic('x'.repeat(4_000))],
	];
	test.each(wrong)(
		'%s is refused, with the same answer as every other',
		async (_, authorization) => {
			expect(await refused(await startHost(), authorization)).toEqual({
				status: 401,
				text: 'Unauthorized',
				asksFor: 'Basic realm="Callbacks", charset="UTF-8"',
			});
		},
	);

	test('letters beyond ASCII, and colons in the password', async () => {
		const unusual = { login: 'обратный', password: 'пароль:с:двоеточием' };
		const host = await startHost({ credentials: { bulkMessagingCallbackApi: unusual } });
		const authorization = basic(`${unusual.login}:${unusual.password}`);
		expect(await host.post('fast', dispatchSent, { authorization })).toMatchObject({ status: 200 });
		expect(await host.post('fast', dispatchSent)).toMatchObject({ status: 401 });
	});

	test('an answer says nothing of login and password', async () => {
		const host = await startHost();
		const { text, headers } = await host.post('fast', dispatchSent, { authorization: null });
		for (const secret of [name, password]) {
			expect(text + JSON.stringify([...headers])).not.toContain(secret);
		}
	});
});

describe('settings that make no sense let nobody in, and the owner is told why', () => {
	const empty = (data: object) => ({ bulkMessagingCallbackApi: { ...login, ...data } });
	const senseless: Array<[string, HostOptions, string]> = [
		['no credential', { credentials: {} }, 'no Callback credential is chosen'],
		['no password', { credentials: empty({ password: '' }) }, 'no login or no password'],
		['no login', { credentials: empty({ login: '' }) }, 'no login or no password'],
		[
			'an unknown kind of authentication without a credential',
			{ parameters: { authentication: 'header' }, credentials: {} },
			'no Callback credential is chosen',
		],
		...['={{ undefined }}', null, '', ' '].map(
			(allowedAddresses): [string, HostOptions, string] => [
				`allowed addresses that an expression leaves out: ${JSON.stringify(allowedAddresses)}`,
				{ parameters: { authentication: 'none', options: { allowedAddresses } as never } },
				"'Allowed IP Addresses' is empty. Enter a value, or remove the field",
			],
		),
		...[0, -1, 99, 1_000_001].map((rememberKeys): [string, HostOptions, string] => [
			`room for ${rememberKeys} callbacks`,
			{ parameters: { options: { rememberKeys } } },
			"'Remember Callbacks Up To' must be at",
		]),
		...[NaN, 'many', {}].map((rememberKeys): [string, HostOptions, string] => [
			`room for ${String(rememberKeys)} callbacks`,
			{ parameters: { options: { rememberKeys } as never } },
			"'Remember Callbacks Up To' must be a number",
		]),
		[
			'no number of callbacks',
			{ parameters: { options: { rememberKeys: null } as never } },
			"'Remember Callbacks Up To' is empty. Enter a number, or remove the field",
		],
		[
			'no hour to remember',
			{ parameters: { options: { rememberHours: 0 } } },
			"'Remember Callbacks For (Hours)' must be at least 1, but is 0",
		],
		['no event', { parameters: { events: [] } }, "'Trigger On' is empty"],
	];
	test.each(senseless)('%s', async (_, options, reason) => {
		const host = await startHost(options);

		await expect(host.activate()).rejects.toThrow(reason);
		for (const authorization of [basic(), basic(':'), null]) {
			const { status, text } = await host.post('fast', dispatchSent, { authorization });
			expect([401, 500]).toContain(status);
			expect(text).not.toContain(reason);
		}
		await host.settled();
		expect(host.started).toEqual([]);
	});

	test('settings that make sense are accepted', async () => {
		await (await startHost()).activate();
		await (await startHost({ parameters: { authentication: 'none' }, credentials: {} })).activate();
	});
});

test('None: everybody may call', async () => {
	const host = await startHost({ parameters: { authentication: 'none' }, credentials: {} });
	expect(await host.deliver('fast', dispatchSent, { authorization: null })).toBe(200);
	expect(host.items).toHaveLength(1);
});

describe('allowed source addresses', () => {
	const cases: Array<[string, string, boolean]> = [
		['192.0.2.7', '192.0.2.7', true],
		['192.0.2.7', '192.0.2.8', false],
		['192.0.2.7', '::ffff:192.0.2.7', true],
		['192.0.2.7', '::ffff:c000:207', true],
		['192.0.2.7', '::ffff:192.0.2.8', false],
		['::ffff:192.0.2.7', '192.0.2.7', true],
		['192.0.2.0/24', '192.0.2.255', true],
		['192.0.2.0/24', '192.0.3.0', false],
		['192.0.2.0/24', '::ffff:192.0.2.255', true],
		['::ffff:192.0.2.0/120', '192.0.2.9', true],
		['192.0.2.128/25', '192.0.2.127', false],
		['192.0.2.128/25', '192.0.2.128', true],
		['192.0.2.77/24', '192.0.2.1', true],
		['10.0.0.0/8', '10.255.1.2', true],
		['10.0.0.0/8', '11.0.0.0', false],
		['10.0.0.0/31', '10.0.0.1', true],
		['10.0.0.0/31', '10.0.0.2', false],
		['10.0.0.1/32', '10.0.0.1', true],
		['0.0.0.0/0', '203.0.113.5', true],
		['0.0.0.0/0', '2001:db8::1', false],
		['2001:db8::1', '2001:db8::1', true],
		['2001:db8::1', '2001:0DB8:0:0:0:0:0:1', true],
		['2001:db8::1', '2001:db8::2', false],
		['2001:db8::/32', '2001:db8:ffff::9', true],
		['2001:db8::/32', '2001:db9::', false],
		['2001:db8::/33', '2001:db8:8000::', false],
		['::1', '::1', true],
		['::1', '127.0.0.1', false],
		['::/0', '2001:db8::1', true],
		['::/0', '203.0.113.5', true],
		['fe80::/10', 'fe80::1%eth0', true],
		['192.0.2.7,198.51.100.0/24', '198.51.100.3', true],
		['192.0.2.7 198.51.100.0/24;\n2001:db8::/32', '2001:db8::5', true],
		['192.0.2.7,198.51.100.0/24', '203.0.113.1', false],
		// What is no address is nobody's.
		['0.0.0.0/0, ::/0', '', false],
		['0.0.0.0/0, ::/0', 'unknown', false],
		['0.0.0.0/0, ::/0', '192.0.2.07', false],
		['0.0.0.0/0, ::/0', '192.0.2.256', false],
		['0.0.0.0/0, ::/0', '1:2:3:4:5:6:7:8:9', false],
	];
	test.each(cases)('%s, called from %s: %s', async (allowedAddresses, ip, isAllowed) => {
		const host = await startHost({ parameters: { options: { allowedAddresses } }, ip });

		const { status } = await host.post('fast', dispatchSent);

		await host.settled();
		expect(status).toBe(isAllowed ? 200 : 403);
		expect(host.started).toHaveLength(isAllowed ? 1 : 0);
	});

	test('a forwarded address counts only as far as n8n says so', async () => {
		const host = await startHost({
			parameters: { options: { allowedAddresses: '192.0.2.7' } },
			ip: '203.0.113.1',
		});
		const headers = { 'x-forwarded-for': '192.0.2.7', 'x-real-ip': '192.0.2.7' };
		expect(await host.post('fast', dispatchSent, { headers })).toMatchObject({ status: 403 });
	});

	test('an allowed address does not replace the password, nor the password the address', async () => {
		const inside = await startHost({ parameters: { options: { allowedAddresses: '127.0.0.1' } } });
		const outside = await startHost({ parameters: { options: { allowedAddresses: '192.0.2.7' } } });
		expect(await refused(inside, basic(`${name}:wrong`))).toMatchObject({ status: 401 });
		expect(await refused(outside, basic())).toMatchObject({ status: 403, text: 'Forbidden' });
		expect(await refused(outside, null)).toMatchObject({ status: 403, text: 'Forbidden' });
	});

	test.each([
		'10.0.0.0/33',
		'10.0.0/8',
		'10.0.0.0.0',
		'010.0.0.1',
		'10.0.0.1/',
		'10.0.0.1/08',
		'10.0.0.1/8/8',
		'256.0.0.1',
		'2001:db8::/129',
		'2001::db8::1',
		':1',
		'1:2:3:4:5:6:7',
		'1:2:3:4:5:6:7::8',
		'fe80::1%eth0',
		'::ffff:1.2.3',
		'::ffff:1.2.3.4:5',
		'callbacks.example',
		'*',
		'10.0.0.1-10.0.0.9',
		'/24',
	])('"%s" is not taken for a network, and nobody is let in', async (entry) => {
		const options = { allowedAddresses: `127.0.0.1,${entry}` };
		for (const authentication of ['basic', 'none']) {
			const host = await startHost({ parameters: { authentication, options } });
			await expect(host.activate()).rejects.toThrow(`contains "${entry}"`);
			const { status, text } = await host.post('fast', dispatchSent);
			expect(status).toBe(500);
			expect(text).not.toContain(entry);
			expect(host.started).toEqual([]);
		}
	});
});
