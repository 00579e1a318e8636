/** The time for what is under test; a test file has its own. */
export const tempo = {
	/** What all pauses together would have taken. */
	pausedMs: 0,
	/** Called after each pause, with how long it was to take: a service may have a clock of its own. */
	onPause: undefined as ((ms: number) => void) | undefined,
};

const begun = { date: Date.now(), performance: performance.now() };

/**
 * For `jest.mock('n8n-workflow', …)`: pauses are n8n's sleep. Both clocks move only by what the pauses would have taken, so that it
 * doesn't matter how long the machine needs for anything else.
 */
export const workflowAtTempo = () => {
	Date.now = () => begun.date + tempo.pausedMs;
	performance.now = () => begun.performance + tempo.pausedMs;
	return {
		...jest.requireActual<object>('n8n-workflow'),
		sleep: async (ms: number) => {
			tempo.pausedMs += ms;
			tempo.onPause?.(ms);
			await Promise.resolve();
		},
	};
};
