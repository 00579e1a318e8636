/** Something a person can mend: print the message, which is one sentence for them, and no stack trace. */
export class Problem extends Error {
	override readonly name = 'Problem';
}
