// How fast the sandbox takes recipients, how much memory they cost, and how fast it delivers with callbacks.
// Run: npx tsx bench/sandbox.mjs
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import demoModule from '../sandbox/demo.cts';
import sandboxModule from '../sandbox/sandbox.cts';
import serverModule from '../sandbox/server.cts';

const { demo } = demoModule;
const { createSandbox } = sandboxModule;
const { startSandbox } = serverModule;

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc');
const heapMb = () => {
	collectGarbage();
	return process.memoryUsage().heapUsed / 1024 / 1024;
};
const round = (value, digits = 0) => Number(value.toFixed(digits)).toLocaleString('en');

const bodyOf = (size, extra = {}) =>
	JSON.stringify({
		companyId: demo.companies.flowers,
		name: 'Bench',
		senderIds: [demo.senders.mts],
		channelType: 'SMS',
		text: 'Dear {name}, your order {order} is ready.',
		messages: Array.from({ length: size }, (_, index) => ({
			destination: `7916${String(index).padStart(7, '0')}`,
			substitutions: { name: `Name ${index}`, order: index },
		})),
		...extra,
	});

const post = async (fetch, { partnerUrl }, token, path, body) => {
	const response = await fetch(`${partnerUrl}${path}`, {
		method: 'POST',
		headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
		body,
	});
	const reply = await response.json();
	if (response.status !== 200) throw new Error(JSON.stringify(reply));
	return reply;
};

const unlimited = (sandbox) => {
	sandbox.world.store.companies.get(demo.companies.flowers).budget = null;
};

const acceptInProcess = async (size) => {
	const body = bodyOf(size);
	const sandbox = createSandbox({ checkReplies: false });
	unlimited(sandbox);
	const token = await sandbox.client().logIn();
	const before = heapMb();
	const begun = performance.now();
	const { id } = await post(sandbox.fetch, sandbox.urls, token, '/dispatches', body);
	const accepted = performance.now() - begun;
	const held = heapMb() - before;
	await post(sandbox.fetch, sandbox.urls, token, `/dispatches/${id}/start`);
	const started = performance.now();
	await sandbox.advance(60_000);
	const delivered = performance.now() - started;
	const { status } = sandbox.world.store.dispatches.get(id);
	if (status !== 'COMPLETED') throw new Error(`the dispatch is ${status}`);
	return { accepted, held, delivered, after: heapMb() - before };
};

const table = (title, rows) => {
	console.log(`\n${title}`);
	console.table(rows);
};

await acceptInProcess(20_000);
const rows = [];
for (const size of [10_000, 50_000, 100_000, 200_000, 400_000]) {
	const { accepted, held, delivered, after } = await acceptInProcess(size);
	rows.push({
		recipients: round(size),
		'accepted per second': round((size / accepted) * 1_000),
		'MB held': round(held, 1),
		'bytes per message': round((held * 1024 * 1024) / size),
		'delivered per second': round((size / delivered) * 1_000),
		'MB when delivered': round(after, 1),
	});
}
table('One request, in process', rows);

/** Counts callbacks in a thread of its own, so that the receiver does not slow the sandbox down. */
const startReceiver = async () => {
	const worker = new Worker(
		`const { createServer } = require('node:http');
		const { parentPort } = require('node:worker_threads');
		let count = 0;
		const server = createServer((request, response) => {
			request.resume();
			request.on('end', () => { count++; response.end(); });
		});
		server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
		parentPort.on('message', () => parentPort.postMessage(count));`,
		{ eval: true },
	);
	const next = async () => await new Promise((resolve) => worker.once('message', resolve));
	const port = await next();
	const count = async () => {
		worker.postMessage('count');
		return await next();
	};
	return { url: `http://127.0.0.1:${port}/`, count, close: () => worker.terminate() };
};

const size = 100_000;
const running = await startSandbox({ port: 0, speed: 0 });
const receiver = await startReceiver();
unlimited(running.sandbox);
const token = await running.sandbox.client().logIn();
const one = bodyOf(size);
let begun = performance.now();
await post(fetch, running, token, '/dispatches', one);
const inOne = performance.now() - begun;

const batch = 1_000;
const { messages } = JSON.parse(one);
begun = performance.now();
const { id } = await post(
	fetch,
	running,
	token,
	'/dispatches',
	bodyOf(0, { callbackUrl: receiver.url }),
);
for (let first = 0; first < size; first += batch) {
	const body = JSON.stringify({ messages: messages.slice(first, first + batch) });
	await post(fetch, running, token, `/dispatches/${id}/messages`, body);
}
const inBatches = performance.now() - begun;
await post(fetch, running, token, `/dispatches/${id}/start`);
begun = performance.now();
await running.sandbox.advance(60_000);
const delivery = performance.now() - begun;
const told = await receiver.count();
if (told !== size) throw new Error(`${told} callbacks arrived`);
table('100,000 recipients over HTTP', [
	{ what: 'accepted in one request, per second', value: round((size / inOne) * 1_000) },
	{ what: `accepted in batches of ${batch}, per second`, value: round((size / inBatches) * 1_000) },
	{ what: 'delivered with one callback each, per second', value: round((size / delivery) * 1_000) },
]);
await running.close();
await receiver.close();
