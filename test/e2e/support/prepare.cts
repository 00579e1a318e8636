import { ensureHost } from '../../../host/n8n/install.cts';
import { ensureSeed } from '../../../host/n8n/seed.cts';
import { ensureTarball } from '../../../host/n8n/tarball.cts';

const report = (text: string) => process.stdout.write(`${text}\n`);

/** Once per run: the package as it is now, in a folder for every test to copy. The first time this installs n8n. */
export default async function prepare() {
	const tarball = await ensureTarball(report);
	const host = await ensureHost(report);
	process.env.E2E_HOST = host;
	process.env.E2E_SEED = await ensureSeed({ host, tarball, report });
}
