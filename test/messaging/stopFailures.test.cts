import { jsonOf } from '../support/sandbox.cts';
import { useMessaging, sendPath } from './messages.cts';
import { addKnown, uuids } from './table/messages.cts';

const bench = useMessaging();
const stopPath = `${sendPath}/stop`;
const post = { method: 'POST', path: stopPath };
beforeEach(async () => {
	await addKnown(bench.sandbox, 3);
	bench.forget();
});

const stop = async (ids: readonly string[] = uuids, tries = 1) =>
	await bench.run(
		'message.stop',
		{ messageUuid: '={{ $json.id }}' },
		{ items: ids.map((id) => ({ id })), tries, onError: 'continueRegularOutput' },
	);
const stopped = { stopped: true, result: 'stopped' };
const sending = { stopped: false, result: 'alreadySending' };
const hasSent = (uuid = '') => Object.assign(bench.store.byUuid.get(uuid) ?? {}, { state: 'sent' });

test('stopped, its answer lost, and asked again: they are stopped, not on their way', async () => {
	bench.sandbox.faults.add({ kind: 'commit-then-reset', match: post });
	hasSent(uuids[2]);
	const { items } = await stop();
	expect(bench.sent('POST', stopPath)).toBe(2);
	expect(jsonOf(items)).toMatchObject([stopped, stopped, sending]);
});

test('stopped by an earlier run: the same', async () => {
	await stop([uuids[0] ?? '']);
	expect(jsonOf((await stop()).items)).toMatchObject([stopped, stopped, stopped]);
});

test('nothing is looked up where it is not too late', async () => {
	await stop();
	expect(bench.sent('GET', sendPath)).toBe(0);
});

test('a look that fails: says so for those it is about, and what is known for the others', async () => {
	hasSent(uuids[1]);
	bench.sandbox.faults.add({ kind: 'status', status: 403, match: { method: 'GET' } });
	const { items } = await stop();
	expect(jsonOf(items)).toMatchObject([
		stopped,
		{ error: expect.stringMatching(/^This API key isn't allowed to use this operation\. /) },
		stopped,
	]);
	expect(items[1]?.json.error).toContain(
		"The node couldn't check whether an earlier attempt stopped it.",
	);
});

test.each([
	['nothing', undefined],
	['a list of other things', [null, 5, 'text']],
	['somebody else', [{ messageUuid: 'other', code: 200 }, { code: 200 }, { code: 200 }]],
])(
	'a reply that holds %s for a message: not known, and not taken as stopped',
	async (_, replied) => {
		const body = JSON.stringify({ errors: false, items: replied });
		const headers = { 'content-type': 'application/json' };
		bench.sandbox.faults.add({ kind: 'status', status: 200, match: post, headers, body });
		const [first] = jsonOf((await stop()).items);
		expect(first).toMatchObject({
			error: expect.stringContaining(
				`The service didn't confirm that ${uuids[0] ?? ''} was stopped. `,
			) as string,
		});
	},
);
