import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { whyFailed } from '../../sandbox/face/callbacks.cts';
import { demo } from '../../sandbox/demo.cts';
import { hour, message as single, minute, mts, open, type Send } from './support.cts';

type Stored = Parameters<ReturnType<typeof open>['sandbox']['world']['store']['index']>[0];

/** The sandbox as people see it. What a browser makes of it is in test/e2e/face. */

const { flowers } = demo.companies;
const { senderNames, dispatches } = demo;

const openFace = (options: Parameters<typeof open>[0] = {}) => {
	const opened = open(options);
	const { sandbox } = opened;
	const page = async (path: string, init: RequestInit = {}) =>
		await sandbox.fetch(`${sandbox.urls.origin}${path}`, init);
	const show = async (path: string) => {
		const response = await page(path);
		expect(response.status).toBe(200);
		return await response.text();
	};
	const message = async (content: string, more: Partial<Send> = {}) => {
		const { items } = await opened.sendAll(single({ content, ...more }));
		return String(items[0]?.messageUuid);
	};
	/** Stores copies of a message with other values. */
	const store = (...copies: Array<Partial<Stored>>) => {
		const [first] = [...sandbox.world.store.byUuid.values()];
		for (const [index, copy] of copies.entries()) {
			sandbox.world.store.index({ ...(first as Stored), uuid: `copy-${index}`, ...copy });
		}
	};
	return { ...opened, page, show, message, store };
};

/** What a person reads: no tags, no attributes. */
const wordsOf = (page: string) =>
	page
		.replaceAll(/<[^>]*>/g, ' ')
		.replaceAll('&#39;', "'")
		.replaceAll(/\s+/g, ' ');

const paths = [
	'/',
	'/held',
	'/messages?uuid=unknown',
	'/dispatches',
	`/dispatches?id=${dispatches.spring}`,
	'/callbacks',
	'/account',
	'/requests',
	'/controls',
];

describe('every page', () => {
	test.each(paths)('%s is whole, and only its inside for the script', async (path) => {
		const { show, page } = openFace();
		const whole = await show(path);
		expect(whole).toMatch(/^<!doctype html>/);
		// No inline script, style or handler.
		expect(whole).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
		const inside = await (await page(path, { headers: { 'x-part': 'main' } })).text();
		expect(whole).toContain(inside);
		expect(inside).not.toContain('<html');
	});

	test.each([
		...paths,
		'/assets/face.js',
		'/assets/live.js',
		'/assets/face.css',
		'/assets/idiomorph.js',
	])('%s allows no script of anybody else', async (path) => {
		const { headers, status } = await openFace().page(path);
		expect(status).toBe(200);
		const policy = headers.get('content-security-policy');
		expect(policy).toContain("script-src 'self'");
		expect(policy).not.toContain('unsafe');
		expect(headers.get('x-content-type-options')).toBe('nosniff');
	});

	test('an empty sandbox has all of them, too', async () => {
		const { show } = openFace({ seed: 'empty' });
		for (const path of paths) await show(path);
		expect(await show('/')).toContain('No messages yet');
	});

	test.each(['../package.json', 'constructor', '__proto__', 'face.txt'])(
		'there is no file %s',
		async (name) => {
			expect((await openFace().page(`/assets/${name}`)).status).toBe(404);
		},
	);
});

describe('who may look', () => {
	test.each([
		...paths,
		'/_sandbox',
		'/_sandbox/state',
		'/assets/face.js',
		'/live',
		'/s/0001',
		'/partner/company',
		'/api/v1/balance',
	])('%s: another host name gets nothing', async (path) => {
		const { sandbox } = openFace();
		const response = await sandbox.fetch(`http://evil.example:8787${path}`);
		expect(response.status).toBe(403);
	});

	test.each([
		['http://127.0.0.1:8787', 'http://localhost:8787/'],
		// A tunnel has a port of its own.
		['http://127.0.0.1:8787', 'http://localhost:8788/'],
		['http://127.0.0.1:8787', 'http://[::1]:8787/'],
		// Port 80 is not written in a URL.
		['http://127.0.0.1:80', 'http://127.0.0.1/'],
		['http://127.0.0.1:80', 'http://localhost/'],
	])('the sandbox at %s is also at %s', async (origin, url) => {
		expect((await openFace({ origin }).sandbox.fetch(url)).status).toBe(200);
	});

	test.each(['http://evil.example', 'null', 'http://127.0.0.1:1'])(
		'a page of %s cannot control it',
		async (origin) => {
			const { sandbox } = openFace();
			const reset = async (headers: Record<string, string>) =>
				(await sandbox.fetch(`${sandbox.urls.controlUrl}/reset`, { method: 'POST', headers }))
					.status;
			expect(await reset({ origin })).toBe(403);
			expect(await reset({ origin: sandbox.urls.origin })).toBe(200);
			expect(await reset({ origin: 'http://localhost:8787' })).toBe(403);
		},
	);

	test('a picture on another page is not a click, a link in it is', async () => {
		const { sandbox, page, message } = openFace();
		await message('Look: https://example.com/a', { shortUrl: true });
		const [code] = [...sandbox.world.store.byLink.keys()];
		const from = (dest: string) => ({
			headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': dest },
		});
		expect((await page(`/s/${code}`, from('image'))).status).toBe(403);
		expect((await page(`/s/${code}`, from('document'))).status).toBe(302);
	});
});

const nasty = `"><script>alert(1)</script><img src=x onerror=alert(1)>'\u0000`;

describe('texts, names and links are data', () => {
	test('in messages, dispatches, names and documents', async () => {
		const answer = { status: 500, answer: nasty };
		const { sandbox, show, page, message, createDispatch, control } = openFace({
			send: async () => answer,
		});
		const uuid = await message(nasty, {
			externalMessageId: nasty,
			callbackUrl: 'https://127.0.0.1/x',
		});
		const { id } = await createDispatch({
			name: nasty,
			text: nasty,
			messages: [
				{ destination: demo.numbers.test, substitutions: { name: nasty } },
				{ destination: demo.numbers.noOperator },
			],
		});
		await sandbox.advance(minute);
		await control('PUT', '/hold', { on: true });
		await message(nasty, { destination: demo.numbers.test });
		await sandbox.advance(minute);
		await page(`/partner/${encodeURIComponent(nasty)}?a=${encodeURIComponent(nasty)}`);
		sandbox.world.store.blacklists.set(flowers, new Map([[demo.numbers.test, nasty]]));
		const requests = sandbox.requests.last.map((request) => `/requests?id=${request.id}`);
		const sender = sandbox.world.store.senders.get(demo.senders.mts);
		if (sender !== undefined) Object.assign(sender, { senderName: nasty, managerComment: nasty });
		const company = sandbox.world.store.companies.get(flowers);
		if (company !== undefined) company.name = nasty;
		for (const path of [
			...paths,
			`/?search=${encodeURIComponent(nasty)}`,
			`/?number=${encodeURIComponent(nasty)}`,
			`/?number=${demo.numbers.test}`,
			`/messages?uuid=${uuid}`,
			`/messages?uuid=${encodeURIComponent(nasty)}`,
			`/dispatches?id=${id}&show=leftOut`,
			`/account?blacklisted=${encodeURIComponent(nasty)}`,
			...requests,
			...['path', 'status', 'text', 'id'].map(
				(name) => `/requests?${name}=${encodeURIComponent(nasty)}`,
			),
			'/callbacks?id=1',
			`/callbacks?id=${encodeURIComponent(nasty)}`,
		]) {
			const text = await show(path);
			expect(text).not.toContain('<script>alert');
			expect(text).not.toContain('<img');
		}
	});

	test('only web addresses and what the service shortened are links', async () => {
		const { show, message } = openFace();
		await message('javascript:alert(1) http://example.com/a', { shortUrl: true });
		await message('Open (https://example.com/?a=1&b="><script>) or data:text/html,x.');
		const text = await show(`/?number=${mts}`);
		const links = [...text.matchAll(/<a\s+href="([^"]*)"\s+target="_blank"/g)].map(
			([, url]) => url,
		);
		expect(links.toSorted()).toEqual([
			expect.stringMatching(/^\/s\/\w+$/),
			'https://example.com/?a=1&amp;b=',
		]);
	});

	test('a text of 100 KB is cut in its conversation, and shown whole by its link', async () => {
		const { show, message } = openFace();
		const uuid = await message('я'.repeat(100_000));
		const cut = await show(`/?number=${mts}`);
		expect(cut.length).toBeLessThan(50_000);
		expect(cut).toContain('Show all 100,000 characters');
		const isWhole = (await show(`/?number=${mts}&whole=${uuid}`)).includes('я'.repeat(100_000));
		expect(isWhole).toBe(true);
	});

	test('a link with letters beyond Latin leads on, and its clicks are counted', async () => {
		const { sandbox, page, show, message } = openFace();
		await message('Look: https://example.com/акция', { shortUrl: true });
		const [, path] = /href="(\/s\/[^"]+)"/.exec(await show(`/?number=${mts}`)) ?? [];
		for (let press = 0; press < 2; press++) {
			const response = await page(String(path));
			expect(response.status).toBe(302);
			expect(response.headers.get('location')).toBe(new URL('https://example.com/акция').href);
		}
		expect(await show(`/?number=${mts}`)).toContain('(2 clicks)');
		expect(sandbox.world.store.byLink.size).toBe(1);
	});
});

describe('Phones', () => {
	test('the newest conversation comes first, and is open', async () => {
		const { show, message } = openFace();
		await message('Hello there');
		const text = await show('/');
		const numbers = [...text.matchAll(/id="phone-(\d+)"/g)].map(([, number]) => number);
		expect(numbers[0]).toBe(mts);
		expect(new Set(numbers).size).toBe(numbers.length);
		expect(wordsOf(/<h2>(?:(?!<\/h2>).)*<\/h2>/s.exec(text)?.[0] ?? '')).toContain(
			'Anna +7 916 123 45 67',
		);
		expect(text).toContain('Hello there');
	});

	test.each([
		['special OFFER', mts],
		['+7 916 123-45-67', mts],
		['zoe', '79161119967'],
		['nowhere to be found', undefined],
		// A digit in a text doesn't find every number.
		['order 7', undefined],
	])('a search for "%s" finds %s', async (search, number) => {
		const { show, message, createDispatch } = openFace();
		await createDispatch({
			messages: [{ destination: '79161119967', substitutions: { name: 'Zoe' } }],
		});
		await message('A very special offer');
		const text = await show(`/?search=${encodeURIComponent(search)}`);
		expect(/id="phone-(\d+)"/.exec(text)?.[1]).toBe(number);
		expect(text.includes('No name, number or text contains')).toBe(number === undefined);
	});

	test.each([
		['4915112345678', '+49 1511 2345678'],
		['12', '12'],
	])('the number %s is shown as %s', async (destination, shown) => {
		const { show, store } = openFace();
		store({ destination });
		expect(wordsOf(await show(`/?number=${destination}`))).toContain(` ${shown} `);
	});

	test.each([
		['🌼 Daisy', '🌼'],
		['  ', '67'],
		['N'.repeat(50), 'N'],
	])(
		'the circle of a person named "%s" shows "%s", and a long name is cut',
		async (name, shown) => {
			const { createDispatch, show } = openFace();
			const destination = '79161119967';
			await createDispatch({ messages: [{ destination, substitutions: { name } }] });
			const text = await show(`/?number=${destination}`);
			expect(text).toContain(`aria-hidden="true">${shown}</span>`);
			expect(text).not.toContain('N'.repeat(50));
		},
	);

	test('what has arrived since a conversation was opened is unread', async () => {
		const { sandbox, show, message } = openFace();
		const entry = async () =>
			wordsOf(/id="phone-79161234567"(?:(?!<\/a>).)*/s.exec(await show('/'))?.[0] ?? '');
		expect(await entry()).not.toContain('unread');
		await sandbox.advance(1);
		await message('One');
		await message('Two');
		expect(await entry()).not.toContain('unread');
		await sandbox.advance(minute);
		expect(await entry()).toContain('2 unread');
		await show(`/?number=${mts}`);
		expect(await entry()).not.toContain('unread');
		await message('Three');
		await sandbox.advance(minute);
		expect(await entry()).toContain('1 unread');
	});

	test('what did not arrive does not look like what did', async () => {
		const { sandbox, show, message } = openFace();
		const lookOf = async (uuid: string, number: string) =>
			new RegExp(`id="message-${uuid}" class="bubble outbound (\\w+)"`).exec(
				await show(`/?number=${number}`),
			)?.[1];
		const arrived = await message('Hello');
		expect(await lookOf(arrived, mts)).toBe('waiting');
		const unsent = await message('Nobody gets this', { destination: demo.numbers.unsent });
		await sandbox.advance(minute);
		expect(await lookOf(arrived, mts)).toBe('arrived');
		expect(await lookOf(unsent, demo.numbers.unsent)).toBe('failed');
		expect(wordsOf(await show(`/?number=${demo.numbers.unsent}`))).toContain(
			'Error 455: Messages to this country or operator are restricted.',
		);
	});

	test('a blacklisted number is marked with who blacklisted it and why', async () => {
		const { call, show } = openFace();
		await call(partner.recipientUpdate, {
			body: { companyId: flowers, msisdn: mts, blacklist: true, comment: 'Asked by phone' },
		});
		const text = await show(`/?number=${mts}`);
		expect(wordsOf(text)).toContain('Blacklisted by Camomile Flowers LLC: Asked by phone.');
		expect(text).toMatch(/id="phone-79161234567"(?:(?!<\/a>).)*Blacklisted/s);
		const account = wordsOf(await show('/account?blacklisted=BY PHONE'));
		expect(account).toContain('Anna +7 916 123 45 67 Asked by phone Camomile Flowers LLC');
		expect(wordsOf(await show('/account?blacklisted=nobody'))).toContain('contains "nobody"');
	});

	test.each([
		['Camomile Flowers: 482913 is your code', '482913'],
		['Ваш код: 1234', '1234'],
		['Your order 4711 is ready', undefined],
		['Code 123456789012', undefined],
	])('%s: the code to copy is %s', async (content, code) => {
		const { show, message } = openFace();
		await message(content);
		const found = />\s*Copy (\d+)\s*<\/button>/.exec(await show(`/?number=${mts}`))?.[1];
		expect(found).toBe(code);
	});

	test.each(['/?number=', '/?number=abc', '/dispatches?id=999'])(
		'%s is explained',
		async (path) => {
			const text = await openFace().show(path);
			expect(text).not.toContain('<h2></h2>');
			expect(text).not.toContain('Reply as abc');
			if (path.includes('9')) expect(text).toContain('There is no dispatch 999.');
		},
	);

	test('every channel of the contract has a name for people', async () => {
		const { show, store } = openFace();
		const single = { direction: 'outbound', senderName: 'X', read: null } as NonNullable<
			Stored['single']
		>;
		const channels = ['TEXT_TO_SPEECH', 'FLASHCALL', 'VIBER'];
		store(
			...channels.map((channelType) => ({ destination: mts, single: { ...single, channelType } })),
		);
		const text = await show(`/?number=${mts}`);
		for (const name of ['Text to Speech', 'Flash Call', 'Viber']) expect(text).toContain(name);
	});

	test('who has no sender name for replies is told what to do', async () => {
		const { sandbox, show } = openFace();
		for (const sender of sandbox.world.store.senders.values()) {
			if (sender.channelType === 'WHATSAPP') sender.status = 'REJECTED';
		}
		expect(await show('/')).toContain('there is no approved sender name');
	});

	test('older messages of a long conversation are one link away', async () => {
		const { show, store } = openFace();
		const texts = Array.from({ length: 150 }, (_, index) => `Text ${index}.`);
		store(...texts.map((text) => ({ destination: mts, text })));
		expect(await show(`/?number=${mts}`)).not.toContain('Text 3.');
		expect(await show(`/?number=${mts}`)).toMatch(/shown=200[^>]*>Show older messages/);
		expect(await show(`/?number=${mts}&shown=200`)).toContain('Text 3.');
	});

	test('the buttons are what can still happen', async () => {
		const { sandbox, show, message } = openFace();
		const uuid = await message('Hello');
		expect(await show(`/?number=${mts}`)).toContain(`/messages/${uuid}/status`);
		await sandbox.advance(minute);
		const text = await show(`/?number=${mts}`);
		expect(text).toContain('✓✓ delivered');
		const ours = text.slice(text.indexOf(`message-${uuid}`));
		expect(ours).not.toMatch(/value="(?:undelivered|failed)"/);
		expect(ours).toContain('value="read"');
	});

	test('of 60,000 conversations, a page shows a part', async () => {
		const { show, store } = openFace();
		store(
			...Array.from({ length: 60_000 }, (_, index) => ({ destination: `${79160000000 + index}` })),
		);
		const text = await show('/');
		expect(text.length).toBeLessThan(100_000);
		expect(text).toContain('Page 1 of 1,20');
		expect(await show('/?page=1000')).toContain('Page 1,000 of 1,20');
	});
});

describe('Dispatches', () => {
	test('progress, money and delivery over time', async () => {
		const { sandbox, show, createDispatch, control } = openFace();
		const { id } = await createDispatch({
			name: 'March',
			messages: [{ destination: mts }, { destination: demo.numbers.undelivered }],
		});
		expect(await show('/dispatches')).toContain('March');
		await control('POST', `/dispatches/${id}/start`);
		expect(sandbox.world.store.dispatches.get(id)?.status).toBe('STARTED');
		await sandbox.advance(minute);
		expect(await show(`/dispatches?id=${id}`)).toContain(
			'1 delivered, 0 failed, 1 on the way, of 2',
		);
		await sandbox.advance(26 * hour);
		const text = await show(`/dispatches?id=${id}`);
		expect(text).toContain('1 delivered, 1 failed, 0 on the way, of 2');
		expect(text).toContain('Delivered messages over time');
		expect(text).toContain('COMPLETED');
	});

	test('what is reserved is right after a start, a stop and another start', async () => {
		const { sandbox, show, createDispatch, control } = openFace();
		const { id } = await createDispatch({ messages: [{ destination: mts }] });
		const reserved = async () =>
			/Reserved<\/dt>\s*<dd>([^<]+)/.exec(await show(`/dispatches?id=${id}`))?.[1];
		const onLedger = () => sandbox.world.store.ledger(flowers, sandbox.now).reserved;
		const bubble = async () => wordsOf(await show(`/?number=${mts}`));
		expect(await reserved()).toBe('0.00 RUB');
		expect(await bubble()).not.toContain('RUB reserved');
		await control('POST', `/dispatches/${id}/start`);
		expect(await reserved()).not.toBe('0.00 RUB');
		expect(await bubble()).toContain('RUB reserved');
		expect(onLedger()).toBeGreaterThan(0);
		await control('POST', `/dispatches/${id}/stop`);
		expect(await reserved()).toBe('0.00 RUB');
		expect(onLedger()).toBe(0);
		expect(sandbox.world.store.dispatches.get(id)?.status).toBe('STOPPED');
	});
});

describe('Callbacks', () => {
	const callbackUrl = 'https://hooks:secret-1@127.0.0.1/x';

	test('a failed one says why, is tried again by its button, and given up by another', async () => {
		let status = 401;
		const { sandbox, show, message, control } = openFace({
			send: async () => ({ status, answer: 'Authorization required' }),
		});
		await message('Hello', { callbackUrl });
		await sandbox.advance(minute);
		const [entry] = sandbox.callbacks;
		expect(await show('/callbacks')).toContain('401: the receiver rejected the login.');
		const text = await show(`/callbacks?id=${entry?.id}`);
		expect(text).toContain('401: the receiver rejected the login.');
		expect(text).toContain('Authorization required');
		expect(text).not.toContain('secret-1');
		status = 200;
		await control('POST', `/callbacks/${entry?.id}/resend`);
		await sandbox.advance(1);
		expect(sandbox.callbacks[0]?.state).toBe('delivered');
	});

	test('a reply that is rejected leads to the login of its rule, and is resent with the corrected one', async () => {
		const right = `Basic ${Buffer.from('hooks:right').toString('base64')}`;
		const { sandbox, show, control } = openFace({
			send: async ({ headers }) => (headers.authorization === right ? 200 : 401),
		});
		const rule = { url: 'http://127.0.0.1:5678/webhook/x', login: 'hooks' };
		await control('PUT', '/inbound-rules/1', { ...rule, password: 'wrong' });
		const reply = { senderName: senderNames.whatsapp, destination: mts, text: 'STOP' };
		await control('POST', '/inbound', reply);
		await sandbox.advance(minute);
		const [entry] = sandbox.callbacks;
		expect(await show('/callbacks')).toContain('under Callbacks, Where replies go');
		expect(await show(`/callbacks?id=${entry?.id}`)).toContain('from the rule under Where');
		await control('PUT', '/inbound-rules/1', { ...rule, password: 'right' });
		await control('POST', `/callbacks/${entry?.id}/resend`);
		await sandbox.advance(1);
		expect(sandbox.callbacks[0]?.state).toBe('delivered');
	});

	test('no more tries once it is stopped', async () => {
		const { sandbox, message, control } = openFace({ send: async () => 500 });
		await message('Hello', { callbackUrl });
		await sandbox.advance(minute);
		await control('POST', `/callbacks/${sandbox.callbacks[0]?.id}/stop`);
		await sandbox.advance(hour);
		expect(sandbox.callbacks[0]).toMatchObject({ state: 'stopped' });
		expect(sandbox.callbacks[0]?.attempts.length).toBeLessThanOrEqual(2);
	});

	test.each([
		[
			{ status: 401 },
			'none',
			'the trigger expects the Callback credential; choose it in the node that sends',
		],
		[{ status: 401 }, 'node', 'Choose the same Callback credential'],
		[{ status: 403 }, 'rule', 'under Callbacks, Where replies go'],
		[{ status: 404 }, 'node', "Publish the trigger's workflow"],
		[{ status: 500 }, 'node', 'Check the execution'],
		[{ status: 302 }, 'node', '2xx'],
		[{ error: 'connect ECONNREFUSED 127.0.0.1:1' }, 'node', 'Check that n8n is running'],
		[{ error: 'getaddrinfo ENOTFOUND n8n.example' }, 'node', 'The host name "n8n.example"'],
		[{ error: 'no response in 10000 ms' }, 'node', "didn't respond in time"],
	] as const)('%j, login %s', (attempt, login, words) => {
		expect(whyFailed(attempt, login)).toContain(words);
	});

	test('sending again does not multiply the attempts that follow', async () => {
		const { sandbox, message, control } = openFace({ send: async () => 500 });
		await message('Hello', { callbackUrl });
		await sandbox.advance(minute);
		const id = sandbox.callbacks[0]?.id;
		for (let press = 0; press < 4; press++) {
			await control('POST', `/callbacks/${id}/resend`);
			// Far enough apart that each would begin a series of its own.
			await sandbox.advance(50_000);
		}
		const before = sandbox.callbacks[0]?.attempts.length ?? 0;
		expect(before).toBe(5);
		// In small steps, as the real clock: in a large one, an attempt that is running would swallow the others.
		for (let passed = 0; passed < hour; passed += 10_000) await sandbox.advance(10_000);
		// One every five minutes.
		expect((sandbox.callbacks[0]?.attempts.length ?? 0) - before).toBe(12);
	});

	test('sending again while an attempt is under way says so', async () => {
		const { sandbox, message } = openFace({ send: async () => await new Promise(() => undefined) });
		await message('Hello', { callbackUrl });
		sandbox.tick(minute);
		const response = await sandbox.fetch(`${sandbox.urls.controlUrl}/callbacks/1/resend`, {
			method: 'POST',
		});
		expect(response.status).toBe(400);
		expect(await response.text()).toContain('already under way');
	});

	const url = 'http://127.0.0.1:5678/webhook/x';
	const valueOf = (text: string, name: string) =>
		new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(text)?.[1];

	test('a rule is saved with its login, shown again, used for replies, and removed', async () => {
		const sent: string[] = [];
		const { sandbox, show, control } = openFace({
			send: async ({ url: target, headers }) => {
				sent.push(`${target} ${headers.authorization}`);
				return 200;
			},
		});
		const password = 'p@ss a%40b 50%';
		await control('PUT', '/inbound-rules/1', { url, login: 'hooks', password });
		await control('POST', '/inbound', {
			senderName: senderNames.whatsapp,
			destination: mts,
			text: 'STOP',
		});
		await sandbox.advance(minute);
		const login = Buffer.from(`hooks:${password}`).toString('base64');
		expect(sent).toEqual([`${url} Basic ${login}`]);
		const text = await show('/callbacks');
		expect(valueOf(text, 'url')).toBe(url);
		expect(valueOf(text, 'login')).toBe('hooks');
		expect(valueOf(text, 'password')).toBe(password);
		await control('DELETE', '/inbound-rules/1');
		expect(sandbox.world.store.inboundRules).toEqual([]);
	});

	test('every rule has its own form: one is saved, the others stay', async () => {
		const { sandbox, show, control } = openFace();
		const rules = ['a', 'b'].map((name) => ({ trafficCenterId: 1, callbackUrl: `${url}/${name}` }));
		await control('PUT', '/inbound-rules', { rules });
		expect((await show('/callbacks')).match(/id="rule-\d"/g)).toHaveLength(3);
		await control('PUT', '/inbound-rules/2', { url: `${url}/c` });
		const urls = () => sandbox.world.store.inboundRules.map(({ callbackUrl: one }) => one);
		expect(urls()).toEqual([`${url}/a`, `${url}/c`]);
		await control('PUT', '/inbound-rules/3', { url: 'http://me:pw@127.0.0.1/d' });
		expect(urls()[2]).toBe('http://me:pw@127.0.0.1/d');
	});

	test.each([
		[1, { url: 'ftp://x/y' }],
		[1, { url: 'javascript:alert(1)' }],
		[1, { url: '' }],
		[1, { url, trafficCenterId: 1e22 }],
		[1, { url, trafficCenterId: -1 }],
		[5, { url }],
		[0, { url }],
		['x', { url }],
	])('rule %s is not saved as %j', async (position, body) => {
		const { sandbox } = openFace();
		const response = await sandbox.fetch(`${sandbox.urls.controlUrl}/inbound-rules/${position}`, {
			method: 'PUT',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		expect([400, 404]).toContain(response.status);
		expect(sandbox.world.store.inboundRules).toEqual([]);
	});
});

describe('Account', () => {
	test('budgets, suspended names, and the comment of a rejection until it is approved', async () => {
		const { show, control, sandbox } = openFace();
		const sender = `/senders/${demo.senders.mts}`;
		const badges = async () => wordsOf(await show('/account')).match(/\bsuspended\b/g)?.length;
		expect(await show('/account')).toContain('<meter');
		expect(await badges()).toBe(1);
		await control('PUT', `${sender}/suspended`, { suspended: true });
		expect(sandbox.world.store.senders.get(demo.senders.mts)?.suspended).toBe(true);
		expect(await badges()).toBe(2);
		await control('POST', `${sender}/reject`, { comment: 'Wrong document' });
		expect(await show('/account')).toContain('Wrong document');
		await control('POST', `${sender}/approve`);
		expect(await show('/account')).not.toContain('Wrong document');
	});
});

describe('Requests', () => {
	test('what came in, without secrets, and as curl', async () => {
		const { sandbox, show, message } = openFace();
		await message("It's here", { callbackUrl: 'https://hooks:secret-1@127.0.0.1/x' });
		const { login, password } = demo;
		await sandbox.fetch(`${sandbox.urls.partnerUrl}/auth/token`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'content-length': '80' },
			body: JSON.stringify({ login, password }),
		});
		const text = await show('/requests');
		expect(text).toContain('/v1/message');
		expect(text).toContain('curl -g -X POST');
		expect(text).not.toContain('secret-1');
		expect(text).not.toContain(demo.password);
	});

	test.each([
		['escaped slashes', '{"callbackUrl":"http:\\/\\/hooks:topsecret9@x\\/"}'],
		['an escaped field name', '{"p\\u0061ssword":"topsecret9"}'],
		['a number', '{"password":79990009}'],
		['broken JSON', '{"password":"topsecret9"'],
		['a list', '[{"token":"topsecret9"}]'],
		['a password with an @', '{"callbackUrl":"http://hooks:to@topsecret9@x/"}'],
		['a field name with a hyphen', '{"x-api-key":"topsecret9"}'],
		['a URL in the query', '{}', 'url=http://hooks:topsecret9@x/'],
		['an encoded URL in the query', '{}', 'url=http%3A%2F%2Fhooks%3Atopsecret9%40x'],
	])('a secret is hidden in %s', async (_, body, query = 'token=topsecret9') => {
		const { sandbox, show } = openFace();
		await sandbox.fetch(`${sandbox.urls.partnerUrl}/auth/token?${query}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body,
		});
		const text = await show('/requests');
		const [, id] = /requests\?id=(\d+)/.exec(text) ?? [];
		expect(await show(`/requests?id=${id}`)).toContain('/auth/token');
		expect(`${text}${await show(`/requests?id=${id}`)}`).not.toMatch(/topsecret9|79990009/);
	});

	test('a body that is not kept says so, and is not offered as curl', async () => {
		const { message, show } = openFace();
		await message('x'.repeat(30_000));
		expect(await show('/requests')).not.toContain('Copy as curl');
		const text = await show('/requests?id=1');
		expect(text).toContain('Body not kept: longer than 20,000 characters');
		expect(text).not.toContain('Copy as curl');
	});

	test('a slow request shows how long it took, and one without a response says so', async () => {
		const { sandbox, show, control } = openFace();
		await control('POST', '/faults', { kind: 'delay', ms: 2_000 });
		await control('POST', '/faults', { kind: 'hang' });
		const ping = async () =>
			await sandbox.fetch(`${sandbox.urls.messagingUrl}/balance`, {
				headers: { authorization: `Bearer ${demo.apiKey}` },
			});
		void ping();
		void ping();
		await new Promise((resolve) => setImmediate(resolve));
		const text = await show('/requests');
		const [, ms] = /\b(\d,\d{3}) ms/.exec(text) ?? [];
		expect(Number(ms?.replace(',', ''))).toBeGreaterThanOrEqual(2_000);
		expect(text).toContain('no response');
	});
});

describe('one timeline per message', () => {
	test('from its request over price, states and callbacks to clicks and replies, and back', async () => {
		let status = 500;
		const { sandbox, show, page, message, control } = openFace({ send: async () => status });
		const uuid = await message('', {
			channelType: 'WHATSAPP',
			senderName: senderNames.whatsapp,
			content: { contentType: 'text', text: 'Order https://example.com/a is ready' },
			shortUrl: true,
			callbackUrl: 'https://hooks:secret-1@127.0.0.1/x',
			callbackEvents: ['delivered', 'click'],
		});
		await sandbox.advance(minute);
		status = 200;
		await sandbox.advance(5 * minute);
		await page(`/s/${[...sandbox.world.store.byLink.keys()][0]}`);
		await control('POST', '/inbound', {
			senderName: senderNames.whatsapp,
			destination: mts,
			text: 'Thank you',
		});
		await sandbox.advance(minute);
		const text = await show(`/messages?uuid=${uuid}`);
		const story = wordsOf(text.slice(text.indexOf('class="plain story"')));
		const steps = [
			/Created .*POST \/api\/v1\/v1\/message 200/,
			/Price reserved: 2\.60 RUB .*1 part/,
			/Sent to the operator/,
			/✓✓ delivered .*Final price: 2\.60 RUB/,
			/Callback Delivery Result delivered .*2 attempts, the last: Response 200/,
			/read/,
			/Link clicked: 1 time .*https:\/\/example\.com\/a/,
			/Reply .*Thank you/,
			/Callback Link Clicked delivered .*Response 200/,
		];
		const positions = steps.map((step) => story.search(step));
		expect(positions).not.toContain(-1);
		expect(positions).toEqual(positions.toSorted((one, other) => one - other));
		expect(text).not.toContain('secret-1');
		// Each entry leads to its request or callback, and those lead back.
		for (const kind of ['requests', 'callbacks']) {
			const [, id] = new RegExp(`href="/${kind}\\?id=(\\d+)"`).exec(text) ?? [];
			const details = await show(`/${kind}?id=${id}`);
			expect(details).toContain(`/messages?uuid=${uuid}`);
			expect(details).not.toContain('secret-1');
		}
		expect(await show(`/?number=${mts}`)).toContain(`/messages?uuid=${uuid}`);
	});

	test('of a dispatch message: who started it, who was left out and why, and why nothing is reported', async () => {
		const { sandbox, show, createDispatch, start, stop, control } = openFace();
		const { id } = await createDispatch({
			callbackUrl: 'https://127.0.0.1/x',
			messages: [{ destination: demo.numbers.unsent }, { destination: demo.numbers.noOperator }],
		});
		await start(id);
		// Another start doesn't change who started it first.
		await stop(id);
		await control('POST', `/dispatches/${id}/start`);
		await sandbox.advance(minute);
		const [failed, leftOut] = sandbox.world.store.dispatches.get(id)?.messages ?? [];
		const story = wordsOf(await show(`/messages?uuid=${failed?.uuid}`));
		expect(story).toMatch(/POST \/partner\/dispatches 200/);
		expect(story).toMatch(/Dispatch Test started .*POST \/partner\/dispatches\/3003\/start 200/);
		expect(story).toContain("the service doesn't report failed messages of a dispatch");
		expect(wordsOf(await show(`/messages?uuid=${leftOut?.uuid}`))).toContain(
			'The operator is not known.',
		);
		const text = wordsOf(await show(`/dispatches?id=${id}&show=leftOut`));
		expect(text).toContain('0 delivered, 1 failed, 1 left out, 0 on the way, of 2');
		expect(text).toContain('1 recipient: the operator is not known');
		expect(text).toContain('+7 970 123 45 67');
		expect(text).not.toContain('+7 916 999 00 02');
	});

	test('of several messages in one callback, each has its own events', async () => {
		const { sandbox, show, message } = openFace();
		const callbackUrl = 'https://127.0.0.1/x';
		const first = await message('One', { callbackUrl, callbackEvents: ['sent'] });
		const second = await message('Two', { callbackUrl, callbackEvents: ['sent', 'price'] });
		await sandbox.advance(minute);
		const [{ id = 0, body } = {}] = sandbox.callbacks;
		expect(body).toHaveLength(2);
		for (const uuid of [first, second]) {
			expect(wordsOf(await show(`/messages?uuid=${uuid}`))).toContain('Callback Sent delivered');
			expect(await show(`/callbacks?id=${id}`)).toContain(`/messages?uuid=${uuid}`);
		}
	});

	test('a restored message never names a request of another session', async () => {
		const { sandbox, message, show, call } = openFace();
		await call(messaging.balance);
		const uuid = await message('Hello from before');
		const restored = openFace();
		restored.sandbox.restore(sandbox.snapshot());
		for (let count = 0; count < 4; count++) await restored.call(messaging.balance);
		expect(await show(`/messages?uuid=${uuid}`)).toContain('/requests?id=');
		expect(wordsOf(await restored.show(`/messages?uuid=${uuid}`))).toContain(
			'no longer in the log',
		);
	});
});

describe('requests in detail', () => {
	test('both bodies are formatted, long lists shortened, and secrets of a response hidden', async () => {
		const { call, show, sandbox, createDispatch } = openFace();
		const messages = Array.from({ length: 600 }, (_, index) => ({
			destination: `7916${String(1_000_000 + index)}`,
			customText: 'A text of its own for everybody',
		}));
		await createDispatch({ messages });
		const { last } = sandbox.requests;
		const token = [...sandbox.world.store.tokens.keys()][0];
		expect(token).toBeDefined();
		for (const { id, path } of last) {
			const text = (await show(`/requests?id=${id}`)).replaceAll('&quot;', '"');
			expect(text).not.toContain(String(token));
			if (!path.endsWith('/dispatches')) continue;
			expect(text).toContain('"name": "Test",\n');
			expect(text).toContain('"… 597 more"');
			expect(text).toContain('Created: 600 messages');
			expect(text).toContain('and 580 more');
			expect(text).not.toContain('Copy as curl');
		}
		await call(messaging.balance);
		const { id = 0 } = sandbox.requests.last.at(-1) ?? {};
		expect((await show(`/requests?id=${id}`)).replaceAll('&quot;', '"')).toMatch(/"RUB": [\d.]+/);
	});

	test.each([
		['path=/balance', ['/api/v1/balance']],
		['path=post+/api', ['/api/v1/v1/message']],
		['status=4xx', ['/partner/nothing']],
		['status=none', []],
		['text=special+OFFER', ['/api/v1/v1/message']],
		['text=nowhere', []],
	])('filter by %s', async (filter, expected) => {
		const { call, message, page, show } = openFace();
		await call(messaging.balance);
		await message('A special offer');
		await page('/partner/nothing');
		const rows = [
			...(await show(`/requests?${filter}`)).matchAll(/<tr id="request-\d+">.*?<\/tr>/gs),
		];
		const found = rows.map(([row]) =>
			expected.filter((one) => row.replaceAll('<wbr />', '').includes(one)),
		);
		expect(found.flat()).toEqual(expected);
		expect(rows).toHaveLength(expected.length);
	});
});

describe('held deliveries', () => {
	test('every page says so, and each message can be decided, read only if it is a single one', async () => {
		const { sandbox, show, message, createDispatch, start, control } = openFace();
		for (const path of paths) expect(await show(path)).not.toContain('Deliveries are held');
		await control('PUT', '/hold', { on: true });
		const uuid = await message('Hello');
		const { id } = await createDispatch({ messages: [{ destination: demo.numbers.tele2 }] });
		await start(id);
		await sandbox.advance(hour);
		for (const path of paths) {
			expect(wordsOf(await show(path))).toContain('Deliveries are held. 2 messages wait');
		}
		const [, ofDispatch] = [...sandbox.world.store.held];
		const rows = (await show('/held')).split('<tr id="held-').slice(1);
		expect(rows.map((row) => row.slice(0, 36))).toEqual([uuid, ofDispatch]);
		expect(rows.map((row) => row.includes('value="read"'))).toEqual([true, false]);
		for (const row of rows) {
			for (const value of ['delivered', 'undelivered', 'failed']) {
				expect(row).toContain(`value="${value}"`);
			}
			expect(wordsOf(row)).toContain("456: The recipient's number doesn't exist");
		}
		expect(await show(`/messages?uuid=${uuid}`)).toContain('Waits for your decision');
		expect(await show(`/dispatches?id=${id}`)).toContain('Held');
	});
});

describe('Controls', () => {
	test('the clock can be paused and made faster', async () => {
		const { show, control } = openFace();
		await control('PUT', '/clock', { speed: 0 });
		expect(await show('/controls')).toContain('paused');
		await control('PUT', '/clock', { speed: 60 });
		expect(await show('/controls')).toContain('speed ×60');
		expect(await control('GET', '/clock')).toMatchObject({ speed: 60 });
	});

	test('a response variant that is applied leaves the others as they are', async () => {
		const { sandbox, control } = openFace();
		const { settings } = sandbox.world.store;
		settings.dialect.indexLagMs = 5_000;
		await control('PUT', '/variants', { sendReply: 'items', keyCase: 'snake' });
		expect(settings.dialect).toMatchObject({ indexLagMs: 5_000, keyCase: 'snake' });
	});

	test('every response variant is shown in words, the chosen one selected', async () => {
		const { show, control } = openFace();
		await control('PUT', '/variants', { sendReply: 'noIds' });
		const page = await show('/controls');
		const options = [...page.matchAll(/<option value="(\w+)" (\w*)>\s*([^<]+?)\s*<\/option>/g)];
		expect(options.length).toBeGreaterThan(60);
		for (const [, code, , words] of options) expect(words).not.toBe(code);
		expect(options.map(([, ...parts]) => parts)).toContainEqual([
			'noIds',
			'selected',
			'No custom message IDs',
		]);
	});

	test('planned faults are listed in words', async () => {
		const { show, control } = openFace();
		expect(await show('/controls')).toContain('No faults planned.');
		await control('POST', '/faults', { kind: 'commit-then-reset', times: 3 });
		expect(await show('/controls')).toMatch(/Process, then drop the connection: 3 requests\s+left/);
	});

	test('a reset from the page keeps settings and inbound rules', async () => {
		const { sandbox, message, control } = openFace();
		await message('Hello');
		await control('PUT', '/settings', { reviewStepMs: 2_000 });
		await control('PUT', '/inbound-rules/1', { url: 'http://127.0.0.1:5678/webhook/x' });
		await control('POST', '/reset', { data: 'demo', keepSetup: true });
		const { store } = sandbox.world;
		expect(store.singles).toEqual([]);
		expect(store.settings.reviewStepMs).toBe(2_000);
		expect(store.inboundRules).toHaveLength(1);
		await control('POST', '/reset');
		expect(sandbox.world.store.inboundRules).toEqual([]);
	});
});

test('a state that an older sandbox wrote has its phones', async () => {
	const { sandbox, message, show } = openFace();
	await message('Hello from before');
	// Before the page there was no such index.
	sandbox.world.store.conversations = new Map();
	sandbox.restore(sandbox.snapshot());
	expect(await show('/')).toContain('Hello from before');
});
