import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from '../../host/n8n/npm.cts';
import { installCommunityPackage } from '../../host/n8n/seed.cts';
import { ensureTarball } from '../../host/n8n/tarball.cts';
import { runCommand } from '../../host/process/commands.cts';
import { projectFolder } from '../../host/process/folders.cts';
import { environmentWithNode24, nodeBinary } from '../../host/process/node24.cjs';
import type { Loaded } from '../programs/loadPackage.cts';
import type { Comparison, Figure } from '../support/figure.cts';
import { inRounds } from '../support/rounds.cts';

interface Packed {
	name: string;
	tarball: string;
}

/** The least a community package can be: one node that does nothing. */
async function packNothing(folder: string): Promise<Packed> {
	const name = 'n8n-nodes-nothing';
	const source = path.join(folder, name);
	mkdirSync(source, { recursive: true });
	const manifest = {
		name,
		version: '0.1.0',
		keywords: ['n8n-community-node-package'],
		n8n: { n8nNodesApiVersion: 1, credentials: [], nodes: ['Nothing.node.js'] },
	};
	writeFileSync(path.join(source, 'package.json'), JSON.stringify(manifest));
	writeFileSync(
		path.join(source, 'Nothing.node.js'),
		`exports.Nothing = class {
	description = { displayName: 'Nothing', name: 'nothing', group: ['transform'], version: 1, description: 'Does nothing',
		defaults: { name: 'Nothing' }, inputs: ['main'], outputs: ['main'], properties: [] };
	async execute() { return [this.getInputData()]; }
};
`,
	);
	await npm(['pack', '--pack-destination', folder], { cwd: source, what: 'packing nothing' });
	return { name, tarball: path.join(folder, `${name}-0.1.0.tgz`) };
}

export const packageItself: Figure = {
	name: 'Package',
	isApart: true,
	run: async ({ quick, report, userFolder }) => {
		const folder = mkdtempSync(path.join(userFolder, 'packages-'));
		const nothing = await packNothing(folder);
		const ours: Packed = {
			name: 'n8n-nodes-bulk-messaging',
			tarball: await ensureTarball(report),
		};

		const home = path.join(folder, 'home');
		/** As n8n installs a community package, into an empty folder; nothing is downloaded. */
		const install = async ({ tarball }: Packed): Promise<number> => {
			rmSync(home, { recursive: true, force: true });
			const begun = performance.now();
			await installCommunityPackage(home, tarball);
			return performance.now() - begun;
		};
		const load = async ({ name }: Packed): Promise<Loaded> => {
			const program = path.join(projectFolder, 'bench', 'programs', 'loadPackage.cts');
			const { code, output } = await runCommand(
				nodeBinary,
				['--expose-gc', program, path.join(home, 'node_modules', name)],
				{
					cwd: projectFolder,
					env: {
						...environmentWithNode24(),
						NODE_PATH: path.join(projectFolder, 'node_modules'),
					},
				},
			);
			if (code !== 0) throw new Error(`${name} could not be loaded:\n${output}`);
			return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Loaded;
		};

		const loads: Record<'ours' | 'theirs', Loaded[]> = { ours: [], theirs: [] };
		const measure = async (side: keyof typeof loads, packed: Packed) => {
			const ms = await install(packed);
			loads[side].push(await load(packed));
			return ms;
		};
		const installs = await inRounds(
			quick ? 1 : 6,
			{
				ours: async () => await measure('ours', ours),
				theirs: async () => await measure('theirs', nothing),
			},
			report,
		);
		const sizes = {
			ours: [statSync(ours.tarball).size / 1024],
			theirs: [statSync(nothing.tarball).size / 1024],
		};
		rmSync(folder, { recursive: true, force: true });

		const row = (what: string, unit: Comparison['unit'], sides: typeof installs): Comparison => ({
			what,
			unit,
			ours: { name: 'this package', values: sides.ours },
			theirs: { name: 'a package with one empty node', values: sides.theirs },
		});
		const of = (pick: (loaded: Loaded) => number) => ({
			ours: loads.ours.map(pick),
			theirs: loads.theirs.map(pick),
		});
		return [
			row('tarball', 'KB', sizes),
			row('installing', 'ms', installs),
			row(
				'loading',
				'ms',
				of(({ ms }) => ms),
			),
			{
				...row(
					'memory after loading',
					'KB',
					of(({ heapKb }) => heapKb),
				),
				note: 'loaded beside n8n-workflow in a process of its own, garbage collected',
			},
		];
	},
};
