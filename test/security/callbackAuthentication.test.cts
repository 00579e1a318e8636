import { NodeHelpers, type INode, type INodeParameters, type INodeType } from 'n8n-workflow';
import { BulkMessaging } from '../../nodes/BulkMessaging/BulkMessaging.node';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { webhooks } from '../../nodes/BulkMessagingTrigger/webhooks';
import { nodes } from '../nodes/all.cts';
import { plainRowOf, withField } from '../nodes/plain.cts';
import { hintsOf } from '../support/n8n.cts';
import { useSandbox } from '../support/sandbox.cts';

/** A callback that the receiver rejects is seen by nobody: what would lead to one stops before anything is sent. */

const cases = [
	{
		node: new BulkMessagingPartner(),
		name: 'Bulk Messaging Partner',
		operations: ['dispatch.create', 'dispatch.send'],
		silent: 'company.getAll',
	},
	{
		node: new BulkMessaging(),
		name: 'Bulk Messaging',
		operations: ['message.send', 'message.sendCascade'],
		silent: 'account.getBalance',
	},
] as const;

const login = { login: 'callbacks', password: 'correct-horse-battery' };
const elsewhere = 'https://receiver.example/hook';
const withWritten = 'https://me:pass-word-1@receiver.example/hook';

/** Under which n8n runs in these tests: for webhooks, and for the editor. */
const webhookBase = 'http://127.0.0.1/n8n';
const editorBase = 'http://editor.example';

const trigger: Pick<INode, 'name' | 'webhookId'> = { name: 'Bulk Messaging Trigger' };
const webhookId = 'd5f3a1c0-5a5e-4c55-8f05-000000000006';
/** Every URL n8n gives to the trigger, with a webhook ID and without. */
const triggerUrls = webhooks.flatMap(({ path }) =>
	[
		[`${webhookBase}/webhook`, webhookId],
		[`${webhookBase}/webhook`, undefined],
		[`${webhookBase}/webhook-test`, webhookId],
		[`${editorBase}/webhook-test`, webhookId],
	].map(([base = '', id]) =>
		NodeHelpers.getNodeWebhookUrl(base, 'w1', { ...trigger, webhookId: id } as INode, path),
	),
);

const noCredential =
	"'Credential for Bulk Messaging Callback API' is empty, and 'Callback URL' needs it";
const noneForTrigger =
	"'Callback Authentication' is 'None', but 'Callback URL' belongs to a Bulk Messaging Trigger, which asks for a login by default";
const lacking = (part: string) =>
	`'Callback URL' contains no ${part}, but 'Callback Authentication' is 'In the URL'`;
const ofTrigger = `127.0.0.1/webhook/${webhookId}/fast`;

/** The URL, 'Callback Authentication' if it is chosen, the message, and parts of the description. */
type Stop = [url: string, choice: '' | 'url' | 'none', message: string, ...says: string[]];
const stops: Stop[] = [
	[
		elsewhere,
		'',
		noCredential,
		'Choose the credential that your Bulk Messaging Trigger',
		"'Callback Authentication'",
	],
	[withWritten, '', noCredential, 'already contains a login', "choose 'In the URL'"],
	[elsewhere, 'url', lacking('login'), 'https://login:password@'],
	['https://me@receiver.example/hook', 'url', lacking('password')],
	['https://:pass-word-1@receiver.example/hook', 'url', lacking('login')],
	[`http://me@${ofTrigger}`, 'url', lacking('password')],
	[`http://me@${ofTrigger}`, 'none', noneForTrigger],
	[`http://:pass-word-1@${ofTrigger}`, 'none', noneForTrigger],
	...triggerUrls.map(
		(url): Stop => [
			url,
			'none',
			noneForTrigger,
			"If the trigger's 'Authentication' is 'None', choose any",
		],
	),
];

/** What goes out is RFC 3986, or nothing goes out. */
const odd = { login: 'callbacks', password: 'p@ss [word] 1%2' };
const presented = 'callbacks:p%40ss%20%5Bword%5D%201%252@';

const written = ' https://пример.рф:8443/мой хук?q=a b \n';
const encoded = 'xn--e1afmkfd.xn--p1ai:8443/%D0%BC%D0%BE%D0%B9%20%D1%85%D1%83%D0%BA?q=a%20b';

/** test/contract/callbackUrl has every form. */
const rejected = [
	['https:///hook', 'must be a URL that starts with http:// or https://'],
	['https://example.com/100%', "isn't a valid URL"],
	['https://example.com/#hook', 'contains a "#"'],
	['https://example.com/a\u0000b', 'contains a line break or another invisible character'],
] as const;

describe.each(cases)('$name', ({ node, name, operations, silent }) => {
	const bench = useSandbox(node);
	const plainRow = plainRowOf(nodes.find((one) => one.name === name)?.rows ?? []);
	const withCredential = (data = login) => ({
		...bench.credentials(),
		bulkMessagingCallbackApi: data,
	});

	/** A plain use, without what its row says about callbacks. */
	const parametersWith = (operation: string, options: INodeParameters) => {
		const { parameters } = plainRow(operation);
		const plain = { ...(parameters.options as INodeParameters | undefined) };
		delete plain.callbackAuthentication;
		return withField(parameters, 'options', { ...plain, ...options });
	};
	const runWith = async (
		operation: string,
		options: { callbackUrl: string; callbackAuthentication?: string },
		credentials = bench.credentials(),
	) => {
		const { input = { json: {} } } = plainRow(operation);
		return await bench.run(operation, parametersWith(operation, options), {
			inputItems: [input],
			credentials,
		});
	};
	/** Each item is a dispatch of its own: the callback URL of a dispatch comes from its first item. */
	const apart = (operation: string, parameters: INodeParameters): INodeParameters =>
		operation.startsWith('dispatch.')
			? { ...parameters, name: '=Dispatch {{ $itemIndex }}' }
			: parameters;
	/** Items that differ in their callback URL. */
	const itemsWith = (operation: string, urls: string[]) => {
		const { input = { json: {} } } = plainRow(operation);
		return urls.map((url) => ({ ...input, json: { ...input.json, url } }));
	};
	/** Every callback URL in a request. */
	const sentUrls = async () =>
		(await bench.wire()).flatMap(({ body }) =>
			[...JSON.stringify(body ?? null).matchAll(/"callbackUrl":"([^"]*)"/g)].map(([, url]) => url),
		);

	describe.each(operations)('%s', (operation) => {
		test('encodes it', async () => {
			const { error } = await runWith(operation, {
				callbackUrl: written,
				callbackAuthentication: 'none',
			});
			expect(error).toBeUndefined();
			expect(await sentUrls()).toEqual([`https://${encoded}`]);
		});

		test('puts the login of the credential into it', async () => {
			const { error } = await runWith(operation, { callbackUrl: written }, withCredential(odd));
			expect(error).toBeUndefined();
			expect(await sentUrls()).toEqual([`https://${presented}${encoded}`]);
		});

		test.each(['credential', 'url', 'none'])(
			'leaves it out when it is blank, and asks for no login then: %s',
			async (callbackAuthentication) => {
				const { error } = await runWith(operation, {
					callbackUrl: '={{ "  " }}',
					callbackAuthentication,
				});
				expect(error).toBeUndefined();
				expect(await sentUrls()).toEqual([]);
			},
		);

		test.each(rejected)('%j: %s, and nothing is sent', async (url, words) => {
			const { error } = await runWith(operation, {
				callbackUrl: `={{ ${JSON.stringify(url)} }}`,
				callbackAuthentication: 'none',
			});
			expect(error?.message).toContain(`'Callback URL' ${words}`);
			expect(error?.description).toContain('Nothing was sent.');
			expect(await bench.everything()).toEqual([]);
		});

		test.each<Stop>(stops)('stops for %s, %s', async (callbackUrl, choice, message, ...says) => {
			const { error } = await runWith(
				operation,
				{ callbackUrl, ...(choice !== '' && { callbackAuthentication: choice }) },
				// Without a choice, it is the credential that is missing.
				choice === 'url' ? withCredential() : bench.credentials(),
			);
			expect(error?.message).toBe(message);
			for (const part of ['Nothing was sent.', ...says]) expect(error?.description).toContain(part);
			expect(`${error?.message} ${error?.description}`).not.toContain('pass-word-1');
			expect(await bench.everything()).toEqual([]);
		});

		test.each(['url', 'none'])(
			'%s sends the URL as it is, whatever credential is left',
			async (choice) => {
				for (const credentials of [() => bench.credentials(), () => withCredential()]) {
					bench.sandbox.reset('demo');
					bench.forget();
					const { error } = await runWith(
						operation,
						{ callbackUrl: withWritten, callbackAuthentication: choice },
						credentials(),
					);
					expect(error).toBeUndefined();
					expect(await sentUrls()).toEqual([withWritten]);
				}
			},
		);

		test.each([
			elsewhere,
			`https://receiver.example/webhook/${webhookId}/fast`,
			`${webhookBase}/webhook/orders`,
			`${webhookBase}/webhook/fast`,
			`${webhookBase}/webhook/orders/fast/lane`,
			`${webhookBase}/other/${webhookId}/fast`,
			`http://me:pass-word-1@127.0.0.1/webhook/${webhookId}/fast`,
		])('None passes for %s', async (callbackUrl) => {
			const { error } = await runWith(operation, { callbackUrl, callbackAuthentication: 'none' });
			expect(error).toBeUndefined();
			expect(await sentUrls()).toEqual([callbackUrl]);
		});

		test.each([
			['no password', { ...login, password: '' }],
			['no login', { ...login, login: '' }],
		])('a credential with %s stops', async (_, data) => {
			const { error } = await runWith(operation, { callbackUrl: elsewhere }, withCredential(data));
			expect(error?.message).toBe(
				"'Credential for Bulk Messaging Callback API' has no login or no password",
			);
			expect((await bench.wire()).filter(({ method }) => method === 'POST')).toEqual([]);
		});

		test('a test URL is sent, with a hint', async () => {
			const callbackUrl = `${webhookBase}/webhook-test/${webhookId}/fast`;
			const result = await runWith(operation, { callbackUrl }, withCredential());
			expect(result.error).toBeUndefined();
			expect(hintsOf(result).filter((hint) => hint.includes('is a test URL'))).toHaveLength(1);
		});

		test('a production URL has no such hint', async () => {
			const callbackUrl = `${webhookBase}/webhook/${webhookId}/fast`;
			const result = await runWith(operation, { callbackUrl }, withCredential());
			expect(result.error).toBeUndefined();
			expect(hintsOf(result).join()).not.toContain('test URL');
		});

		test('items without a URL are sent when the others are allowed to fail', async () => {
			const { items: output } = await bench.run(
				operation,
				apart(operation, parametersWith(operation, { callbackUrl: '={{ $json.url }}' })),
				{
					inputItems: itemsWith(operation, [elsewhere, '']),
					onError: 'continueRegularOutput',
				},
			);
			const failed = output.filter(({ json }) => 'error' in json);
			expect(failed).toHaveLength(1);
			expect(failed[0]?.json.error).toContain("'Credential for Bulk Messaging Callback API'");
			expect(output.length).toBeGreaterThan(1);
			expect(await sentUrls()).toEqual([]);
		});

		test('a later item that may not report stops the earlier ones too', async () => {
			const { error } = await bench.run(
				operation,
				apart(operation, parametersWith(operation, { callbackUrl: '={{ $json.url }}' })),
				{ inputItems: itemsWith(operation, ['', elsewhere]) },
			);
			expect(error?.message).toContain("'Credential for Bulk Messaging Callback API'");
			expect(await bench.everything()).toEqual([]);
		});
	});

	describe('the credential on the screen', () => {
		const shown = (operation: string, options: INodeParameters) => {
			const [resource = '', value = ''] = operation.split('.');
			const { description }: INodeType = node;
			const credential = description.credentials?.[1];
			if (credential === undefined) throw new Error('no second credential');
			const { required } = credential;
			const parameters = { resource, operation: value, options };
			return {
				required,
				shown: NodeHelpers.displayParameter(parameters, credential, null, description),
			};
		};

		test.each<[string, INodeParameters, boolean]>([
			['without a URL', {}, false],
			['with an empty URL', { callbackUrl: '' }, false],
			['with a URL', { callbackUrl: elsewhere }, true],
			['with an expression', { callbackUrl: '={{ $json.url }}' }, true],
			['chosen', { callbackUrl: elsewhere, callbackAuthentication: 'credential' }, true],
			['In the URL', { callbackUrl: elsewhere, callbackAuthentication: 'url' }, false],
			['None', { callbackUrl: elsewhere, callbackAuthentication: 'none' }, false],
			[
				'None, with an expression',
				{ callbackUrl: '={{ $json.url }}', callbackAuthentication: 'none' },
				false,
			],
			[
				'In the URL, with an expression',
				{ callbackUrl: '={{ $json.url }}', callbackAuthentication: 'url' },
				false,
			],
		])('%s', (_, options, isShown) => {
			for (const operation of operations) {
				expect(shown(operation, options)).toEqual({ required: true, shown: isShown });
			}
			expect(shown(silent, options).shown).toBe(false);
		});
	});
});
