import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../process/folders.cts';

/** The files that define which n8n is installed into the cache, and how. */
export const manifest = path.join(projectFolder, 'host', 'package.json');
export const lockfile = path.join(projectFolder, 'host', 'package-lock.json');
export const npmrc = path.join(projectFolder, 'host', '.npmrc');

/** The version of n8n that everything is tested with. */
export function n8nVersion() {
	const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as {
		dependencies: { n8n: string };
	};
	return dependencies.n8n;
}
