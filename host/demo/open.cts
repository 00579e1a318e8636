import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createN8n } from '../n8n/n8n.cts';
import { copySeed, replacePackage } from '../n8n/seed.cts';
import { Session } from '../n8n/session.cts';
import { freePort, isFree } from '../process/ports.cts';
import { Problem } from '../process/problem.cts';
import type { Report } from '../process/report.cts';
import { startLanguageModel } from '../service/languageModel.cts';
import { preparePackage } from '../service/prepare.cts';
import { startSandbox } from '../service/sandbox.cts';
import { ensureDependencies } from './dependencies.cts';
import { furnish } from './furnish.cts';
import { usualPorts } from './options.cts';
import { provision } from './provision.cts';
import { stateFiles } from './state.cts';

interface OpenOptions {
	/** Where the demo keeps its state. */
	folder: string;
	port?: number;
	sandboxPort?: number;
	/** Whether to use any free port where the user has chosen none. */
	anyPort: boolean;
	report: Report;
}

async function requireFree(port: number, flag: string) {
	if (await isFree(port)) return;
	throw new Problem(
		`Port ${port} is in use. Stop the program that uses it, or choose another port: npm run demo -- --${flag} N`,
	);
}

/** Builds, installs and starts everything the demo needs. What exists already is reused. */
export async function openDemo({ folder, anyPort, report, ...chosen }: OpenOptions) {
	const files = stateFiles(folder);
	const port = chosen.port ?? (anyPort ? await freePort() : usualPorts.n8n);
	const sandboxPort = chosen.sandboxPort ?? (anyPort ? await freePort() : usualPorts.sandbox);
	// Checked before any step that takes minutes.
	await requireFree(port, 'port');
	await requireFree(sandboxPort, 'sandbox-port');

	const { host, seed } = await preparePackage(report, {
		dependencies: () => ensureDependencies(report),
	});
	if (existsSync(files.n8n)) replacePackage(seed, files.n8n);
	else copySeed(seed, files.n8n);

	console.log('Starting the sandbox and n8n');
	// n8n loads thousands of files. From the second start on, Node doesn't have to compile them.
	const environment = { NODE_COMPILE_CACHE: path.join(files.n8n, 'compiled') };
	const n8n = createN8n({ host, folder: files.n8n, port, environment });
	// Every start begins new logs.
	rmSync(n8n.logFile, { force: true });
	rmSync(files.sandboxLog, { force: true });
	const [sandbox] = await Promise.all([
		startSandbox({ port: sandboxPort, logFile: files.sandboxLog, stateFile: files.sandboxState }),
		n8n.start(),
	]);

	console.log('Adding credentials and sample workflows');
	const session = new Session(n8n.url, host);
	await session.login();
	const { url: modelUrl } = await startLanguageModel();
	const { access, faceUrl } = sandbox;
	await provision({ session, n8n, access, faceUrl, modelUrl, report }, files.provisioned);
	await furnish(sandbox, n8n.url);

	return {
		url: n8n.url,
		session,
		access,
		faceUrl,
		pids: [n8n.pid(), sandbox.pid()],
		logs: [n8n.logFile, files.sandboxLog],
		somethingEnded: Promise.race([
			n8n.ended().then(() => ({ name: 'n8n', logFile: n8n.logFile })),
			sandbox.ended.then(() => ({ name: 'The sandbox', logFile: files.sandboxLog })),
		]),
	};
}

export type OpenDemo = Awaited<ReturnType<typeof openDemo>>;
