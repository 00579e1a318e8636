import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { runNode, type Credentials } from '../support/n8n.cts';
import { json, startServer, type Received, type TestServer } from '../support/server.cts';

const password = 'correct horse battery staple';
const token = 'token-of-the-day';

let server: TestServer;
/** What `POST /company` answers; set by a test. */
let answerCompany = (request: Received) => json(201, { companyId: nameOf(request).length });

const bodyOf = ({ body }: Received) =>
	JSON.parse(body.toString()) as { company: IDataObject; budget?: number };
const nameOf = (request: Received) => String(bodyOf(request).company.name);

beforeAll(async () => {
	server = await startServer((request) => {
		if (request.url === '/auth/token') return json(200, { token });
		if (request.url === '/company' && request.method === 'POST') return answerCompany(request);
		return json(404, { error: { code: 4040, msg: 'Not Found' } });
	});
});
afterAll(async () => await server.close());
beforeEach(() => {
	server.received.length = 0;
	answerCompany = (request) => json(201, { companyId: nameOf(request).length });
});

const credentials = (): Credentials => ({
	bulkMessagingPartnerApi: { baseUrl: server.url, login: 'partner', password },
});

const create = async (
	parameters: INodeParameters,
	more: { items?: IDataObject[]; onError?: OnError } = {},
) =>
	await runNode({
		node: new BulkMessagingPartner(),
		parameters: {
			resource: 'company',
			operation: 'create',
			name: 'Northwind',
			counteragentType: 'LEGAL',
			counteragentInn: '7707083893',
			...parameters,
		},
		credentials: credentials(),
		...more,
	});

const sent = () => server.receivedAt('POST', '/company').map(bodyOf);

describe('Company: Create', () => {
	test('sends exactly what the contract asks for, with the token of the log-in', async () => {
		const { items, error } = await create({
			additionalFields: {
				budget: 1500.5,
				counteragentAddress: 'Moscow',
				counteragentKpp: '773601001',
			},
		});
		expect(error).toBeUndefined();
		expect(items).toEqual([{ json: { companyId: 9 }, pairedItem: { item: 0 } }]);
		const [logIn, call] = server.received;
		expect(logIn?.url).toBe('/auth/token');
		expect(JSON.parse(String(logIn?.body))).toEqual({ login: 'partner', password });
		expect(logIn?.headers.authorization).toBeUndefined();
		expect(call?.headers).toMatchObject({
			authorization: `Bearer ${token}`,
			'content-type': 'application/json',
		});
		expect(sent()).toEqual([
			{
				company: {
					name: 'Northwind',
					counteragentType: 'LEGAL',
					counteragentInn: '7707083893',
					counteragentAddress: 'Moscow',
					counteragentKpp: '773601001',
				},
				budget: 1500.5,
			},
		]);
	});

	test.each([
		[{ name: '={{ "" }}' }, "'Name' is required"],
		[{ counteragentInn: '={{ $json.inn }}' }, "'Tax Number (INN)' is required"],
		[
			{ counteragentType: 'GUILD' },
			'\'Counterparty Type\' must be one of LEGAL, INDIVIDUAL, but is "GUILD"',
		],
		[
			{ additionalFields: { budget: -1 } },
			"'Monthly Budget' must not be below 0. For no limit, leave it out",
		],
	])('refuses %j before anything is sent', async (parameters: INodeParameters, message) => {
		const { error } = await create(parameters, { items: [{ list: [1] }] });
		expect(error?.message).toBe(message);
		expect(error?.description).toBe('Nothing was done.');
		expect(error?.context?.item).toBe(1);
		expect(server.received).toEqual([]);
	});

	test('one company per item, each linked to its own', async () => {
		const { items } = await create(
			{ name: '={{ $json.name }}' },
			{ items: [{ name: 'A' }, { name: 'Bcd' }, { name: 'Ef' }] },
		);
		expect(items).toEqual([
			{ json: { companyId: 1 }, pairedItem: { item: 0 } },
			{ json: { companyId: 3 }, pairedItem: { item: 1 } },
			{ json: { companyId: 2 }, pairedItem: { item: 2 } },
		]);
		expect(server.receivedAt('POST', '/auth/token')).toHaveLength(1);
	});

	test('an operation that does not exist is named', async () => {
		const { error } = await create({ operation: 'vanish' });
		expect(error?.message).toBe(
			'The operation "vanish" of the resource "company" doesn\'t exist in this version of the node',
		);
	});
});
