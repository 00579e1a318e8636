import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readSamples } from '../../host/demo/samples.cts';
import { Session } from '../../host/n8n/session.cts';
import type { StoredWorkflow } from '../../host/n8n/workflow.cts';
import { projectFolder } from '../../host/process/folders.cts';
import { freePort, isFree } from '../../host/process/ports.cts';
import { temporaryFolder } from '../../host/process/temporaryFolder.cts';
import { demo as demoData } from '../../sandbox/demo.cts';
import { openEditor } from './support/browser.cts';
import { undoAfterwards } from './support/cleanup.cts';
import { demoFolder } from './support/demo.cts';
import { startFilm } from './support/film.cts';
import { groupsGone, isGroupRunning, processesIn } from './support/processes.cts';
import { onlyPrograms } from './support/programs.cts';

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

/** What a new user does: sign in, open the first sample, press the button, watch the phones. The README's film shows it. */
async function tryFirstSample(url: string, sandboxUrl: string, name: string) {
	const { page, picture, screenshot, node, open, close } = await openEditor({ url });
	const film = startFilm();
	const usualSize = page.viewportSize() ?? film.size;
	const phones = await page.context().newPage();
	const newest = phones.locator('.bubble').last();
	await phones.setViewportSize(film.size);
	await phones.goto(`${sandboxUrl}/?number=${demoData.numbers.mts}`);
	await newest.waitFor();

	await page.bringToFront();
	await page.getByText(name, { exact: true }).first().waitFor();
	await screenshot('demo-1-first-screen');
	await page.setViewportSize(film.size);
	await page.getByText(name, { exact: true }).first().click();
	await page.getByTestId('canvas-node').first().waitFor();
	await film.show(page, 2_000);
	await (await open('Sample people')).getByText('"Tulips"').waitFor();
	await film.show(page, 2_500);
	const panel = await open('Send dispatch');
	await panel.getByTestId('parameter-input-text').scrollIntoViewIfNeeded();
	await film.show(page, 2_500);
	await close();
	await phones.bringToFront();
	await film.show(phones, 1_500);
	await page.bringToFront();
	await film.show(page, 1_200, film.pressed('execute-workflow-button'));
	await page.getByTestId('execute-workflow-button').click();
	// The notification stays as long as the mouse is over it.
	await page.mouse.move(film.size.width / 2, film.size.height / 2);
	await node('Send dispatch').getByTestId('canvas-node-status-success').waitFor();
	await film.show(page, 1_200);

	await phones.bringToFront();
	await newest.getByText('Hello Anna').waitFor();
	await film.show(phones, 1_500);
	await newest.getByText('✓✓ delivered').waitFor();
	await film.show(phones, 1_500);

	await page.bringToFront();
	await page.getByText('Workflow executed successfully').waitFor();
	await page.getByText('Workflow executed successfully').waitFor({ state: 'hidden' });
	await film.show(page, 2_000);
	await screenshot('demo-2-executed');
	const shown = async (name: string) => {
		const panel = await open(name);
		await panel.getByTestId('output-panel').getByTestId('radio-button-schema').click();
		return panel.getByTestId('output-panel');
	};
	const result = await shown('Summary');
	await result.getByText('4 of 4 messages delivered, 0 failed, 0 still pending').waitFor();
	await film.show(page, 2_500);
	await screenshot('demo-4-result');

	await phones.bringToFront();
	for (const [index, text] of ['Hello Gleb', 'Hello Vera', 'Hello Boris', 'Hello Anna'].entries()) {
		await phones.locator('.talks a').filter({ hasText: text }).click();
		await newest.getByText(text).waitFor();
		await newest.getByText('✓✓ delivered').waitFor();
		await film.show(phones, index < 3 ? 1_200 : 4_000);
	}
	await film.keep();
	await phones.close();

	await page.setViewportSize(usualSize);
	const sent = await shown('Send dispatch');
	await sent.getByText('dispatchId').first().waitFor();
	await picture('dispatch-send');
	await screenshot('demo-3-send');
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

	const first = start(ports, { TZ: 'Asia/Tokyo' });
	await first.until('Ready.');
	const session = await signIn(port);
	const settings = await session.ask<{ timezone: string }>('GET', '/rest/settings');
	expect(settings.timezone).toBe('Asia/Tokyo');
	// The first screen: the samples in their order, the first on top.
	const samples = readSamples().map(({ workflow }) => workflow.name);
	expect(await listed(session)).toEqual(samples);
	await tryFirstSample(
		`http://127.0.0.1:${port}`,
		`http://127.0.0.1:${sandboxPort}`,
		samples[0] ?? '',
	);
	expect(await dispatchesAt(sandboxPort)).toContainEqual(
		expect.objectContaining({
			name: expect.stringMatching(/^My first dispatch #n8n-/),
			status: 'COMPLETED',
			messages: expect.objectContaining({ total: 4, delivered: 4 }),
		}),
	);
	const original = (await session.workflow(sample)) as StoredWorkflow;
	expect(JSON.stringify(original.nodes)).toContain(
		`See the messages at http://127.0.0.1:${sandboxPort}.`,
	);
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
}, 300_000);

// samples.test.cts runs every sample. This is about the command, with one that waits for a person and one that is called.
test('--smoke runs samples in a demo of its own and prints what has become of them', async () => {
	const finished = demoFolder().start(['--smoke', '--only', '05-', '--only', '08-']);
	expect(await finished.exitCode).toBe(0);
	expect(finished.output()).toMatch(
		/05-\S+\.json .*passed: waits for a person\n08-\S+\.json .*passed: success\n\n2 passed, 0 failed/,
	);
});

// While n8n is still starting: to be killed, it needn't be ready.
test('kill -9 of what npm has started ends it all, too', async () => {
	const { folder, start } = demoFolder();
	const port = await freePort();
	const sandboxPort = await freePort();
	const running = start(['--port', String(port), '--sandbox-port', String(sandboxPort)]);
	await running.until('Starting the sandbox and n8n');
	while (processesIn(folder).length === 0 || (await isFree(sandboxPort))) await pause(50);
	const { bootstrap, demo } = running.processes();

	process.kill(bootstrap, 'SIGKILL');

	await groupsGone([demo]);
	// A process that stays runs into the time limit.
	while (processesIn(folder).length > 0 || !(await isFree(sandboxPort))) await pause(50);
});

test('Ctrl-C while n8n is downloaded stops everything and leaves nothing behind', async () => {
	const { folder, start } = demoFolder();
	const cache = path.join(folder, 'cache');
	const ports = ['--port', String(await freePort()), '--sandbox-port', String(await freePort())];
	const running = start(ports, { XDG_CACHE_HOME: cache });
	await running.until('database driver: started');
	await running.until('under way: ');

	process.kill(running.processes().bootstrap, 'SIGINT');

	expect(await running.exitCode).toBe(130);
	expect(processesIn(folder)).toEqual([]);
	expect(readdirSync(path.join(cache, 'n8n-nodes-bulk-messaging'))).not.toContainEqual(
		expect.stringContaining('host-'),
	);
});

describe('a checkout without its dependencies', () => {
	/** Starts the demo in a copy of what it is made of. Returns its last line. */
	const startCopy = (prepare: (copy: string) => void, environment: Record<string, string>) => {
		const { folder, remove } = temporaryFolder();
		undoAfterwards(remove);
		for (const name of ['host', 'sandbox', 'workflows', 'package.json', 'package-lock.json']) {
			cpSync(path.join(projectFolder, name), path.join(folder, name), { recursive: true });
		}
		cpSync(path.join(projectFolder, '.npmrc'), path.join(folder, '.npmrc'));
		prepare(folder);
		const { status, stdout, stderr } = spawnSync(
			process.execPath,
			[path.join(folder, 'host', 'bootstrap.cjs'), '--port', '49151', '--sandbox-port', '49150'],
			{ env: { ...process.env, BULK_MESSAGING_DEMO_FOLDER: folder, ...environment } },
		);
		expect(status).toBe(1);
		return { folder, sentence: `${stdout}${stderr}`.trim().split('\n').at(-1) };
	};

	test('and no network', () => {
		const { sentence } = startCopy(() => {}, {
			npm_config_cache: path.join(demoFolder().folder, 'npm'),
			npm_config_registry: 'http://127.0.0.1:1/',
		});
		expect(sentence).toBe(
			"The npm registry can't be reached, and this project's dependencies must be downloaded once. Check the network (or npm's proxy and registry settings) and start again.",
		);
	});

	test('if node_modules is a link, the folder behind it stays as it is', () => {
		const { folder, sentence } = startCopy((copy) => {
			mkdirSync(path.join(copy, 'elsewhere', 'a package'), { recursive: true });
			symlinkSync('elsewhere', path.join(copy, 'node_modules'));
		}, {});
		expect(sentence).toBe(
			"node_modules is a link and doesn't contain what package-lock.json asks for. Remove the link and start again.",
		);
		expect(readdirSync(path.join(folder, 'elsewhere'))).toEqual(['a package']);
	});
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

	test('a sample that does not exist', async () => {
		expect(await sentence(['--smoke', '--only', 'nonsense'])).toBe(
			'No file in workflows/ has "nonsense" in its name.',
		);
	});

	test.each([
		[['--only', '01-'], '--only needs --smoke.'],
		[['--smoke', '--only='], '--only needs a part of a file name.'],
	])('%p', async (args, expected) => {
		expect(await sentence(args)).toBe(expected);
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

	test('no compiler, and no ready-made database driver', async () => {
		const { folder } = demoFolder();
		const environment = {
			XDG_CACHE_HOME: folder,
			PATH: onlyPrograms('node', 'npm', 'sh'),
			npm_config_sqlite3_binary_host: 'http://127.0.0.1:1',
		};
		const ports = ['--port', String(await freePort()), '--sandbox-port', String(await freePort())];

		expect(await sentence(ports, environment)).toBe(
			"n8n's database driver (sqlite3) couldn't be downloaded ready-made, so it must be compiled on this machine, and a C++ compiler (g++) and make and python3 are missing. On Debian and Ubuntu, run: sudo apt-get install g++ make python3. On macOS, run: xcode-select --install",
		);
		// The download of n8n, which ran at the same time, has left nothing behind.
		expect(processesIn(folder)).toEqual([]);
		expect(readdirSync(path.join(folder, 'n8n-nodes-bulk-messaging'))).not.toContainEqual(
			expect.stringContaining('host-'),
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
