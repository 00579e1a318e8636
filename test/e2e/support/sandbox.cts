import path from 'node:path';
import type { Credential } from '../../../host/n8n/credential.cts';
import { sandboxCredentials } from '../../../host/service/credentials.cts';
import { freePort } from '../../../host/process/ports.cts';
import { temporaryFolder } from '../../../host/process/temporaryFolder.cts';
import { startSandbox as startServer } from '../../../host/service/sandbox.cts';
import { undoAfterwards } from './cleanup.cts';

interface Company {
	companyId: number;
	name: string;
	counteragentInn: string;
	status: string;
}

export interface TestSandbox {
	readonly access: Awaited<ReturnType<typeof startServer>>['access'];
	/** Under `/_sandbox`: reset, clock, faults and so on. */
	readonly controlUrl: string;
	/** The package's three credentials for this sandbox, with the ids that the samples name. */
	readonly credentials: { partner: Credential; messaging: Credential; callback: Credential };
	/** A token of the partner API, got without n8n. */
	logIn(): Promise<string>;
	/** What the service itself says it has, asked without n8n. */
	companies(): Promise<Company[]>;
}

/** A fresh one with the demo data; it is stopped when the test file is through. */
export async function startSandbox(): Promise<TestSandbox> {
	const temporary = temporaryFolder();
	undoAfterwards(temporary.remove);
	const sandbox = await startServer({
		port: await freePort(),
		logFile: path.join(temporary.folder, 'sandbox.log'),
	});
	undoAfterwards(sandbox.stop);
	const { access, controlUrl } = sandbox;
	const [partner, messaging, callback] = sandboxCredentials(access);

	async function ask<Reply>(address: string, init: RequestInit): Promise<Reply> {
		const response = await fetch(access.partnerBaseUrl + address, init);
		if (!response.ok) throw new Error(`The sandbox answered ${response.status} to ${address}.`);
		return (await response.json()) as Reply;
	}

	const logIn = async () => {
		const { login, password } = access;
		const { token } = await ask<{ token: string }>('/auth/token', {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ login, password }),
		});
		return token;
	};

	return {
		access,
		controlUrl,
		credentials: { partner, messaging, callback },
		logIn,
		companies: async () => {
			const token = await logIn();
			const { items } = await ask<{ items: Company[] }>('/company?per_page=1000', {
				headers: { authorization: `Bearer ${token}` },
			});
			return items;
		},
	};
}
