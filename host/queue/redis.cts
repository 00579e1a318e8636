import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { startCommand } from '../process/commands.cts';
import { freePort } from '../process/ports.cts';
import { createServer, findProgram, type Database } from './databaseServer.cts';

/** A Redis server that keeps its data in `folder`. */
export async function createRedis(folder: string): Promise<Database> {
	const server = findProgram('redis-server');
	const client = findProgram('redis-cli');
	const port = await freePort();
	mkdirSync(folder, { recursive: true });
	const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
	const launch = () =>
		startCommand(server, [...settings, '--appendonly', 'yes'], {
			cwd: folder,
			logFile: path.join(folder, 'redis.log'),
		});
	const probe = () => {
		const output = execFileSync(client, ['-p', String(port), 'ping'], {
			encoding: 'utf8',
			stdio: 'pipe',
		});
		if (output.trim() !== 'PONG') throw new Error(output);
	};
	return { port, ...createServer('Redis', launch, probe) };
}
