import { homedir } from 'node:os';
import path from 'node:path';

/** The checkout. */
export const projectFolder = path.resolve(__dirname, '..', '..');

/** For files that take long to make. It is outside the checkout, so that all checkouts share it. */
export function cacheFolder() {
	const base = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
	return path.join(base, 'n8n-nodes-bulk-messaging');
}
