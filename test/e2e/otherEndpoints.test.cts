import { demo } from '../../sandbox/demo.cts';
import { pdf } from '../partner/table/files.cts';
import { sharedN8n, type Credential, type TestN8n } from './support/n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './support/openSandbox.cts';
import { credentialOf, manualWorkflow, partnerNode } from './support/workflows.cts';

/** Endpoints without an operation are called with n8n's HTTP Request node and our credentials. */

let n8n: TestN8n;
let service: OpenSandbox;

const start = { triggerNode: 'Start' };
const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
const logIns = () => service.sandbox.world.requests.count('POST /auth/token');

/** The HTTP Request node as a user sets it up, with the path below the credential's base URL. */
const request = (credential: Credential, path: string, parameters: Record<string, unknown>) => ({
	name: 'Request',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		url: `${String(credential.data.baseUrl)}${path}`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: credential.type,
		...parameters,
	},
	credentials: credentialOf(credential),
});

const run = async (
	id: string,
	credential: Credential,
	path: string,
	parameters: Record<string, unknown>,
) => {
	await n8n.importWorkflow(manualWorkflow(id, request(credential, path, parameters)));
	const execution = await n8n.run(id, start);
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	return execution.items('Request').map(({ json }) => json);
};

/** One entry per page, until a page is empty. */
const allPages = (sizeName: string) => ({
	sendQuery: true,
	queryParameters: { parameters: [{ name: sizeName, value: '1' }] },
	options: {
		pagination: {
			pagination: {
				parameters: { parameters: [{ name: 'page', value: '={{ $pageCount + 1 }}' }] },
				paginationCompleteWhen: 'other',
				completeExpression: '={{ $response.body.items?.length === 0 }}',
			},
		},
	},
});
const entriesOf = (pages: ReadonlyArray<Record<string, unknown>>) =>
	pages.flatMap(({ items }) => items as Array<Record<string, unknown>>);

beforeAll(async () => {
	[n8n, service] = await Promise.all([sharedN8n(), startOpenSandbox({ speed: 0 })]);
	await n8n.importCredentials(Object.values(service.credentials));
});

describe('the partner credential', () => {
	const partner = () => service.credentials.partner;

	test('logs in, and reads a list page by page', async () => {
		const pages = await run('pages', partner(), '/company', allPages('per_page'));
		const ids = [...service.store.companies.keys()];
		expect(ids.length).toBeGreaterThan(2);
		expect(entriesOf(pages).map(({ companyId }) => companyId)).toEqual(ids);
		expect(logIns()).toBe(1);
	});

	test('with an expired token, paging fails visibly, and works after an operation of our node', async () => {
		// n8n doesn't renew a token while it reads pages.
		service.store.tokens.clear();
		await n8n.importWorkflow(
			manualWorkflow('expired', request(partner(), '/company', allPages('per_page'))),
		);
		expect(await n8n.run('expired', start)).toMatchObject({ status: 'error' });
		await n8n.importWorkflow(
			manualWorkflow('renewing', {
				name: 'Companies',
				type: partnerNode,
				parameters: { resource: 'company', operation: 'getAll' },
				credentials: credentialOf(partner()),
			}),
		);
		expect(await n8n.run('renewing', start)).toMatchObject({ status: 'success' });
		expect(await n8n.run('expired', start)).toMatchObject({ status: 'success' });
		expect(logIns()).toBe(2);
	});

	test('posts JSON, and renews its token after a 401', async () => {
		service.store.tokens.clear();
		const company = {
			name: 'Lighthouse Books',
			counteragentType: 'LEGAL',
			counteragentInn: '7707083893',
		};
		const [created] = await run('create', partner(), '/company', {
			method: 'POST',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: JSON.stringify({ company }),
		});
		expect(service.store.companies.get(Number(created?.companyId))).toMatchObject(company);
	});

	test('uploads a document; with an expired token, it does so at the second try', async () => {
		const before = service.store.documents.size;
		const path = `/company/${demo.companies.flowers}/documents`;
		const upload = manualWorkflow(
			'upload',
			request(partner(), path, {
				method: 'POST',
				sendBody: true,
				contentType: 'multipart-form-data',
				bodyParameters: {
					parameters: [
						{ parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' },
					],
				},
			}),
		);
		const content = JSON.stringify(pdf.toString('base64'));
		await n8n.importWorkflow({
			...upload,
			nodes: [
				...upload.nodes,
				{
					id: 'upload-file',
					name: 'File',
					type: 'n8n-nodes-base.code',
					typeVersion: 2,
					position: [120, 0],
					parameters: {
						jsCode: `return [{ json: {}, binary: { data: { data: ${content}, mimeType: 'application/pdf', fileName: 'certificate.pdf' } } }];`,
					},
				},
			],
			connections: { Start: to('File'), File: to('Request') },
		});
		// n8n renews the token, but doesn't send a form again.
		service.store.tokens.clear();
		expect(await n8n.run('upload', start)).toMatchObject({ status: 'error' });
		expect(service.store.documents.size).toBe(before);
		const execution = await n8n.run('upload', start);
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		const [document] = execution.items('Request').map(({ json }) => json);
		expect(service.store.documents.size).toBe(before + 1);
		expect(service.store.documents.get(String(document?.id))).toMatchObject({
			companyId: demo.companies.flowers,
			filename: 'certificate.pdf',
			contentType: 'application/pdf',
			size: pdf.byteLength,
		});
	});
});

describe('the credential with an API key', () => {
	const messaging = () => service.credentials.messaging;

	test('posts JSON, and reads a list page by page', async () => {
		const texts = ['First', 'Second', 'Third'];
		await run('send', messaging(), '/message', {
			method: 'POST',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: JSON.stringify(
				texts.map((content) => ({
					channelType: 'SMS',
					senderName: demo.senderNames.sms,
					destination: demo.numbers.mts,
					content,
				})),
			),
		});
		const pages = await run('messages', messaging(), '/message', allPages('per_page'));
		const contents = entriesOf(pages).map(({ content }) => content);
		expect(contents).toEqual(expect.arrayContaining(texts));
		expect(pages.length).toBeGreaterThan(texts.length);
	});
});
