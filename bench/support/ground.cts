import path from 'node:path';
import type { Credential } from '../../host/n8n/credential.cts';
import { sandboxCredentials } from '../../host/service/credentials.cts';
import type { Workflow } from '../../host/n8n/workflow.cts';
import { freePort } from '../../host/process/ports.cts';
import { temporaryFolder } from '../../host/process/temporaryFolder.cts';
import { startSandbox, type Sandbox } from '../../host/service/sandbox.cts';
import { type Finished, startN8n } from './n8n.cts';
import { type Service, startService } from './service.cts';

/** What every figure is measured on: one n8n, the sandbox, and a bare service. */
export interface Ground {
	/** Small sizes, to see that it works. The figures mean nothing then. */
	readonly quick: boolean;
	readonly sandbox: Sandbox & { readonly credential: Credential };
	readonly service: Service & { readonly credential: Credential };
	/** Where n8n has the package from. */
	readonly packageFolder: string;
	/** For whatever else of n8n is run. */
	readonly userFolder: string;
	/** In the one n8n, as an active workflow. */
	run(workflow: Workflow): Promise<Finished>;
	/** For figures that bring a service of their own. */
	putCredentials(credentials: Credential[]): Promise<void>;
	report(text: string): void;
}

interface Options {
	quick: boolean;
	report: (text: string) => void;
	/** Called with everything that must be undone, as soon as there is something. */
	undoLater: (undo: () => Promise<void>) => void;
}

export async function prepareGround({ quick, report, undoLater }: Options): Promise<Ground> {
	const temporary = temporaryFolder();
	undoLater(temporary.remove);
	const n8n = await startN8n(temporary.folder, report);
	undoLater(n8n.stop);
	const sandbox = await startSandbox({
		port: await freePort(),
		logFile: path.join(temporary.folder, 'sandbox.log'),
	});
	undoLater(sandbox.stop);
	const service = await startService();
	undoLater(service.close);

	const credentials = sandboxCredentials(sandbox.access);
	const [partner] = credentials;
	const distant: Credential = {
		id: 'distantPartnerApi',
		name: 'A service 50 ms away',
		type: partner.type,
		data: { baseUrl: service.url, ...service.credentials },
	};
	await n8n.putCredentials([...credentials, distant]);
	return {
		quick,
		sandbox: Object.assign(sandbox, { credential: partner }),
		service: Object.assign(service, { credential: distant }),
		packageFolder: n8n.packageFolder,
		userFolder: temporary.folder,
		run: n8n.run,
		putCredentials: n8n.putCredentials,
		report,
	};
}
