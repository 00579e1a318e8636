import { preparePackage } from '../../../host/service/prepare.cts';

const report = (text: string) => process.stdout.write(`${text}\n`);

/**
 * Once per run: the package as it is now, in a folder for every test to copy. The first time this installs n8n.
 * E2E_N8N names another version of n8n than the usual one.
 */
export default async function prepare() {
	const { host, seed } = await preparePackage(report, { version: process.env.E2E_N8N });
	process.env.E2E_HOST = host;
	process.env.E2E_SEED = seed;
}
