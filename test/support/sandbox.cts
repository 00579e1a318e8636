import { createHash } from 'node:crypto';
import { Agent, createServer, request as forward, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	OnError,
} from 'n8n-workflow';
import { toStore } from '../../core/transport/logIn';
import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { demo } from '../../sandbox/demo.cts';
import type { Fault } from '../../sandbox/api/faults.cts';
import { startSandbox, type RunningSandbox } from '../../sandbox/server.cts';
import { contentsOf } from './contents.cts';
import { atTheirPlaces } from './places.cts';
import { giveUp, giveUpLate } from './giveUp.cts';
import { runNode, type Credentials, type NodeResult } from './n8n.cts';

/** One request as it came over the wire, in the words of the contract. */
export interface Wire {
	method: string;
	/** Behind the base address, without the query. */
	path: string;
	/** Every parameter as it was sent, by name; a repeated one is there as often as it was sent. */
	query?: Array<[string, string]>;
	/** JSON as it is, a form as its files and the JSON in its other parts, nothing for an empty body. */
	body?: unknown;
}

export interface Recorded {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	body: Buffer;
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** What a test compares of a file: its bytes by their digest. */
export const fileOnWire = (filename: string, type: string, bytes: Uint8Array) => ({
	filename,
	type,
	size: bytes.byteLength,
	digest: digestOf(bytes),
});

const readForm = async (body: Buffer, contentType: string) => {
	const response = new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
	const parts: Array<[string, unknown]> = [];
	for (const [name, part] of await response.formData()) {
		parts.push([
			name,
			typeof part === 'string'
				? (JSON.parse(part) as unknown)
				: fileOnWire(part.name, part.type, new Uint8Array(await part.arrayBuffer())),
		]);
	}
	return Object.fromEntries(parts);
};

const readBody = async ({ body, headers }: Recorded): Promise<unknown> => {
	if (body.length === 0) return undefined;
	const contentType = headers['content-type'] ?? '';
	if (contentType.startsWith('multipart/form-data')) return await readForm(body, contentType);
	if (contentType === 'application/json') return JSON.parse(body.toString()) as unknown;
	return { unexpectedType: contentType, text: body.toString() };
};

const byName = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : a > b ? 1 : 0);

/** Drops what is not there, so that an expectation needs to name only what was sent. */
const toWire = async (request: Recorded): Promise<Wire> => {
	const url = new URL(request.url, 'http://127.0.0.1');
	const query = [...url.searchParams].sort(byName);
	const body = await readBody(request);
	return {
		method: request.method,
		path: url.pathname.startsWith(demo.partnerPath)
			? url.pathname.slice(demo.partnerPath.length)
			: url.pathname,
		...(query.length > 0 && { query }),
		...(body !== undefined && { body }),
	};
};

/** Stands between the node and the sandbox: keeps every request with its body and counts how many are under way. */
const startRecorder = async (target: string) => {
	const recorded: Recorded[] = [];
	const agent = new Agent({ keepAlive: true });
	const flight = {
		now: 0,
		most: 0,
		/** Called before each answer, which waits for it. */
		beforeAnswer: undefined as (() => Promise<unknown>) | undefined,
	};
	const server = createServer((incoming, outgoing) => {
		const chunks: Buffer[] = [];
		flight.most = Math.max(flight.most, ++flight.now);
		outgoing.once('close', () => flight.now--);
		incoming.on('error', () => undefined);
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const { method = '', url = '', headers } = incoming;
			const body = Buffer.concat(chunks);
			recorded.push({ method, url, headers, body });
			const onward = forward(new URL(url, target), { method, headers, agent }, (answer) => {
				const pass = () => {
					outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
					answer.pipe(outgoing);
				};
				if (flight.beforeAnswer === undefined) pass();
				else void flight.beforeAnswer().then(pass);
			});
			// Who gives up at one side gives up at the other too.
			const pass = () => giveUp(outgoing);
			onward.once('socket', (socket) => {
				socket.once('timeout', pass);
				onward.once('close', () => socket.off('timeout', pass));
			});
			// A connection that one side drops is dropped at the other too.
			onward.on('error', () => outgoing.socket?.resetAndDestroy());
			outgoing.once('close', () => onward.destroy());
			onward.end(body);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		recorded,
		flight,
		async close() {
			agent.destroy();
			await new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			});
		},
	};
};
type Recorder = Awaited<ReturnType<typeof startRecorder>>;

interface RunOptions {
	items?: IDataObject[];
	inputItems?: INodeExecutionData[];
	onError?: OnError;
	tries?: number;
	rounds?: number;
	workflowName?: string;
	workflowId?: string;
	credentials?: Credentials;
	onStart?: (cancel: () => void) => void;
}

/** A Monday morning; the sandbox's clock stands still there. */
export const virtualNow = Date.UTC(2026, 2, 2, 7);

const accounts = new WeakMap<object, string>();
let accountCount = 0;

/**
 * Makes the account of a credential another one after every reset of the sandbox: the process remembers which custom message IDs
 * an account has used. The service itself doesn't get this field.
 */
export const accountOf = ({ world }: Pick<RunningSandbox['sandbox'], 'world'>) => {
	const login = accounts.get(world.store) ?? `account ${++accountCount}`;
	accounts.set(world.store, login);
	return { login };
};

const logInPath = `${demo.partnerPath}/auth/token`;

/** A sandbox for all tests of a file, with the demo data anew before each, behind a recorder. */
export const useSandbox = (node: INodeType = new BulkMessagingPartner()) => {
	let running: RunningSandbox;
	let recorder: Recorder;
	beforeAll(async () => {
		running = await startSandbox({ port: 0, speed: 0, now: virtualNow, onSilence: giveUpLate });
		recorder = await startRecorder(running.origin);
	});
	afterAll(async () => {
		await recorder.close();
		await running.close();
	});
	beforeEach(() => {
		running.sandbox.reset('demo');
		recorder.recorded.length = 0;
		Object.assign(recorder.flight, { most: 0, beforeAnswer: undefined });
	});

	const access = {
		bulkMessagingPartnerApi: () => ({
			baseUrl: `${recorder.url}${demo.partnerPath}`,
			login: demo.login,
			password: demo.password,
			// Not used with a login.
			accessToken: accountOf(running.sandbox).login,
		}),
		bulkMessagingApi: () => ({
			baseUrl: `${recorder.url}${demo.messagingPath}`,
			apiKey: demo.apiKey,
			scheme: 'Bearer',
			...accountOf(running.sandbox),
		}),
	};
	const credentialType = node.description.credentials?.[0]?.name as keyof typeof access;
	/** Paths of the partner API are told from its base address on, those of the messaging API whole. */
	const prefix = credentialType === 'bulkMessagingPartnerApi' ? demo.partnerPath : '';
	const credentials = (more: IDataObject = {}): Credentials => {
		const data = { ...access[credentialType](), ...(more as Record<string, string>) };
		// As n8n has stored it after a log-in.
		const stored = typeof more.token === 'string' ? toStore(more.token, data) : {};
		return { [credentialType]: { ...data, ...stored } };
	};
	const isCall = ({ url }: Recorded) => url !== logInPath;
	type FaultOptions = Partial<Omit<Fault, 'kind' | 'match'>>;
	const fault = (
		kind: Fault['kind'],
		method: string,
		path: string,
		more: FaultOptions = {},
	): void => {
		running.sandbox.faults.add({ kind, match: { method, path }, ...more });
	};

	return {
		/** Runs `resource.operation` in n8n's engine. */
		async run(
			operation: string,
			parameters: INodeParameters = {},
			{ credentials: own = credentials(), ...options }: RunOptions = {},
		): Promise<NodeResult> {
			const [resource = '', name = ''] = operation.split('.');
			return await runNode({
				node,
				parameters: atTheirPlaces(node, { resource, operation: name, ...parameters }),
				credentials: own,
				...options,
			});
		},
		credentials,
		get sandbox() {
			return running.sandbox;
		},
		get store() {
			return running.sandbox.world.store;
		},
		/** Everything the service holds, tokens aside, as text: equal texts mean that nothing changed. */
		contents(): string {
			return contentsOf(running.sandbox, ['tokens']);
		},
		/** Every request as it came, with its headers. */
		get recorded(): readonly Recorded[] {
			return recorder.recorded;
		},
		/** Every request, the log-in included. */
		async everything(): Promise<Wire[]> {
			return await Promise.all(recorder.recorded.map(toWire));
		},
		/** The requests behind the log-in. */
		async wire(): Promise<Wire[]> {
			return await Promise.all(recorder.recorded.filter(isCall).map(toWire));
		},
		/** How often a call was sent: `sent('POST', '/company')`. */
		sent(method: string, path: string): number {
			const url = prefix + path;
			return recorder.recorded.filter(
				(one) => one.method === method && one.url.split('?')[0] === url,
			).length;
		},
		/** The next such request fails in this way. */
		fault,
		/** Such requests get this response instead of the sandbox's. `undefined` is an empty one. */
		respond(
			kind: 'status' | 'commit-then-status',
			method: string,
			path: string,
			body: unknown,
			more: FaultOptions = {},
		): void {
			fault(kind, method, path, {
				status: 200,
				headers: { 'content-type': 'application/json' },
				body: body === undefined ? '' : JSON.stringify(body),
				times: 1_000,
				...more,
			});
		},
		get flight() {
			return recorder.flight;
		},
		forget() {
			recorder.recorded.length = 0;
		},
		/** From now on every connection is refused, until the end of the file. */
		hangUp(): void {
			void recorder.close();
		},
	};
};
export type Bench = ReturnType<typeof useSandbox>;
export type { NodeResult } from './n8n.cts';

/** A resource locator in the mode By ID. */
export const byId = (value: number | string): INodeParameters => ({
	__rl: true,
	mode: 'id',
	value: String(value),
});

/** Which input item each output item says it comes from. */
export const linksOf = (items: readonly INodeExecutionData[]): unknown[] =>
	items.map(({ pairedItem }) =>
		typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : pairedItem,
	);

export const jsonOf = (items: readonly INodeExecutionData[]): IDataObject[] =>
	items.map(({ json }) => json);
