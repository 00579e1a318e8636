import type { IDataObject } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { hintsOf, type NodeRun } from '../support/n8n.cts';
import { jsonOf, linksOf } from '../support/sandbox.cts';
import { fromItems, itemOf, itemsUpTo, numberOf, sendPath, useMessaging } from './messages.cts';

/* What keeps a run of single messages from being sent by mistake. */

const bench = useMessaging();

const send = async (more: object, items: IDataObject[], options: Partial<NodeRun> = {}) =>
	await bench.run('message.send', { ...fromItems, options: {}, ...more }, { items, ...options });

describe('Dry Run', () => {
	const mode = 'dryRun';

	test('shows each message as it would be sent, and sends nothing', async () => {
		const more = {
			mode,
			text: 'Hello {name}',
			options: { missingValues: 'skip' },
			externalMessageId: '={{ $json.id }}',
		};
		const items = [{ ...itemOf(0), name: 'Ann' }, itemOf(1), { ...itemOf(2), name: 'Bob' }];
		const result = await send(more, items);
		expect(result.error).toBeUndefined();
		expect(jsonOf(result.items)).toEqual([
			{
				destination: numberOf(0),
				outcome: 'wouldBeSent',
				reason: '',
				reasonCode: '',
				channelType: 'SMS',
				text: 'Hello Ann',
				parts: 1,
				externalMessageId: 'order-0',
			},
			{
				destination: numberOf(1),
				outcome: 'skipped',
				reason: 'There is no value for {name}.',
				reasonCode: 'missingValue',
				channelType: 'SMS',
				text: '',
				parts: 0,
				externalMessageId: 'order-1',
			},
			expect.objectContaining({ outcome: 'wouldBeSent', text: 'Hello Bob' }),
		]);
		expect(linksOf(result.items)).toEqual([0, 1, 2]);
		expect(hintsOf(result)).toEqual([
			'1 of 3 messages is left out, because a placeholder has no value. The field "reason" in the result names the placeholder.',
			"Nothing was sent. 2 of 3 messages would be sent. The service checks the sender name and whether it can reach the number only when it sends. To send, set 'Mode' to 'Send'.",
		]);
		expect(bench.sent('POST', sendPath)).toBe(0);
	});

	// A generated ID is not shown: the real run has another.
	test.each([
		['', []],
		['={{ $json.id }}', ['externalMessageId']],
	])('the columns come in the order in which people read them, ID %j', async (id, shown) => {
		const { items } = await send({ mode, externalMessageId: id }, [itemOf(0)]);
		const columns = ['destination', 'outcome', 'channelType', 'text', 'parts'];
		expect(Object.keys(items[0]?.json ?? {})).toEqual([...columns, ...shown]);
	});

	test('what an earlier run has sent is not sent again, as by Send', async () => {
		const own = { externalMessageId: '={{ $json.id }}' };
		await send(own, [itemOf(0)]);
		const result = await send({ ...own, mode }, itemsUpTo(2));
		expect(jsonOf(result.items)).toMatchObject([
			{
				outcome: 'accepted',
				alreadySent: true,
				reason: "It was already sent with this custom message ID and won't be sent again.",
				reasonCode: 'alreadySent',
				messageUuid: expect.any(String) as string,
			},
			{ outcome: 'wouldBeSent' },
		]);
		expect(hintsOf(result)).toEqual([
			"Nothing was sent. 1 of 2 messages would be sent. 1 message was already sent and won't be sent again. The service checks the sender name and whether it can reach the number only when it sends. To send, set 'Mode' to 'Send'.",
		]);
		expect(bench.sent('POST', sendPath)).toBe(1);
		const sent = await send(own, [itemOf(0)]);
		expect(jsonOf(sent.items)).toMatchObject([{ outcome: 'accepted', alreadySent: true }]);
	});

	test.each([
		['a wrong number', { destination: 'nobody' }, '\'Phone Number\' "nobody" '],
		['a text without its value', { text: 'Hello {x}' }, "'Text' needs a value for {x}"],
		[
			'a callback without its credential',
			{ options: { callbackUrl: 'https://x.example/' } },
			"'Cr",
		],
	])('%s stops it as it stops Send', async (_, more, words) => {
		for (const how of ['dryRun', 'send']) {
			const { error } = await send({ ...more, mode: how }, [itemOf(0)]);
			expect(error?.message.slice(0, words.length)).toBe(words);
		}
		expect(await bench.everything()).toEqual([]);
	});

	test('the service is down: it says that nothing was sent, and does not count', async () => {
		bench.sandbox.faults.add({ kind: 'status', status: 500, match: { method: 'GET' }, times: 100 });
		const own = { mode, externalMessageId: '={{ $json.id }}' };
		const { error } = await send(own, [itemOf(0)]);
		expect(error?.description).toContain("Nothing was sent. The node couldn't check whether ");
		const result = await send(own, itemsUpTo(2), { onError: 'continueRegularOutput' });
		expect(hintsOf(result)[0]).toMatch(
			/^Nothing was sent\. 0 of 2 messages would be sent\. 2 messages couldn't be checked\. /,
		);
	});

	test('Send Cascade: the text of each step', async () => {
		const step = { channelType: 'SMS', senderName: demo.senderNames.sms, text: 'Hello {name}' };
		const viber = { channelType: 'VIBER', senderName: demo.senderNames.viber, text: 'Hi' };
		const parameters = { destination: demo.numbers.mts, cascade: { step: [viber, step] }, mode };
		const { items } = await bench.run('message.sendCascade', parameters, {
			items: [{ name: 'Ann' }],
		});
		const shown = { outcome: 'wouldBeSent', steps: 2, texts: ['Hi', 'Hello Ann'] };
		expect(jsonOf(items)).toEqual([{ destination: demo.numbers.mts, ...shown }]);
		expect(await bench.everything()).toEqual([]);
	});
});

describe.each(['dryRun', 'send'])('limits of a run, Mode %s', (mode) => {
	test('more messages than the limit stop it before anything is sent', async () => {
		const { error } = await send({ mode }, itemsUpTo(1_001));
		expect(error?.message).toBe(
			"This run would send 1,001 messages, but 'Most Messages per Run' is 1,000",
		);
		expect(error?.description).toBe(
			"Nothing was sent. If you want to send that many, increase 'Most Messages per Run' in 'Options'.",
		);
		expect(await bench.everything()).toEqual([]);
	});

	test('the limit can be lower, and an expression must fit it', async () => {
		const three = await send({ mode, options: { mostMessages: 2 } }, itemsUpTo(3));
		expect(three.error?.message).toContain("3 messages, but 'Most Messages per Run' is 2");
		const two = await send({ mode, options: { mostMessages: 2 } }, itemsUpTo(2));
		expect(two.error).toBeUndefined();
		const none = await send({ mode, options: { mostMessages: '={{ 0 }}' } }, itemsUpTo(2));
		expect(none.error?.message).toBe("'Most Messages per Run' must be at least 1, but is 0");
	});

	test.each([
		['typed', '+7 916 123-45-67'],
		['the same in all items', '={{ $json.shop }}'],
	])('one number for all items, %s, stops it', async (_, destination) => {
		const items = itemsUpTo(3).map((item) => ({ ...item, shop: '89161234567' }));
		const { error } = await send({ mode, destination }, items);
		expect(error?.message).toBe('All 3 messages would go to the same phone number, 79161234567');
		expect(error?.description).toBe(
			"Nothing was sent. Set 'Phone Number' to an expression such as {{ $json.phone }}. If all messages are for this number, add 'Allow One Number for All Items' in 'Options'.",
		);
		expect(await bench.everything()).toEqual([]);
	});

	test('with Continue, each item says so', async () => {
		const onError = 'continueRegularOutput';
		const { items } = await send({ mode, destination: '79161234567' }, itemsUpTo(2), { onError });
		const error = expect.stringMatching(/^All 2 messages would go to .*\. Nothing was sent\./);
		expect(jsonOf(items)).toEqual(itemsUpTo(2).map((item) => ({ ...item, error })));
		expect(await bench.everything()).toEqual([]);
	});

	test('it is allowed by an option, and for one item', async () => {
		const destination = '79161234567';
		const all = { mode, destination, options: { allowOneNumber: true } };
		expect((await send(all, itemsUpTo(3))).items).toHaveLength(3);
		expect((await send({ mode, destination }, itemsUpTo(1))).items).toHaveLength(1);
		const off = await send({ ...all, options: { allowOneNumber: false } }, itemsUpTo(3));
		expect(off.error?.message).toContain('would go to the same phone number');
	});
});

test('Default Country is an option', async () => {
	const options = { defaultCountry: 'BY' };
	const { items } = await send({ destination: '029 123 45 67', options, mode: 'dryRun' }, [
		itemOf(0),
	]);
	expect(items[0]?.json.destination).toBe('375291234567');
});
