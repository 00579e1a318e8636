import { runNode } from '../support/n8n.cts';
import { json, startServer, type TestServer } from '../support/server.cts';
import type * as Tempo from '../support/tempo.cts';
import { nodes, operationsOf } from './all.cts';
import { plainRowOf } from './plain.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof Tempo>('../support/tempo.cts').workflowAtTempo(),
);

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

/**
 * What is known to be wrong, as `operation, answered with …: what`. Everything else must be right; a case that is right
 * by now must be taken out.
 */
const knownCases: string[] = [];

let server: TestServer;
let body: unknown;
beforeAll(async () => {
	server = await startServer(({ url }) =>
		url.endsWith('/auth/token') ? json(200, { token: 't' }) : json(200, body),
	);
});
afterAll(async () => await server.close());

/** Words of a program, not of a person. */
const unclear = /undefined|Cannot read|is not a function|is not iterable|\[object|NaN/;

describe.each(nodes)('$name', ({ node, resources, rows }) => {
	const run = async (operation: string, onError?: 'continueRegularOutput') => {
		const [resource = '', value = ''] = operation.split('.');
		const { parameters, input } = plainRowOf(rows)(operation);
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

	/** What is wrong with what left the node; nothing when all is well. */
	const judge = async (operation: string): Promise<string | undefined> => {
		const { error, items } = await run(operation);
		const shown = JSON.stringify(items.map(({ json: output }) => output));
		if (error === undefined) return unclear.exec(shown)?.[0];
		const words = `${error.message} ${error.description ?? ''}`;
		if (!/^Node(?:Api|Operation)Error$/.test(error.name)) return `${error.name}: ${words}`;
		if (!error.description) return `no description: ${words}`;
		if (unclear.test(words)) return words;
		const continued = await run(operation, 'continueRegularOutput');
		const output = continued.items.map((item) => [item.json, item.error?.description]);
		return unclear.exec(JSON.stringify([continued.error?.message, output]))?.[0];
	};

	test.each(operationsOf({ resources }))(
		'%s: whatever the service answers, the words are for people',
		async (operation) => {
			const wrong: string[] = [];
			const right: string[] = [];
			for (const [title, answer] of answers) {
				body = answer;
				const name = `${operation}, answered with ${title}`;
				const problem = await judge(operation);
				if (problem !== undefined && !knownCases.includes(name)) wrong.push(`${name}: ${problem}`);
				if (problem === undefined && knownCases.includes(name)) right.push(name);
			}
			expect(wrong).toEqual([]);
			expect(right).toEqual([]);
		},
	);
});

afterAll(() => {
	if (knownCases.length > 0) console.log(`Known to be wrong:\n${knownCases.join('\n')}`);
});
