// @ts-check
'use strict';

/**
 * Runs one command as a child: `node guard.cjs <grace in seconds> <command> [arguments]`.
 *
 * Whoever starts it holds the other end of its standard input. When that end closes, because they said so or because
 * they were killed with no chance to say anything, the command is asked to stop and, if it does not, killed with
 * everything it started. So nothing outlives a demo or a test run. The guard must lead a process group of its own.
 */
const { spawn } = require('node:child_process');
const { constants } = require('node:os');

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
	// The command may have left children of its own in the group; the guard itself ignores this one.
	stopping = true;
	process.kill(-process.pid, 'SIGTERM');
	process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0));
});
