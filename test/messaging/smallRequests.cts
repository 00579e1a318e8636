export const batchSize = 25;

type Contract = typeof import('../../core/contract/messaging');

/** For `jest.mock('…/core/contract/messaging', …)`: small requests, so that many of them meet a fault. */
export const withSmallRequests = (): Contract => {
	const actual = jest.requireActual<Contract>('../../core/contract/messaging');
	const messageLimits = { ...actual.messageLimits, perRequest: batchSize };
	// The type knows only the real limit.
	return { ...actual, messageLimits } as unknown as Contract;
};
