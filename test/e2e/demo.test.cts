import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { readSamples } from '../../host/n8n/samples.cts';
import { Session } from '../../host/n8n/session.cts';
import type { StoredWorkflow } from '../../host/n8n/workflow.cts';
import { freePort } from '../../host/process/ports.cts';
import { openEditor } from './support/browser.cts';
import { undoAfterwards } from './support/cleanup.cts';
import { demoFolder } from './support/demo.cts';
import { groupsGone, isGroupRunning } from './support/processes.cts';

const sample = 'sample01FirstDispatch';

async function signIn(port: number) {
	const session = new Session(`http://127.0.0.1:${port}`, process.env.E2E_HOST ?? '');
	await session.login();
	return session;
}

/** As n8n's overview lists them. */
async function listed(session: Session) {
	const workflows = await session.ask<StoredWorkflow[]>(
		'GET',
		'/rest/workflows?sortBy=updatedAt:desc',
	);
	return workflows.map(({ name }) => name);
}

/** What the service itself says it has. */
async function dispatchesAt(sandboxPort: number) {
	const response = await fetch(`http://127.0.0.1:${sandboxPort}/_sandbox/state`);
	const { dispatches } = (await response.json()) as { dispatches: unknown[] };
	return dispatches;
}

/** What somebody does who has never seen it: sign in as the demo says, open the first sample, press the button. */
async function tryFirstSample(url: string, name: string) {
	const { page, picture, screenshot, open } = await openEditor({ url });
	await page.getByText(name, { exact: true }).first().waitFor();
	await screenshot('demo-1-first-screen');
	await page.getByText(name, { exact: true }).first().click();
	await page.getByTestId('canvas-node').first().waitFor();
	await page.getByTestId('execute-workflow-button').click();
	await page.getByText('Workflow executed successfully').waitFor();
	await page.getByText('Workflow executed successfully').waitFor({ state: 'hidden' });
	await picture('first-sample');
	await screenshot('demo-2-executed');
	const shown = async (node: string) => {
		const panel = await open(node);
		await panel.getByTestId('output-panel').getByTestId('radio-button-schema').click();
		return panel.getByTestId('output-panel');
	};

	const sent = await shown('Send dispatch');
	await sent.getByText('dispatchId').first().waitFor();
	await picture('dispatch-send');
	await screenshot('demo-3-send');
	const result = await shown('Summary');
	await result.getByText('4 of 4 messages delivered, 0 failed, 0 still pending').waitFor();
	await screenshot('demo-4-result');
	await page.close();
}

/** As if the sample had another content in the checkout than when it was provisioned. */
function pretendSampleIsNew(folder: string) {
	const file = path.join(folder, 'provisioned.json');
	const provisioned = JSON.parse(readFileSync(file, 'utf8')) as {
		workflows: Record<string, { sample: string }>;
	};
	provisioned.workflows[sample].sample = 'another';
	writeFileSync(file, JSON.stringify(provisioned));
}

test('a killed demo leaves no process, the next one keeps what was made, Ctrl-C ends it all', async () => {
	const { folder, start } = demoFolder();
	const port = await freePort();
	const sandboxPort = await freePort();
	const ports = ['--port', String(port), '--sandbox-port', String(sandboxPort)];

	const first = start(ports);
	await first.until('Ready.');
	const session = await signIn(port);
	// The first screen: the samples in their order, the first on top.
	const samples = readSamples().map(({ workflow }) => workflow.name);
	expect(await listed(session)).toEqual(samples);
	await tryFirstSample(`http://127.0.0.1:${port}`, samples[0] ?? '');
	expect(await dispatchesAt(sandboxPort)).toContainEqual(
		expect.objectContaining({
			name: 'My first dispatch',
			status: 'COMPLETED',
			messages: expect.objectContaining({ total: 4, delivered: 4 }),
		}),
	);
	const original = (await session.workflow(sample)) as StoredWorkflow;
	await session.addWorkflow({ ...original, name: 'Made by the user' });
	await session.putWorkflow({ ...original, name: 'Edited by the user' });
	const { demo, children } = first.processes();
	expect(children.filter(isGroupRunning)).toHaveLength(2);
	process.kill(demo, 'SIGKILL');
	await groupsGone(children);
	expect(await first.exitCode).toBe(137);

	pretendSampleIsNew(folder);
	const second = start(ports);
	await second.until('Ready.');
	await session.login();
	expect((await listed(session)).sort()).toEqual([
		...samples,
		'Edited by the user (your version)',
		'Made by the user',
	]);

	const third = start(ports);
	expect(await third.exitCode).toBe(1);
	expect(third.output()).toContain('A demo is already running');

	const again = second.processes();
	process.kill(again.bootstrap, 'SIGINT');
	expect(await second.exitCode).toBe(0);
	expect([again.demo, ...again.children].filter(isGroupRunning)).toEqual([]);
});

test('kill -9 of what npm has started ends it all, too', async () => {
	const { start } = demoFolder();
	const ports = ['--port', String(await freePort()), '--sandbox-port', String(await freePort())];
	const running = start(ports);
	await running.until('Ready.');
	const { bootstrap, demo, children } = running.processes();
	expect(children.filter(isGroupRunning)).toHaveLength(2);

	process.kill(bootstrap, 'SIGKILL');

	await groupsGone([demo, ...children]);
});

describe('a problem is reported in one line', () => {
	const sentence = async (args: string[], environment?: Record<string, string>) => {
		const demo = demoFolder().start(args, environment);
		expect(await demo.exitCode).toBe(1);
		expect(demo.output()).not.toMatch(/\n\s+at /);
		return demo.output().trim().split('\n').at(-1);
	};

	test('a flag it does not know', async () => {
		expect(await sentence(['--nonsense'])).toBe(
			"Unknown option '--nonsense'. See npm run demo -- --help.",
		);
	});

	test('a port that is none', async () => {
		expect(await sentence(['--port', '80'])).toBe(
			'--port needs a port number from 1024 to 65535, not "80".',
		);
	});

	test('a port in use', async () => {
		const server = createServer();
		const port = await freePort();
		await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
		undoAfterwards(async () => await new Promise((resolve) => server.close(() => resolve())));

		expect(await sentence(['--port', String(port)])).toBe(
			`Port ${port} is in use. Stop the program that uses it, or choose another port: npm run demo -- --port N`,
		);
	});

	test('no network, and n8n is not there yet', async () => {
		const { folder } = demoFolder();
		const environment = { XDG_CACHE_HOME: folder, npm_config_registry: 'http://127.0.0.1:1/' };
		const ports = ['--port', String(await freePort()), '--sandbox-port', String(await freePort())];

		expect(await sentence(ports, environment)).toBe(
			"The npm registry can't be reached, and n8n must be downloaded once. Check the network (or npm's proxy and registry settings) and start again.",
		);
	});
});
