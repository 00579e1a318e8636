import path from 'node:path';
import { createN8n } from '../../../host/n8n/n8n.cts';
import { copySeed } from '../../../host/n8n/seed.cts';
import { freePort } from '../../../host/process/ports.cts';
import { temporaryFolder } from '../../../host/process/temporaryFolder.cts';
import { preparePackage } from '../../../host/service/prepare.cts';

const report = (text: string) => process.stdout.write(`${text}\n`);

/** Where a worker finds the n8n that its test files share. */
export interface SharedPlace {
	folder: string;
	port: number;
}

const running: Array<{ place: SharedPlace; remove: () => Promise<void> }> = [];

async function startShared(host: string, seed: string) {
	const temporary = temporaryFolder();
	const place = { folder: path.join(temporary.folder, 'n8n'), port: await freePort() };
	copySeed(seed, place.folder);
	const n8n = createN8n({ host, ...place });
	const remove = async () => {
		await n8n.stop();
		await temporary.remove();
	};
	running.push({ place, remove });
	await n8n.start();
}

/**
 * The package as it is now, in a folder for every test to copy. The first time this installs n8n. E2E_N8N names another version
 * of n8n than the usual one.
 */
export async function prepareSeed() {
	const { host, seed } = await preparePackage(report, { version: process.env.E2E_N8N });
	process.env.E2E_HOST = host;
	process.env.E2E_SEED = seed;
	return { host, seed };
}

/** Once per run: also an n8n for each worker. */
export default async function prepare({ maxWorkers }: { maxWorkers: number }) {
	const { host, seed } = await prepareSeed();
	await Promise.all(Array.from({ length: maxWorkers }, () => startShared(host, seed)));
	process.env.E2E_SHARED = JSON.stringify(running.map(({ place }) => place));
}

export async function removeShared() {
	for (const { remove } of running.splice(0)) await remove();
}
