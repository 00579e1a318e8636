import { demo } from '../../sandbox/demo.cts';
import { sharedN8n, type TestN8n } from './support/n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './support/openSandbox.cts';
import { credentialOf, manualWorkflow, partnerNode } from './support/workflows.cts';

/** The partner API's token expires. Which n8n notices that by itself depends on its version. */

let n8n: TestN8n;
let service: OpenSandbox;

const phones = Array.from({ length: 30 }, (_, index) => `7916555${1_000 + index}`);
const logIns = () => service.sandbox.world.requests.count('POST /auth/token');

beforeAll(async () => {
	[n8n, service] = await Promise.all([sharedN8n(), startOpenSandbox({ speed: 0 })]);
	await n8n.importCredentials(Object.values(service.credentials));
	const credentials = credentialOf(service.credentials.partner);
	await n8n.importWorkflow(
		manualWorkflow('companies', {
			name: 'Companies',
			type: partnerNode,
			parameters: { resource: 'company', operation: 'getAll', returnAll: true },
			credentials,
		}),
	);
	const block = manualWorkflow('numbers', {
		name: 'Block',
		type: partnerNode,
		parameters: {
			resource: 'blacklist',
			operation: 'add',
			companyId: { __rl: true, mode: 'id', value: demo.companies.flowers },
			msisdn: '={{ $json.phone }}',
		},
		credentials,
	});
	const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	await n8n.importWorkflow({
		...block,
		nodes: [
			...block.nodes,
			{
				id: 'numbers-list',
				name: 'Numbers',
				type: 'n8n-nodes-base.code',
				typeVersion: 2,
				position: [120, 0],
				parameters: {
					jsCode: `return ${JSON.stringify(phones)}.map((phone) => ({ json: { phone } }));`,
				},
			},
		],
		connections: { Start: to('Numbers'), Numbers: to('Block') },
	});
});

test('two runs with a valid token: one log-in', async () => {
	const first = await n8n.run('companies', { triggerNode: 'Start' });
	const second = await n8n.run('companies', { triggerNode: 'Start' });
	for (const run of [first, second]) expect(run.items('Companies')).toHaveLength(3);
	expect(logIns()).toBe(1);
});

test.each([
	['expired', async () => void (await service.sandbox.advance(2 * 3_600_000))],
	['forgotten by the service', async () => service.store.tokens.clear()],
])('%s: the next run logs in once and succeeds', async (_, invalidate) => {
	const before = logIns();
	await invalidate();
	const run = await n8n.run('companies', { triggerNode: 'Start' });
	expect([run.status, run.error?.message]).toEqual(['success', undefined]);
	expect(run.items('Companies')).toHaveLength(3);
	expect(logIns()).toBe(before + 1);
});

test('the login is changed in the editor: the token of the old one is not used any more', async () => {
	const { partner } = service.credentials;
	// What the editor does: it gets the credential with its secrets blanked, and sends all of it back.
	const { data } = (await n8n.session.credential(partner.id)) ?? {};
	const change = async (login: unknown) =>
		await n8n.session.updateCredential({ ...partner, data: { ...data, login } });
	await change('somebody-else');
	const run = await n8n.run('companies', { triggerNode: 'Start' });
	expect([run.status, run.error?.message]).toEqual([
		'error',
		expect.stringContaining('rejected the login'),
	]);
	await change(partner.data.login);
	expect((await n8n.run('companies', { triggerNode: 'Start' })).status).toBe('success');
});

test('many calls at once find it expired: they share one log-in, and none is lost', async () => {
	const before = logIns();
	service.store.tokens.clear();
	const run = await n8n.run('numbers', { triggerNode: 'Start' });
	expect([run.status, run.error?.message]).toEqual(['success', undefined]);
	expect(logIns()).toBe(before + 1);
	const blocked = service.store.blacklists.get(demo.companies.flowers);
	expect(phones.filter((phone) => !blocked?.has(phone))).toEqual([]);
});

test('the service rejects every token: the run stops with a reason, after one more log-in', async () => {
	const before = logIns();
	service.store.tokens.clear();
	service.sandbox.faults.add({
		kind: 'status',
		status: 401,
		match: { method: 'GET', path: '*/company' },
		times: 100,
	});
	const run = await n8n.run('companies', { triggerNode: 'Start' });
	expect(run.status).toBe('error');
	expect(run.error?.message).toContain('rejected');
	expect(logIns()).toBe(before + 1);
});
