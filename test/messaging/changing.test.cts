import { json } from '../support/server.cts';
import { jsonOf } from '../support/sandbox.cts';
import type * as Tempo from '../support/tempo.cts';
import { tempo } from '../support/tempo.cts';
import { fromItems } from './messages.cts';
import { lostRequest, playService } from './playedService.cts';

// Pauses take no time.
jest.mock('n8n-workflow', () =>
	jest.requireActual<typeof Tempo>('../support/tempo.cts').workflowAtTempo(),
);

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
	const service = await playService();
	service.turns = [acceptsFirst];
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
