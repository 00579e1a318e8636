/** The money path: what sends, looks up, judges, starts and remembers. */
export const moneyPath = [
	'nodes/BulkMessaging/resources/message/delivery/{deliver,reply,lookUp,memory}.ts',
	'nodes/BulkMessagingPartner/resources/dispatch/delivery/{delivery,calls,matching,placements,replies,startWithin,createDispatch,interruption,explainInterruption,statuses}.ts',
	'core/transport/{list,judge,settle,send,route,encode,replyShape,lookThenSend,witness}.ts',
	'core/engine/{call,once}.ts',
	'nodes/BulkMessagingTrigger/callbacks/{key,seen,parse}.ts',
];

/** The tests that may kill a mutant. The random ones are not among them: they take minutes, and a survivor needs every test. */
export const testMatch = [
	'<rootDir>/test/{messaging,dispatch,transport,trigger,engine}/**/*.test.{ts,cts}',
	// The other tests of single calls reach nothing of the money path that these do not.
	'<rootDir>/test/partner/outcomes.test.cts',
	'<rootDir>/test/nodes/{retryOnFail,cancelled}.test.cts',
];
export const slowTests = ['/faults\\.test\\.cts$', '/bodies\\.property\\.test\\.cts$'];

/** Everywhere else n8n's sleep takes a twentieth. These compare pauses with a clock, or with each other. */
export const timedTests = ['/(?:retryAfter|looking)\\.test\\.cts$', '/test/trigger/'];
