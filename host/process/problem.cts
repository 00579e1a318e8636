/** An error that the user can fix: only its message is printed, without a stack trace. */
export class Problem extends Error {
	override readonly name = 'Problem';
}
