import path from 'node:path';
import { withoutEditor } from '../../../host/n8n/environment.cts';
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

interface NewN8n {
	/** The folder of the installed n8n. */
	host: string;
	/** The folder to copy. */
	seed: string;
	environment?: Record<string, string>;
}

/** An n8n in a folder and on a port of its own, not started yet. `remove` stops it and deletes the folder. */
export async function newN8n({ host, seed, environment }: NewN8n) {
	const temporary = temporaryFolder();
	const place: SharedPlace = {
		folder: path.join(temporary.folder, 'n8n'),
		port: await freePort(),
	};
	copySeed(seed, place.folder);
	const n8n = createN8n({ host, ...place, environment });
	const remove = async () => {
		await n8n.stop();
		await temporary.remove();
	};
	return { n8n, place, remove };
}

const shared: Array<Awaited<ReturnType<typeof newN8n>>> = [];

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
	const environment = withoutEditor(host);
	for (let count = 0; count < maxWorkers; count++) {
		shared.push(await newN8n({ host, seed, environment }));
	}
	await Promise.all(shared.map(async ({ n8n }) => await n8n.start()));
	process.env.E2E_SHARED = JSON.stringify(shared.map(({ place }) => place));
}

export async function removeShared() {
	for (const { remove } of shared.splice(0)) await remove();
}
