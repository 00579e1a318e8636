import { BulkMessagingPartner } from '../../nodes/BulkMessagingPartner/BulkMessagingPartner.node';
import { runNode } from '../support/n8n.cts';
import { byId, useSandbox } from '../support/sandbox.cts';
import {
	block,
	firstNew,
	fromItems,
	itemOf,
	itemsUpTo,
	messagesOf,
	numberOf,
} from './recipients.cts';

const bench = useSandbox();

describe('the service refuses a batch in the middle', () => {
	test('the error says how far it came, and Resume completes it', async () => {
		bench.sandbox.faults.add({
			kind: 'status',
			status: 400,
			match: { method: 'POST', path: '*/messages' },
			after: 1,
		});
		// The first item is no recipient: positions and items differ.
		const items = [{ ...itemOf(99), phone: 'x' }, ...itemsUpTo(40)];
		const parameters = { ...fromItems, recipientOptions: { batchSize: 10 } };
		const { error } = await bench.run('dispatch.create', parameters, { items });
		expect(messagesOf(bench.sandbox, firstNew)).toHaveLength(20);
		expect(error?.message).toBe("The dispatch couldn't be finished");
		expect(error?.description).toContain(`Dispatch ${firstNew} contains 20 confirmed recipients`);
		// Counted from 1, as people do.
		expect(error?.description).toContain('the first unconfirmed recipient is item 22.');
		expect(error?.description).toContain('The service says: ');
		expect(error?.context).toMatchObject({
			item: 22,
			dispatchId: firstNew,
			accepted: 20,
			firstItemNotAccepted: 21,
		});

		const resumed = await bench.run(
			'dispatch.addMessages',
			{ ...parameters, id: byId(firstNew), resume: true },
			{ items },
		);
		expect(resumed.error).toBeUndefined();
		expect(messagesOf(bench.sandbox, firstNew).map(({ destination }) => destination)).toEqual(
			itemsUpTo(40).map((_, index) => numberOf(index)),
		);
	});
});

describe('Resume', () => {
	test('its append is refused: the error counts who was there already', async () => {
		await bench.run('dispatch.create', fromItems, { items: itemsUpTo(2) });
		bench.sandbox.faults.add({
			kind: 'status',
			status: 400,
			match: { method: 'POST', path: '*/messages' },
			after: 1,
		});
		// The first item is no recipient: positions and items differ.
		const items = [{ ...itemOf(99), phone: 'x' }, ...itemsUpTo(5)];
		const { error } = await bench.run(
			'dispatch.addMessages',
			{ ...fromItems, id: byId(firstNew), resume: true, recipientOptions: { batchSize: 2 } },
			{ items },
		);
		expect(error?.message).toBe("The dispatch couldn't be finished");
		expect(error?.description).toContain(`Dispatch ${firstNew} contains 4 confirmed recipients`);
		expect(error?.description).toContain('the first unconfirmed recipient is item 6.');
		expect(error?.context).toMatchObject({
			dispatchId: firstNew,
			accepted: 4,
			firstItemNotAccepted: 5,
		});
	});

	test('adds who was rejected before', async () => {
		block(bench.sandbox, [numberOf(1)]);
		await bench.run('dispatch.create', fromItems, { items: itemsUpTo(3) });
		block(bench.sandbox, []);
		const { items, error } = await bench.run(
			'dispatch.addMessages',
			{ ...fromItems, id: byId(firstNew), resume: true, output: 'recipients' },
			{ items: itemsUpTo(3) },
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.accepted)).toEqual([true, true, true]);
		expect(
			messagesOf(bench.sandbox, firstNew).map(({ destination, reason }) => [
				destination,
				reason === null,
			]),
		).toEqual([
			[numberOf(0), true],
			[numberOf(1), false],
			[numberOf(2), true],
			[numberOf(1), true],
		]);
	});
});

describe('Add Messages whose answer is lost', () => {
	const add = async (more: object = {}) => {
		bench.sandbox.faults.add({
			kind: 'commit-then-reset',
			match: { method: 'POST', path: '*/messages' },
		});
		const { items, error } = await bench.run(
			'dispatch.addMessages',
			{ ...fromItems, id: byId(firstNew), output: 'recipients', ...more },
			{ items: itemsUpTo(3) },
		);
		expect(error).toBeUndefined();
		return items.map(({ json }) => json);
	};
	beforeEach(async () => {
		await bench.run('dispatch.create', fromItems, { items: itemsUpTo(2) });
	});

	test('takes its own messages, not those that were there before', async () => {
		const output = await add();
		const uuids = messagesOf(bench.sandbox, firstNew).map(({ uuid }) => uuid);
		expect(uuids).toHaveLength(5);
		expect(output.map(({ messageUuid }) => messageUuid)).toEqual(uuids.slice(2));
	});

	test('does not take an older message for a number that was refused now', async () => {
		block(bench.sandbox, [numberOf(0)]);
		const output = await add();
		expect(output.map(({ accepted }) => accepted)).toEqual([false, true, true]);
	});

	test('with Resume, every time is once for each row of the same number', async () => {
		bench.sandbox.faults.clear();
		const twice = [itemOf(0), itemOf(0), itemOf(1), itemOf(1)];
		for (let count = 1; count <= 2; count++) {
			const { error } = await bench.run(
				'dispatch.addMessages',
				{
					...fromItems,
					id: byId(firstNew),
					resume: true,
					recipientOptions: { duplicates: 'all' },
				},
				{ items: twice },
			);
			expect(error).toBeUndefined();
			expect(messagesOf(bench.sandbox, firstNew)).toHaveLength(4);
		}
	});
});

describe('cancelled between batches', () => {
	test('nothing more is sent, it says how far it came, and Resume completes it', async () => {
		const parameters = { ...fromItems, recipientOptions: { batchSize: 10 } };
		const items = itemsUpTo(100);
		let cancel: () => void = () => undefined;
		let batches = 0;
		const strike = bench.sandbox.faults.strike.bind(bench.sandbox.faults);
		const spy = jest.spyOn(bench.sandbox.faults, 'strike').mockImplementation((request) => {
			if (request.method === 'POST' && request.path.endsWith('/messages') && ++batches === 3) {
				cancel();
			}
			return strike(request);
		});
		let thrown: unknown;
		const node = new BulkMessagingPartner();
		const execute = node.execute;
		node.execute = async function (...given) {
			return await execute.apply(this, given).catch((error: unknown) => {
				thrown = error;
				throw error;
			});
		};
		await runNode({
			node,
			parameters: { resource: 'dispatch', operation: 'create', ...parameters },
			items,
			credentials: bench.credentials(),
			onStart: (stop) => {
				cancel = stop;
			},
		});
		spy.mockRestore();
		// n8n does not wait for a node it has cancelled.
		await new Promise((resolve) => setTimeout(resolve, 500));
		const held = messagesOf(bench.sandbox, firstNew).length;
		expect([30, 40]).toContain(held);
		const { context, description } = thrown as { context: object; description: string };
		const { accepted, firstItemNotAccepted } = context as Record<string, number>;
		expect(context).toMatchObject({ dispatchId: firstNew });
		expect(accepted).toBe(firstItemNotAccepted);
		expect([30, 40]).toContain(accepted);
		expect(accepted).toBeLessThanOrEqual(held);
		expect(description).toContain(`Dispatch ${firstNew} contains ${accepted} confirmed recipients`);

		const resumed = await bench.run(
			'dispatch.addMessages',
			{ ...parameters, id: byId(firstNew), resume: true },
			{ items },
		);
		expect(resumed.error).toBeUndefined();
		expect(messagesOf(bench.sandbox, firstNew).map(({ destination }) => destination)).toEqual(
			items.map((_, index) => numberOf(index)),
		);
	}, 20_000);
});

describe('a callback credential', () => {
	const login = 'call@backs';
	const password = 'p/ss:w@rd-äö?#%41';
	const run = async (more: object = {}) =>
		await bench.run(
			'dispatch.create',
			{
				...fromItems,
				options: { callbackUrl: 'https://n8n.example/hook?a=1', callbackEvents: ['sent'] },
				...more,
			},
			{
				items: itemsUpTo(2),
				credentials: {
					...bench.credentials(),
					bulkMessagingCallbackApi: { login, password },
				},
			},
		);
	const forms = [password, encodeURIComponent(password), encodeURIComponent(login), login];
	const shown = (text: string) => forms.filter((one) => text.includes(one));

	test('is in the address the service gets, and nowhere else', async () => {
		const { error, run: kept, items } = await run();
		expect(error).toBeUndefined();
		const url = new URL(bench.store.dispatches.get(firstNew)?.callbackUrl ?? '');
		expect(decodeURIComponent(url.username)).toBe(login);
		expect(decodeURIComponent(url.password)).toBe(password);
		expect(url.host + url.pathname + url.search).toBe('n8n.example/hook?a=1');
		expect(shown(JSON.stringify([kept, items]))).toEqual([]);
	});

	test('is in no error either, also when the service repeats the address', async () => {
		const address = `https://${encodeURIComponent(login)}:${encodeURIComponent(password)}@n8n.example/`;
		bench.sandbox.faults.add({
			kind: 'status',
			status: 400,
			match: { method: 'POST', path: '*/dispatches' },
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ error: { code: 4000, msg: `callbackUrl: ${address} is bad` } }),
		});
		const { error, run: kept } = await run();
		expect(error).toBeDefined();
		const told = JSON.stringify([kept, error, error?.message, error?.description, error?.stack]);
		expect(shown(told)).toEqual([]);
	});
});
