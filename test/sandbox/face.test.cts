import { messaging } from '../../core/contract/messaging';
import { whyFailed } from '../../sandbox/face/callbacks.cts';
import { demo } from '../../sandbox/demo.cts';
import { hour, minute, mts, open } from './support.cts';

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
	const message = async (content: string, more: object = {}) => {
		const body = {
			channelType: 'SMS',
			senderName: senderNames.sms,
			destination: mts,
			content,
			...more,
		};
		const { items } = await opened.call(messaging.messageSend, { body: [body] });
		return String(items[0]?.messageUuid);
	};
	return { ...opened, page, show, message };
};

const paths = [
	'/',
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
		const inside = await (await page(path, { headers: { 'x-part': 'main' } })).text();
		expect(whole).toContain(inside);
		expect(inside).not.toContain('<html');
	});

	test.each([...paths, '/assets/face.js', '/assets/face.css', '/assets/idiomorph.js'])(
		'%s allows no script of anybody else',
		async (path) => {
			const { headers, status } = await openFace().page(path);
			expect(status).toBe(200);
			const policy = headers.get('content-security-policy');
			expect(policy).toContain("script-src 'self'");
			expect(policy).not.toContain('unsafe');
			expect(headers.get('x-content-type-options')).toBe('nosniff');
		},
	);

	test.each(paths)('%s has no inline script, style or handler', async (path) => {
		const text = await openFace().show(path);
		expect(text).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
	});

	test('an empty sandbox has all of them, too', async () => {
		const { show } = openFace({ seed: 'empty' });
		for (const path of paths) await show(path);
		expect(await show('/')).toContain('Nothing has arrived yet');
	});

	test.each(['../package.json', 'constructor', '__proto__', 'face.txt'])(
		'there is no file %s',
		async (name) => {
			expect((await openFace().page(`/assets/${name}`)).status).toBe(404);
		},
	);
});

describe('who may look', () => {
	test.each(paths)('%s: another host name gets nothing', async (path) => {
		const { sandbox } = openFace();
		const response = await sandbox.fetch(`http://evil.example:8787${path}`);
		expect(response.status).toBe(403);
	});

	test('localhost is this machine, too', async () => {
		const { sandbox } = openFace();
		expect((await sandbox.fetch('http://localhost:8787/')).status).toBe(200);
		expect((await sandbox.fetch('http://localhost:8788/')).status).toBe(403);
	});

	test.each(['http://evil.example', 'null', 'http://127.0.0.1:1'])(
		'a page of %s cannot control it',
		async (origin) => {
			const { sandbox } = openFace();
			const reset = async (headers: Record<string, string>) =>
				(await sandbox.fetch(`${sandbox.urls.controlUrl}/reset`, { method: 'POST', headers }))
					.status;
			expect(await reset({ origin })).toBe(403);
			expect(await reset({ origin: 'http://localhost:8787' })).toBe(200);
		},
	);

	test('nor can one whose name leads here', async () => {
		const { sandbox } = openFace();
		const response = await sandbox.fetch('http://evil.example:8787/_sandbox/state');
		expect(response.status).toBe(403);
	});
});

const nasty = `"><script>alert(1)</script><img src=x onerror=alert(1)>'\u0000`;

describe('texts, names and links are data', () => {
	test('in messages, dispatches, names and documents', async () => {
		const { sandbox, show, message, createDispatch } = openFace();
		await message(nasty, { tags: [nasty] });
		await createDispatch({ name: nasty, text: nasty });
		const sender = sandbox.world.store.senders.get(demo.senders.mts);
		if (sender !== undefined) Object.assign(sender, { senderName: nasty, managerComment: nasty });
		const company = sandbox.world.store.companies.get(flowers);
		if (company !== undefined) company.name = nasty;
		for (const path of [
			...paths,
			`/?search=${encodeURIComponent(nasty)}`,
			`/?number=${encodeURIComponent(nasty)}`,
		]) {
			const text = await show(path);
			expect(text).not.toContain('<script>alert');
			expect(text).not.toContain('<img');
		}
	});

	test('only links that the service shortened are links', async () => {
		const { show, message } = openFace();
		await message('javascript:alert(1) http://example.com/a', { shortUrl: true });
		const text = await show(`/?number=${mts}`);
		expect(text).not.toMatch(/href="javascript:/);
		expect(text).toMatch(/href="\/s\/[^"]+"/);
	});

	test('a text of 100 KB is shown whole in its conversation', async () => {
		const { show, message } = openFace();
		await message('я'.repeat(100_000));
		expect(await show(`/?number=${mts}`)).toContain('я'.repeat(100_000));
	});
});

describe('Phones', () => {
	test('the newest conversation comes first, and is open', async () => {
		const { show, message } = openFace();
		await message('Hello there');
		const text = await show('/');
		const numbers = [...text.matchAll(/<strong>(7\d{10})<\/strong>/g)].map(([, number]) => number);
		expect(numbers[0]).toBe(mts);
		expect(new Set(numbers).size).toBe(numbers.length);
		expect(text).toContain('<h2>79161234567</h2>');
		expect(text).toContain('Hello there');
	});

	test('search by number in any form, and by text', async () => {
		const { show, message } = openFace();
		await message('A very special offer');
		expect(await show('/?search=special OFFER')).toContain(mts);
		expect(await show(`/?search=${encodeURIComponent('+7 916 123-45-67')}`)).toContain(mts);
		expect(await show('/?search=nowhere to be found')).not.toContain(mts);
	});

	test('the buttons are what can still happen', async () => {
		const { sandbox, show, message } = openFace();
		const uuid = await message('Hello');
		expect(await show(`/?number=${mts}`)).toContain(`/messages/${uuid}/status`);
		await sandbox.advance(minute);
		const text = await show(`/?number=${mts}`);
		expect(text).toContain('✓✓ delivered');
		const ours = text.slice(text.indexOf(`message-${uuid}`));
		expect(ours).not.toContain('value="undelivered"');
		expect(ours).toContain('value="read"');
	});

	test('100,000 messages: a page shows a part of them', async () => {
		const { sandbox, show } = openFace();
		const { store } = sandbox.world;
		const [first] = [...store.byUuid.values()];
		for (let index = 0; index < 100_000; index++) {
			const destination = `7916${String(index % 50_000).padStart(7, '0')}`;
			store.index({ ...(first as NonNullable<typeof first>), uuid: `many-${index}`, destination });
		}
		const text = await show('/');
		expect(text.length).toBeLessThan(100_000);
		expect(text).toContain('Page 1 of 1,00');
		expect(await show('/?page=1000')).toContain('Page 1000 of 1,00');
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

	test('stop by its button', async () => {
		const { sandbox, createDispatch, control } = openFace();
		const { id } = await createDispatch();
		await control('POST', `/dispatches/${id}/start`);
		await control('POST', `/dispatches/${id}/stop`);
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
		const text = await show('/callbacks');
		expect(text).toContain('401: the receiver rejected the login.');
		expect(text).toContain('Authorization required');
		expect(text).not.toContain('secret-1');
		status = 200;
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
			false,
			'the trigger expects the Callback credential; choose it in the node that sends',
		],
		[{ status: 401 }, true, 'Choose the same Callback credential'],
		[{ status: 404 }, true, 'Publish the workflow'],
		[{ status: 500 }, true, 'Look at the execution'],
		[{ status: 302 }, true, '2xx'],
		[{ error: 'connect ECONNREFUSED 127.0.0.1:1' }, true, 'Is n8n running'],
		[{ error: 'no answer in 10000 ms' }, true, 'did not answer in time'],
	])('%j, login %s', (attempt, isAuthorized, words) => {
		expect(whyFailed(attempt, isAuthorized)).toContain(words);
	});

	test('the rule for answers is saved with its login, and an answer is reported', async () => {
		const sent: string[] = [];
		const { sandbox, show, control } = openFace({
			send: async ({ url, headers }) => {
				sent.push(`${url} ${headers.authorization}`);
				return 200;
			},
		});
		await control('PUT', '/inbound-rule', {
			url: 'http://127.0.0.1:5678/webhook/x',
			login: 'hooks',
			password: 'p@ss',
		});
		await control('POST', '/inbound', {
			senderName: senderNames.whatsapp,
			destination: mts,
			text: 'STOP',
		});
		await sandbox.advance(minute);
		const login = Buffer.from('hooks:p@ss').toString('base64');
		expect(sent).toEqual([`http://127.0.0.1:5678/webhook/x Basic ${login}`]);
		expect(await show('/callbacks')).toContain('http://127.0.0.1:5678/webhook/x');
	});
});

describe('Account', () => {
	test('budgets, names and codes', async () => {
		const { show, control, sandbox } = openFace();
		expect(await show('/account')).toContain('<meter');
		await control('PUT', `/senders/${demo.senders.mts}/suspended`, { suspended: true });
		expect(sandbox.world.store.senders.get(demo.senders.mts)?.suspended).toBe(true);
		expect(await show('/account')).toContain('suspended');
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
		expect(text).toContain('curl -X POST');
		expect(text).not.toContain('secret-1');
		expect(text).not.toContain(demo.password);
	});
});

describe('Controls', () => {
	test('the clock can be paused and made faster', async () => {
		const { show, control } = openFace();
		await control('PUT', '/clock', { speed: 0 });
		expect(await show('/controls')).toContain('paused');
		await control('PUT', '/clock', { speed: 60 });
		expect(await show('/controls')).toContain('60 seconds per second');
		expect(await control('GET', '/clock')).toMatchObject({ speed: 60 });
	});
});
