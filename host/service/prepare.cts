import { prepareN8n } from '../n8n/seed.cts';
import { Problem } from '../process/problem.cts';
import { emptyCredentials } from './credentials.cts';

/** Prepares n8n with this package and its credentials, which get their URLs and logins later. */
export const preparePackage: typeof prepareN8n = async (report, options) =>
	await prepareN8n(report, { credentials: emptyCredentials, ...options });

// For CI, which prepares n8n while other steps run.
if (require.main === module) {
	preparePackage(console.log).catch((error: unknown) => {
		console.error(error instanceof Problem ? error.message : error);
		process.exitCode = 1;
	});
}
