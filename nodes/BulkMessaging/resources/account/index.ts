import type { Resource } from '../../../../core/engine/operation';
import { getBalance } from './getBalance';
import { ping } from './ping';

export const account: Resource = {
	value: 'account',
	name: 'Account',
	description: 'Your balance, and whether the service is available',
	operations: [getBalance, ping],
};
