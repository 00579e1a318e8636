import path from 'node:path';
import { createN8n, type N8n } from '../n8n/n8n.cts';
import { copySeed } from '../n8n/seed.cts';
import { freePort } from '../process/ports.cts';
import type { Database } from './databaseServer.cts';
import { createPostgres, type SqlDatabase } from './postgres.cts';
import { createRedis } from './redis.cts';

/** n8n in queue mode, with each part in its own process. */
export interface Queue {
	/** Editor, REST API and schedules. It doesn't handle production webhooks. */
	main: N8n;
	/** Webhook processors. */
	webhooks: N8n[];
	workers: N8n[];
	postgres: SqlDatabase;
	redis: Database;
	start(): Promise<void>;
	stop(): Promise<void>;
}

interface QueueOptions {
	/** The folder of the installed n8n. */
	host: string;
	seed: string;
	/** The queue's own folder. If root starts it, another user runs Postgres, and only this folder is opened for that user. */
	folder: string;
	environment?: Record<string, string>;
}

const webhookCount = 2;
const workerCount = 2;

const freePorts = async (count: number) =>
	await Promise.all(Array.from({ length: count }, async () => await freePort()));

/** The settings that all processes of a queue share. */
function sharedSettings(postgres: Database, redis: Database, webhookPort: number) {
	return {
		EXECUTIONS_MODE: 'queue',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_DATABASE: 'n8n',
		DB_POSTGRESDB_USER: 'n8n',
		DB_POSTGRESDB_PASSWORD: 'n8n',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		N8N_WEBHOOK_URL: `http://127.0.0.1:${webhookPort}/`,
	};
}

export async function createQueue({
	host,
	seed,
	folder,
	environment = {},
}: QueueOptions): Promise<Queue> {
	const postgres = await createPostgres(path.join(folder, 'postgres'));
	const redis = await createRedis(path.join(folder, 'redis'));
	const webhookPorts = await freePorts(webhookCount);
	const shared = { ...sharedSettings(postgres, redis, webhookPorts[0]), ...environment };

	const part = (name: string, role: string[], port: number, own: Record<string, string> = {}) => {
		const home = path.join(folder, name);
		copySeed(seed, home);
		return createN8n({ host, folder: home, port, role, environment: { ...shared, ...own } });
	};
	const main = part('main', ['start'], await freePort(), {
		N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true',
	});
	const webhooks = webhookPorts.map((port, index) =>
		part(`webhook${index + 1}`, ['webhook'], port),
	);
	const workers = (await freePorts(workerCount)).map((port, index) =>
		part(`worker${index + 1}`, ['worker', '--concurrency=10'], port, {
			QUEUE_HEALTH_CHECK_PORT: String(port),
		}),
	);
	return {
		main,
		webhooks,
		workers,
		postgres,
		redis,
		start: async () => {
			await Promise.all([postgres.start(), redis.start()]);
			// The main process prepares the database that the others need.
			await main.start();
			await Promise.all([...webhooks, ...workers].map(async (one) => await one.start()));
		},
		stop: async () => {
			await Promise.all([...workers, ...webhooks, main].map(async (one) => await one.stop()));
			await Promise.all([redis.stop(), postgres.stop()]);
		},
	};
}
