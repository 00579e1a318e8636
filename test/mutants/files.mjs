/** The money path: what plans, sends, looks up, compares, yields, starts, waits, tells and remembers. */
export const moneyPath = [
	'nodes/BulkMessaging/resources/message/delivery/{deliver,idClaims,reply,search,tell}.ts',
	'nodes/BulkMessaging/resources/message/wait/{awaitedReader,outcome,resumeWebhook,sendAndWait}.ts',
	'nodes/BulkMessagingPartner/resources/dispatch/send.ts',
	'nodes/dispatches/plan/plan.ts',
	'nodes/dispatches/steps/*.ts',
	'core/transport/{list,exchange,send,request,replyShape,outcome}.ts',
	'core/claims.ts',
	'core/engine/{ledger,runItems}.ts',
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

/** Everywhere else n8n's sleep takes a twentieth. These compare pauses with each other. */
export const timedTests = ['/test/trigger/'];
