import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Credential } from './credential.cts';
import type { N8n } from './n8n.cts';
import type { Session } from './session.cts';

/** Only the import command can create a credential with a given id. It also works while n8n runs. */
export async function importCredentials(n8n: N8n, credentials: Credential[]) {
	const file = path.join(n8n.folder, 'credentials-to-import.json');
	writeFileSync(file, JSON.stringify(credentials));
	try {
		await n8n.command('import:credentials', `--input=${file}`);
	} finally {
		rmSync(file);
	}
}

/** Creates or replaces credentials in a running n8n. REST replaces them at once; the import command takes seconds. */
export async function putCredentials(n8n: N8n, session: Session, credentials: Credential[]) {
	const missing: Credential[] = [];
	for (const credential of credentials) {
		if (await session.credential(credential.id)) await session.updateCredential(credential);
		else missing.push(credential);
	}
	if (missing.length > 0) await importCredentials(n8n, missing);
}
