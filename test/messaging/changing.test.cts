import { json } from '../support/server.cts';
import { jsonOf } from '../support/sandbox.cts';
import { tempo } from '../support/tempo.cts';
import { fromItems, itemOf } from './messages.cts';
import { lostAnswer, lostRequest, playService } from './playedService.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));

/** Retry On Fail with expressions that give another value in each try: what was sent is told as it was sent. */

/** The first try ends before, the second begins behind it. */
const border = () => Date.now() + 500_000;
const passBorder = () => {
	tempo.pausedMs += 1_000_000;
};
const changing = (at: number, before: string, after: string) =>
	`={{ Date.now() < ${at} ? ${before} : ${after} }}`;

/** Accepts the first message and rejects the second. */
const acceptsFirst: Awaited<ReturnType<typeof playService>>['turns'][number] = {
	keep: (place) => place === 0,
	answer: (messages) => {
		passBorder();
		const items = messages.map(({ externalMessageId, messageUuid }, place) =>
			place === 0
				? { externalMessageId, messageUuid, code: 201 }
				: { externalMessageId, code: 400, msg: 'no' },
		);
		return json(200, { errors: true, items });
	},
};

test.each([
	['destination', '$json.phone', '$itemIndex ? $json.phone : "+79165550000"'],
	['externalMessageId', '"a-" + $itemIndex', '"b-" + $itemIndex'],
] as const)('%s of an accepted message', async (field, before, after) => {
	const service = await playService({ turns: [acceptsFirst] });
	const value = changing(border(), before, after);
	const { items } = await service.send([0, 1], { ...fromItems, [field]: value }, { tries: 2 });
	const [row] = jsonOf(items);
	const sent = service.stored.find((one) => one.messageUuid === row?.messageUuid);
	expect(sent).toBeDefined();
	expect(row?.[field]).toBe(sent?.[field]);
});

test('externalMessageId of a lost message: the error names the one that was sent', async () => {
	const service = await playService();
	service.turns = [
		{
			keep: () => false,
			answer: (...sent) => {
				passBorder();
				return lostRequest.answer(...sent);
			},
		},
	];
	const externalMessageId = changing(border(), '"a-0"', '"b-0"');
	const { error } = await service.send([0], { ...fromItems, externalMessageId }, { tries: 2 });
	expect(service.posts).toBe(1);
	expect(error?.message).toContain('a-0');
	// The error says itself what to do next.
	expect(error?.description).not.toContain('Try again');
});

/** Carried out, never listed, and the second try begins behind the border. */
const sentInSilence: typeof acceptsFirst = {
	answer: (...sent) => {
		passBorder();
		return lostAnswer.answer(...sent);
	},
};

describe("a number that can't be read any more", () => {
	const destination = () => changing(border(), '$json.phone', '"nonsense"');

	test.each(['send', 'sendAndWait'])(
		'%s: it is still not known what was sent',
		async (operation) => {
			const service = await playService({ isListed: () => false, turns: [sentInSilence] });
			const parameters = { ...fromItems, message: fromItems.text, destination: destination() };
			const { error } = await service.run(operation, parameters, [itemOf(0)], { tries: 2 });
			expect([service.posts, service.stored.length]).toEqual([1, 1]);
			expect(error?.message).toMatch(/^It is not known whether the message /);
			expect(error?.description).not.toContain('Nothing was sent');
		},
	);

	test('with Continue, of an accepted message', async () => {
		const service = await playService({ turns: [acceptsFirst] });
		const parameters = { ...fromItems, destination: destination() };
		const onError = 'continueRegularOutput';
		const options = { tries: 2, onError } as const;
		const { items } = await service.send([0, 1], parameters, options);
		expect(jsonOf(items)[0]).toMatchObject({ outcome: 'accepted', messageUuid: 'uuid-0' });
	});
});

describe('what an earlier try has sent is said by an error that comes before sending', () => {
	const retry = async (after: object, onError?: 'continueRegularOutput') => {
		const service = await playService({ turns: [acceptsFirst] });
		const options = { tries: 2, onError };
		return { service, ...(await service.send([0, 1], { ...fromItems, ...after }, options)) };
	};

	test("a value that can't be read any more", async () => {
		const { error, service } = await retry({ text: changing(border(), '$json.text', '""') });
		expect(error?.message).toBe('1 message sent, 1 not: item 2');
		expect(error?.description).toMatch(/^Done: item 1\. Item 2: 'Text' is required\. /);
		expect(error?.description).toContain(
			'If you run this again with all items, item 1 is sent again.',
		);
		expect(service.posts).toBe(1);
	});

	test('a limit that is exceeded now', async () => {
		const options = { mostMessages: changing(border(), '5', '1') };
		const { error, service } = await retry({ options });
		expect(error?.message).toMatch(/^This run would send 2 messages/);
		expect(error?.description).toMatch(
			/^Done: item 1\. Failed: item 2\. .* Nothing was sent in this attempt\. /,
		);
		expect(service.posts).toBe(1);
	});

	test("the ID of another item's message", async () => {
		const externalMessageId = changing(border(), '$json.id', '"order-0"');
		const { error, service } = await retry({ externalMessageId });
		expect(error?.description).toContain('"order-0" is also used by item 1.');
		expect(service.posts).toBe(1);
	});
});

test('an unknown outcome of an earlier try is said by an error that comes before sending', async () => {
	const service = await playService({ isListed: () => false, turns: [sentInSilence] });
	// The second of the two requests isn't begun in the first try.
	const text = changing(border(), '$json.text', '$itemIndex > 999 ? "" : $json.text');
	const indexes = Array.from({ length: 1_001 }, (_, index) => index);
	const { error } = await service.send(indexes, { ...fromItems, text }, { tries: 2 });
	expect(error?.message).toBe('0 messages sent, 1000 unknown, 1 not: item 1001');
	expect(error?.description).toMatch(
		/^Unknown: items 1 to 1000\. Item 1001: 'Text' is required\. /,
	);
});

test('the question of Send and Wait is the one that was sent', async () => {
	const service = await playService({ turns: [sentInSilence] });
	const at = border();
	// The looks of the first try are over by then, and the second one finds it.
	let isSecond = false;
	service.look = (number) => {
		isSecond = number > 6;
		return undefined;
	};
	service.isListed = () => isSecond;
	const message = changing(at, '"Pay 5?"', '"Pay 100?"');
	const parameters = { ...fromItems, responseType: 'approval', message };
	const { run, error } = await service.run('sendAndWait', parameters, [itemOf(0)], { tries: 2 });
	expect(error).toBeUndefined();
	expect(service.posts).toBe(1);
	const kept = JSON.stringify(run.data.executionData?.nodeExecutionStack[0]?.data);
	expect(kept).toContain('Pay 5?');
	expect(kept).not.toContain('Pay 100?');
});
