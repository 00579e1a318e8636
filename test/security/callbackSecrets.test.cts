import type { INodeParameters } from 'n8n-workflow';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { nodes, operationsOf } from '../nodes/all.cts';
import { plainRowOf, withField } from '../nodes/plain.cts';
import { byId, useSandbox } from '../support/sandbox.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () => jest.requireActual('../support/pauses.cts'));

/** The service keeps login and password of the callbacks: it may repeat them whatever it is asked. */

const callback = { login: 'callbacks-login', password: `c@llback "pass" /wörd & <it's>` };
const pair = `${callback.login}:${callback.password}`;
const { password } = callback;
const percent = encodeURIComponent(password);
const lower = percent.replace(/%../g, (code) => code.toLowerCase());
const signs = (encode: (code: number) => string) =>
	[...password].map((sign) => encode(sign.codePointAt(0) ?? 0)).join('');
const html: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const nested = JSON.stringify(JSON.stringify(password).slice(1, -1)).slice(1, -1);
const header = Buffer.from(pair).toString('base64');
const plain = [password, header, encodeURIComponent(header)];
/** Of a text with a secret in another spelling, nothing is shown. A URL with a login is a secret as it is written. */
const shownFor = (form: string) =>
	`The service says: ${plain.includes(form) || form.startsWith('https://') ? 'No: ' : ''}***`;
const forms = [
	password,
	JSON.stringify(password).slice(1, -1),
	nested,
	JSON.stringify(password).slice(1, -1).replaceAll('/', '\\/'),
	signs((code) => `\\u${code.toString(16).padStart(4, '0')}`),
	percent,
	lower,
	percent.replace('%2F', '%2f'),
	percent.replaceAll('%20', '+'),
	lower.replaceAll('%20', '+'),
	new URLSearchParams({ x: password }).toString().slice(2),
	password.replace(/[&<>"]/g, (sign) => html[sign] ?? '').replaceAll("'", '&#39;'),
	password.replace(/[&<>"]/g, (sign) => html[sign] ?? '').replaceAll("'", '&#x27;'),
	signs((code) => `&#${code};`),
	signs((code) => `&#x${code.toString(16).toUpperCase()};`),
	header,
	encodeURIComponent(header),
];
const callbackUrl = 'https://n8n.example.com/webhook/1/fast';

const cases = [
	{
		node: new BulkMessagingPartner(),
		name: 'Bulk Messaging Partner',
		calls: [
			['dispatch.create', '*/senders'],
			['dispatch.create', '*/dispatches'],
			['dispatch.send', '*/dispatches'],
			['dispatch.send', '*/start'],
		],
		list: {
			operation: 'sender.getAll',
			parameters: { companyId: byId(1), simplify: false },
			path: '/senders',
		},
	},
	{
		node: new BulkMessaging(),
		name: 'Bulk Messaging',
		calls: [
			['message.send', '*/message'],
			['message.sendCascade', '*/cascade'],
		],
		list: { operation: 'message.getAll', parameters: { simplify: false }, path: '/message' },
	},
] as const;

describe.each(cases)('$name', ({ node, name, calls, list }) => {
	const bench = useSandbox(node);
	const tested = nodes.find((one) => one.name === name) as (typeof nodes)[number];
	const plainRow = plainRowOf(tested.rows);

	const fail = (path: string, msg: string) =>
		bench.sandbox.faults.add({
			kind: 'status',
			status: 400,
			times: 5,
			// A read of dispatches that fails is tried again for a minute.
			match: { path, ...(/(?:dispatches|start)$/.test(path) && { method: 'POST' }) },
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ error: { code: 4000, msg } }),
		});
	const credentials = () => ({ ...bench.credentials(), bulkMessagingCallbackApi: callback });
	const withUrl = (parameters: INodeParameters, url: string, choice: 'credential' | 'url') =>
		withField(
			withField(parameters, 'options.callbackUrl', url),
			'options.callbackAuthentication',
			choice,
		);
	/** Runs with the credential chosen, and gives everything of it that stays. */
	const kept = async (operation: string, parameters: INodeParameters) => {
		const row = plainRow(operation);
		const { error, run } = await bench.run(operation, parameters, {
			credentials: credentials(),
			inputItems: [row.input ?? { json: {} }],
		});
		return { error, text: JSON.stringify([run, error, error?.message, error?.description]) };
	};
	/** The text as JSON, so that it is comparable with what is kept as JSON. */
	const inJson = (form: string) => JSON.stringify(form).slice(1, -1);

	test.each(calls)('%s, when %s repeats them', async (operation, path) => {
		for (const form of forms) {
			bench.sandbox.reset('demo');
			fail(path, `No: ${form}.`);
			const { parameters } = plainRow(operation);
			const { error, text } = await kept(operation, withUrl(parameters, callbackUrl, 'credential'));
			expect(error?.description).toContain(shownFor(form));
			expect(text).not.toContain(inJson(form));
		}
	});

	test.each(calls)('%s with them in the URL, when %s repeats them', async (operation, path) => {
		const written = `https://${callback.login}:${percent}@n8n.example.com/webhook/1/fast`;
		for (const form of [...forms, written]) {
			bench.sandbox.reset('demo');
			fail(path, `No: ${form}.`);
			const { parameters } = plainRow(operation);
			const { error } = await bench.run(operation, withUrl(parameters, '={{ $json.url }}', 'url'), {
				items: [{ url: written }],
			});
			expect(error?.description).toContain(shownFor(form));
			const shown = [error, error?.message, error?.description, error?.stack];
			expect(JSON.stringify(shown)).not.toContain(inJson(form));
		}
	});

	// The one asks for nothing, of the other only the kind of failure is shown.
	const wordless = ['dispatch.preview', 'account.ping'];
	test.each(operationsOf(tested).filter((one) => !wordless.includes(one)))(
		'%s does not use them, and does not show them',
		async (operation) => {
			await plainRow(operation).seed?.(bench.sandbox);
			fail('*', `No: ${password} and ${header}.`);
			const { text } = await kept(operation, plainRow(operation).parameters);
			expect(text).toContain('No: *** and ***');
			expect(text).not.toContain(inJson(password));
			expect(text).not.toContain(header);
		},
	);

	test.each(['callbackUrl', 'callback_url', 'CallbackURL', 'CALLBACK_URL'])(
		'a reply shows nothing secret of %s, however deep it is',
		async (field) => {
			const secret = 'https://user:pass-word-1@n8n.example/hook?a=1&signature=0a1b2c';
			const safe = 'https://***:***@n8n.example/hook?a=1&signature=***';
			const entry = (id: number, url: unknown) => ({
				id,
				[field]: url,
				more: [{ deep: { [field]: url } }],
			});
			bench.sandbox.faults.add({
				kind: 'status',
				status: 200,
				match: { path: `*${list.path}` },
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({
					total: 3,
					items: [entry(1, secret), entry(2, [secret, null, { url: secret }]), entry(3, null)],
				}),
			});
			const { items, run } = await bench.run(list.operation, list.parameters);
			expect(items.map(({ json }) => json)).toEqual([
				entry(1, safe),
				entry(2, [safe, null, { url: safe }]),
				entry(3, null),
			]);
			expect(JSON.stringify(run)).not.toMatch(/pass-word-1|0a1b2c/);
		},
	);

	test.each([
		['?ask=0a1b&signature=', '?…'],
		['?signature=0a1b&amp;report=1&x=', '?…'],
		['?reportAsked=0a1b&signature=', '?…'],
		['%3Fask%3D0a1b%26signature%3D', '?…'],
		// Not ours: without its signature, a picture couldn't be loaded.
		['?task=1&signature=', undefined],
		['?ask=1&X-Amz-Signature=', undefined],
	])('a text with a link that ends with %s', async (query, hidden) => {
		const url = `https://n8n.example/webhook-waiting/17/2`;
		const text = (end: string) => `<a href="${url}${end}">Open</a> or\n(${url}${end}\nNow?`;
		bench.sandbox.faults.add({
			kind: 'status',
			status: 200,
			match: { path: `*${list.path}` },
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ total: 1, items: [{ id: 1, deep: [text(`${query}0a1b2c`)] }] }),
		});
		const { items } = await bench.run(list.operation, list.parameters);
		expect(items[0]?.json.deep).toEqual([text(hidden ?? `${query}0a1b2c`)]);
	});
});
