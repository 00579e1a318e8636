// @ts-check
'use strict';

/**
 * Runs one command as a child: `node guard.cjs <grace in seconds> <command> [arguments]`.
 *
 * The process that starts the guard keeps the other end of its standard input open. When that end closes, on purpose or
 * because that process was killed, the guard asks the command to stop and, if it doesn't, kills it with everything it
 * started. So no process outlives a demo or a test run. The guard must lead its own process group.
 *
 * Plain JavaScript, because the bootstrap also uses it for `npm ci`, before TypeScript can run.
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
		// Its own process group: Ctrl-C in the terminal reaches only the caller, which stops its commands in order.
		detached: true,
		stdio: ['pipe', output, output],
	});
	// A guard that has ended closes its input. Nothing is ever written there, so this error can be ignored.
	if (guard.stdin) guard.stdin.on('error', () => {});
	return guard;
}

function main() {
	const [graceSeconds, command, ...args] = process.argv.slice(2);
	let stopping = false;
	function stop() {
		if (stopping) return;
		stopping = true;
		child.kill('SIGTERM');
		setTimeout(() => process.kill(-process.pid, 'SIGKILL'), Number(graceSeconds) * 1000);
	}

	// Before the command is started: a signal in between would end the guard and leave the command behind.
	process.on('SIGTERM', stop);
	process.on('SIGINT', stop);
	const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
	process.stdin.on('end', stop).on('error', stop).resume();

	child.on('error', (error) => {
		process.stderr.write(`${error.message}\n`);
		process.exit(127);
	});
	child.on('exit', (code, signal) => {
		// The command may have left children in the group. The guard itself ignores this signal.
		stopping = true;
		process.kill(-process.pid, 'SIGTERM');
		process.exit(code === null ? 128 + (signal ? constants.signals[signal] : 0) : code);
	});
}

if (require.main === module) main();

module.exports = { spawnGuarded };
