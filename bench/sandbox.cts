// How fast the sandbox takes recipients, how much memory they cost, and how fast it delivers with callbacks.
// Run: npx tsx bench/sandbox.cts
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { demo } from '../sandbox/demo.cts';
import { createSandbox, type Sandbox } from '../sandbox/sandbox.cts';
import { startSandbox } from '../sandbox/server.cts';

/** Where requests go, and by what means. */
interface Service {
	fetch: (url: string, init: RequestInit) => Promise<Response>;
	partnerUrl: string;
	token: string;
}

setFlagsFromString('--expose_gc');
// The flag puts the function into every new context; there is no other way to it without an option of the command line.
const collectGarbage = runInNewContext('gc') as () => void;
const heapMb = () => {
	collectGarbage();
	return process.memoryUsage().heapUsed / 1024 / 1024;
};
const round = (value: number, digits = 0) => Number(value.toFixed(digits)).toLocaleString('en');

const messagesFor = (size: number) =>
	Array.from({ length: size }, (_, index) => ({
		destination: `7916${String(index).padStart(7, '0')}`,
		substitutions: { name: `Name ${index}`, order: index },
	}));

const bodyOf = (size: number, extra: { callbackUrl?: string } = {}) =>
	JSON.stringify({
		companyId: demo.companies.flowers,
		name: 'Bench',
		senderIds: [demo.senders.mts],
		channelType: 'SMS',
		text: 'Dear {name}, your order {order} is ready.',
		messages: messagesFor(size),
		...extra,
	});

const post = async ({ fetch, partnerUrl, token }: Service, path: string, body?: string) => {
	const response = await fetch(`${partnerUrl}${path}`, {
		method: 'POST',
		headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
		body,
	});
	// Every reply that is looked at has it: the tests of the sandbox hold them to the contract.
	const reply = (await response.json()) as { id: number };
	if (response.status !== 200) throw new Error(JSON.stringify(reply));
	return reply;
};

const unlimited = ({ world }: Sandbox) => {
	const company = world.store.companies.get(demo.companies.flowers);
	if (company === undefined) throw new Error('the demo company is missing');
	company.budget = null;
};

const acceptInProcess = async (size: number) => {
	const body = bodyOf(size);
	const sandbox = createSandbox({ checkReplies: false });
	unlimited(sandbox);
	const { fetch, urls } = sandbox;
	const service = { fetch, partnerUrl: urls.partnerUrl, token: await sandbox.client().logIn() };
	const before = heapMb();
	const begun = performance.now();
	const { id } = await post(service, '/dispatches', body);
	const accepted = performance.now() - begun;
	const held = heapMb() - before;
	await post(service, `/dispatches/${id}/start`);
	const started = performance.now();
	await sandbox.advance(60_000);
	const delivered = performance.now() - started;
	const status = sandbox.world.store.dispatches.get(id)?.status;
	if (status !== 'COMPLETED') throw new Error(`the dispatch is ${status}`);
	return { accepted, held, delivered, after: heapMb() - before };
};

const table = (title: string, rows: Array<Record<string, string>>) => {
	console.log(`\n${title}`);
	console.table(rows);
};

async function measureInProcess() {
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
}

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
	/** The program above posts nothing but numbers. */
	const next = async () => await new Promise<number>((resolve) => worker.once('message', resolve));
	const port = await next();
	const count = async () => {
		worker.postMessage('count');
		return await next();
	};
	return { url: `http://127.0.0.1:${port}/`, count, close: async () => await worker.terminate() };
};

async function measureOverHttp() {
	const size = 100_000;
	const running = await startSandbox({ port: 0, speed: 0 });
	const receiver = await startReceiver();
	unlimited(running.sandbox);
	const token = await running.sandbox.client().logIn();
	const service = { fetch, partnerUrl: running.partnerUrl, token };
	const one = bodyOf(size);
	let begun = performance.now();
	await post(service, '/dispatches', one);
	const inOne = performance.now() - begun;

	const batch = 1_000;
	const messages = messagesFor(size);
	begun = performance.now();
	const { id } = await post(service, '/dispatches', bodyOf(0, { callbackUrl: receiver.url }));
	for (let first = 0; first < size; first += batch) {
		const body = JSON.stringify({ messages: messages.slice(first, first + batch) });
		await post(service, `/dispatches/${id}/messages`, body);
	}
	const inBatches = performance.now() - begun;
	await post(service, `/dispatches/${id}/start`);
	begun = performance.now();
	await running.sandbox.advance(60_000);
	const delivery = performance.now() - begun;
	const told = await receiver.count();
	if (told !== size) throw new Error(`${told} callbacks arrived`);
	const perSecond = (ms: number) => round((size / ms) * 1_000);
	table('100,000 recipients over HTTP', [
		{ what: 'accepted in one request, per second', value: perSecond(inOne) },
		{ what: `accepted in batches of ${batch}, per second`, value: perSecond(inBatches) },
		{ what: 'delivered with one callback each, per second', value: perSecond(delivery) },
	]);
	await running.close();
	await receiver.close();
}

async function main() {
	await measureInProcess();
	await measureOverHttp();
}

void main();
