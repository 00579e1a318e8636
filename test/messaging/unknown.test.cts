import type { INodeParameters } from 'n8n-workflow';
import { jsonOf, linksOf } from '../support/sandbox.cts';
import {
	destinationsOf,
	fromItems,
	fund,
	itemsUpTo,
	looksOfOneTry,
	numberOf,
	sendPath,
	singlesOf,
	useMessaging,
} from './messages.cts';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/pauses.cts'));

const bench = useMessaging();
beforeEach(() => fund(bench.sandbox));

const post = { method: 'POST', path: `*${sendPath}` };
const get = { method: 'GET', path: `*${sendPath}` };
const fail = (kind: 'reset' | 'commit-then-reset', more: object = {}) =>
	bench.sandbox.faults.add({ kind, match: post, ...more });
/** Longer than anybody waits: no second attempt at one look. By default no look of a run works. */
const blind = (more: object = {}) =>
	bench.sandbox.faults.add({
		kind: 'status',
		times: looksOfOneTry,
		status: 503,
		headers: { 'retry-after': '3600' },
		match: get,
		...more,
	});

const send = async (
	count: number,
	parameters: INodeParameters = fromItems,
	options: Parameters<typeof bench.run>[2] = {},
) => await bench.run('message.send', parameters, { items: itemsUpTo(count), ...options });

describe('a request of unknown outcome', () => {
	// The second of three requests: carried out, and not to be found. The third is sent beside it.
	const loseSecond = () => {
		fail('commit-then-reset', { after: 1 });
		blind({ times: 1_000 });
	};
	const sentIds = () => singlesOf(bench.sandbox).map(({ single }) => single?.externalMessageId);

	test('it cannot be looked up, with Continue: each item says what is known about it', async () => {
		loseSecond();
		const { items } = await send(2_500, fromItems, { onError: 'continueRegularOutput' });
		expect(linksOf(items)).toEqual(itemsUpTo(2_500).map((_, index) => index));
		const errors = jsonOf(items).map(({ error }) => String(error ?? '').split('. ')[0]);
		const about = (id?: string) =>
			`It is not known whether the message with the custom message ID ${id} was sent`;
		expect(errors).toEqual([
			...Array<string>(1_000).fill(''),
			...sentIds().slice(1_000, 2_000).map(about),
			...Array<string>(500).fill(''),
		]);
		expect(bench.sent('POST', sendPath)).toBe(3);
	});

	test('Retry On Fail looks for it before anything else', async () => {
		fail('commit-then-reset');
		blind();
		const { items, error } = await send(3, fromItems, { tries: 2 });
		expect(error).toBeUndefined();
		expect(bench.sent('POST', sendPath)).toBe(1);
		expect(destinationsOf(bench.sandbox)).toEqual(itemsUpTo(3).map((_, index) => numberOf(index)));
		for (const { json } of items) expect(json).not.toHaveProperty('alreadySent');
	});
});

describe('a cascade of unknown outcome', () => {
	const cascade = {
		destination: '={{ $json.phone }}',
		cascade: { step: [{ senderName: fromItems.senderName, text: 'Hello' }] },
	};
	const path = `${sendPath}/cascade`;
	const own = { externalMessageId: '={{ $json.id }}' };
	const run = async (more: object = {}, tries = 1) =>
		await bench.run('message.sendCascade', { ...cascade, ...more }, { items: itemsUpTo(2), tries });

	test('with an own ID that the service keeps: found', async () => {
		bench.fault('commit-then-reset', 'POST', `*${path}`);
		const { items, error } = await run(own);
		expect(error).toBeUndefined();
		expect(jsonOf(items)).toMatchObject([{ outcome: 'accepted' }, { outcome: 'accepted' }]);
		expect(bench.sent('POST', path)).toBe(1);
	});

	test('with an own ID that was used before: not sent again', async () => {
		await run(own);
		const { items } = await run(own);
		expect(jsonOf(items).map(({ alreadySent }) => alreadySent)).toEqual([true, true]);
		expect(bench.sent('POST', path)).toBe(1);
	});
});
