import type { INodeParameters } from 'n8n-workflow';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { nodes } from '../nodes/all.cts';
import { plainRowOf, withField } from '../nodes/plain.cts';
import { useSandbox } from '../support/sandbox.cts';

/** What goes out is RFC 3986, or nothing goes out. */

const cases = [
	{
		node: new BulkMessagingPartner(),
		name: 'Bulk Messaging Partner',
		operations: ['dispatch.create', 'dispatch.send'],
	},
	{
		node: new BulkMessaging(),
		name: 'Bulk Messaging',
		operations: ['message.send', 'message.sendCascade'],
	},
] as const;

const callback = { login: 'callbacks', password: 'p@ss [word] 1%2' };
const presented = 'callbacks:p%40ss%20%5Bword%5D%201%252@';

const written = ' https://пример.рф:8443/мой хук?q=a b \n';
const encoded = 'xn--e1afmkfd.xn--p1ai:8443/%D0%BC%D0%BE%D0%B9%20%D1%85%D1%83%D0%BA?q=a%20b';

const rejected = [
	['http:/x', 'must be a URL that starts with http:// or https://'],
	['https:example.com', 'must be a URL that starts with http:// or https://'],
	['https:///hook', 'must be a URL that starts with http:// or https://'],
	['https://example.com/?q=a|b', "isn't a valid URL"],
	['https://example.com/100%', "isn't a valid URL"],
	['https://example.com/#hook', 'contains a "#"'],
	['https://example.com/a\u0000b', 'contains a line break or another invisible character'],
	['https://example.com:70000/', "isn't a valid URL"],
	['mailto:me@example.com', 'must be a URL that starts with http:// or https://'],
] as const;

describe.each(cases)('$name', ({ node, name, operations }) => {
	const bench = useSandbox(node);
	const plainRow = plainRowOf(nodes.find((one) => one.name === name)?.rows ?? []);

	const runWith = async (
		operation: string,
		url: string,
		callbackAuthentication: 'credential' | 'url' | 'none',
		credentials = bench.credentials(),
	) => {
		const { parameters } = plainRow(operation);
		const { options = {} } = parameters;
		return await bench.run(
			operation,
			withField(parameters, 'options', {
				...(options as INodeParameters),
				callbackUrl: '={{ $json.url }}',
				callbackAuthentication,
			}),
			{ items: [{ url }], credentials },
		);
	};
	/** Every callback URL in a request. */
	const sentUrls = async () =>
		(await bench.wire()).flatMap(({ body }) =>
			[...JSON.stringify(body ?? null).matchAll(/"callbackUrl":"([^"]*)"/g)].map(([, url]) => url),
		);

	describe.each(operations)('%s', (operation) => {
		test('encodes it', async () => {
			const { error } = await runWith(operation, written, 'none');
			expect(error).toBeUndefined();
			expect(await sentUrls()).toEqual([`https://${encoded}`]);
		});

		test('puts the login of the credential into it', async () => {
			const credentials = { ...bench.credentials(), bulkMessagingCallbackApi: callback };
			const { error } = await runWith(operation, written, 'credential', credentials);
			expect(error).toBeUndefined();
			expect(await sentUrls()).toEqual([`https://${presented}${encoded}`]);
		});

		test('keeps a login that is written into it', async () => {
			await runWith(operation, 'https://me:p%40ss@example.com/hook', 'url');
			expect(await sentUrls()).toEqual(['https://me:p%40ss@example.com/hook']);
		});

		test.each(['credential', 'url', 'none'] as const)(
			'leaves it out when it is blank, and asks for no login then: %s',
			async (choice) => {
				const { error } = await runWith(operation, '  ', choice);
				expect(error).toBeUndefined();
				expect(await sentUrls()).toEqual([]);
			},
		);

		test.each(rejected)('%j: %s, and nothing is sent', async (url, words) => {
			const { error } = await runWith(operation, url, 'none');
			expect(error?.message).toContain(`'Callback URL' ${words}`);
			expect(error?.message).toContain('such as https://');
			expect(error?.description).toContain('Nothing was sent.');
			expect((await bench.wire()).filter(({ method }) => method === 'POST')).toEqual([]);
		});
	});
});
