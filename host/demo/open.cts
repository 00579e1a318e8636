import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ensureHost } from '../n8n/install.cjs';
import { createN8n } from '../n8n/n8n.cjs';
import { startLanguageModel } from '../service/languageModel.cjs';
import { ensureTarball } from '../n8n/tarball.cjs';
import { freePort, isFree } from '../process/ports.cjs';
import { Problem } from '../process/problem.cjs';
import { startSandbox } from '../service/sandbox.cjs';
import { copySeed, ensureSeed, replacePackage } from '../n8n/seed.cjs';
import { Session } from '../n8n/session.cjs';
import { ensureDependencies } from './dependencies.mjs';
import { furnish } from './furnish.mjs';
import { provision } from './provision.mjs';
import { stateFiles } from './state.mjs';

/**
 * @param {number} port
 * @param {string} flag
 */
async function requireFree(port, flag) {
	if (await isFree(port)) return;
	throw new Problem(
		`Port ${port} is in use: stop what listens there, or choose another with npm run demo -- --${flag} N.`,
	);
}

/**
 * Everything from a bare checkout to an n8n that works; what is there already costs nothing.
 *
 * @param {object} options
 * @param {string} options.folder where it keeps its state
 * @param {number} [options.port]
 * @param {number} [options.sandboxPort]
 * @param {boolean} options.anyPort whether a port that was not chosen may be any
 * @param {(text: string) => void} options.report
 */
export async function openDemo({ folder, anyPort, report, ...chosen }) {
	const files = stateFiles(folder);
	const port = chosen.port ?? (anyPort ? await freePort() : 5678);
	const sandboxPort = chosen.sandboxPort ?? (anyPort ? await freePort() : 8787);
	// Before anything that takes minutes.
	await requireFree(port, 'port');
	await requireFree(sandboxPort, 'sandbox-port');

	console.log('1/4 The package');
	await ensureDependencies(report);
	const tarball = await ensureTarball(report);

	console.log('2/4 n8n');
	const host = await ensureHost(report);
	const seed = await ensureSeed({ host, tarball, report });
	if (existsSync(files.n8n)) replacePackage(seed, files.n8n);
	else copySeed(seed, files.n8n);

	console.log('3/4 Starting the sandbox and n8n');
	const n8n = createN8n({ host, folder: files.n8n, port });
	// Logs are of this start only.
	rmSync(n8n.logFile, { force: true });
	rmSync(files.sandboxLog, { force: true });
	const [sandbox] = await Promise.all([
		startSandbox({ port: sandboxPort, logFile: files.sandboxLog, stateFile: files.sandboxState }),
		n8n.start(),
	]);

	console.log('4/4 Credentials and sample workflows');
	const session = new Session(n8n.url, host);
	await session.login();
	const { url: modelUrl } = await startLanguageModel();
	await provision({ session, n8n, access: sandbox.access, modelUrl, report }, files.provisioned);
	await furnish(sandbox, n8n.url);

	return {
		url: n8n.url,
		session,
		access: sandbox.access,
		controlUrl: sandbox.controlUrl,
		pids: [n8n.pid(), sandbox.pid()],
		logs: [n8n.logFile, files.sandboxLog],
		somethingEnded: Promise.race([
			n8n.ended().then(() => ({ name: 'n8n', logFile: n8n.logFile })),
			sandbox.ended.then(() => ({ name: 'The sandbox', logFile: files.sandboxLog })),
		]),
	};
}
