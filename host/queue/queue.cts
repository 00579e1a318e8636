// @ts-check
'use strict';

const path = require('node:path');
const { createPostgres, createRedis } = require('./databases.cjs');
const { createN8n } = require('./n8n.cjs');
const { freePort } = require('../process/ports.cjs');
const { copySeed } = require('./seed.cjs');

/**
 * @typedef {object} Queue n8n in queue mode, every part a process of its own
 * @property {import('./n8n.cjs').N8n} main editor, REST API and schedules; takes no production webhooks
 * @property {import('./n8n.cjs').N8n[]} webhooks webhook processors
 * @property {import('./n8n.cjs').N8n[]} workers
 * @property {import('./databases.cjs').SqlDatabase} postgres
 * @property {import('./databases.cjs').Database} redis
 * @property {() => Promise<void>} start
 * @property {() => Promise<void>} stop
 */

/**
 * @param {object} options
 * @param {string} options.host the folder of the installed n8n
 * @param {string} options.seed
 * @param {string} options.folder its own
 * @param {number} [options.webhookCount]
 * @param {number} [options.workerCount]
 * @param {Record<string, string>} [options.environment]
 * @returns {Promise<Queue>}
 */
async function createQueue({
	host,
	seed,
	folder,
	webhookCount = 2,
	workerCount = 2,
	environment = {},
}) {
	const postgres = await createPostgres(path.join(folder, 'postgres'));
	const redis = await createRedis(path.join(folder, 'redis'));
	const webhookPorts = [];
	for (let count = 0; count < webhookCount; count++) webhookPorts.push(await freePort());

	const shared = {
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
		N8N_WEBHOOK_URL: `http://127.0.0.1:${webhookPorts[0]}/`,
		...environment,
	};
	/** @param {string} name @param {string[]} role @param {number} port @param {Record<string, string>} [own] */
	const part = (name, role, port, own = {}) => {
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
	/** @type {import("./n8n.cjs").N8n[]} */
	const workers = [];
	for (let index = 1; index <= workerCount; index++) {
		const port = await freePort();
		const own = { QUEUE_HEALTH_CHECK_PORT: String(port) };
		workers.push(part(`worker${index}`, ['worker', '--concurrency=10'], port, own));
	}
	return {
		main,
		webhooks,
		workers,
		postgres,
		redis,
		start: async () => {
			await Promise.all([postgres.start(), redis.start()]);
			// It prepares the database; the others expect it ready.
			await main.start();
			await Promise.all([...webhooks, ...workers].map(async (one) => await one.start()));
		},
		stop: async () => {
			await Promise.all([...workers, ...webhooks, main].map(async (one) => await one.stop()));
			await Promise.all([redis.stop(), postgres.stop()]);
		},
	};
}

module.exports = { createQueue };
