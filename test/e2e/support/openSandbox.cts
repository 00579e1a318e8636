import type { Credential } from '../../../host/n8n/credential.cts';
import { sandboxCredentials } from '../../../host/service/credentials.cts';
import { accessTo } from '../../../host/service/sandbox.cts';
import { startSandbox, type ServerOptions } from '../../../sandbox/server.cts';
import { undoAfterwards } from './cleanup.cts';

type Sandbox = Awaited<ReturnType<typeof startSandbox>>['sandbox'];

export interface OpenSandbox {
	/** The service itself: its clock, its faults, what it has reported. */
	readonly sandbox: Sandbox;
	/** Everything the service holds, to look into. */
	readonly store: Sandbox['world']['store'];
	/** The package's three credentials for this sandbox, with the ids that the samples name. */
	readonly credentials: { partner: Credential; messaging: Credential; callback: Credential };
	/** A control route, under `/_sandbox`; gives its answer. */
	control(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
}

/**
 * A sandbox in the process of the test, whose time passes faster, or stands still at `now`; it is closed when the test file is
 * through.
 */
export async function startOpenSandbox(
	options: Pick<ServerOptions, 'speed' | 'now'>,
): Promise<OpenSandbox> {
	const running = await startSandbox({ port: 0, ...options });
	undoAfterwards(running.close);
	const [partner, messaging, callback] = sandboxCredentials(accessTo(running));
	return {
		sandbox: running.sandbox,
		get store() {
			return running.sandbox.world.store;
		},
		credentials: { partner, messaging, callback },
		control: async (method, path, body = {}) => {
			const response = await fetch(running.controlUrl + path, {
				method,
				headers: { 'content-type': 'application/json' },
				body: method === 'GET' ? undefined : JSON.stringify(body),
			});
			if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
			return (await response.json()) as Record<string, unknown>;
		},
	};
}
