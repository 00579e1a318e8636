import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { withoutCode } from '../../core/contract/dispatchName';
import { demo } from '../../sandbox/demo.cts';
import { startN8n, type Credential, type OwnN8n } from './support/n8n.cts';
import { startOpenSandbox, type OpenSandbox } from './support/openSandbox.cts';
import { credentialOf, manualWorkflow, messagingNode, partnerNode } from './support/workflows.cts';
import { nothing, triggered } from './trigger/workflows.cts';

/**
 * Everything the package does with secrets, in an n8n that keeps all it can: every execution is saved, and the log says
 * what it has to say. Then whatever n8n has written is searched for them.
 */

const callbackLogin = { login: 'callbacks-of-the-test', password: 'C@llback/p+ss%w"rd 17' };
const basic = Buffer.from(`${callbackLogin.login}:${callbackLogin.password}`).toString('base64');

let n8n: OwnN8n;
let service: OpenSandbox;
let callback: Credential;
/** By what it is. */
let secrets: Record<string, string>;
let statuses: Record<string, string>;

/** The secret as it may have been written: as it is, in JSON (twice), in an address, in base64 at each of its three places. */
const formsOf = (secret: string): string[] => {
	const inJson = JSON.stringify(secret).slice(1, -1);
	const inBase64 = [0, 1, 2].map((offset) => {
		const padded = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
		// The letters at both ends depend on what stands beside the secret.
		return padded
			.toString('base64')
			.replace(/=+$/, '')
			.slice(offset === 0 ? 0 : offset + 1, -1);
	});
	return [
		secret,
		inJson,
		JSON.stringify(inJson).slice(1, -1),
		encodeURIComponent(secret),
		encodeURIComponent(secret).toLowerCase(),
		encodeURIComponent(encodeURIComponent(secret)),
		...inBase64,
		...inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
	];
};

/** Which secrets a text holds. */
const foundIn = (text: string): string[] =>
	Object.entries(secrets)
		.filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
		.map(([name]) => name);

const filesBelow = (folder: string): string[] =>
	readdirSync(folder, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile())
		.map((entry) => path.join(entry.parentPath, entry.name));

/** Every row of every table, as text. */
const rowsOf = (file: string): Array<{ table: string; text: string }> => {
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		const tables = database
			.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
			.all()
			.map(({ name }) => String(name));
		return tables.flatMap((table) =>
			database
				.prepare(`SELECT * FROM "${table}"`)
				.all()
				.map((row) => ({ table, text: Object.values(row).map(String).join('\n') })),
		);
	} finally {
		database.close();
	}
};

const run = async (
	id: string,
	type: string,
	operation: string,
	parameters: Record<string, unknown>,
	credentials: Credential[],
) => {
	const [resource, value] = operation.split('.');
	await n8n.importWorkflow({
		...manualWorkflow(id, {
			name: 'Action',
			type,
			parameters: { resource, operation: value, ...parameters },
			credentials: Object.assign({}, ...credentials.map(credentialOf)) as Record<
				string,
				{ id: string; name: string }
			>,
		}),
		settings: {
			executionOrder: 'v1',
			saveManualExecutions: true,
			saveDataErrorExecution: 'all',
			saveDataSuccessExecution: 'all',
			saveExecutionProgress: true,
		},
	});
	const execution = await n8n.run(id, { triggerNode: 'Start' });
	statuses[id] = execution.status;
	return execution;
};

/** What a call has told the service. */
const givenTo = {
	partner: /^(?:partner password|token)/,
	partnerWithCallback: /^(?:partner password|token|callback)/,
	messaging: /^API key/,
	messagingWithCallback: /^(?:API key|callback)/,
};

/** The next such requests are refused by somebody who repeats every secret that he was given. */
const refuseRepeating = (status: number, requestPath: string, given: RegExp, method?: string) => {
	// Every execution knows the newest token, and those it gets itself.
	const tokens = [...service.store.tokens.keys()];
	for (const [index, token] of tokens.entries()) secrets[`token ${index + 1}`] = token;
	const isOld = (name: string) => name.startsWith('token') && name !== `token ${tokens.length}`;
	const repeated = Object.entries(secrets)
		.filter(([name]) => given.test(name) && !isOld(name))
		.flatMap(([, secret]) => [secret, encodeURIComponent(secret)]);
	service.sandbox.faults.clear();
	service.sandbox.faults.add({
		kind: 'status',
		status,
		times: 10,
		match: { path: requestPath, method },
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ error: { code: status * 10, msg: `Not with ${repeated.join(', ')}` } }),
	});
};

beforeAll(async () => {
	statuses = {};
	[n8n, service] = await Promise.all([
		startN8n({
			hasEditor: true,
			environment: {
				N8N_LOG_LEVEL: 'debug',
				N8N_LOG_OUTPUT: 'console',
				EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'all',
				EXECUTIONS_DATA_SAVE_ON_ERROR: 'all',
				EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS: 'true',
				EXECUTIONS_DATA_SAVE_ON_PROGRESS: 'true',
			},
		}),
		startOpenSandbox({ speed: 60 }),
	]);
	callback = { ...service.credentials.callback, data: callbackLogin };
	await n8n.importCredentials([
		service.credentials.partner,
		service.credentials.messaging,
		callback,
	]);
});

test('everything that touches a secret is done once', async () => {
	const { partner, messaging } = service.credentials;
	secrets = {
		'partner password': demo.password,
		'API key': demo.apiKey,
		'callback password': callbackLogin.password,
		'callback Basic header': basic,
	};

	await n8n.importWorkflow(
		triggered('hooks', nothing, { options: { includeHeaders: true, includeQuery: true } }),
	);
	await n8n.publish('hooks');
	const callbackUrl = `${n8n.url}/webhook/hooks/fast`;

	await run('log-in', partnerNode, 'company.getAll', {}, [partner]);
	expect(service.store.tokens.size).toBeGreaterThan(0);

	const dispatchParameters = {
		companyId: { __rl: true, mode: 'id', value: String(demo.companies.flowers) },
		channelType: 'SMS',
		text: 'Hello',
		recipients: 'define',
		messages: { recipient: [{ destination: demo.numbers.mts }] },
		options: {
			callbackUrl,
			callbackEvents: ['delivered', 'sent'],
			senderIds: [demo.senders.mts],
		},
	};
	const created = await run(
		'create',
		partnerNode,
		'dispatch.create',
		{ ...dispatchParameters, name: 'With callbacks' },
		[partner, callback],
	);
	const dispatchId = String(created.items('Action')[0]?.json.dispatchId);
	const stored = [...service.store.dispatches.values()].find(
		({ name }) => withoutCode(name) === 'With callbacks',
	);
	// The one place where they belong.
	expect(decodeURIComponent(new URL(String(stored?.callbackUrl)).password)).toBe(
		callbackLogin.password,
	);
	await run(
		'start',
		partnerNode,
		'dispatch.start',
		{ id: { __rl: true, mode: 'id', value: dispatchId } },
		[partner],
	);
	await run(
		'get',
		partnerNode,
		'dispatch.get',
		{ id: { __rl: true, mode: 'id', value: dispatchId } },
		[partner],
	);

	const message = {
		channelType: 'SMS',
		senderName: demo.senderNames.sms,
		destination: demo.numbers.mts,
		text: 'Hello',
		options: { callbackUrl, callbackEvents: ['delivered', 'sent', 'price'] },
	};
	await run('send', messagingNode, 'message.send', message, [messaging, callback]);
	await run('list', messagingNode, 'message.getAll', { simplify: false }, [messaging]);
	await run('balance', messagingNode, 'account.getBalance', {}, [messaging]);

	for (const status of [400, 401, 500]) {
		// Not the list, which is read again until it can be read.
		refuseRepeating(status, '*/dispatches', givenTo.partnerWithCallback, 'POST');
		await run(
			`create-${status}`,
			partnerNode,
			'dispatch.create',
			// With the text of the dispatch above, everybody would have it already, and nothing would be created.
			{ ...dispatchParameters, name: `Refused ${status}`, text: `Hello ${status}` },
			[partner, callback],
		);
		refuseRepeating(status, '*/message', givenTo.messagingWithCallback);
		await run(`send-${status}`, messagingNode, 'message.send', message, [messaging, callback]);
		refuseRepeating(status, '*/company', givenTo.partner);
		await run(`companies-${status}`, partnerNode, 'company.getAll', {}, [partner]);
		refuseRepeating(status, '*/balance', givenTo.messaging);
		await run(`balance-${status}`, messagingNode, 'account.getBalance', {}, [messaging]);
		service.sandbox.faults.clear();
	}
	// The log-in itself is refused, when it is renewed and when the credential is tested.
	service.store.tokens.clear();
	refuseRepeating(401, '*/auth/token', givenTo.partner);
	await run('no-log-in', partnerNode, 'company.getAll', {}, [partner]);
	const tested = await n8n.session.testCredential(partner);
	expect(tested.status).toBe('Error');
	expect(foundIn(tested.message)).toEqual([]);
	service.sandbox.faults.clear();

	const event = { event: 'sent', messageUuid: 'm-1', destination: '79161234567', status: 'SENT' };
	const forged = { ...event, sentAt: '2026-03-02T07:00:02Z' };
	expect(
		await n8n.postWebhook('hooks/fast', forged, { authorization: `Basic ${basic}` }),
	).toMatchObject({
		status: 200,
	});
	expect(
		await n8n.postWebhook('hooks/fast', forged, { authorization: 'Basic wrong' }),
	).toMatchObject({
		status: 401,
	});
	while (service.sandbox.callbacks.length < 2) await service.sandbox.advance(60_000);
	while (service.sandbox.callbacks.some(({ state }) => state === 'pending')) {
		await service.sandbox.advance(300_000);
	}

	expect(statuses).toMatchObject({
		'log-in': 'success',
		create: 'success',
		start: 'success',
		get: 'success',
		send: 'success',
		list: 'success',
		balance: 'success',
		'create-400': 'error',
		'create-401': 'error',
		'create-500': 'error',
		'send-401': 'error',
		'companies-500': 'error',
		'no-log-in': 'error',
	});
	expect((await n8n.executions('hooks')).length).toBeGreaterThanOrEqual(2);
});

test('the search finds what is there', () => {
	for (const secret of Object.values(secrets)) {
		for (const text of [
			secret,
			JSON.stringify({ a: JSON.stringify({ secret }) }),
			`https://x.example/?a=${encodeURIComponent(secret)}&b`,
			...['', 'a', 'ab'].map((before) => Buffer.from(`${before}${secret}:x`).toString('base64')),
		]) {
			expect(foundIn(text)).not.toEqual([]);
		}
	}
	expect(foundIn('nothing of the kind')).toEqual([]);
});

test('the log of callbacks that the service keeps shows no password', () => {
	expect(service.sandbox.callbacks.length).toBeGreaterThan(0);
	const shown = service.sandbox.callbacks.map(({ url, body, attempts }) => ({
		url,
		body,
		attempts,
	}));
	expect(foundIn(JSON.stringify(shown))).toEqual([]);
});

test('no table, no log and no file of n8n holds a secret', async () => {
	await n8n.stop();
	const files = filesBelow(n8n.folder);
	const databases = files.filter((file) => file.endsWith('database.sqlite'));
	expect(databases).toHaveLength(1);

	const rows = rowsOf(databases[0] ?? '');
	const countOf = (name: string) => rows.filter(({ table }) => table === name).length;
	expect(countOf('execution_data')).toBeGreaterThan(20);
	// The demo's credentials are in the database from the beginning.
	expect(countOf('credentials_entity')).toBeGreaterThanOrEqual(3);
	const inTables = rows
		.map(({ table, text }) => ({ table, found: foundIn(text), text }))
		.filter(({ found }) => found.length > 0)
		.map(({ table, found }) => `${table}: ${found.join(', ')}`);
	expect(inTables).toEqual([]);

	const log = readFileSync(path.join(n8n.folder, 'n8n.log'), 'utf8');
	expect(log).toMatch(/debug/i);
	expect(log.length).toBeGreaterThan(10_000);

	// Without what npm has installed there, which was there before any secret.
	const own = files.filter((file) => !file.includes(`${path.sep}node_modules${path.sep}`));
	expect(own.length).toBeGreaterThan(3);
	const inFiles = own
		.map((file) => ({ file, found: foundIn(readFileSync(file, 'latin1')) }))
		.filter(({ found }) => found.length > 0)
		.map(({ file, found }) => `${path.relative(n8n.folder, file)}: ${found.join(', ')}`);
	expect(inFiles).toEqual([]);
});
