import {
	existsSync,
	readFileSync,
	readdirSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readOptions } from '../../host/demo/options.cts';
import { claimFolder, readJson } from '../../host/demo/state.cts';
import { projectFolder } from '../../host/process/folders.cts';
import { withLock } from '../../host/process/lock.cts';
import { temporaryFolder } from '../../host/process/temporaryFolder.cts';

const { folder, remove } = temporaryFolder();
afterAll(remove);
const silent = () => undefined;
const longAgo = new Date(Date.now() - 3_600_000);

test.each([
	['is empty', ''],
	['names a process that is another program by now', '1'],
	['names a process that has ended', '99999999'],
	['is no number', 'what?'],
])('a lock that %s is taken over once it is old', async (_, content) => {
	const file = path.join(folder, 'old.lock');
	writeFileSync(file, content);
	utimesSync(file, longAgo, longAgo);
	expect(await withLock(file, silent, () => Promise.resolve('done'))).toBe('done');
	expect(existsSync(file)).toBe(false);
});

test('a lock that is held stays fresh, and a second process waits for it', async () => {
	const file = path.join(folder, 'held.lock');
	const events: string[] = [];
	let isDone: () => void = silent;
	const first = withLock(file, silent, async () => {
		await new Promise<void>((resolve) => (isDone = resolve));
		events.push('first');
	});
	const second = withLock(
		file,
		(text) => events.push(text),
		() => Promise.resolve(events.push('second')),
	);
	const { mtimeMs } = statSync(file);
	while (statSync(file).mtimeMs === mtimeMs) await pause(100);
	isDone();
	await Promise.all([first, second]);
	expect(events).toEqual([
		`another process (${process.pid}) is already doing this; waiting for it`,
		'first',
		'second',
	]);
});

test.each(['', '{"demo": 12', 'null'])(
	'a demo starts although its last run left %j',
	async (left) => {
		const file = path.join(folder, 'run.json');
		writeFileSync(file, left);
		const claim = await claimFolder(folder, silent);
		expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ demo: process.pid });
		claim.release();
		expect(readJson(file)).toBeUndefined();
	},
);

test.each([
	['--port', '8787'],
	['--sandbox-port', '5678'],
	['--port', '6000', '--sandbox-port', '6000'],
])('two programs on one port: %s %s', (...args) => {
	expect(() => readOptions(args)).toThrow(/can't both use port \d+\. Set --port/);
});

test('the example in docs/testing-in-a-real-n8n.md uses what exists, in these folders only', () => {
	const page = readFileSync(path.join(projectFolder, 'docs', 'testing-in-a-real-n8n.md'), 'utf8');
	const imported = [...page.matchAll(/^import \{ (.*) \} from '\.\.\/(host\/\S+)';$/gm)];
	expect(imported).toHaveLength(5);
	for (const [, names, file] of imported) {
		expect(file).toMatch(/^host\/(n8n|process|queue)\//);
		const text = readFileSync(path.join(projectFolder, file), 'utf8');
		for (const name of names.split(', ')) {
			expect(text).toMatch(new RegExp(`^export (async function|function|class) ${name}\\b`, 'm'));
		}
	}
});

test.each(['n8n', 'process', 'queue'])('host/%s belongs to no package in particular', (name) => {
	const home = path.join(projectFolder, 'host', name);
	const naming = readdirSync(home).filter((file) =>
		/bulk.?messaging/i.test(readFileSync(path.join(home, file), 'utf8')),
	);
	expect(naming).toEqual([]);
});
