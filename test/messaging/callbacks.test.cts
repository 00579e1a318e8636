import { jsonOf } from '../support/sandbox.cts';
import { fromItems, itemsUpTo, sendPath, singlesOf, useMessaging } from './messages.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));

const bench = useMessaging();
const login = 'call:backs'.replace(':', '-');
const password = 'p@ss/word: 1234567';
const credentials = () => ({
	...bench.credentials(),
	bulkMessagingCallbackApi: { login, password },
});

/** Every form in which the login may appear. */
const shown = (text: string) =>
	[password, encodeURIComponent(password), `${login}:`].filter((one) => text.includes(one));

const send = async (callbackUrl: string, count = 2) =>
	await bench.run(
		'message.send',
		{ ...fromItems, options: { callbackUrl } },
		{ items: itemsUpTo(count), credentials: credentials() },
	);

test('the login goes into the address for the service, and is shown nowhere', async () => {
	const { items, error, run } = await send('https://n8n.example/hook?a=1');
	expect(error).toBeUndefined();
	for (const { single } of singlesOf(bench.sandbox)) {
		const url = new URL(single?.callbackUrl ?? '');
		expect(decodeURIComponent(url.username)).toBe(login);
		expect(decodeURIComponent(url.password)).toBe(password);
		expect(url.host + url.pathname + url.search).toBe('n8n.example/hook?a=1');
	}
	expect(jsonOf(items)).toHaveLength(2);
	expect(shown(JSON.stringify([run, items]))).toEqual([]);
});

test('an address for each item gets it too', async () => {
	await send('=https://n8n.example/{{ $json.id }}');
	const addresses = singlesOf(bench.sandbox).map(
		({ single }) => new URL(single?.callbackUrl ?? ''),
	);
	expect(addresses.map(({ pathname }) => pathname)).toEqual(['/order-0', '/order-1']);
	expect(addresses.every(({ username }) => username !== '')).toBe(true);
});

test.each<[string, number, (msg: string) => object]>([
	['a refused request', 400, (msg) => ({ error: { code: 4000, msg } })],
	['a refused message', 200, (msg) => ({ errors: true, items: [{ code: 400, msg }] })],
])('%s that repeats the address does not show it', async (_, status, bodyOf) => {
	const address = `https://${login}:${encodeURIComponent(password)}@n8n.example/hook`;
	bench.respond('status', 'POST', `*${sendPath}`, bodyOf(`${address} is bad`), { status });
	const { error, run } = await send('https://n8n.example/hook', 1);
	expect(error).toBeDefined();
	expect(
		shown(JSON.stringify([run, error, error?.message, error?.description, error?.stack])),
	).toEqual([]);
});

test('a second try does not show the password that was written in the address, either', async () => {
	const written = 'written-password';
	const items = [{ code: 500, msg: `${written} is weak` }];
	bench.respond('status', 'POST', `*${sendPath}`, { errors: true, items });
	const options = {
		callbackUrl: `https://me:${written}@n8n.example/`,
		callbackAuthentication: 'url',
	};
	const { error, run } = await bench.run(
		'message.send',
		{ ...fromItems, options },
		{ items: itemsUpTo(1), tries: 2 },
	);
	expect(error?.description).toContain('The service says: *** is weak');
	expect(JSON.stringify(run.data.resultData)).not.toContain(`${written} is weak`);
});

test('events without an address are not sent', async () => {
	await bench.run(
		'message.send',
		{ ...fromItems, options: { callbackEvents: ['read'] } },
		{ items: itemsUpTo(1) },
	);
	expect((await bench.wire())[0]?.body).toEqual([
		expect.not.objectContaining({ callbackEvents: expect.anything() as unknown }),
	]);
});
