/** How fast time passes for what is under test; a test file has its own. */
export const tempo = {
	/** Real milliseconds for each that a pause is to take. */
	perMs: 0,
	/** What all pauses together would have taken. */
	pausedMs: 0,
	/** Called after each pause, with how long it was to take: a service may have a clock of its own. */
	onPause: undefined as ((ms: number) => void) | undefined,
	/** When a service that does not answer is given up, instead of after 70 seconds. */
	timeoutMs: 500,
	/** Where every request is answered nobody is given up, however busy the machine. */
	isPatient: false,
};

const realNow = Date.now.bind(Date);

/** For `jest.mock('n8n-workflow', …)`: pauses are n8n's sleep. The time of day goes on by what they would have taken. */
export const workflowAtTempo = () => {
	Date.now = () => realNow() + tempo.pausedMs * (1 - tempo.perMs);
	return {
		...jest.requireActual<object>('n8n-workflow'),
		sleep: async (ms: number) => {
			tempo.pausedMs += ms;
			tempo.onPause?.(ms);
			const waitMs = ms * tempo.perMs;
			await (waitMs > 0
				? new Promise((resolve) => setTimeout(resolve, waitMs))
				: Promise.resolve());
		},
	};
};

type ExchangeModule = typeof import('../../core/transport/exchange');

/** For `jest.mock('…/core/transport/exchange', …)`: the one place that speaks HTTP. */
export const exchangeAtTempo = (): ExchangeModule => {
	const actual = jest.requireActual<ExchangeModule>('../../core/transport/exchange');
	return {
		...actual,
		exchange: async (httpRequest, options) =>
			await actual.exchange(
				httpRequest,
				tempo.isPatient ? options : { ...options, timeout: tempo.timeoutMs },
			),
	};
};
