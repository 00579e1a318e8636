import type { INodeParameters } from 'n8n-workflow';
import { demo } from '../../sandbox/demo.cts';
import { hintsOf } from '../support/n8n.cts';
import { destinationsOf, fund, numberOf, useMessaging } from './messages.cts';

/** A second press of Execute sends again: a hint says so. */

const bench = useMessaging();
beforeEach(() => fund(bench.sandbox));
const { senderNames } = demo;

let workflows = 0;

const sms = { channelType: 'SMS', senderName: senderNames.sms, text: 'Hello' };
const viber = { ...sms, channelType: 'VIBER', senderName: senderNames.viber };
const json = {
	...viber,
	contentFormat: 'json',
	content: '{ "contentType": "text", "text": "Hi" }',
};
const elsewhere = 'https://receiver.example/hook';
const callback = { callbackUrl: elsewhere, callbackAuthentication: 'none' };
const { text: message, ...others } = sms;
/** The same in Send and Wait. */
const awaited: INodeParameters = { ...others, message };
const inCascade = (...step: INodeParameters[]): INodeParameters => ({ cascade: { step } });

const repeatsAfter = async (operation: string, first: INodeParameters, second: INodeParameters) => {
	const workflowId = `repeats-${++workflows}`;
	const hints: string[][] = [];
	for (const parameters of [first, second]) {
		const result = await bench.run(
			`message.${operation}`,
			{ destination: numberOf(0), ...parameters },
			{ workflowId },
		);
		expect(result.error).toBeUndefined();
		hints.push(hintsOf(result).filter((hint) => hint.includes('in the last 10 minutes')));
	}
	expect(hints[0]).toEqual([]);
	return hints[1];
};
const repeated = [
	"1 message has the same phone number and text as one sent in the last 10 minutes. To prevent duplicates, fill in 'Custom Message ID', for example with the CRM record's ID.",
];

test.each<[string, string, INodeParameters, INodeParameters]>([
	['the same', 'send', sms, sms],
	['with another time to live', 'send', sms, { ...sms, options: { ttl: 600 } }],
	['with a callback', 'send', sms, { ...sms, options: callback }],
	['the same JSON', 'send', json, json],
	['the same', 'sendAndWait', awaited, awaited],
	['with another limit', 'sendAndWait', awaited, { ...awaited, limitHours: 2 }],
	['the same', 'sendCascade', inCascade(viber, sms), inCascade(viber, sms)],
	['with another time to live', 'sendCascade', inCascade(viber), inCascade({ ...viber, ttl: 600 })],
])('%s, %s: a hint', async (_, operation, first, second) => {
	expect(await repeatsAfter(operation, first, second)).toEqual(repeated);
});

test.each<[string, string, INodeParameters, INodeParameters]>([
	['another text', 'send', sms, { ...sms, text: 'Bye' }],
	['another channel', 'send', viber, sms],
	['another number', 'send', sms, { ...sms, destination: numberOf(1) }],
	['a Custom Message ID', 'send', sms, { ...sms, externalMessageId: 'a' }],
	['another text', 'sendAndWait', awaited, { ...awaited, message: 'Bye' }],
	['a step less', 'sendCascade', inCascade(viber, sms), inCascade(viber)],
	['another text', 'sendCascade', inCascade(viber), inCascade({ ...viber, text: 'Bye' })],
])('%s, %s: no hint', async (_, operation, first, second) => {
	expect(await repeatsAfter(operation, first, second)).toEqual([]);
});

test('a retry, because the first item failed: no hint, every message was sent once', async () => {
	const items = [{ phone: 'none' }, { phone: `+${numberOf(0)}` }, { phone: `+${numberOf(1)}` }];
	const result = await bench.run(
		'message.send',
		{ ...sms, destination: '={{ $json.phone }}' },
		{ items, tries: 2, onError: 'continueRegularOutput' },
	);
	expect(destinationsOf(bench.sandbox)).toEqual([numberOf(0), numberOf(1)]);
	expect(hintsOf(result)).toEqual([]);
});

test('the same twice in one run that is tried again: a hint about one of them', async () => {
	const phone = `+${numberOf(0)}`;
	const items = [{ phone: 'none' }, { phone }, { phone: `+${numberOf(1)}` }, { phone }];
	const result = await bench.run(
		'message.send',
		{ ...sms, destination: '={{ $json.phone }}' },
		{ items, tries: 2, onError: 'continueRegularOutput' },
	);
	expect(hintsOf(result)).toEqual(repeated);
});
