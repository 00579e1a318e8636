import { NodeOperationError, type IExecuteFunctions, type INode } from 'n8n-workflow';
import { CancelledError, ServiceError } from '../../core/transport/outcome';
import { journalOf, type DispatchRecord } from '../../nodes/dispatches/journal';
import { factError, shownTime, type Fact } from '../../nodes/dispatches/words';
import { entry } from './listing.cts';

/** What an error says: what happened, who got the message, and the next press. */

const node = { name: 'Send', type: 'partner', parameters: {} } as unknown as INode;

/** A run that has done this, in the time zone of the workflow. */
const contextOf = (records: Array<Partial<DispatchRecord>> = [], isContinued = false) => {
	const run = {};
	const context = {
		getNode: () => node,
		getTimezone: () => 'Europe/Moscow',
		continueOnFail: () => isContinued,
		getExecuteData: () => run,
		getInputData: () => [],
	} as unknown as IExecuteFunctions;
	for (const [index, one] of records.entries()) journalOf(context).note(`Sale ${index}`, one);
	return context;
};
type Context = ReturnType<typeof contextOf>;

const said = (fact: Fact, context: Context = contextOf()): [string, string] => {
	const { message, description } = factError(context, fact) as NodeOperationError;
	return [message, description ?? ''];
};

const dispatch = entry({
	id: 17,
	status: 'STARTED',
	createdAt: '2020-03-01T07:00:00Z',
	startedAt: '2020-03-02T07:00:00Z',
});
/** 10:00:01 in Moscow. */
const until = Date.UTC(2026, 2, 2, 7, 0, 1);
const lost = new Error('The connection to the service was lost');
const nobody = 'Nobody got a message from this run.';
const onlyNew = "it sends only to those who don't have it yet";
const soon = 'Run it again in a few minutes.';
const again = `Run it again: ${onlyNew}.`;
const cause = 'The connection to the service was lost.';

test.each<[Fact, string, string]>([
	[
		{ is: 'atWork', name: 'Sale' },
		'"Sale" is being sent by another execution right now',
		`${nobody} Run it again when that one has ended: ${onlyNew}.`,
	],
	[
		{ is: 'busy', until, name: 'Sale' },
		'Another run may still be sending "Sale"',
		`${nobody} Run it again at 10:01 (Europe/Moscow): ${onlyNew}.`,
	],
	[
		{ is: 'busy', until: until - 1_000, name: 'Sale' },
		'Another run may still be sending "Sale"',
		`${nobody} Run it again at 10:00 (Europe/Moscow): ${onlyNew}.`,
	],
	[
		{ is: 'kept', dispatch, count: 3 },
		'Dispatch 17 was created to be started by hand',
		`It contains 3 of these people. ${nobody} To send it, use 'Start' with dispatch 17. To send something else, use another 'Dispatch Name'.`,
	],
	[
		{ is: 'ended', dispatch: { ...dispatch, status: 'STOPPED' }, count: 3 },
		'Dispatch 17 was stopped',
		`It contains 3 of these people, and some of them may have got the message. ${nobody} To send to all of them again, set 'If It Was Sent Before' to 'Send Anyway'.`,
	],
	[
		{ is: 'ended', dispatch: { ...dispatch, status: 'PAUSED' }, count: 3 },
		'Dispatch 17 has the status PAUSED',
		`It contains 3 of these people, and some of them may have got the message. ${nobody} To send to all of them again, set 'If It Was Sent Before' to 'Send Anyway'.`,
	],
	[
		{ is: 'ended', dispatch: { ...dispatch, status: undefined }, count: 3 },
		'Dispatch 17 has the status unknown',
		`It contains 3 of these people, and some of them may have got the message. ${nobody} To send to all of them again, set 'If It Was Sent Before' to 'Send Anyway'.`,
	],
	[
		{ is: 'otherText', dispatch, count: 3 },
		'Another text was sent under this name',
		`In dispatch 17 (2 Mar 2020, 10:00), 3 of these people got another text. ${nobody} For another text, use another 'Dispatch Name'.`,
	],
	[
		{ is: 'sentBefore', dispatch },
		'This was already sent as dispatch 17 (2 Mar 2020, 10:00)',
		`${nobody} To send to new recipients, set 'If It Was Sent Before' to 'New Recipients Only'.`,
	],
	[
		{ is: 'unreadable', name: 'Sale' },
		'The node couldn\'t check who already has "Sale"',
		`${nobody} ${soon}`,
	],
	[
		{ is: 'unreadable', name: 'Sale', error: lost },
		'The node couldn\'t check who already has "Sale"',
		`${nobody} ${soon} ${cause}`,
	],
	[
		{ is: 'rejected', call: 'create', error: new Error('Invalid') },
		'Invalid.',
		`${nobody} Then run it again. Invalid.`,
	],
	[
		{ is: 'notConfirmed' },
		"The service didn't confirm that it created the dispatch, and doesn't list it",
		`${nobody} ${soon}`,
	],
	[
		{ is: 'notConfirmed', error: lost },
		"The service didn't confirm that it created the dispatch, and doesn't list it",
		`${nobody} ${soon} ${cause}`,
	],
	[
		{ is: 'renamed', name: 'Sale 1', shown: 'Sale' },
		'The service shows another name than "Sale 1"',
		`It shows "Sale", and the node recognizes a dispatch by the end of its name. ${nobody} Use a shorter 'Dispatch Name' without special characters, and run it again.`,
	],
	[
		{ is: 'incomplete', id: 17 },
		"Dispatch 17 doesn't contain exactly the recipients that were sent to the service",
		`So it is never started. ${nobody} ${soon}`,
	],
	[
		{ is: 'startedByOther', id: 17 },
		'Dispatch 17 was started by a person, not by this run',
		`Those who are in it get the message. ${nobody} ${again}`,
	],
	[
		{ is: 'unlisted', id: 17 },
		"The service doesn't list dispatch 17, so the node can't see whether another run was first",
		`${nobody} ${soon}`,
	],
	[
		{ is: 'passed', id: 17 },
		'Dispatch 17, with this name or list, was started in the meantime',
		`${nobody} ${again}`,
	],
	[{ is: 'late', id: 17 }, 'Making dispatch 17 took longer than 25 minutes', `${nobody} ${soon}`],
	[
		{ is: 'canceled' },
		'The execution was canceled before the dispatch was started',
		`${nobody} ${again}`,
	],
	[
		{ is: 'rejected', call: 'start', id: 17, error: new CancelledError() },
		'The execution was canceled before the dispatch was started',
		`${nobody} ${again}`,
	],
	[
		{ is: 'limit', id: 17, objection: 'It is too much' },
		'It is too much',
		`Dispatch 17 isn't started. ${nobody} Change the limit or the list, and run it again.`,
	],
	[
		{ is: 'startUnknown', id: 17, until, error: lost },
		'It is not known whether dispatch 17 was started',
		`Everybody in it may get the message. Run it again at 10:01 (Europe/Moscow): ${onlyNew}. ${cause}`,
	],
	[
		{ is: 'regrouped' },
		'The items were grouped into different dispatches on retry',
		`An expression gives a different value in each try. ${nobody} ${again}`,
	],
])('%#: %j', (fact, title, description) => {
	expect(said(fact)).toEqual([title, description]);
	const { context } = factError(contextOf(), fact) as NodeOperationError;
	const code = title.startsWith('The execution was canceled') ? 'canceled' : fact.is;
	const id = 'id' in fact && code === fact.is ? { dispatchId: fact.id } : {};
	expect(context).toMatchObject({ code, ...id });
	// Following the advice never sends twice.
	expect(description).not.toMatch(/half an hour|provider's website/);
	expect(description.includes('Send Anyway')).toBe(fact.is === 'ended');
	const mayName = ['otherText', 'kept', 'renamed'].includes(fact.is);
	expect(description.includes("'Dispatch Name'")).toBe(mayName);
	expect(description.includes("'Start'")).toBe(fact.is === 'kept');
});

const done = { is: 'done', value: { status: 'STARTED' } } as const;
const unknown = { is: 'unknown', error: lost } as const;
const refused = { is: 'refused', error: lost } as const;
const busy: Fact = { is: 'busy', until, name: 'Sale' };

test.each<[string, Array<Partial<DispatchRecord>>, boolean, string]>([
	['nothing', [], false, 'Nobody got a message from this run. '],
	['nothing, and the run continues', [], true, 'Nobody got a message from this dispatch. '],
	['only made one', [{ id: 17 }], false, 'Nobody got a message from this run. '],
	['a rejected start', [{ id: 17, start: refused }], false, 'Nobody got a message from this run. '],
	[
		'started one',
		[{ id: 17, start: done }],
		false,
		'This run has started dispatch 17. Nobody else got a message from this run. ',
	],
	[
		'started one, and the run continues',
		[{ id: 17, start: done }],
		true,
		'Nobody got a message from this dispatch. ',
	],
	[
		'started two, perhaps three',
		[{ id: 17, start: done }, { id: 18, start: done }, { id: 19, start: unknown }, { id: 20 }],
		false,
		'This run has started dispatches 17, 18. It is not known whether this run has started dispatch 19. Nobody else got a message from this run. ',
	],
])('the run has done this before: %s', (_, records, isContinued, words) => {
	expect(said(busy, contextOf(records, isContinued))[1]).toBe(
		`${words}Run it again at 10:01 (Europe/Moscow): ${onlyNew}.`,
	);
});

test('a start that is not known, beside others', () => {
	const context = contextOf([
		{ id: 17, start: unknown },
		{ id: 18, start: done },
	]);
	expect(said({ is: 'startUnknown', id: 17, until, error: lost }, context)[1]).toBe(
		`Everybody in it may get the message. This run has started dispatch 18. Run it again at 10:01 (Europe/Moscow): ${onlyNew}. ${cause}`,
	);
});

describe('what the service has rejected', () => {
	const rejection = new ServiceError({ status: 400, serviceText: 'No budget' }, 'refused', {
		api: 'partner',
		repeatable: false,
	});
	test.each<[string, Fact, string]>([
		['create', { is: 'rejected', call: 'create', error: rejection }, `${nobody} `],
		[
			'append',
			{ is: 'rejected', call: 'append', id: 17, error: rejection },
			`${nobody} Dispatch 17 isn't started. `,
		],
		[
			'start',
			{ is: 'rejected', call: 'start', id: 17, error: rejection },
			`${nobody} Dispatch 17 isn't started. `,
		],
	])("%s: the service's reason is the title", (_, fact, words) => {
		const [title, description] = said(fact);
		expect(title).toBe(rejection.message);
		expect(description.startsWith(words)).toBe(true);
		expect(description).toContain('The service says: No budget');
	});
});

const now = Date.UTC(2026, 10, 15, 12);
test.each([
	['2026-11-15T11:02:00Z', '15 Nov, 14:02'],
	['2025-12-31T21:30:00Z', '1 Jan, 00:30'],
	['2025-12-31T20:30:00Z', '31 Dec 2025, 23:30'],
	[now, '15 Nov, 15:00'],
	['yesterday', undefined],
	[undefined, undefined],
])('%s is shown as %s', (time, shown) => {
	expect(shownTime(contextOf(), time, now)).toBe(shown);
});
