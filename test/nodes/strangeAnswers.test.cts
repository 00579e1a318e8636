import type { IDataObject } from 'n8n-workflow';
import { runNode, type NodeResult } from '../support/n8n.cts';
import { jsonOf, useSandbox } from '../support/sandbox.cts';
import { json, startServer, type TestServer } from '../support/server.cts';
import { nodes, operationsOf } from './all.cts';
import { plainRowOf } from './plain.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));

/** What a service may answer with success that is not what the contract says. */
const answers: Array<[title: string, body: unknown]> = [
	['{}', {}],
	['[]', []],
	['null', null],
	['"OK"', 'OK'],
	['42', 42],
	['an error', { error: { code: 4000, msg: 'Bad Request' } }],
	['an error without a code', { error: { reason: 'Bad Request' } }],
	['{"items": null}', { items: null }],
	['[null]', [null]],
	['{"items": [null]}', { items: [null] }],
];

/** Words of a program, not of a person. */
const unclear = /undefined|Cannot read|is not a function|is not iterable|\[object|NaN/;
/** The service has accepted something: nobody can know that nothing was done. */
const untrue = /Nothing was sent|No dispatch was created|before the connection/;

type Run = (onError?: 'continueRegularOutput') => Promise<NodeResult>;

/** What is wrong with what left the node; nothing when all is well. */
const judge = async (run: Run, wrong: RegExp): Promise<string | undefined> => {
	const { error, items } = await run();
	const shown = JSON.stringify(items.map(({ json: output }) => output));
	if (error === undefined) return wrong.exec(shown)?.[0];
	const words = `${error.message} ${error.description ?? ''}`;
	if (!/^Node(?:Api|Operation)Error$/.test(error.name)) return `${error.name}: ${words}`;
	if (!error.description) return `no description: ${words}`;
	if (wrong.test(words)) return words;
	const continued = await run('continueRegularOutput');
	const output = jsonOf(continued.items);
	return wrong.exec(JSON.stringify([continued.error?.message, output]))?.[0];
};

/** Tries an operation with every answer: the cases that are wrong and not known, and those that are known and right. */
const tryAll = async (operation: string, runWith: (answer: unknown) => Run, wrong: RegExp) => {
	const surprises: string[] = [];
	for (const [title, answer] of answers) {
		const name = `${operation}, answered with ${title}`;
		const problem = await judge(runWith(answer), wrong);
		if (problem !== undefined) surprises.push(`${name}: ${problem}`);
	}
	return surprises;
};

describe('a service that answers everything so', () => {
	let server: TestServer;
	let body: unknown;
	beforeAll(async () => {
		server = await startServer(({ url }) =>
			url.endsWith('/auth/token') ? json(200, { token: 't' }) : json(200, body),
		);
	});
	afterAll(async () => await server.close());

	describe.each(nodes)('$name', ({ node, resources, rows }) => {
		test.each(operationsOf({ resources }))('%s: the words are for people', async (operation) => {
			const [resource = '', value = ''] = operation.split('.');
			const { parameters, input } = plainRowOf(rows)(operation);
			const runWith = (answer: unknown) => async (onError?: 'continueRegularOutput') => {
				body = answer;
				return await runNode({
					node,
					parameters: { resource, operation: value, ...parameters },
					inputItems: [input ?? { json: {} }],
					credentials: {
						bulkMessagingPartnerApi: { baseUrl: server.url, login: 'l', password: 'p' },
						bulkMessagingApi: { baseUrl: `${server.url}/api/v1`, apiKey: 'k' },
					},
					onError,
				});
			};
			expect(await tryAll(operation, runWith, unclear)).toEqual([]);
		});
	});
});

describe.each(nodes)('$name, when changes are carried out and answered so', (tested) => {
	const { node, resources, rows, logIn } = tested;
	const bench = useSandbox(node);
	const changing = operationsOf({ resources }).filter((operation) =>
		plainRowOf(rows)(operation).wire.some(({ method }) => method !== 'GET'),
	);

	test.each(changing)('%s: the words are for people, and true', async (operation) => {
		const { parameters, input, seed } = plainRowOf(rows)(operation);
		const runWith = (answer: unknown) => async (onError?: 'continueRegularOutput') => {
			bench.sandbox.reset('demo');
			await seed?.(bench.sandbox);
			// With a token no log-in comes first.
			const own =
				logIn.length > 0 ? { token: await bench.sandbox.client().logIn() } : ({} as IDataObject);
			for (const method of ['POST', 'PUT']) {
				bench.sandbox.faults.add({
					kind: 'commit-then-status',
					status: 200,
					times: 1_000,
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify(answer),
					match: { method },
				});
			}
			return await bench.run(operation, parameters, {
				inputItems: [input ?? { json: {} }],
				credentials: bench.credentials(own),
				onError,
			});
		};
		const wrong = new RegExp(`${unclear.source}|${untrue.source}`);
		expect(await tryAll(`(carried out) ${operation}`, runWith, wrong)).toEqual([]);
	});
});
