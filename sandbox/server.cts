/** The sandbox as a server. Sockets, timers and the state file are used only here, in sendCallback.cts and in stateFile.cts. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import { demo } from './demo.cts';
import { delayHeader, faultHeader } from './api/route.cts';
import { createSandbox, type SandboxOptions } from './sandbox.cts';
import { callbackSender } from './time/sendCallback.cts';
import { stateFile } from './stored/stateFile.cts';

export interface ServerOptions extends Omit<SandboxOptions, 'origin' | 'send'> {
	/** 0: any free port. */
	port?: number;
	/** Virtual seconds per real second. 0 stops the clock, which then moves only by `advance`. */
	speed?: number;
	/** The file that keeps the state over restarts. */
	state?: string;
	log?: (line: string) => void;
	/** Called when a response is delayed or, with `Infinity`, never sent. Tests let the client give up then. */
	onSilence?: (response: ServerResponse, ms: number) => void;
}

const tickMs = 50;
const saveMs = 2_000;
const longestTick = 24 * 3_600_000;

/** Ends early if the client closes the connection. */
const delay = async (response: ServerResponse, ms: number) =>
	await new Promise<void>((resolve) => {
		const timer = setTimeout(resolve, ms);
		response.once('close', () => {
			clearTimeout(timer);
			resolve();
		});
	});

/** Tells node-server that the request is already handled. */
const alreadyHandled = () => new Response(null, { headers: { 'x-hono-already-sent': 'true' } });

const plainAddress = (address = '') => address.replace(/^::ffff:/, '');

/** Starts the sandbox on 127.0.0.1. `close()` ends all sockets and timers. */
export const startSandbox = async (options: ServerOptions = {}) => {
	const {
		port = demo.port,
		speed = 1,
		log = () => undefined,
		onSilence = () => undefined,
	} = options;
	const callbacks = callbackSender();
	const sandbox = createSandbox({
		now: options.now ?? Date.now(),
		seed: options.seed,
		uuid: options.uuid,
		checkReplies: options.checkReplies ?? false,
		send: callbacks.send,
	});
	const file = options.state === undefined ? undefined : stateFile(options.state, log);
	const saved = file?.read();
	if (saved !== undefined) {
		try {
			sandbox.restore(saved);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			throw new Error(
				`The state file ${options.state} can't be used: ${reason}. Delete it to start over.`,
			);
		}
	}

	const hanging = new Set<ServerResponse>();
	const listener = getRequestListener(
		async (request, { incoming, outgoing }) => {
			const address = plainAddress((incoming as IncomingMessage).socket.remoteAddress);
			const response = await sandbox.handle(request, { address });
			const fault = response.headers.get(faultHeader);
			const pending = outgoing as ServerResponse;
			if (fault === 'reset') {
				incoming.socket.resetAndDestroy();
				return alreadyHandled();
			}
			if (fault === 'hang') {
				hanging.add(pending);
				pending.once('close', () => hanging.delete(pending));
				onSilence(pending, Infinity);
				return alreadyHandled();
			}
			const ms = response.headers.get(delayHeader);
			if (ms !== null) {
				response.headers.delete(delayHeader);
				onSilence(pending, Number(ms));
				await delay(pending, Number(ms));
			}
			return response;
		},
		{ overrideGlobalObjects: false },
	);
	const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, demo.host, resolve);
	});
	const { port: usedPort } = server.address() as AddressInfo;
	sandbox.world.origin = `http://${demo.host}:${usedPort}`;

	const { pace } = sandbox.world;
	pace.speed = speed;
	let last = performance.now();
	const ticking = setInterval(() => {
		const now = performance.now();
		const passed = Math.round((now - last) * pace.speed);
		if (passed > 0) sandbox.tick(Math.min(passed, longestTick));
		last = now;
	}, tickMs);
	let writtenAt = -1;
	const save = () => {
		const { changes } = sandbox;
		if (file !== undefined && changes !== writtenAt && file.write(sandbox.snapshot())) {
			writtenAt = changes;
		}
	};
	// A large state takes longer to write, so it is written less often.
	let saving: NodeJS.Timeout | undefined;
	const saveLater = (tookMs: number) => {
		saving = setTimeout(
			() => {
				const begun = performance.now();
				save();
				saveLater(performance.now() - begun);
			},
			Math.max(saveMs, tookMs * 20),
		);
	};
	if (file !== undefined) saveLater(0);

	return {
		sandbox,
		...sandbox.urls,
		/** Writes the state file now, if there is one and something has changed. */
		save,
		async close() {
			clearInterval(ticking);
			clearTimeout(saving);
			save();
			for (const response of hanging) response.destroy();
			await new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			});
			callbacks.close();
		},
	};
};
export type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>;

const usage = `Usage: npm run sandbox -- [--port N] [--speed N] [--state FILE] [--empty]

  --port N      the port on ${demo.host} (default: ${demo.port})
  --speed N     seconds that pass per real second (default: 1). 60: a minute per second. 0: the clock stops and moves only
                when you advance it, on the page under Controls or with /_sandbox/clock/advance
  --state FILE  keep everything in FILE, so that it survives a restart (default: keep it in memory)
  --empty       start without the demo companies
  --help        print this text`;

const numberOf = (name: string, text: string | undefined): number | undefined => {
	if (text === undefined) return undefined;
	const value = Number(text);
	if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
		throw new Error(`--${name} needs a number of 0 or more, not "${text}".`);
	}
	return value;
};

const main = async () => {
	const { values } = parseArgs({
		options: {
			port: { type: 'string' },
			speed: { type: 'string' },
			state: { type: 'string' },
			empty: { type: 'boolean' },
			help: { type: 'boolean', short: 'h' },
		},
	});
	if (values.help === true) {
		console.log(usage);
		return;
	}
	const running = await startSandbox({
		port: numberOf('port', values.port),
		speed: numberOf('speed', values.speed),
		state: values.state,
		seed: values.empty === true ? 'empty' : 'demo',
		log: (line) => console.error(line),
	});
	let ending = false;
	const end = () => {
		if (ending) return;
		ending = true;
		void running.close().then(() => process.exit(0));
	};
	process.on('SIGINT', end);
	process.on('SIGTERM', end);
	console.log(`The sandbox replaces the messaging service on this machine. Nothing is sent and nothing is charged.

  Partner API    ${running.partnerUrl}
    login        ${demo.login}
    password     ${demo.password}
  Messaging API  ${running.messagingUrl}
    API key      ${demo.apiKey}
  Control routes ${running.controlUrl}
  Page           ${running.origin}/

Ctrl-C stops it.`);
};

if (require.main === module) {
	main().catch((error: unknown) => {
		const isPortInUse = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
		const message = error instanceof Error ? error.message : String(error);
		console.error(
			isPortInUse ? `${message}. Choose another port: npm run sandbox -- --port N` : message,
		);
		process.exitCode = 1;
	});
}
