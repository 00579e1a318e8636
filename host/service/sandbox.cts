import path from 'node:path';
import { demo, urlsOf } from '../../sandbox/demo.cts';
import type { SandboxAccess } from './credentials.cts';
import { startCommand } from '../process/commands.cts';
import { projectFolder } from '../process/folders.cts';
import { environmentWithNode24, nodeBinary } from '../process/node24.cjs';
import { waitUntilReady } from '../process/waitUntilReady.cts';

export interface Sandbox {
	access: SandboxAccess;
	controlUrl: string;
	/** The sandbox's page for people. */
	faceUrl: string;
	/** The id of its process group, or 0 if it isn't running. */
	pid(): number;
	ended: Promise<number>;
	stop(): Promise<void>;
}

/** The values that the package's credentials need for a sandbox. */
export function accessTo(urls: { partnerUrl: string; messagingUrl: string }): SandboxAccess {
	const { login, password, apiKey } = demo;
	return {
		partnerBaseUrl: urls.partnerUrl,
		messagingBaseUrl: urls.messagingUrl,
		login,
		password,
		apiKey,
	};
}

interface SandboxOptions {
	port: number;
	logFile: string;
	/** Without it, the state is lost when the sandbox stops. */
	stateFile?: string;
}

/** Starts the sandbox on 127.0.0.1, as `npm run sandbox` does. */
export async function startSandbox({ port, logFile, stateFile }: SandboxOptions): Promise<Sandbox> {
	const urls = urlsOf(`http://127.0.0.1:${port}`);
	const program = path.join(projectFolder, 'sandbox', 'server.cts');
	const state = stateFile ? ['--state', stateFile] : [];
	const running = startCommand(
		nodeBinary,
		['--import', 'tsx', program, '--port', String(port), ...state],
		{ cwd: projectFolder, env: environmentWithNode24(), logFile, graceSeconds: 10 },
	);
	await waitUntilReady({ name: 'The sandbox', url: `${urls.messagingUrl}/ping`, running, logFile });
	return {
		access: accessTo(urls),
		controlUrl: urls.controlUrl,
		faceUrl: `${urls.origin}/`,
		pid: () => (running.isRunning() ? running.pid : 0),
		ended: running.ended,
		stop: running.stop,
	};
}
