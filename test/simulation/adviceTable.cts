/**
 * What a sentence tells its reader to do. Only this file knows the nodes' advice.
 * - `runAgain`: run the workflow again in about a minute; `runLater`: in a few minutes; `runInHalfAnHour`.
 * - `runAtTime`: run it again at the time in the sentence, in the workflow's time zone.
 * - `start`: use the operation 'Start' with the dispatch.
 * - `startIfUnstarted`: look at the dispatch on the provider's website, and start it if it isn't started.
 * - `runIfUnstarted`: look at it, and run the workflow again if it isn't started.
 * - `rename`: change 'Dispatch Name'; `nameRounds`: give each round of a loop another name.
 * - `beginAnew`, `raiseAndBeginAnew`, `raiseLimit`, `sendAnyway`: change this option or limit, and run again.
 * - `leaveOut`: leave out the messages that were sent, or may have been.
 * - `runIfNotSent`: look for the messages, and send those that aren't found.
 * - `done`: don't run it again.
 * - `nothing`: an explanation, or what to do for another aim than reaching everybody once.
 */
export type Step =
	| 'runAgain'
	| 'runLater'
	| 'runInHalfAnHour'
	| 'runAtTime'
	| 'start'
	| 'startIfUnstarted'
	| 'runIfUnstarted'
	| 'rename'
	| 'nameRounds'
	| 'beginAnew'
	| 'raiseAndBeginAnew'
	| 'raiseLimit'
	| 'sendAnyway'
	| 'leaveOut'
	| 'runIfNotSent'
	| 'done'
	| 'nothing';

/** Sentences that go when "Run it again" is the only advice. Where one offers several things, the reader picks one. */
const today: ReadonlyArray<[RegExp, ...Step[]]> = [
	[
		/^To leave that dispatch and send a new one, set .*, or change 'Dispatch Name'$/,
		'beginAnew',
		'rename',
	],
	[/^To send (?:that|this) (?:dispatch|one) as it is, use 'Start'$/, 'start'],
	[/^To send (?:it|them), use 'Start'$/, 'start'],
	[
		/^To send it anyway, either use 'Start' with this dispatch, or change the limit and set /,
		'start',
		'raiseAndBeginAnew',
	],
	[/^To send it anyway, use 'Start' with this dispatch$/, 'start'],
	[/^If it isn't started, use 'Start' with it$/, 'startIfUnstarted'],
	[/^Check both before you use 'Start' with it$/, 'startIfUnstarted'],
	[
		/^To try again, run the workflow in half an hour, or change 'Dispatch Name'$/,
		'runInHalfAnHour',
		'rename',
	],
	[/^Check dispatch (?<id>\d+) before you send this again$/, 'runIfUnstarted'],
	[
		/^Check it in your account on the provider's website before you (?:send anything|run this) again\b/,
		'runIfUnstarted',
	],
	[/^Use a shorter 'Dispatch Name'/, 'rename'],
	[/^In a loop, each round needs a different name\b/, 'nameRounds'],
	[/^Wait until that run has ended$/, 'runAgain'],
	[/^Try again later$/, 'runLater'],
	[/^To see who got it, use 'Get Report'/, 'done'],
	[/^Use 'Get Report' (?:later|to see)\b/, 'nothing'],
	[/^Don't send (?:it|them) again$/, 'done'],
	[
		/^To send them? (?:after all|anyway), set 'If the Custom Message ID Was Used Before' to 'Send Anyway'$/,
		'sendAnyway',
	],
	[
		/^To send it (?:after all|anyway), set 'If the Custom Message ID Was Used Before' to 'Send Anyway'$/,
		'sendAnyway',
	],
	[
		/^If you run this again with the same custom message IDs, the accepted messages are not sent again$/,
		'runLater',
	],
	[/^If you run this again, leave out the /, 'leaveOut'],
	[/^Check it with 'Get' before you send it again$/, 'runIfNotSent'],
	[/^Check it in your account on the provider's website before you send it again$/, 'runIfNotSent'],
	[/^To (?:send to everyone again|send it as well|skip this check), /, 'nothing'],
	[/^Don't (?:do both|send (?:it|them) under another name)$/, 'nothing'],
];

const minutes = String.raw`in (?:a few|five|5) minutes`;

/** Sentences about the service and the connection, and what stays. */
const lasting: ReadonlyArray<[RegExp, ...Step[]]> = [
	[/\brun it again (?:\w+ )?at (?<hours>\d\d):(?<minutes>\d\d)\b/i, 'runAtTime'],
	[/\braise 'Price Limit'.*\brun it again\b/i, 'raiseLimit'],
	[new RegExp(String.raw`\b(?:try again|run it again|run this again) ${minutes}`, 'i'), 'runLater'],
	[/\brun it again\b/i, 'runAgain'],
	[/^Wait a little, then run again\b/, 'runAgain'],
	[/^Check its values, then send it again$/, 'runAgain'],
	[/^Run the workflow again when you are ready$/, 'runAgain'],
	[/, then (?:run|try) again$/, 'runAgain'],
	// The reader finds them right, or repairs them.
	[
		/^Check (?:'Base URL' in the credential|the values you entered|the ID|its status|that the account)\b/,
		'runLater',
	],
	[/^Enter the final URL in 'Base URL' in the credential\b/, 'runLater'],
	[/^'Channel' can't be used\b/, 'runLater'],
	[/^Send fewer recipients at a time, or a smaller file$/, 'runLater'],
	[/^Check the result in your account on the provider's website$/, 'nothing'],
	[
		/^Check (?:dispatch \d+|it|the dispatch|the dispatches with this name) in your account on the provider's website$/,
		'nothing',
	],
	[
		/^If (?:it is right|it happens|other operations|none works|the key is right|several|everything|it were|you start)\b/,
		'nothing',
	],
	[/^If (?:it exists, it isn't started|they aren't|you )/, 'nothing'],
	[/^(?:Choose|Increase|Look for|Set 'Limit'|Start it first|Your workflow)\b/, 'nothing'],
	[/^To (?:prevent duplicates|send (?:it|them) again, use a new custom message ID)\b/, 'nothing'],
];

export const adviceTable = [...today, ...lasting];
