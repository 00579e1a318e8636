// @ts-check
'use strict';

const { readFileSync } = require('node:fs');
const path = require('node:path');
const { startCommand } = require('../process/commands.cjs');
const { environmentWithNode24, nodeBinary, projectFolder } = require('../process/places.cjs');
const { waitUntilReady } = require('../process/waitUntilReady.cjs');

/**
 * @typedef {object} Sandbox
 * @property {import('../n8n/credentials.cjs').SandboxAccess} access
 * @property {string} controlUrl
 * @property {() => number} pid of its process group; 0 when it does not run
 * @property {Promise<number>} ended
 * @property {() => Promise<void>} stop
 */

/**
 * The service on 127.0.0.1, as `npm run sandbox` starts it.
 * @param {{port: number, logFile: string, stateFile?: string}} options without a state file it forgets everything
 * @returns {Promise<Sandbox>}
 */
async function startSandbox({ port, logFile, stateFile }) {
	const folder = path.join(projectFolder, 'sandbox');
	const demo = JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8'));
	const origin = `http://127.0.0.1:${port}`;
	const running = startCommand(
		nodeBinary,
		[
			path.join(projectFolder, 'node_modules', 'tsx', 'dist', 'cli.mjs'),
			path.join(folder, 'server.cts'),
			'--port',
			String(port),
			...(stateFile ? ['--state', stateFile] : []),
		],
		{ cwd: projectFolder, env: environmentWithNode24(), logFile, graceSeconds: 10 },
	);
	await waitUntilReady({
		name: 'The sandbox',
		url: `${origin}${demo.messagingPath}/ping`,
		running,
		logFile,
	});
	return {
		access: {
			partnerBaseUrl: origin + demo.partnerPath,
			messagingBaseUrl: origin + demo.messagingPath,
			login: demo.login,
			password: demo.password,
			apiKey: demo.apiKey,
		},
		controlUrl: origin + demo.controlPath,
		pid: () => (running.isRunning() ? running.pid : 0),
		ended: running.ended,
		stop: async () => {
			await running.stop();
		},
	};
}

module.exports = { startSandbox };
