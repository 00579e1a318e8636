import { jsonOf } from '../support/sandbox.cts';
import { json } from '../support/server.cts';
import { fromItems, itemOf, numberOf, withOwnIds } from './messages.cts';
import { playService } from './playedService.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));

/** What Send and Wait reports when the service shows the outcome at once. */
const wait = async (responseType: string, shown: object) => {
	const service = await playService();
	service.show = (message) => ({ ...message, ...shown });
	const parameters = { ...fromItems, message: fromItems.text, channelType: 'VIBER', responseType };
	const { items } = await service.run('sendAndWait', parameters, [itemOf(0)]);
	return jsonOf(items);
};
const [delivered, read] = ['2026-03-02T07:00:05Z', '2026-03-02T07:30:00Z'];

test('a message that was read: when it was read, not when it was delivered', async () => {
	const shown = {
		status: 'DELIVERED',
		statusTime: delivered,
		readStatus: 'READ',
		readStatusTime: read,
	};
	expect(await wait('reading', shown)).toMatchObject([{ outcome: 'read', occurredAt: read }]);
});

test.each([
	[454, { errorCode: 454, reason: expect.stringContaining('on a block list') as string }],
	['454', { reason: "The message couldn't be sent." }],
	[null, { reason: "The message couldn't be sent." }],
])('the error code %j is reported as %j', async (errorCode, reported) => {
	const shown = { status: 'UNSENT', statusTime: delivered, errorCode };
	expect(await wait('delivery', shown)).toMatchObject([
		{ outcome: 'failed', occurredAt: delivered, ...reported },
	]);
});

describe('another message with the same custom message ID', () => {
	const parameters = { ...withOwnIds, message: fromItems.text, responseType: 'approval' };
	// The response doesn't show the UUID.
	const silent = [{ answer: () => json(200, { errors: false, items: [] }) }];
	const again = { usedBefore: 'sendAnyway' };
	test.each([
		['to another number', { destination: numberOf(5) }, {}, silent],
		['that was there before', {}, again, silent],
		["that was there before, and the response shows this one's UUID", {}, again, []],
	])('%s: its outcome is not this one', async (_, older, options, turns) => {
		const service = await playService();
		service.add({ externalMessageId: 'order-0', destination: numberOf(0), ...older });
		service.show = (message) => ({
			...message,
			channelType: 'SMS',
			status: message.messageUuid.startsWith('older') ? 'UNDELIVERED' : 'SENDING',
		});
		service.turns = turns;
		const { run, error } = await service.run('sendAndWait', { ...parameters, options }, [
			itemOf(0),
		]);
		expect(error).toBeUndefined();
		expect(service.posts).toBe(1);
		expect(run.status).toBe('waiting');
	});
});

test('undelivered at once, and the user wants to keep waiting: waits', async () => {
	const service = await playService({ show: (message) => ({ ...message, status: 'UNDELIVERED' }) });
	const options = { whenUndelivered: 'wait' };
	const parameters = { ...fromItems, message: fromItems.text, responseType: 'approval', options };
	const { run } = await service.run('sendAndWait', parameters, [itemOf(0)]);
	expect(run.status).toBe('waiting');
});

test('the response shows no UUID, and the message is delivered at once: the outcome', async () => {
	const service = await playService({
		turns: [{ answer: () => json(200, { errors: false, items: [] }) }],
		show: (message) => ({ ...message, status: 'DELIVERED' }),
	});
	const parameters = { ...fromItems, message: fromItems.text, responseType: 'delivery' };
	const { items } = await service.run('sendAndWait', parameters, [itemOf(0)]);
	expect(jsonOf(items)).toMatchObject([{ outcome: 'delivered', messageUuid: 'uuid-0' }]);
});
