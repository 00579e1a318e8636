import { createHash } from 'node:crypto';

/** A short hash: the same contents give the same hash. */
export function fingerprint(...contents: Array<string | Buffer>) {
	const hash = createHash('sha256');
	for (const content of contents) hash.update(content).update('\0');
	return hash.digest('hex').slice(0, 16);
}
