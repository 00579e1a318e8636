import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createN8n } from '../../host/n8n/n8n.cts';
import { runCommand } from '../../host/process/commands.cts';
import { projectFolder } from '../../host/process/folders.cts';
import { environmentWithNode24 } from '../../host/process/node24.cjs';
import { freePort } from '../../host/process/ports.cts';
import { temporaryFolder } from '../../host/process/temporaryFolder.cts';
import { undoAfterwards } from './support/cleanup.cts';
import { messagingNode, partnerNode } from './support/workflows.cts';
import { triggerNode } from './trigger/workflows.cts';

/** The README's way to install the package by hand, word for word, in a folder that stands for the user's own. */

const readme = readFileSync(path.join(projectFolder, 'README.md'), 'utf8');

/** The block of commands that ends with the installation. */
function installation() {
	const blocks = [...readme.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, text]) => text ?? '');
	const lines =
		blocks
			.find((text) => text.includes('npm install'))
			?.trim()
			.split('\n') ?? [];
	expect(lines.slice(0, 2)).toEqual(['npm ci', 'npm run build']);
	// The checkout is installed, or this test would not run; and built, if a test before has needed that.
	return lines.slice(existsSync(path.join(projectFolder, 'dist')) ? 2 : 1).join('\n');
}

test('after the commands of the README n8n knows the three nodes', async () => {
	const home = temporaryFolder();
	undoAfterwards(home.remove);

	const { code, output } = await runCommand('bash', ['-ec', installation()], {
		cwd: projectFolder,
		// Nothing has to be downloaded for it.
		env: { ...environmentWithNode24(), HOME: home.folder, npm_config_offline: 'true' },
	});

	expect([code, output]).toEqual([0, expect.any(String)]);
	const n8n = createN8n({
		host: process.env.E2E_HOST ?? '',
		folder: home.folder,
		port: await freePort(),
	});
	const file = path.join(home.folder, 'nodes.json');
	await n8n.command('export:nodes', `--output=${file}`);
	const known = JSON.parse(readFileSync(file, 'utf8')) as Array<{ name: string }>;
	const names = known.map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining([partnerNode, messagingNode, triggerNode]));
});
