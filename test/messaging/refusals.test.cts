import { messagingResources } from '../../nodes/BulkMessaging/resources';
import { withField } from '../nodes/plain.cts';
import { describeRefusals, type Refusal } from '../nodes/refusing.cts';
import { useMessaging } from './messages.cts';
import { plainRow } from './table/plain.cts';

const bench = useMessaging();

const step = 'cascade.step.0';
const additional = 'options.additionalFields';
const noEvents = "'Additional Fields (JSON)' can't replace callbackEvents";
const noEnd = "'Send No Later Than' is a date that doesn't exist";
const noDate = "is a date that doesn't exist";
const shortOf = (field: string) => `'${field}' is required`;
const noUrl = "'Callback URL' must be a URL that starts with http:// or https://, such as https://";
const noContent = "'Content (JSON)' must be an object, such as ";
const noAdditional = "'Additional Fields (JSON)' must be an object such as ";

const refusals: Refusal[] = [
	['message.send', 'destination', 'call me', '\'Phone Number\' "call me" '],
	['message.send', 'destination', '+7 912', '\'Phone Number\' "+7 912" '],
	['message.send', 'options.callbackUrl', 'ftp://example.com/hook', noUrl],
	['message.send', 'options.callbackUrl', 'example.com/hook', noUrl],
	['message.send', 'options.days', [0], "'Weekdays' (entry 1) must be at least 1"],
	['message.send', 'options.days', [1, 8], "'Weekdays' (entry 2) must be at most 7"],
	['message.send', 'options.hours', [24], "'Hours' (entry 1) must be at most 23"],
	['message.send', 'options.hours', [], "'Hours' needs at least one hour, 0 to 23"],
	['message.send', 'options.localSendTime', 'tomorrow', "'Send At' must be a date"],
	['message.send', 'options.localSendTime', '01.03.2026', "'Send At' must be a date"],
	['message.send', 'options.localSendTime', '2026-02-30 10:00', `'Send At' ${noDate}`],
	['message.send', 'options.localCompletionTime', '2026-03-01 25:00', noEnd],
	['message.send', additional, '[]', noAdditional],
	['message.send', additional, '"text"', noAdditional],
	['message.send', additional, '{', "'Additional Fields (JSON)' isn't valid JSON"],
	// What they replace must be fit to be sent, too.
	['message.send', additional, '{ "destination": "1" }', '\'Phone Number\' "1" is too short'],
	['message.send', additional, '{ "callbackUrl": "1" }', noUrl],
	[
		'message.send',
		additional,
		'{ "callbackUrl": "https://127.0.0.1/x" }',
		"'Additional Fields (JSON)' contains callbackUrl, which needs the Callback credential",
	],
	['message.sendAndWait', additional, '{ "callbackEvents": ["read"] }', noEvents],
	['message.sendAndWait', 'limitHours', 0, "'Wait at Most (Hours)' must be at least 0.001"],
	['message.sendAndWait', 'limitHours', 8_761, "'Wait at Most (Hours)' must be at most 8760"],
	['message.sendAndWait', 'destination', 'call me', '\'Phone Number\' "call me" '],
	['message.sendCascade', 'destination', 'call me', '\'Phone Number\' "call me" '],
	['message.sendCascade', 'cascade', { step: [] }, "'Steps' needs at least one step"],
	['message.sendCascade', additional, '{ "cascade": [] }', "'Steps' needs at least one step"],
	['message.sendCascade', `${step}.content`, '[]', noContent],
	['message.getAll', 'filters.destination', 'call me', '\'Phone Numbers\' "call me" '],
	['message.getAll', 'filters.time_from', '01.03.2026', "'Sent After' must be a date and time"],
];

const fromExpressions: Refusal[] = [
	['message.send', 'senderName', '', shortOf('Sender Name')],
	['message.send', 'destination', '', shortOf('Phone Number')],
	['message.send', 'text', '', shortOf('Text')],
	['message.sendCascade', `${step}.senderName`, '', "'Sender Name' (entry 1) must not be empty"],
	['message.sendCascade', 'cascade.step.1.text', '', shortOf('Text')],
	['message.get', 'message_uuid', '', shortOf('Message UUID')],
	['message.stop', 'messageUuid', '', shortOf('Message UUID')],
	['verification.send', 'key', '', shortOf('Key')],
	['verification.check', 'key', '', shortOf('Key')],
	['message.getAll', 'limit', 0, "'Limit' "],
];

/** It takes one item only: its refusals are tried with one. */
const isSingle = ([operation]: Refusal) => operation === 'message.sendAndWait';

describeRefusals({
	bench,
	resources: messagingResources,
	plainRow,
	refusals: refusals.filter((refusal) => !isSingle(refusal)),
	fromExpressions,
	fitting: {
		'options.days': [1],
		'options.hours': [9],
		'options.localCompletionTime': '2036-03-01 18:00',
		'options.localSendTime': '2036-03-01 10:00',
		'options.ttl': 600,
		limit: 50,
	},
});

test.each(refusals.filter(isSingle))(
	'%s refuses %s = %j',
	async (operation, field, value, message) => {
		const { error } = await bench.run(
			operation,
			withField(plainRow(operation).parameters, field, value),
		);
		expect(error?.message.slice(0, message.length)).toBe(message);
		expect(error?.description).toBe('Nothing was sent.');
		expect(await bench.everything()).toEqual([]);
	},
);

test.each([
	['nothing for SMS', 'SMS', ''],
	['an empty text for Flash Call', 'FLASHCALL', '""'],
	['a list for a messenger', 'VIBER', '[]'],
])('content that is refused: %s', async (_, channelType, content) => {
	const { parameters } = plainRow('message.send');
	const more = { channelType, contentFormat: 'json', content };
	const { error } = await bench.run('message.send', { ...parameters, ...more });
	expect(error?.message).toMatch(/^'Content \(JSON\)' must be /);
	expect(await bench.everything()).toEqual([]);
});
