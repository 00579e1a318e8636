import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { widgetErrors } from '../../core/contract/errors';
import { demo } from '../../sandbox/demo.cts';
import { hintsOf } from '../support/n8n.cts';
import { useMessaging } from './messages.cts';

const bench = useMessaging();

/** The table of the contract, with the words a user gets to help himself. */
const rows: Array<[code: number, kind: string, advice: string]> = [
	[110, 'user', 'solve the captcha again'],
	[130, 'user', 'wait before the next attempt'],
	[210, 'settings', 'Top up your balance'],
	[230, 'settings', 'active sender name'],
	[310, 'integration', "with its ID from your account on the provider's website"],
	[320, 'integration', "Fill in 'Key'"],
	[321, 'integration', 'create the widget for the builder site'],
	[330, 'integration', 'valid API key'],
	[331, 'integration', "widget on a website builder's site"],
	[340, 'integration', 'free monthly quota'],
	[341, 'integration', "load the captcha provider's script"],
	[350, 'integration', 'the URL it calls'],
];

test('every widget error of the contract has a row', () => {
	expect(rows.map(([code]) => code)).toEqual(Object.keys(widgetErrors).map(Number));
});

describe.each(rows)('widget error %i', (code, kind, advice) => {
	test.each(['send', 'check'])('of %s: class, cause and what to do', async (operation) => {
		bench.fault('status', 'POST', `*/verifier/widget/${operation}`, { status: 400, code });
		const { error } = await bench.run(`verification.${operation}`, { key: 'widget-1' });
		const cause = widgetErrors[code]?.cause ?? '';
		expect(error?.message).toBe(`Verification widget, error ${code}: ${cause}`);
		const actor = kind === 'user' ? 'The user of your page can fix this' : 'You can fix this';
		expect(error?.description?.startsWith(actor)).toBe(true);
		expect(error?.description).toContain(advice);
		expect(error?.description).toContain(`The service says: ${cause}`);
	});
});

test.each([
	['330: an API key that is not valid', 'wrong', 330, 'valid API key'],
	['331: one of the wrong type', demo.messagesOnlyKey, 331, 'API key for phone verification'],
])('%s', async (_, apiKey, code, advice) => {
	const credentials = bench.credentials({ apiKey });
	const { error } = await bench.run('verification.send', { key: 'widget-1' }, { credentials });
	expect(error?.message).toBe(
		`Verification widget, error ${code}: ${widgetErrors[code]?.cause ?? ''}`,
	);
	expect(error?.description).toContain(advice);
	// Asking again with the same key changes nothing.
	expect(bench.sent('POST', '/api/v1/verifier/widget/send')).toBe(1);
});

test('sent and perhaps carried out: not sent again, and said so', async () => {
	bench.fault('commit-then-reset', 'POST', '*/verifier/widget/send');
	const { error } = await bench.run('verification.send', { key: 'widget-1' });
	expect(error?.description).toContain('It is not known whether the service carried this out');
	expect(bench.sent('POST', '/api/v1/verifier/widget/send')).toBe(1);
});

test('not confirmed yet', async () => {
	await bench.run('verification.send', { key: 'widget-1' });
	const { items } = await bench.run('verification.check', { key: 'widget-1' });
	expect(items[0]?.json).toEqual({ confirmed: false, status: 'PENDING' });
});

describe('codes of the verification module', () => {
	const sendCode = async (more: INodeParameters = {}) => {
		const parameters = { destination: demo.numbers.mts, channelType: 'SMS', gatewayId: '42' };
		return await bench.run('verification.sendCode', { ...parameters, ...more });
	};
	const check = async (uuid: string, code: string) => {
		const { items, error } = await bench.run('verification.checkCode', { uuid, code });
		return error?.message ?? items[0]?.json;
	};

	test.each([{ status: 'error' }, { code: 402 }, { errors: true }, { error: 'no money' }])(
		'%j beside the UUID: not taken for sent',
		async (more) => {
			bench.respond('status', 'POST', '*/verifier/send', { uuid: 'u1', ...more });
			const result = await sendCode();
			const isUnconfirmed = result.items[0]?.json.confirmed === false;
			expect(isUnconfirmed || result.error?.description?.includes('not known')).toBe(true);
		},
	);

	test('sent, checked, and every status is a result', async () => {
		const { items } = await sendCode();
		const uuid = String(items[0]?.json.uuid);
		const { code = '' } = bench.store.codes.get(uuid) ?? {};
		expect(await check(uuid, '0')).toMatchObject({ confirmed: false, outcome: 'wrongCode' });
		expect(await check(uuid, code)).toMatchObject({ confirmed: true, outcome: 'confirmed' });
		expect(await check('nobody', code)).toMatchObject({ confirmed: false, outcome: 'notFound' });
		bench.sandbox.tick(11 * 60_000);
		expect(await check(uuid, code)).toMatchObject({ confirmed: false, outcome: 'expired' });
	});

	test('a response about another code confirms nothing', async () => {
		bench.respond('status', 'POST', '/verifier/check', { uuid: 'other', status: 'CONFIRMED' });
		expect(await check('u', '1')).toBe(
			"The service's response is about something else than what was requested",
		);
	});

	const unclear = { confirmed: false, outcome: 'unknown' };
	const wrong = { confirmed: false, outcome: 'wrongCode' };
	test.each<[IDataObject, IDataObject]>([
		[{ status: 'LATER' }, unclear],
		[{ status: 'confirmed' }, unclear],
		[{ status: 'constructor' }, unclear],
		[{ status: 'WRONG_CODE', confirmed: true, outcome: 'confirmed' }, wrong],
	])('%j: only the status confirms', async (body, expected) => {
		bench.respond('status', 'POST', '*/verifier/check', body);
		expect(await check('u', '1')).toMatchObject(expected);
	});

	test('the same of the widget', async () => {
		bench.respond('status', 'POST', '*/verifier/*', { status: 'PENDING', confirmed: true });
		const { items } = await bench.run('verification.check', { key: 'k' });
		expect(items[0]?.json).toMatchObject({ confirmed: false });
	});

	test('another number in Additional Fields is the one that is reported, with a hint', async () => {
		const additionalFields = JSON.stringify({ destination: demo.numbers.beeline });
		const result = await sendCode({ options: { additionalFields } });
		expect(result.items[0]?.json.destination).toBe(demo.numbers.beeline);
		expect(hintsOf(result)).toContain("'Additional Fields (JSON)' replaces destination.");
	});

	test('an answer without a UUID is not confirmed', async () => {
		bench.respond('status', 'POST', '*/verifier/send', { uuid: '' });
		const { items } = await sendCode();
		expect(items[0]?.json).toMatchObject({ accepted: true, confirmed: false });
	});

	test('a path that the service does not have: the error says where it can be changed', async () => {
		bench.fault('status', 'POST', '*/verifier/check', { status: 404, body: 'Not Found' });
		const { error } = await bench.run('verification.checkCode', { uuid: 'u', code: '1' });
		expect(error?.message).toBe("The service doesn't know this operation under its usual path");
		expect(error?.description).toContain("'Change Paths'");
	});

	test.each([{}, { status: 1 }, { ok: true }, []])('%j confirms nothing', async (body) => {
		bench.respond('status', 'POST', '*/verifier/check', body);
		expect(await check('u', '1')).not.toMatchObject({ confirmed: true });
	});

	test('a code keeps its zeros, and an empty one is refused', async () => {
		const sentAt = bench.sandbox.world.timeline.now;
		bench.store.codes.set('u', { code: '0007', sentAt, checks: 0 });
		expect(await check('u', '0007')).toMatchObject({ confirmed: true });
		expect(await check('u', ' ')).toBe("'Code' is required");
	});

	test('a code is sent once: an answer that is lost is not asked for again', async () => {
		bench.fault('commit-then-reset', 'POST', '*/verifier/send');
		const { error } = await sendCode();
		expect(error?.description).toContain('not known');
		expect(bench.sent('POST', '/api/v1/verifier/send')).toBe(1);
	});
});
