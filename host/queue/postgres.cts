import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { startCommand } from '../process/commands.cts';
import { freePort } from '../process/ports.cts';
import { createServer, findProgram, type Database } from './databaseServer.cts';

export interface SqlDatabase extends Database {
	/** Returns the fields of every row. */
	ask(sql: string): string[][];
}

/** Debian installs every version of Postgres in its own folder. */
function programFolders() {
	const versions = '/usr/lib/postgresql';
	if (!existsSync(versions)) return [];
	return readdirSync(versions)
		.sort((a, b) => Number(b) - Number(a))
		.map((version) => path.join(versions, version, 'bin'));
}

/** Postgres doesn't run as root. Then its programs run as the user postgres, who becomes the owner of the folder. */
function asPostgres(folder: string): string[] {
	if (process.getuid?.() !== 0) return [];
	execFileSync('chown', ['-R', 'postgres:postgres', folder]);
	chmodSync(path.dirname(folder), 0o711);
	return ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];
}

/** A cluster in its own folder, with one database "n8n". It accepts every connection from this machine. */
export async function createPostgres(folder: string): Promise<SqlDatabase> {
	const [initdb, postgres, psql] = ['initdb', 'postgres', 'psql'].map((name) =>
		findProgram(name, programFolders()),
	);
	const port = await freePort();
	const data = path.join(folder, 'data');
	mkdirSync(data, { recursive: true });
	const prefix = asPostgres(folder);
	const run = ([command, ...args]: string[]) =>
		execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
	run([...prefix, initdb, '-D', data, '-U', 'n8n', '-A', 'trust', '--no-sync', '-E', 'UTF8']);
	const connection = ['-h', '127.0.0.1', '-p', String(port), '-U', 'n8n'];
	const ask = (database: string, sql: string) =>
		run([psql, ...connection, '-d', database, '--tuples-only', '--no-align', '-c', sql])
			.split('\n')
			.filter(Boolean)
			.map((row) => row.split('|'));

	const launch = () => {
		const settings = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder];
		const [command, ...args] = [...prefix, postgres, ...settings];
		return startCommand(command, args, {
			cwd: folder,
			logFile: path.join(path.dirname(folder), 'postgres.log'),
		});
	};
	const server = createServer('Postgres', launch, () => void ask('postgres', 'select 1'));
	let isNew = true;
	return {
		port,
		...server,
		start: async () => {
			await server.start();
			if (isNew) ask('postgres', 'create database n8n');
			isNew = false;
		},
		ask: (sql) => ask('n8n', sql),
	};
}
