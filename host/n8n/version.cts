import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { nodeBinary } from '../process/node24.cjs';

/** The version of an installed n8n. `host` is its folder. */
export function versionOf(host: string) {
	const file = path.join(host, 'node_modules', 'n8n', 'package.json');
	const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
	return version;
}

/** Whether a version is older than another one: 2.9.1 is older than 2.10. */
export function isBefore(version: string, other: string) {
	const [a, b] = [version, other].map((text) => text.split('.').map(Number));
	const index = b.findIndex((number, at) => number !== (a[at] ?? 0));
	return index >= 0 && (a[index] ?? 0) < b[index];
}

/** The Node that an installed n8n runs on: an older n8n has its own. */
export function nodeOf(host: string) {
	const own = path.join(host, 'node_modules', 'node', 'bin', 'node');
	return existsSync(own) ? own : nodeBinary;
}
