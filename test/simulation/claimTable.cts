import { adviceTable } from './adviceTable.cts';

/**
 * What a sentence says about what happened.
 * - `none`: nothing. It is a reason, advice, or says that something isn't known.
 * - `nothingSent`: no message of this run reached anybody.
 * - `nothingCreated`: this run created no dispatch.
 * - `notStarted`: this dispatch isn't started.
 * - `started`: this dispatch is started.
 * - `holds`: this dispatch contains at least so many recipients.
 * - `empty`: this dispatch contains nobody.
 * - `someNotSent`: at least so many of the run's messages weren't sent; one if there is no number.
 * - `someAccepted`: the service has at least so many of the run's messages, from this run or an earlier one.
 */
export type Claim =
	| 'none'
	| 'nothingSent'
	| 'nothingCreated'
	| 'notStarted'
	| 'started'
	| 'holds'
	| 'empty'
	| 'someNotSent'
	| 'someAccepted';

/** Facts, in whatever words. `id` and `count` are read from the sentence; `undelivered` are those of `count` who were sent to. */
const facts: ReadonlyArray<[RegExp, Claim]> = [
	[/^It is not known whether /, 'none'],
	[/\bnothing (?:was|has been) (?:created or |created, added or )?sent\b/i, 'nothingSent'],
	[/\bnobody (?:was messaged|got (?:a|the) message|gets (?:a|the) message)\b/i, 'nothingSent'],
	[/\bno messages? (?:was|were) sent\b/i, 'nothingSent'],
	[/^Nothing was added or started\b/, 'nothingSent'],
	[/^This run sent nothing$/, 'nothingSent'],
	[/^No dispatch was created\b/, 'nothingCreated'],
	[/^Dispatch (?<id>\d+) exists, but this run didn't start it$/, 'nothingSent'],
	[/\bdispatch (?<id>\d+)\b.*\b(?:was not|wasn't|isn't|not) started\b(?! again)/i, 'notStarted'],
	[/^The dispatch isn't started\b/, 'notStarted'],
	[/^This was already sent as dispatch (?<id>\d+)\b/, 'started'],
	[/^Dispatch (?<id>\d+), with this name or list, was started in the meantime$/, 'started'],
	[/^Dispatch (?<id>\d+) (?:was|is) (?:already )?(?:started|sent)\b/, 'started'],
	[/^Making dispatch (?<id>\d+) took longer than 25 minutes$/, 'notStarted'],
	[/^Dispatch (?<id>\d+) contains (?<count>\d+) confirmed recipients?\b/, 'holds'],
	[/^Dispatch (?<id>\d+) has no messages\b/, 'empty'],
	[/^The service rejected every recipient$/, 'nothingSent'],
	[
		/^(?:If you start the dispatch(?:es)?, )?(?<count>\d+) of \d+ recipients? (?:won't|didn't) get the message\b(?:.*\b(?<undelivered>\d+) messages? not delivered\b)?/,
		'someNotSent',
	],
	[/^(?<count>[\d,]+) of [\d,]+ messages (?:was|were) not sent$/, 'someNotSent'],
	[/^This message was not sent$/, 'someNotSent'],
	[/^The service accepted (?<count>\d+) of \d+(?:: items? .*)?$/, 'someAccepted'],
	[/, so the dispatch isn't started$/, 'nothingSent'],
];

/** Sentences without a fact about what was sent: reasons and advice. */
const others = [
	/^\d+ duplicate phone numbers? (?:isn't|aren't) counted: each person gets one message$/,
	/^The dispatch couldn't be finished$/,
	/^Dispatch \d+ contains [\d,]+ messages? that another run or a person has added meanwhile\b/,
	/^The price estimate (?:is|of|can't be read)\b/,
	/^[\d,]+ messages? (?:was|were) not sent again, because (?:it was|they were) already sent$/,
	/^[\d,]+ messages? (?:has|have) the same phone number and text as one sent in the last 10 minutes$/,
	/^The service (?:rejected|accepted|says|sent|gave|may reject|didn't|doesn't|asks|is receiving too many requests)\b/,
	// After a 429, which this service never carries out.
	/^This request was not carried out$/,
	/^Usually no sender name matches the operator, or the number is blacklisted$/,
	/^Only (?:[\d,]+ recipients? (?:is|are)|[\d.]+% of the recipients are) accepted, but 'Minimum Accepted /,
	/^The service's (?:response|list) /,
	/^This doesn't mean that the list is empty$/,
	/^It contains nothing of what was requested$/,
	/^(?:Failed|Unknown|Not sent): items? /,
	/^(?:\d+ messages?|Some messages) in dispatch \d+ may still be pending$/,
	/^Not delivered$/,
	/^(?:The (?:phone|recipient|sender name|operator|provider's platform)|Telegram|Messages to this country)\b/,
	/^(?:Remove it|Register it|Correct |Ask your provider)/,
	/^Something went wrong on the service's side$/,
	/^The service reported success and an error in the same response$/,
	/^The connection to the service was lost$/,
	/^(?:The service can't be reached|No server responds at its URL)$/,
	/^It may be slow at the moment$/,
	/^It has fewer entries than the total\b/,
	/^The column "reason" shows who and why$/,
	/^The field "notReached" in the result (?:says who and why|names the first 100 and says why)$/,
	/^The dispatch was already started without this recipient/,
	/^The URL in the credential redirects to another URL$/,
	/^The request is too large for the service$/,
	/^\d+ other recipients? (?:was|were) already in dispatch \d+/,
	/^The node (?:stopped it|also couldn't confirm)/,
	/^The node couldn't check the sender names$/,
	/^Something that this request names, such as (?:the company|a message or a sender name), doesn't exist\b/,
	/^This operation needs an API key for /,
	/^The node couldn't check whether the custom message IDs were used before$/,
	/^(?:A web page came back|A proxy between n8n)/,
	/^Some of its messages may already have been sent\b/,
	/^All recipients are in dispatch \d+$/,
	/^Not sent, because sending stopped before this message$/,
	/^(?:All [\d,]+ messages would go to the same phone number|This run would send [\d,]+ messages), /,
	/^[\d,]+ of [\d,]+ messages? would be sent$/,
	/^[\d,]+ messages? couldn't be checked$/,
	/^The service checks the sender name and whether it can reach the number only when it sends$/,
	/^(?:If (?:it|everything) were sent, )?[\d,]+ of [\d,]+ recipients? wouldn't get the message\b/,
	/^[\d,]+ of [\d,]+ messages? (?:is|are) left out, because a placeholder has no value$/,
	/^(?:It was|[\d,]+ messages? (?:was|were)) already sent\b.*\band won't be sent again$/,
	/^Running this again adds nobody twice$/,
	/^Dispatch(?:es)? [\d, ]+ (?:was|were) processed before this error$/,
	/^To send (?:it|them), use 'Start'$/,
	/^This run has started dispatch(?:es)? [\d, ]+$/,
	/^The run stopped before [\d,]+ more dispatch(?:es)? /,
	/^The service didn't confirm that it created the dispatch\b/,
	/^An earlier run already sent the message\b/,
	/^It doesn't wait for that message$/,
	/^Nothing new was sent$/,
	/^(?:Everybody has|Nobody new: .* ha(?:s|ve)) it already: dispatch \d+\b/,
	/^Is in dispatch \d+, which was sent before$/,
	/^[\d,]+ rows?, [\d,]+ duplicates?: /,
	/^Another run may still be sending "/,
	/^"[^"]+" is being sent by another execution right now$/,
	/^Its messages are being sent$/,
	/^Dispatch \d+ doesn't contain exactly the recipients\b/,
	/^So it is never started$/,
	/^Everybody in it may get the message$/,
	/^Another text was sent under this name$/,
	/^In dispatch \d+ .*, \d+ of these people got another text$/,
	/^The node couldn't check who already has "/,
	/^The service shows another name than "/,
	/^It shows ".*", and the node recognizes a dispatch by the end of its name$/,
	/^Dispatch \d+ (?:was stopped|has the status \w+|was created to be started by hand)$/,
	/^It contains \d+ of these people\b/,
	/^Those who are in it get the message$/,
	/^An expression gives a different value in each try$/,
	/^All its recipients may get the message$/,
	/^Its recipients may get the message$/,
	/^A dispatch that turns up later is never started$/,
	/^(?:You are sending|Too many requests|The service is busy)/,
];

/** The first pattern that fits decides. A new sentence in the nodes needs a row here. */
export const claimTable: ReadonlyArray<[RegExp, Claim]> = [
	...facts,
	...[...others, ...adviceTable.map(([pattern]) => pattern)].map((pattern): [RegExp, Claim] => [
		pattern,
		'none',
	]),
];
