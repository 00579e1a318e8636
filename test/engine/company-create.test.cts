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
		['left out: unlimited', {}, undefined],
		['0 is sent as 0', { budget: 0 }, 0],
		['a number given as text', { budget: '={{ $json.budget }}' }, 250],
	])('budget %s', async (_, additionalFields, expected) => {
		const items = [{ budget: '250' }];
		const { error } = await create({ additionalFields }, { items });
		expect(error).toBeUndefined();
		expect(sent()[0]?.budget).toBe(expected);
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
		[{ name: '={{ "  " }}' }, "'Name' is required"],
		[
			{ additionalFields: { budget: 'much' } },
			'\'Monthly Budget\' must be a number, but is "much"',
		],
		[{ name: '={{ $json.list }}' }, "'Name' must be text, but is a list"],
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

	describe('when the second of three items fails', () => {
		const three = { items: [{ name: 'A' }, { name: 'bad' }, { name: 'Ef' }] };
		const message = 'The service rejected the request as invalid';
		const told = expect.stringMatching(`^${message}. .*The service says: `) as string;
		beforeEach(() => {
			answerCompany = (request) =>
				nameOf(request) === 'bad'
					? json(400, { error: { code: 4000, msg: 'counteragentInn is wrong' } })
					: json(201, { companyId: nameOf(request).length });
		});

		test('it stops there and names the item and the field', async () => {
			const { error } = await create({ name: '={{ $json.name }}' }, three);
			expect(error?.message).toBe(message);
			expect(error?.description).toContain("The service says: 'Tax Number (INN)' is wrong");
			expect(error?.context?.item).toBe(2);
			expect(error?.httpCode).toBe('400');
			expect(sent()).toHaveLength(2);
		});

		test('with Continue, the others go through and the failed one says why', async () => {
			const { items } = await create(
				{ name: '={{ $json.name }}' },
				{ ...three, onError: 'continueRegularOutput' },
			);
			expect(items.map(({ json: output, pairedItem }) => ({ output, pairedItem }))).toEqual([
				{ output: { companyId: 1 }, pairedItem: { item: 0 } },
				{ output: { name: 'bad', error: told }, pairedItem: { item: 1 } },
				{ output: { companyId: 2 }, pairedItem: { item: 2 } },
			]);
		});

		test('with an error output, it leaves there, still linked to its item', async () => {
			const { outputs } = await create(
				{ name: '={{ $json.name }}' },
				{ ...three, onError: 'continueErrorOutput' },
			);
			expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
			expect(outputs[1]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }]);
			expect(outputs[1]?.[0]?.json).toEqual({ name: 'bad', error: told });
		});
	});

	test('an outcome that is not known is said to be unknown, and nothing is sent again', async () => {
		answerCompany = () => (_, response) => response.socket?.resetAndDestroy();
		const { error } = await create({});
		expect(error?.message).toBe('The connection to the service was lost');
		expect(error?.description).toContain('It is not known whether the service carried this out');
		expect(sent()).toHaveLength(1);
	});

	test('no secret is in an error, not even when the service repeats it', async () => {
		answerCompany = () =>
			json(400, { error: { code: 4000, msg: `bad ${password} with ${token}` } });
		const { error, run } = await create({});
		expect(error?.description).toContain('bad *** with ***');
		expect(JSON.stringify(run)).not.toContain(password);
		expect(JSON.stringify(run)).not.toContain(token);
	});

	test('an operation that does not exist is named', async () => {
		const { error } = await create({ operation: 'vanish' });
		expect(error?.message).toBe(
			'The operation "vanish" of the resource "company" doesn\'t exist in this version of the node',
		);
	});
});
