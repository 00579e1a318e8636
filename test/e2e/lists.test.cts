import { listSearch, loadOptions } from '../../nodes/BulkMessagingPartner/methods/lists';
import { demo } from '../../sandbox/demo.cts';
import { fill } from '../partner/editor.cts';
import { addDispatches } from '../partner/table/dispatches.cts';
import { virtualNow } from '../support/sandbox.cts';
import { sharedN8n, type TestN8n } from './support/n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './support/openSandbox.cts';
import { credentialOf, partnerNode } from './support/workflows.cts';

/** What the editor shows when somebody opens the list of a field, with the company chosen above it. */

const { flowers } = demo.companies;
const asked = new Set<string>();
const nothingChosen = { __rl: true, mode: 'list', value: '' };
const chosen = { ...nothingChosen, value: flowers, cachedResultName: 'Camomile Flowers LLC' };
const ofFlowers = <Entry extends { companyId: number }>(entries: Iterable<Entry>) =>
	[...entries].filter(({ companyId }) => companyId === flowers);

let n8n: TestN8n;
let service: OpenSandbox;
beforeAll(async () => {
	[n8n, service] = await Promise.all([
		sharedN8n(),
		startOpenSandbox({ speed: 0, now: virtualNow }),
	]);
	await addDispatches(service.sandbox, 2);
	await fill.searchDocuments(service.sandbox, 2);
	await n8n.importCredentials([service.credentials.partner]);
});

const listed = async (parameter: string, method: string, companyId: unknown, filter?: string) => {
	asked.add(method);
	const { results } = await n8n.session.searchList({
		nodeType: partnerNode,
		version: 1,
		parameter,
		method,
		filter,
		parameters: { resource: 'dispatch', operation: 'get', companyId },
		credentials: credentialOf(service.credentials.partner),
	});
	return results.map(({ value }) => value);
};

test('dispatches, the newest first', async () => {
	const expected = ofFlowers(service.store.dispatches.values())
		.map(({ id }) => id)
		.sort((a, b) => b - a);
	expect(expected).toHaveLength(4);
	expect(await listed('id', 'searchDispatches', chosen)).toEqual(expected);
});

test('sender names, one to choose', async () => {
	const expected = ofFlowers(service.store.senders.values()).map(({ id }) => id);
	expect(await listed('id', 'searchSenders', chosen)).toEqual(expected);
});

test('sender names, several to choose: those a dispatch of this channel can use', async () => {
	const method = 'getSenders';
	asked.add(method);
	const options = await n8n.session.ask<Array<{ value: number }>>(
		'POST',
		'/rest/dynamic-node-parameters/options',
		{
			path: 'parameters.options.senderIds',
			nodeTypeAndVersion: { name: partnerNode, version: 1 },
			methodName: method,
			currentNodeParameters: {
				resource: 'dispatch',
				operation: 'create',
				companyId: chosen,
				channelType: 'SMS',
			},
			credentials: credentialOf(service.credentials.partner),
		},
	);
	const expected = ofFlowers(service.store.senders.values())
		.filter(
			({ channelType, status, suspended }) =>
				channelType === 'SMS' && status === 'APPROVED' && !suspended,
		)
		.map(({ id }) => id);
	expect(expected.length).toBeGreaterThan(3);
	expect(options.map(({ value }) => value)).toEqual(expected);
});

test('documents', async () => {
	const documents = await listed('documentId', 'searchDocuments', chosen);
	expect(documents.sort()).toEqual([...service.store.documents.keys()].sort());
});

test('no company chosen: the list says what to do', async () => {
	await expect(listed('id', 'searchSenders', nothingChosen)).rejects.toThrow(
		'Choose a company first',
	);
});

test('companies', async () => {
	expect(await listed('companyId', 'searchCompanies', chosen)).toEqual([
		...service.store.companies.keys(),
	]);
	expect(await listed('companyId', 'searchCompanies', chosen, 'AMOMI')).toEqual([flowers]);
});

test('no list of the node was left out', () => {
	expect([...asked].sort()).toEqual(Object.keys({ ...listSearch, ...loadOptions }).sort());
});
