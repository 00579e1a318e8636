import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { partnerEndpoint } from '../../core/contract/endpoint';
import { alignColumns } from '../../core/engine/items';
import { defineOperation, type Resource } from '../../core/engine/operation';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { z } from '../../vendor/zod';
import { runNode, type NodeResult, type NodeRun } from '../support/n8n.cts';
import { resourceNode } from '../support/resourceNode.cts';
import { byId, jsonOf } from '../support/sandbox.cts';
import type * as Tempo from '../support/tempo.cts';
import { tempo } from '../support/tempo.cts';
import {
	json,
	reset,
	startServer,
	text,
	type Behaviour,
	type TestServer,
} from '../support/server.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof Tempo>('../support/tempo.cts').workflowAtTempo(),
);

let server: TestServer;
/** What the service answers, by method and path; set by a test. */
let answers: Record<string, Behaviour> = {};

beforeAll(async () => {
	server = await startServer((request) => {
		if (request.url === '/auth/token') return json(200, { token: 'token-of-the-day' });
		return answers[`${request.method} ${request.url}`] ?? json(404, {});
	});
});
afterAll(async () => await server.close());
beforeEach(() => {
	server.received.length = 0;
	answers = {};
});

const partner = new BulkMessagingPartner();
const credentials = () => ({
	bulkMessagingPartnerApi: { baseUrl: server.url, login: 'l', password: 'p' },
});
const run = async (operation: string, parameters: INodeParameters, more: Partial<NodeRun> = {}) => {
	const [resource = '', name = ''] = operation.split('.');
	return await runNode({
		node: partner,
		parameters: { resource, operation: name, ...parameters },
		credentials: credentials(),
		...more,
	});
};
const hintsOf = ({ run: execution }: NodeResult) =>
	(execution.data.resultData.runData.Tested?.at(-1)?.hints ?? []).map(({ message }) => message);
const hintFor = (items: string) =>
	`The service accepted the request for ${items}, but its response doesn't confirm the result. Check the result in your account on the provider's website before you run this again.`;

/** A call whose answer may be anything, and whose items rely on the fields of the known one. */
const thing = partnerEndpoint('POST', '/things', {
	reply: z.object({ thing: z.object({ id: z.number() }) }).passthrough(),
});
const stubbed: Resource = {
	value: 'thing',
	name: 'Thing',
	operations: [
		defineOperation({
			value: 'make',
			name: 'Make',
			action: 'Make thing',
			description: 'Make a thing',
			endpoint: thing,
			params: [],
			request: () => ({}),
			toItems: (reply) => [{ id: reply.thing.id }],
		}),
	],
};
const stubNode = resourceNode([stubbed]);
const make = async (items: IDataObject[] = [{}], more: Partial<NodeRun> = {}) =>
	await run('thing.make', {}, { node: stubNode, items, ...more });

describe('a change that the service accepted never fails because of its answer', () => {
	const flags = { accepted: true, confirmed: false };

	test.each<[string, Behaviour, IDataObject]>([
		['nothing at all', text(204, ''), { answer: null }],
		['an empty text', text(200, ''), { answer: null }],
		['null', json(200, null), { answer: null }],
		['text', text(200, 'OK'), { answer: 'OK' }],
		['a number', json(200, 42), { answer: 42 }],
		['an empty list', json(200, []), { answer: [] }],
		['a list', json(200, [{ id: 1 }]), { answer: [{ id: 1 }] }],
		['an empty object', json(200, {}), { answer: {} }],
		['another object', json(201, { id: 1, extra: null }), { id: 1, extra: null }],
		['a field of another type', json(200, { thing: null }), { thing: null }],
	])('%s', async (_, behaviour, expected) => {
		answers['POST /things'] = behaviour;
		const result = await make();
		expect(result.error).toBeUndefined();
		expect(result.items).toEqual([{ json: { ...expected, ...flags }, pairedItem: { item: 0 } }]);
		expect(hintsOf(result)).toEqual([hintFor('1 item')]);
		expect(server.receivedAt('POST', '/things')).toHaveLength(1);
	});

	test('one hint for all items', async () => {
		answers['POST /things'] = json(200, {});
		expect(hintsOf(await make([{}, {}, {}]))).toEqual([hintFor('3 items')]);
	});

	test('the known answer is left as it is, with whatever else is in it', async () => {
		answers['POST /things'] = json(200, { thing: { id: 5, more: true }, other: 1 });
		const result = await make();
		expect(jsonOf(result.items)).toEqual([{ id: 5 }]);
		expect(hintsOf(result)).toEqual([]);
	});

	test('an error that comes with a success: said in its words, as not known, and not sent again', async () => {
		answers['POST /things'] = json(200, { error: { code: 4000, msg: 'no token-of-the-day' } });
		const { error } = await make([{}], { tries: 2 });
		expect(error?.message).toBe('The service rejected the request as invalid');
		expect(error?.description).toMatch(/^It is not known whether the service carried this out\./);
		expect(error?.description).toContain('The service says: no ***');
		expect(server.receivedAt('POST', '/things')).toHaveLength(1);
	});
});

const company = { name: 'A', counteragentType: 'LEGAL', counteragentInn: '1' };

test.each([{ id: 77 }, { companyId: 0 }, { companyId: -1 }])(
	'a company whose answer is %j was created all the same',
	async (answer) => {
		answers['POST /company'] = json(201, answer);
		const result = await run('company.create', company);
		expect(jsonOf(result.items)).toEqual([{ ...answer, accepted: true, confirmed: false }]);
		expect(hintsOf(result)).toEqual([hintFor('1 item')]);
	},
);

test('Retry On Fail with a value that cannot be read any more: it is still not known whether the company was created', async () => {
	const name = `={{ Date.now() < ${Date.now() + 500_000} ? 'A' : '' }}`;
	answers['POST /company'] = async (...received) => {
		tempo.pausedMs += 1_000_000;
		await reset(...received);
	};
	const { error } = await run('company.create', { ...company, name }, { tries: 2 });
	expect(error?.description).toMatch(/^It is not known whether the service carried this out\./);
	expect(server.receivedAt('POST', '/company')).toHaveLength(1);
});

const sender = {
	id: 5,
	senderName: 'N',
	channelType: 'SMS',
	counteragentName: 'C',
	counteragentInn: '1',
	dateFrom: '2026-01-01T00:00:00Z',
	dateTo: '2026-12-31T00:00:00Z',
	commonType: 'COMMON',
	brand: 'MTS',
	status: 'APPROVED',
	fee: null,
	managerComment: null,
	rejectedAt: null,
	createdAt: '2026-01-01T00:00:00Z',
};
const recipient = { msisdn: '79161234567', companyId: 1 };
const dispatchParameters = { id: byId(5) };
const blacklistParameters = { companyId: byId(1), msisdn: '79161234567' };

describe('an answer that says something else than what was asked for', () => {
	test.each<[string, INodeParameters, string, IDataObject, IDataObject]>([
		[
			'sender.suspend',
			dispatchParameters,
			'POST /senders/5/suspend',
			{ ...sender, suspended: false },
			{ ...sender, suspended: true },
		],
		[
			'sender.unsuspend',
			dispatchParameters,
			'POST /senders/5/unsuspend',
			{ ...sender, suspended: true },
			{ ...sender, suspended: false },
		],
		[
			'blacklist.add',
			blacklistParameters,
			'PUT /recipients',
			{ ...recipient, blacklist: false },
			{ ...recipient, blacklist: true },
		],
		[
			'blacklist.remove',
			blacklistParameters,
			'PUT /recipients',
			{ ...recipient, blacklist: true },
			{ ...recipient, blacklist: false },
		],
	])('%s', async (operation, parameters, at, other, wanted) => {
		answers[at] = json(200, other);
		const result = await run(operation, { ...parameters, simplify: false });
		expect(jsonOf(result.items)).toEqual([{ ...other, accepted: true, confirmed: false }]);
		expect(hintsOf(result)).toEqual([hintFor('1 item')]);
		const [method = '', path = ''] = at.split(' ');
		expect(server.receivedAt(method, path)).toHaveLength(1);

		answers[at] = json(200, wanted);
		const confirmed = await run(operation, { ...parameters, simplify: false });
		expect(jsonOf(confirmed.items)).toEqual([wanted]);
		expect(hintsOf(confirmed)).toEqual([]);
	});

	test.each([
		['start', 'CREATED', 'STARTED'],
		['stop', 'STARTED', 'STOPPED'],
	])('dispatch.%s: %s is no success, and %s is', async (move, other, wanted) => {
		answers[`POST /dispatches/5/${move}`] = json(200, { id: 5, status: wanted });
		// It costs nothing, so Start doesn't wait for a price.
		const shown = { id: 5, status: other, messages: { total: 0 }, priceEstimate: 0 };
		answers['GET /dispatches/5'] = json(200, shown);
		answers['GET /price/tariffs'] = json(200, { tariffs: [{ currency: 'RUB' }] });
		const confirmed = await run(`dispatch.${move}`, dispatchParameters);
		expect(jsonOf(confirmed.items)).toEqual([{ dispatchId: 5, status: wanted }]);
		server.received.length = 0;
		answers[`POST /dispatches/5/${move}`] = json(200, { id: 5, status: other });
		const { items, error } = await run(`dispatch.${move}`, dispatchParameters);
		expect(items).toEqual([]);
		expect(error?.message).toBe(`It is not known whether dispatch 5 was ${wanted.toLowerCase()}`);
		// Once more, because it still shows the old status after a minute.
		expect(server.receivedAt('POST', `/dispatches/5/${move}`)).toHaveLength(2);
	});

	test('Start: one that was started before is not started again', async () => {
		answers['GET /dispatches/5'] = json(200, { id: 5, status: 'STARTED' });
		const result = await run('dispatch.start', dispatchParameters);
		expect(jsonOf(result.items)).toEqual([{ dispatchId: 5, status: 'STARTED' }]);
		expect(server.receivedAt('POST', '/dispatches/5/start')).toEqual([]);
	});

	test.each([
		['the closing date is not there', { ...sender, dateTo: null, suspended: false }, true],
		['it is not suspended', { ...sender, suspended: false }, false],
		['neither can be read', {}, undefined],
	])('Close: %s', async (_, closed, suspended) => {
		const last = suspended === undefined ? {} : { ...sender, suspended };
		answers['PUT /senders/5'] = json(200, closed);
		answers['POST /senders/5/suspend'] = json(200, last);
		const result = await run('sender.close', {
			id: byId(5),
			dateTo: '2026-12-31T00:00:00Z',
			suspend: true,
			simplify: false,
		});
		expect(jsonOf(result.items)).toMatchObject([{ accepted: true, confirmed: false }]);
		expect(hintsOf(result)).toEqual([hintFor('1 item')]);
	});
});

describe('what only reads, and cannot be understood, is an error and not an empty result', () => {
	const reads: Array<[string, INodeParameters, string]> = [
		['dispatch.get', dispatchParameters, 'GET /dispatches/5'],
		['sender.get', { companyId: byId(1), id: byId(5) }, 'GET /senders/5?companyId=1'],
		['sender.getAll', { companyId: byId(1) }, 'GET /senders?companyId=1'],
		['document.getAll', { companyId: byId(1) }, 'GET /company/1/documents'],
		['price.getTariffs', {}, 'GET /price/tariffs'],
		['price.getSenderFees', {}, 'GET /price/senders'],
		['price.estimateCost', { text: 'A', recipients: 1 }, 'GET /price/tariffs'],
		['dispatch.waitForCompletion', dispatchParameters, 'GET /dispatches/5'],
	];
	test.each(reads)('%s', async (operation, parameters, at) => {
		for (const [body, what] of [
			[{}, 'an empty object'],
			[{ items: null }, 'an object with the fields items'],
		] as const) {
			answers[at] = json(200, body);
			const { error, items } = await run(operation, parameters);
			expect(error?.message).toMatch(
				/^The service's response (couldn't be understood|doesn't contain a readable list)/,
			);
			expect(error?.description).toContain(`The service sent ${what}.`);
			expect(items).toEqual([]);
		}
		answers[at] = json(200, { error: { code: 4040, msg: 'gone' } });
		const { error } = await run(operation, parameters);
		expect(error?.message).toBe("The service didn't find the requested entry");
		expect(error?.description).toContain('The service says: gone');
	});
});

test('fields that only some items have get their place after the field before them, empty elsewhere', () => {
	const items = [
		{ id: 1, name: 'a' },
		{ id: 2, note: 'b', name: 'c' },
		{ name: 'd', last: 'e' },
	];
	const aligned = items.map((json) => ({ json }));
	alignColumns(aligned);
	expect(aligned.map(({ json }) => Object.entries(json).join(' '))).toEqual([
		'id,1 note, name,a last,',
		'id,2 note,b name,c last,',
		'note, name,d last,e',
	]);
});
