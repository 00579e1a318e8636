import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { readLockfile } from '../../host/n8n/packages.cts';
import { manifestFolder } from '../../host/n8n/manifest.cts';
import { installSqlite } from '../../host/n8n/sqlite.cts';
import { runCommand } from '../../host/process/commands.cts';
import { temporaryFolder } from '../../host/process/temporaryFolder.cts';
import { undoAfterwards } from './support/cleanup.cts';
import { onlyPrograms } from './support/programs.cts';

const { version } = readLockfile(manifestFolder).packages['node_modules/sqlite3'];

/** Sets environment variables until the test file ends. */
function setEnvironment(variables: Record<string, string>) {
	const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
	Object.assign(process.env, variables);
	undoAfterwards(async () => {
		for (const [name, value] of before) {
			if (value === undefined) delete process.env[name];
			else process.env[name] = value;
		}
	});
}

/** Plays the place where sqlite3's maker offers the compiled driver: it has the one that n8n in the cache uses. */
async function startReleases() {
	const folder = path.join(process.env.E2E_HOST ?? '', 'node_modules', 'sqlite3');
	const file = path.join('build', 'Release', 'node_sqlite3.node');
	const { stdout: archive } = spawnSync('tar', ['-czf', '-', '-C', folder, file], {
		maxBuffer: 64e6,
	});
	const asked: string[] = [];
	const server = createServer((request, response) => {
		asked.push(request.url ?? '');
		response.end(archive);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	undoAfterwards(async () => await new Promise((resolve) => server.close(() => resolve())));
	return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('a machine without a compiler downloads the ready-made database driver', async () => {
	const { folder, remove } = temporaryFolder();
	undoAfterwards(remove);
	const { asked, url } = await startReleases();
	setEnvironment({
		PATH: onlyPrograms('node', 'npm', 'sh'),
		npm_config_sqlite3_binary_host: url,
		// Downloads are kept in npm's cache.
		npm_config_cache: path.join(folder, 'npm'),
	});
	const texts: string[] = [];

	await installSqlite(folder, version, (text) => texts.push(text));

	expect(asked).toEqual([
		`/v${version}/sqlite3-v${version}-napi-v6-${process.platform}-${process.arch}.tar.gz`,
	]);
	expect(texts).toEqual(['downloading']);
	const query =
		"new (require('sqlite3').Database)(':memory:').get('select 6 * 7 as n', (e, row) => console.log(row.n))";
	const { output } = await runCommand(process.execPath, ['-e', query], { cwd: folder });
	expect(output.trim()).toBe('42');
});
