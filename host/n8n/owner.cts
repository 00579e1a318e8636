import { createRequire } from 'node:module';
import path from 'node:path';

/** The only user of a demo or test n8n. It listens on 127.0.0.1 only, so the password isn't a secret. */
export const owner = {
	email: 'demo@example.com',
	firstName: 'Demo',
	lastName: 'Owner',
	password: 'Sandbox-2026',
};

const hashes = new Map<string, string>();

/** n8n reads its owner from the environment and expects a hashed password. The installed n8n's bcrypt makes the hash. */
export function passwordHash(host: string): string {
	const known = hashes.get(host);
	if (known !== undefined) return known;
	// Only the installed n8n has this module, so its types are not known here.
	const bcrypt = createRequire(path.join(host, 'package.json'))('bcryptjs') as {
		hashSync(password: string, rounds: number): string;
	};
	const hash = bcrypt.hashSync(owner.password, 10);
	hashes.set(host, hash);
	return hash;
}
