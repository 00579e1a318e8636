import { messaging } from '../../core/contract/messaging';
import { partner } from '../../core/contract/partner';
import { whyFailed } from '../../sandbox/face/callbacks.cts';
import { demo } from '../../sandbox/demo.cts';
import { hour, message as single, minute, mts, open, type Send } from './support.cts';

type Stored = Parameters<ReturnType<typeof open>['sandbox']['world']['store']['index']>[0];

/** The sandbox as people see it. What a browser makes of it is in test/e2e/face. */

const { flowers } = demo.companies;
const { senderNames, dispatches, numbers } = demo;

/** What a person reads: no tags, no attributes. */
const wordsOf = (page: string) =>
	page
		.replaceAll(/<[^>]*>/g, ' ')
		.replaceAll('&#39;', "'")
		.replaceAll(/\s+/g, ' ');

const openFace = (options: Parameters<typeof open>[0] = {}) => {
	const opened = open(options);
	const { sandbox } = opened;
	const { store } = sandbox.world;
	const page = async (path: string, init: RequestInit = {}) =>
		await sandbox.fetch(`${sandbox.urls.origin}${path}`, init);
	const show = async (path: string) => {
		const response = await page(path);
		expect(response.status).toBe(200);
		return await response.text();
	};
	const words = async (path: string) => wordsOf(await show(path));
	const message = async (content: string, more: Partial<Send> = {}) => {
		const { items } = await opened.sendAll(single({ content, ...more }));
		return String(items[0]?.messageUuid);
	};
	/** Stores copies of a message with other values. */
	const copy = (...copies: Array<Partial<Stored>>) => {
		const [first] = [...store.byUuid.values()];
		for (const [index, values] of copies.entries()) {
			store.index({ ...(first as Stored), uuid: `copy-${index}`, ...values });
		}
	};
	return { ...opened, store, page, show, words, message, copy };
};

const conversation = `/?number=${mts}`;
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
const assets = ['face.js', 'live.js', 'face.css', 'idiomorph.js'].map((name) => `/assets/${name}`);

describe('every page', () => {
	test.each([...paths, ...assets])('%s allows no script of anybody else', async (path) => {
		const { page } = openFace();
		const { headers, status } = await page(path);
		expect(status).toBe(200);
		const policy = headers.get('content-security-policy');
		expect(policy).toContain("script-src 'self'");
		expect(policy).not.toContain('unsafe');
		expect(headers.get('x-content-type-options')).toBe('nosniff');
	});

	test.each(paths)('%s is whole, and only its inside for the script', async (path) => {
		const { show, page } = openFace();
		const whole = await show(path);
		expect(whole).toMatch(/^<!doctype html>/);
		// No inline script, style or handler.
		expect(whole).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
		const inside = await (await page(path, { headers: { 'x-part': 'main' } })).text();
		expect(whole).toContain(inside);
		expect(inside).not.toContain('<html');
		await openFace({ seed: 'empty' }).show(path);
	});

	test.each(['../package.json', 'constructor', '__proto__', 'face.txt'])(
		'there is no file %s',
		async (name) => expect((await openFace().page(`/assets/${name}`)).status).toBe(404),
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
		expect((await sandbox.fetch(`http://evil.example:8787${path}`)).status).toBe(403);
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

	test.each([
		['http://evil.example', 403],
		['null', 403],
		['http://127.0.0.1:1', 403],
		['http://localhost:8787', 403],
		['http://127.0.0.1:8787', 200],
	])('a page of %s that wants to control it gets %d', async (origin, status) => {
		const { page } = openFace();
		const init = { method: 'POST', headers: { origin } };
		expect((await page('/_sandbox/reset', init)).status).toBe(status);
	});

	test('a picture on another page is not a click, a link in it is', async () => {
		const { store, page, message } = openFace();
		await message('Look: https://example.com/a', { shortUrl: true });
		const [code] = [...store.byLink.keys()];
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
		const { sandbox, store, show, page, message, createDispatch, control } = openFace({
			send: async () => ({ status: 500, answer: nasty }),
		});
		const uuid = await message(nasty, {
			externalMessageId: nasty,
			callbackUrl: 'https://127.0.0.1/x',
		});
		const { id } = await createDispatch({
			name: nasty,
			text: nasty,
			messages: [
				{ destination: numbers.test, substitutions: { name: nasty } },
				{ destination: numbers.noOperator },
			],
		});
		await sandbox.advance(minute);
		await control('PUT', '/hold', { on: true });
		await message(nasty, { destination: numbers.test });
		await sandbox.advance(minute);
		const encoded = encodeURIComponent(nasty);
		await page(`/partner/${encoded}?a=${encoded}`);
		store.blacklists.set(flowers, new Map([[numbers.test, nasty]]));
		Object.assign(store.senders.get(demo.senders.mts) ?? {}, {
			senderName: nasty,
			managerComment: nasty,
		});
		Object.assign(store.companies.get(flowers) ?? {}, { name: nasty });
		for (const path of [
			...paths,
			`/?search=${encoded}`,
			`/?number=${encoded}`,
			`/?number=${numbers.test}`,
			`/messages?uuid=${uuid}`,
			`/messages?uuid=${encoded}`,
			`/dispatches?id=${id}&show=leftOut`,
			`/account?blacklisted=${encoded}`,
			...sandbox.requests.last.map((request) => `/requests?id=${request.id}`),
			...['path', 'status', 'text', 'id'].map((name) => `/requests?${name}=${encoded}`),
			'/callbacks?id=1',
			`/callbacks?id=${encoded}`,
		]) {
			expect(await show(path)).not.toMatch(/<script>alert|<img/);
		}
	});

	test('only web addresses and what the service shortened are links', async () => {
		const { show, message } = openFace();
		await message('javascript:alert(1) http://example.com/a', { shortUrl: true });
		await message('Open (https://example.com/?a=1&b="><script>) or data:text/html,x.');
		const page = await show(conversation);
		const links = [...page.matchAll(/<a\s+href="([^"]*)"\s+target="_blank"/g)];
		expect(links.map(([, url]) => url).toSorted()).toEqual([
			expect.stringMatching(/^\/s\/\w+$/),
			'https://example.com/?a=1&amp;b=',
		]);
	});

	test('a text of 100 KB is cut in its conversation, and shown whole by its link', async () => {
		const { show, message } = openFace();
		const text = 'я'.repeat(100_000);
		const uuid = await message(text);
		const cut = await show(conversation);
		expect(cut.length).toBeLessThan(50_000);
		expect(cut).toContain('Show all 100,000 characters');
		expect((await show(`${conversation}&whole=${uuid}`)).includes(text)).toBe(true);
	});

	test('a link with letters beyond Latin leads on, and its clicks are counted', async () => {
		const { store, page, show, message } = openFace();
		await message('Look: https://example.com/акция', { shortUrl: true });
		const [, path] = /href="(\/s\/[^"]+)"/.exec(await show(conversation)) ?? [];
		for (let press = 0; press < 2; press++) {
			const { status, headers } = await page(String(path));
			expect([status, headers.get('location')]).toEqual([
				302,
				new URL('https://example.com/акция').href,
			]);
		}
		expect(await show(conversation)).toContain('(2 clicks)');
		expect(store.byLink.size).toBe(1);
	});
});

describe('Phones', () => {
	test('the newest conversation comes first, and is open', async () => {
		const { show, message } = openFace();
		await message('Hello there');
		const page = await show('/');
		const listed = [...page.matchAll(/id="phone-(\d+)"/g)].map(([, number]) => number);
		expect(listed[0]).toBe(mts);
		expect(new Set(listed).size).toBe(listed.length);
		expect(wordsOf(/<h2>(?:(?!<\/h2>).)*<\/h2>/s.exec(page)?.[0] ?? '')).toContain(
			'Anna +7 916 123 45 67',
		);
		expect(page).toContain('Hello there');
		expect(await openFace({ seed: 'empty' }).show('/')).toContain('No messages yet');
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
		const page = await show(`/?search=${encodeURIComponent(search)}`);
		expect(/id="phone-(\d+)"/.exec(page)?.[1]).toBe(number);
		expect(page.includes('No name, number or text contains')).toBe(number === undefined);
	});

	test.each([
		['4915112345678', '+49 1511 2345678'],
		['12', '12'],
	])('the number %s is shown as %s', async (destination, shown) => {
		const { words, copy } = openFace();
		copy({ destination });
		expect(await words(`/?number=${destination}`)).toContain(` ${shown} `);
	});

	test.each([
		['🌼 Daisy', '🌼'],
		['  ', '67'],
		['N'.repeat(50), 'N'],
	])('the circle of "%s" shows "%s", and a long name is cut', async (name, shown) => {
		const { createDispatch, show } = openFace();
		const destination = '79161119967';
		await createDispatch({ messages: [{ destination, substitutions: { name } }] });
		const page = await show(`/?number=${destination}`);
		expect(page).toContain(`aria-hidden="true">${shown}</span>`);
		expect(page).not.toContain('N'.repeat(50));
	});

	test('what has arrived since a conversation was opened is unread', async () => {
		const { sandbox, show, message } = openFace();
		const unread = async () =>
			/(\d+) unread/.exec(
				wordsOf(/id="phone-79161234567"(?:(?!<\/a>).)*/s.exec(await show('/'))?.[0] ?? ''),
			)?.[1];
		await sandbox.advance(1);
		await message('One');
		await message('Two');
		expect(await unread()).toBeUndefined();
		await sandbox.advance(minute);
		expect(await unread()).toBe('2');
		await show(conversation);
		expect(await unread()).toBeUndefined();
		await message('Three');
		await sandbox.advance(minute);
		expect(await unread()).toBe('1');
	});

	test('what did not arrive does not look like what did, and the buttons are what can still happen', async () => {
		const { sandbox, show, words, message } = openFace();
		const bubbleOf = async (uuid: string, number: string) => {
			const page = await show(`/?number=${number}`);
			const from = page.indexOf(`id="message-${uuid}"`);
			return page.slice(from, page.indexOf('id="message-', from + 1));
		};
		const arrived = await message('Hello');
		const waiting = await bubbleOf(arrived, mts);
		expect(waiting).toContain('outbound waiting"');
		expect(waiting).toContain(`/messages/${arrived}/status`);
		const unsent = await message('Nobody gets this', { destination: numbers.unsent });
		await sandbox.advance(minute);
		const bubble = await bubbleOf(arrived, mts);
		for (const part of ['outbound arrived"', '✓✓ delivered', 'value="read"']) {
			expect(bubble).toContain(part);
		}
		expect(bubble).not.toMatch(/value="(?:undelivered|failed)"/);
		expect(await bubbleOf(unsent, numbers.unsent)).toContain('outbound failed"');
		expect(await words(`/?number=${numbers.unsent}`)).toContain(
			'Error 455: Messages to this country or operator are restricted.',
		);
	});

	test('a blacklisted number is marked with who blacklisted it and why', async () => {
		const { call, show, words } = openFace();
		await call(partner.recipientUpdate, {
			body: { companyId: flowers, msisdn: mts, blacklist: true, comment: 'Asked by phone' },
		});
		const page = await show(conversation);
		expect(wordsOf(page)).toContain('Blacklisted by Camomile Flowers LLC: Asked by phone.');
		expect(page).toMatch(/id="phone-79161234567"(?:(?!<\/a>).)*Blacklisted/s);
		expect(await words('/account?blacklisted=BY PHONE')).toContain(
			'Anna +7 916 123 45 67 Asked by phone Camomile Flowers LLC',
		);
		expect(await words('/account?blacklisted=nobody')).toContain('contains "nobody"');
	});

	test.each([
		['Camomile Flowers: 482913 is your code', '482913'],
		['Ваш код: 1234', '1234'],
		['Your order 4711 is ready', undefined],
		['Code 123456789012', undefined],
	])('%s: the code to copy is %s', async (content, code) => {
		const { show, message } = openFace();
		await message(content);
		expect(/>\s*Copy (\d+)\s*<\/button>/.exec(await show(conversation))?.[1]).toBe(code);
	});

	test('an unknown number and an unknown dispatch are explained', async () => {
		const { show } = openFace();
		for (const path of ['/?number=', '/?number=abc']) {
			expect(await show(path)).not.toMatch(/<h2><\/h2>|Reply as abc/);
		}
		expect(await show('/dispatches?id=999')).toContain('There is no dispatch 999.');
	});

	test('every channel of the contract has a name for people', async () => {
		const { show, copy } = openFace();
		const outbound = { direction: 'outbound', senderName: 'X', read: null } as NonNullable<
			Stored['single']
		>;
		const names = { TEXT_TO_SPEECH: 'Text to Speech', FLASHCALL: 'Flash Call', VIBER: 'Viber' };
		copy(
			...Object.keys(names).map((channelType) => ({
				destination: mts,
				single: { ...outbound, channelType },
			})),
		);
		const page = await show(conversation);
		for (const name of Object.values(names)) expect(page).toContain(name);
	});

	test('who has no sender name for replies is told what to do', async () => {
		const { store, show } = openFace();
		for (const sender of store.senders.values()) {
			if (sender.channelType === 'WHATSAPP') sender.status = 'REJECTED';
		}
		expect(await show('/')).toContain('there is no approved sender name');
	});

	test('older messages of a long conversation are one link away', async () => {
		const { show, copy } = openFace();
		const texts = Array.from({ length: 150 }, (_, index) => `Text ${index}.`);
		copy(...texts.map((text) => ({ destination: mts, text })));
		const page = await show(conversation);
		expect(page).not.toContain('Text 3.');
		expect(page).toMatch(/shown=200[^>]*>Show older messages/);
		expect(await show(`${conversation}&shown=200`)).toContain('Text 3.');
	});

	test('of 60,000 conversations, a page shows a part', async () => {
		const { show, copy } = openFace();
		const many = Array.from({ length: 60_000 }, (_, index) => `${79160000000 + index}`);
		copy(...many.map((destination) => ({ destination })));
		const page = await show('/');
		expect(page.length).toBeLessThan(100_000);
		expect(page).toContain('Page 1 of 1,20');
		expect(await show('/?page=1000')).toContain('Page 1,000 of 1,20');
	});

	test('a state that an older sandbox wrote, without an index of conversations, has its phones', async () => {
		const { sandbox, store, message, show } = openFace();
		await message('Hello from before');
		store.conversations = new Map();
		sandbox.restore(sandbox.snapshot());
		expect(await show('/')).toContain('Hello from before');
	});
});

describe('Dispatches', () => {
	test("their names are the user's; only the log of requests shows what the node has added", async () => {
		const { sandbox, store, show, createDispatch, start } = openFace();
		const code = '#n8n-k3v09zq81m4c7xpa1s1';
		const { id } = await createDispatch({
			name: `March ${code}`,
			messages: [{ destination: mts }],
		});
		await start(id);
		await sandbox.advance(minute);
		const [message] = store.dispatches.get(id)?.messages ?? [];
		const pages = ['/dispatches', `/dispatches?id=${id}`, `/?number=${mts}`];
		for (const path of [...pages, `/messages?uuid=${message?.uuid}`]) {
			const page = await show(path);
			expect([path, page.includes('March</'), page.includes('#n8n-')]).toEqual([path, true, false]);
		}
		expect(await show(`/requests?id=${message?.requestId}`)).toContain(code);
	});

	test('progress and delivery over time', async () => {
		const { sandbox, show, createDispatch, control } = openFace();
		const { id } = await createDispatch({
			name: 'March',
			messages: [{ destination: mts }, { destination: numbers.undelivered }],
		});
		expect(await show('/dispatches')).toContain('March');
		await control('POST', `/dispatches/${id}/start`);
		await sandbox.advance(minute);
		expect(await show(`/dispatches?id=${id}`)).toContain(
			'1 delivered, 0 failed, 1 on the way, of 2',
		);
		await sandbox.advance(26 * hour);
		const page = await show(`/dispatches?id=${id}`);
		for (const part of [
			'1 delivered, 1 failed, 0 on the way, of 2',
			'Delivered messages over time',
			'COMPLETED',
		]) {
			expect(page).toContain(part);
		}
	});

	test('what is reserved is right after a start and a stop', async () => {
		const { store, show, words, createDispatch, control, ledger } = openFace();
		const { id } = await createDispatch({ messages: [{ destination: mts }] });
		const seen = async () => [
			store.dispatches.get(id)?.status,
			/Reserved<\/dt>\s*<dd>([^<]+)/.exec(await show(`/dispatches?id=${id}`))?.[1],
			(await words(conversation)).includes('RUB reserved'),
			ledger().reserved,
		];
		expect(await seen()).toEqual(['CREATED', '0.00 RUB', false, 0]);
		await control('POST', `/dispatches/${id}/start`);
		expect(await seen()).toEqual(['STARTED', '2.90 RUB', true, 29_000]);
		await control('POST', `/dispatches/${id}/stop`);
		expect(await seen()).toEqual(['STOPPED', '0.00 RUB', false, 0]);
	});
});

describe('Callbacks', () => {
	const url = 'http://127.0.0.1:5678/webhook/x';
	const reply = { senderName: senderNames.whatsapp, destination: mts, text: 'STOP' };

	/** A message was delivered, and its callback was sent to a receiver that answers like this. */
	const openWithCallback = async (send: NonNullable<Parameters<typeof open>[0]>['send']) => {
		const opened = openFace({ send });
		await opened.message('Hello', { callbackUrl: 'https://hooks:secret-1@127.0.0.1/x' });
		opened.sandbox.tick(minute);
		await new Promise(setImmediate);
		const press = async (button: string) =>
			await opened.page(`/_sandbox/callbacks/1/${button}`, { method: 'POST' });
		const callback = () => opened.sandbox.callbacks[0];
		return { ...opened, press, callback };
	};

	test('a failed one says why, and is tried again by its button', async () => {
		let status = 401;
		const answer = 'Authorization required';
		const { sandbox, show, press, callback } = await openWithCallback(async () => ({
			status,
			answer,
		}));
		expect(await show('/callbacks')).toContain('401: the receiver rejected the login.');
		const page = await show('/callbacks?id=1');
		for (const part of ['401: the receiver rejected the login.', answer]) {
			expect(page).toContain(part);
		}
		expect(page).not.toContain('secret-1');
		status = 200;
		await press('resend');
		await sandbox.advance(1);
		expect(callback()?.state).toBe('delivered');
	});

	test('no more tries once it is stopped', async () => {
		const { sandbox, press, callback } = await openWithCallback(async () => 500);
		await press('stop');
		await sandbox.advance(hour);
		expect(callback()).toMatchObject({ state: 'stopped', attempts: [{ status: 500 }] });
	});

	test('sending again does not multiply the attempts that follow', async () => {
		const { sandbox, press, callback } = await openWithCallback(async () => 500);
		const attempts = () => callback()?.attempts.length ?? 0;
		for (let presses = 0; presses < 4; presses++) {
			await press('resend');
			// Far enough apart that each would begin a series of its own.
			await sandbox.advance(50_000);
		}
		expect(attempts()).toBe(5);
		// In small steps, as the real clock: in a large one, an attempt that is running would swallow the others.
		for (let passed = 0; passed < hour; passed += 10_000) await sandbox.advance(10_000);
		// One every five minutes.
		expect(attempts()).toBe(5 + 12);
	});

	test('sending again while an attempt is under way says so', async () => {
		const { press } = await openWithCallback(async () => await new Promise(() => undefined));
		const response = await press('resend');
		expect(response.status).toBe(400);
		expect(await response.text()).toContain('already under way');
	});

	test.each([
		[{ status: 401 }, 'none', 'the trigger expects the Callback credential'],
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

	test('a rule is saved with its login, shown again, used for replies, corrected, and removed', async () => {
		const password = 'p@ss a%40b 50%';
		const right = `${url} Basic ${Buffer.from(`hooks:${password}`).toString('base64')}`;
		const { sandbox, store, show, control } = openFace({
			send: async ({ url: target, headers }) =>
				`${target} ${headers.authorization}` === right ? 200 : 401,
		});
		const save = async (secret: string) =>
			await control('PUT', '/inbound-rules/1', { url, login: 'hooks', password: secret });
		await save('wrong');
		await control('POST', '/inbound', reply);
		await sandbox.advance(minute);
		expect(await show('/callbacks')).toContain('under Callbacks, Where replies go');
		expect(await show('/callbacks?id=1')).toContain('from the rule under Where');
		await save(password);
		const page = await show('/callbacks');
		const valueOf = (name: string) =>
			new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(page)?.[1];
		expect(['url', 'login', 'password'].map(valueOf)).toEqual([url, 'hooks', password]);
		await control('POST', '/callbacks/1/resend');
		await control('POST', '/inbound', reply);
		await sandbox.advance(minute);
		expect(sandbox.callbacks.map(({ state }) => state)).toEqual(['delivered', 'delivered']);
		await control('DELETE', '/inbound-rules/1');
		expect(store.inboundRules).toEqual([]);
	});

	test('every rule has its own form: one is saved, the others stay', async () => {
		const { store, show, control } = openFace();
		const rules = ['a', 'b'].map((name) => ({ trafficCenterId: 1, callbackUrl: `${url}/${name}` }));
		await control('PUT', '/inbound-rules', { rules });
		expect((await show('/callbacks')).match(/id="rule-\d"/g)).toHaveLength(3);
		await control('PUT', '/inbound-rules/2', { url: `${url}/c` });
		await control('PUT', '/inbound-rules/3', { url: 'http://me:pw@127.0.0.1/d' });
		expect(store.inboundRules.map(({ callbackUrl }) => callbackUrl)).toEqual([
			`${url}/a`,
			`${url}/c`,
			'http://me:pw@127.0.0.1/d',
		]);
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
		const { store, control } = openFace();
		await expect(control('PUT', `/inbound-rules/${position}`, body)).rejects.toThrow(/^40[04]/);
		expect(store.inboundRules).toEqual([]);
	});
});

test('Account: budgets, suspended names, and the comment of a rejection until it is approved', async () => {
	const { show, words, control } = openFace();
	const sender = `/senders/${demo.senders.mts}`;
	const suspended = async () => (await words('/account')).match(/\bsuspended\b/g)?.length;
	expect(await show('/account')).toContain('<meter');
	expect(await suspended()).toBe(1);
	await control('PUT', `${sender}/suspended`, { suspended: true });
	expect(await suspended()).toBe(2);
	await control('POST', `${sender}/reject`, { comment: 'Wrong document' });
	expect(await show('/account')).toContain('Wrong document');
	await control('POST', `${sender}/approve`);
	expect(await show('/account')).not.toContain('Wrong document');
});

describe('Requests', () => {
	test('what came in, without secrets, and as curl', async () => {
		const { call, show, message } = openFace();
		await message("It's here", { callbackUrl: 'https://hooks:secret-1@127.0.0.1/x' });
		const { login, password } = demo;
		await call(partner.token, { body: { login, password } });
		const page = await show('/requests');
		expect(page).toContain('/v1/message');
		expect(page).toContain('curl -g -X POST');
		for (const secret of ['secret-1', password]) expect(page).not.toContain(secret);
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
		const { page, show } = openFace();
		const headers = { 'content-type': 'application/json' };
		await page(`/partner/auth/token?${query}`, { method: 'POST', headers, body });
		const list = await show('/requests');
		const details = await show('/requests?id=1');
		expect(details).toContain('/auth/token');
		expect(`${list}${details}`).not.toMatch(/topsecret9|79990009/);
	});

	test('a body that is not kept says so, and is not offered as curl', async () => {
		const { message, show } = openFace();
		await message('x'.repeat(30_000));
		const page = await show('/requests?id=1');
		expect(page).toContain('Body not kept: longer than 20,000 characters');
		expect(`${await show('/requests')}${page}`).not.toContain('Copy as curl');
	});

	test('a slow request shows how long it took, and one without a response says so', async () => {
		const { send, show, control } = openFace();
		await control('POST', '/faults', { kind: 'delay', ms: 2_000 });
		await control('POST', '/faults', { kind: 'hang' });
		for (let count = 0; count < 2; count++) void send(messaging.balance);
		await new Promise((resolve) => setImmediate(resolve));
		const page = await show('/requests');
		const [, ms] = /\b(\d,\d{3}) ms/.exec(page) ?? [];
		expect(Number(ms?.replace(',', ''))).toBeGreaterThanOrEqual(2_000);
		expect(page).toContain('no response');
	});

	test('in detail, both bodies are formatted, long lists shortened, and secrets of a response hidden', async () => {
		const { call, show, sandbox, store, createDispatch } = openFace();
		const messages = Array.from({ length: 600 }, (_, index) => ({
			destination: `7916${String(1_000_000 + index)}`,
			customText: 'A text of its own for everybody',
		}));
		await createDispatch({ messages });
		await call(messaging.balance);
		const details = await Promise.all(
			sandbox.requests.last.map(async ({ id }) =>
				(await show(`/requests?id=${id}`)).replaceAll('&quot;', '"'),
			),
		);
		const [token] = [...store.tokens.keys()];
		expect(token).toBeDefined();
		expect(details.join('')).not.toContain(String(token));
		const [created, balance] = details.slice(-2);
		for (const part of ['"name": "Test",\n', '"… 597 more"', 'Created: 600 messages']) {
			expect(created).toContain(part);
		}
		expect(created).toContain('and 580 more');
		expect(created).not.toContain('Copy as curl');
		expect(balance).toMatch(/"RUB": [\d.]+/);
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
		].map(([row]) => row.replaceAll('<wbr />', ''));
		expect(rows).toEqual(expected.map((path) => expect.stringContaining(path)));
	});
});

describe('one timeline per message', () => {
	test('from its request over price, states and callbacks to clicks and replies, and back', async () => {
		let status = 500;
		const { sandbox, store, show, page, message, control } = openFace({ send: async () => status });
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
		await page(`/s/${[...store.byLink.keys()][0]}`);
		await control('POST', '/inbound', {
			senderName: senderNames.whatsapp,
			destination: mts,
			text: 'Thank you',
		});
		await sandbox.advance(minute);
		const text = await show(`/messages?uuid=${uuid}`);
		const story = wordsOf(text.slice(text.indexOf('class="plain story"')));
		const positions = [
			/Created .*POST \/api\/v1\/v1\/message 200/,
			/Price reserved: 2\.60 RUB .*1 part/,
			/Sent to the operator/,
			/✓✓ delivered .*Final price: 2\.60 RUB/,
			/Callback Delivery Result delivered .*2 attempts, the last: Response 200/,
			/read/,
			/Link clicked: 1 time .*https:\/\/example\.com\/a/,
			/Reply .*Thank you/,
			/Callback Link Clicked delivered .*Response 200/,
		].map((step) => story.search(step));
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
		expect(await show(conversation)).toContain(`/messages?uuid=${uuid}`);
	});

	test('of a dispatch message: who started it, who was left out and why, and why nothing is reported', async () => {
		const { sandbox, store, words, createDispatch, start, stop, control } = openFace();
		const { id } = await createDispatch({
			callbackUrl: 'https://127.0.0.1/x',
			messages: [{ destination: numbers.unsent }, { destination: numbers.noOperator }],
		});
		await start(id);
		// Another start doesn't change who started it first.
		await stop(id);
		await control('POST', `/dispatches/${id}/start`);
		await sandbox.advance(minute);
		const [failed, leftOut] = store.dispatches.get(id)?.messages ?? [];
		const story = await words(`/messages?uuid=${failed?.uuid}`);
		expect(story).toMatch(/POST \/partner\/dispatches 200/);
		expect(story).toMatch(/Dispatch Test started .*POST \/partner\/dispatches\/3003\/start 200/);
		expect(story).toContain("the service doesn't report failed messages of a dispatch");
		expect(await words(`/messages?uuid=${leftOut?.uuid}`)).toContain('The operator is not known.');
		const page = await words(`/dispatches?id=${id}&show=leftOut`);
		for (const part of [
			'0 delivered, 1 failed, 1 left out, 0 on the way, of 2',
			'1 recipient: the operator is not known',
			'+7 970 123 45 67',
		]) {
			expect(page).toContain(part);
		}
		expect(page).not.toContain('+7 916 999 00 02');
	});

	test('of several messages in one callback, each has its own events', async () => {
		const { sandbox, show, words, message } = openFace();
		const callbackUrl = 'https://127.0.0.1/x';
		const first = await message('One', { callbackUrl, callbackEvents: ['sent'] });
		const second = await message('Two', { callbackUrl, callbackEvents: ['sent', 'price'] });
		await sandbox.advance(minute);
		const [{ id = 0, body } = {}] = sandbox.callbacks;
		expect(body).toHaveLength(2);
		for (const uuid of [first, second]) {
			expect(await words(`/messages?uuid=${uuid}`)).toContain('Callback Sent delivered');
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
		expect(await restored.words(`/messages?uuid=${uuid}`)).toContain('no longer in the log');
	});
});

test('held deliveries: every page says so, and each can be decided, read only if it is a single one', async () => {
	const { sandbox, store, show, words, message, createDispatch, start, control } = openFace();
	for (const path of paths) expect(await show(path)).not.toContain('Deliveries are held');
	await control('PUT', '/hold', { on: true });
	const uuid = await message('Hello');
	const { id } = await createDispatch({ messages: [{ destination: numbers.tele2 }] });
	await start(id);
	await sandbox.advance(hour);
	for (const path of paths) {
		expect(await words(path)).toContain('Deliveries are held. 2 messages wait');
	}
	const [, ofDispatch] = [...store.held];
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

describe('Controls', () => {
	test('the clock, the planned faults and every response variant are shown in words', async () => {
		const { show, control } = openFace();
		expect(await show('/controls')).toContain('No faults planned.');
		await control('PUT', '/clock', { speed: 0 });
		await control('POST', '/faults', { kind: 'commit-then-reset', times: 3 });
		await control('PUT', '/variants', { sendReply: 'noIds' });
		const page = await show('/controls');
		expect(page).toContain('paused');
		expect(page).toMatch(/Process, then drop the connection: 3 requests\s+left/);
		const options = [...page.matchAll(/<option value="(\w+)" (\w*)>\s*([^<]+?)\s*<\/option>/g)];
		expect(options.length).toBeGreaterThan(60);
		for (const [, code, , words] of options) expect(words).not.toBe(code);
		expect(options.map(([, ...parts]) => parts)).toContainEqual([
			'noIds',
			'selected',
			'No custom message IDs',
		]);
		await control('PUT', '/clock', { speed: 60 });
		expect(await show('/controls')).toContain('speed ×60');
		expect(await control('GET', '/clock')).toMatchObject({ speed: 60 });
	});

	test('a response variant that is applied leaves the others as they are', async () => {
		const { store, control } = openFace();
		store.settings.dialect.indexLagMs = 5_000;
		await control('PUT', '/variants', { sendReply: 'items', keyCase: 'snake' });
		expect(store.settings.dialect).toMatchObject({ indexLagMs: 5_000, keyCase: 'snake' });
	});

	test('a reset from the page keeps settings and inbound rules', async () => {
		const { sandbox, message, control } = openFace();
		await message('Hello');
		await control('PUT', '/settings', { reviewStepMs: 2_000 });
		await control('PUT', '/inbound-rules/1', { url: 'http://127.0.0.1:5678/webhook/x' });
		await control('POST', '/reset', { data: 'demo', keepSetup: true });
		const { store } = sandbox.world;
		expect(store).toMatchObject({ singles: [], settings: { reviewStepMs: 2_000 } });
		expect(store.inboundRules).toHaveLength(1);
		await control('POST', '/reset');
		expect(sandbox.world.store.inboundRules).toEqual([]);
	});
});
