// @ts-check
'use strict';

const { runCommand } = require('../process/commands.cjs');
const { environmentWithNode24 } = require('../process/places.cjs');
const { Problem } = require('../process/problem.cjs');

/** npm's own words, so that a compiler's message about networks is not taken for one. */
const unreachable =
	/npm (error|ERR!) (network |code (E50\d|EAI_AGAIN|ECONN\w+|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|ERR_SOCKET_TIMEOUT|ETIMEDOUT)\b)/;

const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

/**
 * @param {string} output
 * @param {string} what
 */
function explain(output, what) {
	if (/ENOSPC|no space left/i.test(output)) {
		return new Problem(`The disk is full: ${what} did not fit. Free some space and start again.`);
	}
	if (unreachable.test(output)) {
		return new Problem(
			`The npm registry cannot be reached, and ${what} has to be downloaded once: check the network (or npm's proxy and registry settings) and start again.`,
		);
	}
	const lines = output.trim().split('\n').slice(-15).join('\n');
	return new Problem(`npm failed at ${what}. The end of what it said:\n${lines}`);
}

/**
 * @param {string[]} args
 * @param {{cwd: string, what: string}} options `what` names the work, for the sentence in case it fails
 */
async function npm(args, { cwd, what }) {
	const { code, output } = await runCommand('npm', [...args, ...quiet], {
		cwd,
		env: environmentWithNode24(),
	});
	if (code !== 0) throw explain(output, what);
	return output;
}

/**
 * Asks the registry one small thing without retrying, so that a machine without a network learns it in seconds and
 * not after npm's retries.
 * @param {string} cwd
 * @param {string} what
 */
async function requireRegistry(cwd, what) {
	await npm(['view', 'isexe', 'version', '--prefer-online', '--fetch-retries=0'], { cwd, what });
}

module.exports = { npm, requireRegistry };
