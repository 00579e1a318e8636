import { ServiceError } from '../../core/transport/outcome';
import type { MessageRecord } from '../../nodes/BulkMessaging/resources/message/delivery/journal';
import type { Outgoing } from '../../nodes/BulkMessaging/resources/message/delivery/outgoing';
import { EntryError } from '../../nodes/BulkMessaging/resources/message/delivery/reply';
import {
	describeMessage,
	describeRun,
} from '../../nodes/BulkMessaging/resources/message/delivery/words';

/** Every sentence about what became of messages: what happened, who got one, and the next press. */

type Outcome = MessageRecord['outcome'];
const accepted: Outcome = { is: 'done', value: {} };
const rejected: Outcome = { is: 'refused', error: new EntryError(400, 'No', true) };
const lost: Outcome = {
	is: 'unknown',
	error: new ServiceError({ connection: 'ECONNRESET' }, 'unknown', {
		api: 'messaging',
		repeatable: false,
	}),
};
const silent: Outcome = { is: 'unknown', error: new EntryError(undefined, '', false) };

type Kind = Partial<Pick<Outgoing, 'isGiven' | 'usedBefore' | 'ownId'>> & { cascade?: object[] };
const own: Kind = { isGiven: true };
const without: Kind = {};
const anyway: Kind = { isGiven: true, usedBefore: 'sendAnyway' };
const cascade: Kind = { isGiven: true, cascade: [] };

const messagesOf = (kinds: Kind | Kind[], outcomes: Outcome[]): MessageRecord[] =>
	outcomes.map((outcome, itemIndex) => {
		const { cascade: steps, ...more } = Array.isArray(kinds) ? (kinds[itemIndex] ?? {}) : kinds;
		const body = { destination: '79160000000', ...(steps && { cascade: steps }) };
		const entry = { itemIndex, ownId: `id-${itemIndex}`, isGiven: false, usedBefore: 'skip' };
		return { entry: { ...entry, body, hints: [], ...more } as unknown as Outgoing, outcome };
	});

const run = (kinds: Kind | Kind[], outcomes: Outcome[], isCanceled = false) =>
	describeRun(messagesOf(kinds, outcomes), { secrets: [], isCanceled });
const one = (kinds: Kind | Kind[], outcomes: Outcome[], index = 0) => {
	const all = messagesOf(kinds, outcomes);
	return describeMessage(all[index] as MessageRecord, all, []);
};

const no =
	'First failure: The service rejected this message (code 400). The service says: No. Check its values.';
const gone = 'First failure: The connection to the service was lost.';
const missing = 'it looks first and sends only what is missing.';
const again = `Run it again: ${missing}`;
const later = `Run it again in 5 minutes: ${missing}`;
const nextTime = "Next time, fill in 'Custom Message ID': then running it again is always safe.";
const checkThem =
	"twice: first check in your account on the provider's website whether they were sent.";
const checkIt = "twice: first check in your account on the provider's website whether it was sent.";

test.each<[string, Kind | Kind[], Outcome[], string, string, string]>([
	[
		'with IDs, one rejected',
		own,
		[accepted, rejected],
		'notSent',
		'1 of 2 messages was not sent',
		`The service accepted 1 of 2: item 1. Failed: item 2. ${no} ${again}`,
	],
	[
		'with IDs, a lost answer, and what was not tried',
		own,
		[accepted, accepted, lost, lost, undefined],
		'unknown',
		'It is not known whether 2 of 5 messages were sent',
		`The service accepted 2 of 5: items 1 and 2. Unknown: items 3 and 4. Not sent: item 5. ${gone} ${later}`,
	],
	[
		'without IDs, a lost answer',
		without,
		[accepted, lost, lost, undefined],
		'unknown',
		'It is not known whether 2 of 4 messages were sent',
		`The service accepted 1 of 4: item 1. Unknown: items 2 and 3. Not sent: item 4. ${gone} Running it again would send item 1 again. Running it again may send items 2 and 3 ${checkThem} To send the rest, run it again with only item 4. ${nextTime}`,
	],
	[
		'without IDs, all unknown',
		without,
		[lost, lost],
		'unknown',
		'It is not known whether 2 of 2 messages were sent',
		`Unknown: items 1 and 2. ${gone} Running it again may send items 1 and 2 ${checkThem} ${nextTime}`,
	],
	[
		'nobody got one',
		without,
		[rejected, rejected],
		'notSent',
		'2 of 2 messages were not sent',
		`Nothing was sent. Failed: items 1 and 2. ${no} Run it again.`,
	],
	[
		'only some have IDs',
		[own, without],
		[accepted, accepted, rejected],
		'notSent',
		'1 of 3 messages was not sent',
		`The service accepted 2 of 3: items 1 and 2. Failed: item 3. ${no} Running it again would send item 2 again. To send the rest, run it again with only item 3. ${nextTime}`,
	],
	...[anyway, cascade].map((kind): [string, Kind, Outcome[], string, string, string] => [
		`an ID that doesn't protect: ${JSON.stringify(kind)}`,
		kind,
		[accepted, lost],
		'unknown',
		'It is not known whether 1 of 2 messages was sent',
		`The service accepted 1 of 2: item 1. Unknown: item 2. ${gone} Running it again would send item 1 again. Running it again may send item 2 ${checkIt}`,
	]),
])('a run, %s', (_, kinds, outcomes, code, title, description) => {
	expect(run(kinds, outcomes)).toEqual({ code, title, description });
});

test.each<[Outcome[], string, string]>([
	[
		[undefined, undefined],
		'The execution was canceled before all messages were sent',
		'Nothing was sent. Not sent: items 1 and 2. Run it again.',
	],
	[
		[accepted, silent],
		'The execution was canceled, and it is not known whether all messages were sent',
		`The service accepted 1 of 2: item 1. Unknown: item 2. First failure: The service accepted the request, but its response doesn't say what became of this message. ${later}`,
	],
])('a run that was canceled', (outcomes, title, description) => {
	expect(run(own, outcomes, true)).toEqual({ code: 'canceled', title, description });
});

const unknownTitle = 'It is not known whether the message with the custom message ID id-0 was sent';
test.each<[string, Kind | Kind[], Outcome[], string, string, string]>([
	[
		'unknown, with an ID',
		own,
		[lost],
		'unknown',
		unknownTitle,
		`The connection to the service was lost. ${later}`,
	],
	[
		'unknown, without an ID',
		without,
		[lost],
		'unknown',
		unknownTitle,
		`The connection to the service was lost. Running it again may send it twice: first check with 'Get' whether it was sent. ${nextTime}`,
	],
	[
		'unknown, with an error of its own',
		own,
		[{ is: 'unknown', error: new EntryError(500, 'Oops', true) }],
		'unknown',
		unknownTitle,
		`The service accepted the request but reported an error (code 500). The service says: Oops. ${later}`,
	],
	[
		'unknown, and no ID at all',
		{ ownId: undefined, cascade: [] },
		[lost],
		'unknown',
		'It is not known whether the message was sent',
		"The connection to the service was lost. Running it again may send it twice: first check in your account on the provider's website whether it was sent.",
	],
	[
		'rejected',
		without,
		[rejected],
		'rejected',
		'The service rejected this message (code 400). The service says: No',
		'This message was not sent. Check its values. Run it again.',
	],
	[
		'too expensive, beside one that was accepted',
		own,
		[{ is: 'refused', error: new EntryError(402, '', true) }, accepted],
		'rejected',
		'The service rejected this message (code 402)',
		`This message was not sent. Top up your balance. ${again}`,
	],
	[
		'not tried, with IDs',
		own,
		[undefined, lost],
		'notSent',
		'Not sent, because sending stopped before this message',
		later,
	],
	[
		'not tried, without IDs',
		without,
		[undefined, accepted],
		'notSent',
		'Not sent, because sending stopped before this message',
		'Run it again with only this item.',
	],
])('one message, %s', (_, kinds, outcomes, code, title, description) => {
	expect(one(kinds, outcomes)).toEqual({ code, title, description });
});
