/** The money path: what sends, looks up, judges, starts and remembers. */
export const moneyPath = [
	'core/messages/{deliver,reply,lookUp,memory}.ts',
	'core/dispatch/{deliver,placements}.ts',
	'core/transport/{list,untilSettled,settle,judge,send,replyShape,lookThenSend}.ts',
	'core/engine/once.ts',
	'core/callbacks/{key,memory,parse}.ts',
	'nodes/BulkMessagingPartner/resources/dispatch/{startWithin,place}.ts',
];

/** The tests that may kill a mutant. Random faults are not among them: they take minutes, and a mutant needs them all. */
export const testMatch = [
	'<rootDir>/test/{messaging,dispatch,transport,trigger,engine}/**/*.test.{ts,cts}',
];
export const slowTests = ['/faults\\.test\\.cts$', '/bodies\\.property\\.test\\.cts$'];

/** These compare pauses with a clock: n8n's sleep keeps its length for them. */
export const timedTests = ['/retryAfter\\.test\\.cts$'];
