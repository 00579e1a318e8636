import type { INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { jsonOf, linksOf } from '../support/sandbox.cts';
import {
	blacklist,
	destinationsOf,
	fromItems,
	fund,
	itemOf,
	itemsUpTo,
	numberOf,
	sendPath,
	singlesOf,
	textOf,
	useMessaging,
	withOwnIds,
} from './messages.cts';

const bench = useMessaging();
beforeEach(() => fund(bench.sandbox));

const send = async (
	parameters: INodeParameters,
	count: number,
	options: Parameters<typeof bench.run>[2] = {},
) => await bench.run('message.send', parameters, { items: itemsUpTo(count), ...options });

const sizes = async () =>
	(await bench.wire())
		.filter(({ method }) => method === 'POST')
		.map(({ body }) => (body as unknown[]).length);

describe('2,500 items in three requests, with failures in each', () => {
	const refused = [3, 999, 1000, 1500, 2499];
	const seed = () => blacklist(bench.sandbox, refused.map(numberOf));
	const expected = Array.from({ length: 2_500 }, (_, index) => index).filter(
		(index) => !refused.includes(index),
	);

	test('with Continue: exactly those fail, each result is linked to its item, in order', async () => {
		seed();
		const { items, error } = await send(fromItems, 2_500, { onError: 'continueRegularOutput' });
		expect(error).toBeUndefined();
		expect(await sizes()).toEqual([1_000, 1_000, 500]);
		expect(linksOf(items)).toEqual(Array.from({ length: 2_500 }, (_, index) => index));
		const failed = items.flatMap(({ json }, index) => ('error' in json ? [index] : []));
		expect(failed).toEqual(refused);
		expect(items[1000]?.json.error).toMatch(
			/^The service rejected this message \(code 403\)\. The service says: the number is blacklisted for the company of the sender name/,
		);
		expect(destinationsOf(bench.sandbox)).toEqual(expected.map(numberOf));
		const byUuid = bench.store.byUuid;
		for (const index of expected) {
			const { messageUuid, destination, externalMessageId } = items[index]?.json ?? {};
			const message = byUuid.get(String(messageUuid));
			expect(message).toMatchObject({ destination, text: textOf(index) });
			expect(message?.single?.externalMessageId).toBe(externalMessageId);
			expect(destination).toBe(numberOf(index));
		}
	});

	test('with Custom Message IDs it can be run again: what is there is left out', async () => {
		seed();
		await send(withOwnIds, 2_500);
		blacklist(bench.sandbox, []);
		const second = await send(withOwnIds, 2_500);
		expect(second.error).toBeUndefined();
		expect(destinationsOf(bench.sandbox).sort()).toEqual(
			itemsUpTo(2_500).map((_, i) => numberOf(i)),
		);
		expect(second.items.filter(({ json }) => json.alreadySent === true)).toHaveLength(998);
	});
});

describe('an item that cannot be read', () => {
	const items = [itemOf(0), { ...itemOf(1), phone: 'call me' }, itemOf(2)];

	test('several: the error names all of them, and nothing is sent', async () => {
		const phones = ['one', '+79160000001', 'three', 'four', '+79160000004', 'six'];
		const { error } = await send(fromItems, 6, {
			items: phones.map((phone, index) => ({ ...itemOf(index), phone })),
		});
		expect(error?.message).toBe('Wrong values in items 1, 3, 4 and 6');
		expect(error?.description).toMatch(
			/^Nothing was sent\. Item 1: 'Phone Number' "one" .*\. Item 3: .*"three".*\. Item 4: .*"four".*\. Item 6: .*"six".*\. Correct these items and run this again\.$/,
		);
		expect(error?.context?.failedItems).toEqual([0, 2, 3, 5]);
		expect(await bench.everything()).toEqual([]);
	});

	test('the same mistake in all of them is said once', async () => {
		const { error } = await send({ ...fromItems, destination: 'x' }, 3);
		expect(error?.message).toContain('\'Phone Number\' "x" ');
		expect(error?.description).toMatch(/^Nothing was sent\./);
		expect(await bench.everything()).toEqual([]);
	});

	test('with Continue: fails alone, the others are sent', async () => {
		const { items: output } = await send(fromItems, 3, { items, onError: 'continueRegularOutput' });
		expect(linksOf(output)).toEqual([0, 1, 2]);
		expect(jsonOf(output)[1]?.error).toContain('\'Phone Number\' "call me" ');
		expect(destinationsOf(bench.sandbox)).toEqual([numberOf(0), numberOf(2)]);
	});

	test('all of them: nothing is asked of the service', async () => {
		const { items: output } = await send({ ...fromItems, destination: 'x' }, 2, {
			onError: 'continueRegularOutput',
		});
		expect(output.map(({ json }) => 'error' in json)).toEqual([true, true]);
		expect(await bench.everything()).toEqual([]);
	});
});

describe('Custom Message IDs', () => {
	test('two items of one ID: the second is refused before anything is sent', async () => {
		const items = [itemOf(0), { ...itemOf(1), id: ' order-0 ' }];
		const { error } = await send(withOwnIds, 2, { items });
		expect(error?.message).toBe(
			'\'Custom Message ID\' "order-0" is also used by item 1. Every message needs a different one',
		);
		expect(error?.context?.item).toBe(2);
		expect(await bench.everything()).toEqual([]);
	});

	test('the ID of an item that cannot be read is free for the next', async () => {
		const items = [
			{ ...itemOf(0), phone: 'x' },
			{ ...itemOf(1), id: 'order-0' },
		];
		const { items: output } = await send(withOwnIds, 2, {
			items,
			onError: 'continueRegularOutput',
		});
		expect(output.map(({ json }) => 'error' in json)).toEqual([true, false]);
	});

	test('made up ones are different for every message, also of two runs', async () => {
		await send(fromItems, 3);
		await send(fromItems, 3);
		const ids = singlesOf(bench.sandbox).map(({ single }) => single?.externalMessageId);
		expect(new Set(ids).size).toBe(6);
	});

	test.each<[string, INodeParameters, Array<boolean | undefined>]>([
		['not sent again, and the others are', {}, [true, true, false, false]],
		['Send Anyway: sent again', { usedBefore: 'sendAnyway' }, Array(4).fill(undefined)],
	])('used before, %s', async (_, options, alreadySent) => {
		await send(withOwnIds, 2);
		const { items } = await send({ ...withOwnIds, options }, 4);
		expect(jsonOf(items).map((one) => one.alreadySent)).toEqual(alreadySent);
		const again = 'usedBefore' in options ? [0, 1] : [];
		expect(destinationsOf(bench.sandbox)).toEqual([0, 1, ...again, 2, 3].map(numberOf));
		expect(jsonOf(items).map(({ messageUuid }) => messageUuid)).toEqual(
			singlesOf(bench.sandbox)
				.slice(-4)
				.map(({ uuid }) => uuid),
		);
	});

	test.each<[string, (uuid: string) => INodeParameters]>([
		['for another number', () => ({ destination: numberOf(7) })],
		['for another channel', () => ({ channelType: 'VIBER', senderName: demo.senderNames.viber })],
		['as a UUID', (externalMessageId) => ({ externalMessageId })],
	])('used before %s: another message, so it is sent', async (_, other) => {
		const first = await send(withOwnIds, 1);
		const uuid = String(first.items[0]?.json.messageUuid);
		const { items } = await send({ ...withOwnIds, ...other(uuid) }, 1);
		expect(items[0]?.json).not.toHaveProperty('alreadySent');
		expect(singlesOf(bench.sandbox)).toHaveLength(2);
	});

	test('they cannot be looked up: nothing is sent, and the error says so', async () => {
		const headers = { 'retry-after': '3600' };
		bench.sandbox.faults.add({ kind: 'status', status: 503, headers, match: { method: 'GET' } });
		const { error } = await send(withOwnIds, 2);
		expect(error?.message).toBe("Something went wrong on the service's side");
		expect(error?.description).toContain(
			"Nothing was sent. The node couldn't check whether the custom message IDs were used before.",
		);
		expect(error?.description).not.toContain('It is not known');
		expect(bench.sent('POST', sendPath)).toBe(0);
	});

	test('300 long ones are looked up in addresses of a bearable length', async () => {
		const id = `={{ $json.id }}-${'ж'.repeat(80)}`;
		const { error } = await send({ ...withOwnIds, externalMessageId: id }, 300);
		expect(error).toBeUndefined();
		const lengths = (await bench.wire())
			.filter(({ method }) => method === 'GET')
			.map(({ query = [] }) => new URLSearchParams(query).toString().length);
		expect(lengths.length).toBeGreaterThan(30);
		expect(Math.max(...lengths)).toBeLessThan(4_200);
		expect(singlesOf(bench.sandbox)).toHaveLength(300);
	});
});

test('canceled while the second and the third of three requests are under way: the error says what is known', async () => {
	const { error, run } = await send(fromItems, 3_000, {
		onStart: (cancel) => {
			// Their responses never come: they are under way however long the rest takes.
			bench.flight.beforeAnswer = async () => {
				const count = bench.sent('POST', sendPath);
				if (count < 2) return;
				if (count === 3) cancel();
				await new Promise<never>(() => undefined);
			};
		},
	});
	expect(bench.sent('POST', sendPath)).toBe(3);
	expect(run.status).toBe('canceled');
	expect(error?.message).toBe(
		'The execution was canceled, and it is not known whether all messages were sent',
	);
	expect(error?.description).toContain('The service accepted 1000 of 3000: items 1 to 1000.');
	expect(error?.description).toContain('Unknown: items 1001 to 3000.');
	expect(error?.context?.unknownOwnIds).toHaveLength(2_000);
});

test('Send after Send, Continue: the item of a message that failed keeps its fields, but not the outcome of the one before', async () => {
	const before = { outcome: 'accepted', messageUuid: 'of-the-one-before', status: 'delivered' };
	const { items } = await bench.run('message.send', fromItems, {
		items: [itemOf(0), { ...itemOf(1), ...before, phone: 'call me', city: 'Riga' }],
		onError: 'continueRegularOutput',
	});
	const [, failed = {}] = jsonOf(items);
	expect(failed).toMatchObject({
		city: 'Riga',
		error: expect.stringContaining('call me') as string,
	});
	expect(Object.keys(before).filter((name) => failed[name])).toEqual([]);
});

test("Continue: an item with only an outcome keeps it, because it is the user's own", async () => {
	const { items } = await bench.run('message.send', fromItems, {
		items: [itemOf(0), { ...itemOf(1), phone: 'call me', outcome: 'won' }],
		onError: 'continueRegularOutput',
	});
	expect(jsonOf(items)[1]?.outcome).toBe('won');
});
