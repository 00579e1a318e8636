import type { ServerResponse } from 'node:http';
import { toStore } from '../../core/transport/logIn';
import { giveUpReading } from '../support/giveUp.cts';
import type { Credentials } from '../support/n8n.cts';
import {
	json,
	startServer,
	type Behaviour,
	type Received,
	type TestServer,
} from '../support/server.cts';

export const login = 'partner-login';
export const password = 'correct-horse-battery';
export const apiKey = 'key-0123456789abcdef';

export type Answer = (request: Received) => Behaviour;

const started: TestServer[] = [];
afterEach(async () => {
	await Promise.all(started.splice(0).map(async (server) => await server.close()));
});

/** A server that is closed when the test ends. */
export const serve = async (answer: Answer): Promise<TestServer> => {
	const server = await startServer(answer);
	started.push(server);
	return server;
};

/** One behaviour after the other; the last one stays. */
export const inOrder = (...behaviours: [Behaviour, ...Behaviour[]]): Answer => {
	let next = 0;
	return () => behaviours[Math.min(next++, behaviours.length - 1)] as Behaviour;
};

/** Gives out token-1, token-2, … */
export const giveTokens = (): Answer => {
	let given = 0;
	return () => json(200, { token: `token-${++given}` });
};

const beginAnswer = (response: ServerResponse, status: number, body: unknown) => {
	const whole = JSON.stringify(body);
	response.writeHead(status, {
		'content-type': 'application/json',
		'content-length': Buffer.byteLength(whole),
	});
	response.write(whole.slice(0, Math.floor(whole.length / 2)));
};

/** The answer begins, and the connection is lost in the middle of it. */
export const cutOff =
	(status: number, body: unknown): Behaviour =>
	(_, response) => {
		beginAnswer(response, status, body);
		setImmediate(() => response.socket?.resetAndDestroy());
	};

/** The answer begins and never ends, and the client has waited long enough. */
export const stalled =
	(status: number, body: unknown): Behaviour =>
	(_, response) => {
		giveUpReading();
		beginAnswer(response, status, body);
	};

interface PartnerService extends TestServer {
	/** The requests other than log-ins. */
	readonly calls: Received[];
	readonly logIns: Received[];
}

const isLogIn = ({ url }: Received) => url.endsWith('/auth/token');

/** A partner API: log-ins succeed unless the test says otherwise, other calls are answered as the test says. */
export const servePartner = async (
	answer: Answer,
	logIn: Answer = giveTokens(),
): Promise<PartnerService> => {
	const server = await serve((request) => (isLogIn(request) ? logIn(request) : answer(request)));
	return {
		...server,
		get calls() {
			return server.received.filter((request) => !isLogIn(request));
		},
		get logIns() {
			return server.received.filter(isLogIn);
		},
	};
};

export const partnerCredential = (
	baseUrl: string,
	other: Record<string, string> = {},
): Credentials => {
	const credential = { baseUrl, login, password, ...other };
	// As n8n has stored it after a log-in.
	const stored = other.token === undefined ? {} : toStore(other.token, credential);
	return { bulkMessagingPartnerApi: { ...credential, ...stored } };
};

export const messagingCredential = (
	baseUrl: string,
	other: Record<string, string> = {},
): Credentials => ({
	bulkMessagingApi: { baseUrl, apiKey, ...other },
});

/** Methods and addresses in the order in which they were asked for. */
export const asked = (requests: readonly Received[]) =>
	requests.map(({ method, url }) => `${method} ${url}`);

/** Nobody listens there. A port that was just closed may be another test's a moment later. */
export const unusedAddress = 'http://127.0.0.1:1';
