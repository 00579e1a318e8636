import { prepareN8n } from '../n8n/seed.cts';
import { emptyCredentials } from './credentials.cts';

/** Prepares n8n with this package and its credentials, which get their URLs and logins later. */
export const preparePackage: typeof prepareN8n = async (report, options) =>
	await prepareN8n(report, { credentials: emptyCredentials, ...options });
