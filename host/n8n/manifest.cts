import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../process/folders.cts';

/** The folder with the files that define which n8n is installed into the cache, and how. */
export const manifestFolder = path.join(projectFolder, 'host');
const manifest = path.join(manifestFolder, 'package.json');
export const lockfile = path.join(manifestFolder, 'package-lock.json');

interface Manifest {
	dependencies: { n8n: string };
	overrides: Record<string, string>;
}

export function readManifest() {
	return JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
}

/** The version of n8n that everything is tested with. */
export function n8nVersion() {
	return readManifest().dependencies.n8n;
}
