import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../process/folders.cts';

/** The folder with the files that define which n8n is installed into the cache, and how. */
export const manifestFolder = path.join(projectFolder, 'host');
const manifest = path.join(manifestFolder, 'package.json');
export const lockfile = path.join(manifestFolder, 'package-lock.json');

/** The version of n8n that everything is tested with. */
export function n8nVersion() {
	const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
		dependencies: { n8n: string };
	};
	return dependencies.n8n;
}
