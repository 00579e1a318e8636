// @ts-check
'use strict';

/**
 * Runs one command as a child: `node guard.cjs <grace in seconds> <command> [arguments]`.
 *
 * The process that starts it holds the other end of its standard input. When that end closes, on purpose or because that
 * process was killed, the command is asked to stop and, if it does not, killed with everything it started. So nothing
 * outlives a demo or a test run. The guard must lead a process group of its own.
 *
 * Plain JavaScript, because it also guards the `npm ci` of the bootstrap, which brings what runs TypeScript.
 */
const { spawn } = require('node:child_process');
const { constants } = require('node:os');

/**
 * Starts a command under a guard.
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, graceSeconds?: number, output: number | 'pipe'}} options
 * `graceSeconds`: how long it may take to stop before it is killed
 */
function spawnGuarded(command, args, { cwd, env = process.env, graceSeconds = 20, output }) {
	const guard = spawn(process.execPath, [__filename, String(graceSeconds), command, ...args], {
		cwd,
		env,
		// A group of its own: Ctrl-C in the terminal reaches only us, and we stop what we started in order.
		detached: true,
		stdio: ['pipe', output, output],
	});
	// A guard that has ended closes its input; nothing is ever written to it, so the error says nothing new.
	if (guard.stdin) guard.stdin.on('error', () => {});
	return guard;
}

function main() {
	const [graceSeconds, command, ...args] = process.argv.slice(2);
	const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });

	let stopping = false;
	function stop() {
		if (stopping) return;
		stopping = true;
		child.kill('SIGTERM');
		setTimeout(() => process.kill(-process.pid, 'SIGKILL'), Number(graceSeconds) * 1000);
	}

	process.on('SIGTERM', stop);
	process.on('SIGINT', stop);
	process.stdin.on('end', stop).on('error', stop).resume();

	child.on('error', (error) => {
		process.stderr.write(`${error.message}\n`);
		process.exit(127);
	});
	child.on('exit', (code, signal) => {
		// The command may have left children of its own in the group; the guard itself ignores this signal.
		stopping = true;
		process.kill(-process.pid, 'SIGTERM');
		process.exit(code === null ? 128 + (signal ? constants.signals[signal] : 0) : code);
	});
}

if (require.main === module) main();

module.exports = { spawnGuarded };
