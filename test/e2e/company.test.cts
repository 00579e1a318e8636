import { startN8n, type TestN8n } from './support/n8n.cts';
import { startSandbox, type TestSandbox } from './support/sandbox.cts';
import { credentialOf, manualWorkflow, partnerNode } from './support/workflows.cts';

let n8n: TestN8n;
let sandbox: TestSandbox;

beforeAll(async () => {
	[n8n, sandbox] = await Promise.all([startN8n(), startSandbox()]);
	await n8n.importCredentials(Object.values(sandbox.credentials));
});

test('Company: Create makes exactly one company in the service', async () => {
	const before = await sandbox.companies();
	await n8n.importWorkflow(
		manualWorkflow('companyCreate', {
			name: 'Create',
			type: partnerNode,
			parameters: {
				resource: 'company',
				operation: 'create',
				name: 'Lighthouse Books',
				counteragentType: 'LEGAL',
				counteragentInn: '7707083893',
			},
			credentials: credentialOf(sandbox.credentials.partner),
		}),
	);

	const execution = await n8n.run('companyCreate', { triggerNode: 'Start' });

	expect(execution.error?.message).toBeUndefined();
	const after = await sandbox.companies();
	const added = after.filter(({ companyId }) => !before.some((one) => one.companyId === companyId));
	expect(added).toMatchObject([{ name: 'Lighthouse Books', counteragentInn: '7707083893' }]);
	expect(execution.items('Create')).toMatchObject([
		{ json: { companyId: added[0].companyId }, pairedItem: { item: 0 } },
	]);
});

test('a list search finds a company by a part of its name', async () => {
	const [wanted] = await sandbox.companies();

	const { results } = await n8n.session.searchList({
		nodeType: partnerNode,
		version: 1,
		parameter: 'companyId',
		method: 'searchCompanies',
		filter: wanted.name.slice(1, 6).toUpperCase(),
		parameters: { resource: 'company', operation: 'update' },
		credentials: credentialOf(sandbox.credentials.partner),
	});

	expect(results).toContainEqual(
		expect.objectContaining({
			name: expect.stringContaining(wanted.name),
			value: wanted.companyId,
		}),
	);
});
