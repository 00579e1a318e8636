import { homedir } from 'node:os';
import path from 'node:path';

/** The checkout. */
export const projectFolder = path.resolve(__dirname, '..', '..');

/** Everything that is expensive to make and not worth committing; outside the checkout, shared by all of them. */
export function cacheFolder() {
	const base = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
	return path.join(base, 'n8n-nodes-bulk-messaging');
}
