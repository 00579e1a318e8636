import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** The checkout. */
export const projectFolder = path.resolve(__dirname, '..', '..');

/** For files that take long to make. It is outside the checkout, so that all checkouts share it. */
export function cacheFolder() {
	const base = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
	// Every package.json has a name.
	const { name } = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8')) as {
		name: string;
	};
	return path.join(base, name);
}
