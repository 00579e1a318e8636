/**
 * What a sentence tells its reader to do. Only this file knows the nodes' advice.
 * - `runAgain`: run the workflow again in about a minute; `runLater`: in a few minutes.
 * - `runAtTime`: run it again at the time in the sentence, in the workflow's time zone.
 * - `start`: use the operation 'Start' with the dispatch.
 * - `rename`: change 'Dispatch Name'.
 * - `sendToNew`, `raiseLimit`, `sendAnyway`: change this option or limit, and run again.
 * - `leaveOut`: leave out the messages that were sent, or may have been.
 * - `runIfNotSent`: look for the messages, and send those that aren't found.
 * - `done`: don't run it again.
 * - `nothing`: an explanation, or what to do for another aim than reaching everybody once.
 */
export type Step =
	| 'runAgain'
	| 'runLater'
	| 'runAtTime'
	| 'start'
	| 'rename'
	| 'sendToNew'
	| 'raiseLimit'
	| 'sendAnyway'
	| 'leaveOut'
	| 'runIfNotSent'
	| 'done'
	| 'nothing';

/** Where a sentence offers several things, the reader picks one. */
const own: ReadonlyArray<[RegExp, ...Step[]]> = [
	[/^To send it, use 'Start' with dispatch \d+$/, 'start'],
	[/^Change the limit or the list, and run it again$/, 'raiseLimit'],
	[
		/^To send to new recipients, set 'If It Was Sent Before' to 'New Recipients Only'$/,
		'sendToNew',
	],
	[/^For another text, use another 'Dispatch Name'$/, 'rename'],
	[/^To send (?:something else|to all of them), use another 'Dispatch Name'$/, 'nothing'],
	[/^Use a shorter 'Dispatch Name'/, 'rename'],
	[/^Use 'Get Report' (?:later|to see)\b/, 'nothing'],
	[/^To send to all of them again, set 'If It Was Sent Before' to 'Send Anyway'$/, 'nothing'],
	[/^Check its values$/, 'nothing'],
	// Single messages without custom message IDs.
	[/^Running it again would send .* again$/, 'leaveOut'],
	[/^Running it again may send .* twice: first check /, 'runIfNotSent'],
	[/^To send the rest, run it again with only /, 'runIfNotSent'],
	[/^Run it again with only /, 'runIfNotSent'],
	[/^Next time, fill in 'Custom Message ID'/, 'nothing'],
	[/^To ask again, enter a different 'Custom Message ID'$/, 'nothing'],
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

export const adviceTable = [...own, ...lasting];
