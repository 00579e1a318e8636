import { demo } from '../../sandbox/demo.cts';
import { byId, jsonOf, linksOf, useSandbox } from '../support/sandbox.cts';

const bench = useSandbox();
const { flowers } = demo.companies;

const numbers = Array.from({ length: 200 }, (_, index) => `7916${String(index).padStart(7, '0')}`);
const items = numbers.map((phone) => ({ phone }));
const parameters = { companyId: byId(flowers), msisdn: '={{ $json.phone }}' };
const blacklisted = () => [...(bench.store.blacklists.get(flowers)?.keys() ?? [])];

describe.each([
	['blacklist.add', [], numbers],
	['blacklist.remove', numbers, []],
])('%s of 200 items', (operation, before, after) => {
	beforeEach(() =>
		bench.store.blacklists.set(flowers, new Map(before.map((number) => [number, '']))),
	);

	test('several at a time, in the order of the items, each linked to its own', async () => {
		// Nothing is answered before a second request is there: one at a time would wait for ever.
		const second = new Promise<void>((resolve) => {
			bench.flight.beforeAnswer = async () => {
				if (bench.sent('PUT', '/recipients') === 0) return;
				if (bench.flight.most >= 2) resolve();
				await second;
			};
		});
		const { items: output, error } = await bench.run(operation, parameters, { items });
		expect(error).toBeUndefined();
		expect(jsonOf(output).map(({ msisdn }) => msisdn)).toEqual(numbers);
		expect(linksOf(output)).toEqual(numbers.map((_, index) => index));
		expect(bench.flight.most).toBeGreaterThanOrEqual(2);
		expect(bench.flight.most).toBeLessThanOrEqual(10);
		expect(bench.sent('PUT', '/recipients')).toBe(200);
		expect(blacklisted().sort()).toEqual([...after].sort());
	});

	test('one log-in for all of them', async () => {
		await bench.run(operation, parameters, { items });
		expect(bench.sent('POST', '/auth/token')).toBe(1);
	});

	test('one that fails in the middle does not touch the others with Continue', async () => {
		const broken = items.map((item, index) => (index === 77 ? { phone: 'nobody' } : item));
		const { items: output } = await bench.run(operation, parameters, {
			items: broken,
			onError: 'continueRegularOutput',
		});
		expect(linksOf(output)).toEqual(numbers.map((_, index) => index));
		const failed = output.filter(({ json }) => 'error' in json);
		expect(linksOf(failed)).toEqual([77]);
		expect(String(failed[0]?.json.error)).toContain('\'Phone Number\' "nobody"');
		expect(failed[0]?.json.phone).toBe('nobody');
		expect(bench.sent('PUT', '/recipients')).toBe(199);
	});

	test('without Continue, the others are carried out and every wrong one is reported', async () => {
		const wrong = [20, 33, 34, 90, 91, 92, 150];
		const broken = items.map((item, index) =>
			wrong.includes(index) ? { phone: `no${index}` } : item,
		);
		const { error } = await bench.run(operation, parameters, { items: broken });
		const verb = operation === 'blacklist.add' ? 'blocked' : 'unblocked';
		expect(error?.message).toBe(`193 numbers ${verb}, 7 not: items 21, 34, 35, 91 to 93 and 151`);
		expect(error?.description).toMatch(
			/^Done: items 1 to 20, 22 to 33, 36 to 90, 94 to 150 and 152 to 200\. Item 21: 'Phone Number' "no20" .*\. Item 34: .*Item 92: .*\. And 2 more\. Correct these items and run this again with all items: what is done stays as it is\. To get such items with all their fields, set 'On Error' in the node's settings to use an error output\.$/,
		);
		expect(error?.context).toMatchObject({ failedItems: wrong, notStarted: [] });
		expect(bench.sent('PUT', '/recipients')).toBe(193);
	});

	test('a mistake in all of them, such as one in a fixed field, stops before anything is sent', async () => {
		const { error } = await bench.run(operation, { ...parameters, msisdn: 'nobody' }, { items });
		expect(error?.message).toContain('\'Phone Number\' "nobody"');
		expect(error?.description).toBe('Nothing was done.');
		expect(await bench.everything()).toEqual([]);
	});

	test('different mistakes in all of them stop before anything is sent, too', async () => {
		const { error } = await bench.run(operation, parameters, {
			items: [{ phone: 'one' }, { phone: 'two' }],
		});
		expect(error?.message).toBe('Wrong values in items 1 and 2');
		expect(error?.description).toMatch(
			/^Nothing was done\. Item 1: .*"one".* Item 2: .*"two".*\. Correct these items and run this again\.$/,
		);
		expect(await bench.everything()).toEqual([]);
	});
});

test('a token that expires in the middle: one more log-in, and every number arrives', async () => {
	const token = await bench.sandbox.client().logIn();
	for (const known of bench.store.tokens.values()) known.expiresAt = bench.sandbox.now;
	const { error } = await bench.run('blacklist.add', parameters, {
		items: items.slice(0, 30),
		credentials: bench.credentials({ token }),
	});
	expect(error).toBeUndefined();
	expect(blacklisted()).toHaveLength(30);
	expect(bench.sent('POST', '/auth/token')).toBeLessThanOrEqual(10);
});

test('a comment is sent when there is one, and left out when it is empty', async () => {
	for (const comment of ['', 'Answered STOP']) {
		await bench.run('blacklist.add', { ...parameters, comment }, { items: items.slice(0, 1) });
	}
	const bodies = (await bench.wire()).map(({ body }) => body as Record<string, unknown>);
	expect(bodies.map((body) => body.comment)).toEqual([undefined, 'Answered STOP']);
	expect(bodies.map((body) => 'comment' in body)).toEqual([false, true]);
});
