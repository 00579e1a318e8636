import { messaging } from '../../core/contract/messaging';
import { fund, itemsUpTo, useMessaging } from './messages.cts';
import { plainRow } from './table/plain.cts';

const bench = useMessaging();
beforeEach(() => fund(bench.sandbox));

/** Every route whose place is in doubt, by an operation that uses it. */
const operations: Record<string, string> = {
	messageSend: 'message.send',
	messageList: 'message.getAll',
	messageStop: 'message.stop',
	cascadeSend: 'message.sendCascade',
};
const versioned = Object.entries(messaging).filter(
	([, { path }]) => path.startsWith('/v1/') && !path.includes('{'),
);

test('there is an operation for each of them', () => {
	expect(versioned.map(([name]) => name).sort()).toEqual(Object.keys(operations).sort());
});

describe.each(versioned)('%s', (name, { method, path }) => {
	const operation = operations[name] ?? '';
	const run = async (credentials = bench.credentials()) => {
		const { parameters, seed } = plainRow(operation);
		await seed?.(bench.sandbox);
		bench.forget();
		return await bench.run(operation, parameters, { credentials });
	};
	const counts = () => [`/api${path}`, `/api/v1${path}`].map((one) => bench.sent(method, one));

	test('at the merged path, when both are there', async () => {
		expect((await run()).error).toBeUndefined();
		expect(counts()).toEqual([1, 0]);
	});

	test('at the literal path, when only that is there; nothing is sent twice', async () => {
		bench.store.settings.messagePath = 'literal';
		// The same address in another spelling: what was learnt about the first one does not count here.
		const credentials = bench.credentials();
		const own = credentials.bulkMessagingApi as { baseUrl: string };
		own.baseUrl += '/'.repeat(1 + versioned.findIndex(([one]) => one === name));
		expect((await run(credentials)).error).toBeUndefined();
		expect(counts()).toEqual([1, 1]);
	});
});

test('a path that was there is there no more: the next run finds the other one, and sends once', async () => {
	const run = async () =>
		await bench.run('message.send', plainRow('message.send').parameters, { items: itemsUpTo(1) });
	expect((await run()).error).toBeUndefined();
	bench.store.settings.messagePath = 'literal';
	bench.forget();
	expect((await run()).error).toBeUndefined();
	expect(bench.sent('POST', '/api/v1/v1/message')).toBe(1);
});
