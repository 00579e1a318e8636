// @ts-check
'use strict';

/** Node 24 and npm. Plain JavaScript, because the bootstrap also uses it, before TypeScript can run. */
const path = require('node:path');

/** Node 24 from the project's own dependencies: n8n runs on it, whatever Node the machine has. */
const nodeFolder = path.resolve(__dirname, '..', '..', 'node_modules', 'node', 'bin');
const nodeBinary = path.join(nodeFolder, 'node');

/** The environment for a child process that must find Node 24 before any other Node. */
function environmentWithNode24() {
	/** @type {NodeJS.ProcessEnv} */
	const env = { ...process.env, PATH: `${nodeFolder}${path.delimiter}${process.env.PATH || ''}` };
	// `npm run` sets variables about this project. They would mislead an npm that works in another folder.
	const misleading =
		/^(INIT_CWD$|npm_(package|lifecycle|config_local_prefix|config_prefix|execpath|node_execpath|command))/;
	for (const name of Object.keys(env)) {
		if (misleading.test(name)) delete env[name];
	}
	return env;
}

/** Options for every npm command. */
const npmOptions = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

/** Matches only npm's own error lines, so that a compiler's message about networks isn't mistaken for one. */
const unreachable =
	/npm (error|ERR!) (network |code (E50\d|EAI_AGAIN|ECONN\w+|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ERR_SOCKET_TIMEOUT|ETIMEDOUT)\b)/;

/**
 * The message for the user when npm has failed.
 * @param {string} output what npm printed
 * @param {string} what names the work
 */
function npmFailure(output, what) {
	if (/spawn npm ENOENT/.test(output)) return "npm isn't installed. Install it and start again.";
	if (/ENOSPC|no space left/i.test(output)) {
		return `The disk is full (npm failed at ${what}). Free some space and start again.`;
	}
	if (unreachable.test(output)) {
		return `The npm registry can't be reached, and ${what} must be downloaded once. Check the network (or npm's proxy and registry settings) and start again.`;
	}
	const lines = output.trim().split('\n').slice(-15).join('\n');
	return `npm failed at ${what}. The end of its output:\n${lines}`;
}

module.exports = { environmentWithNode24, nodeBinary, npmFailure, npmOptions };
