import type { Resource } from '../../../../core/engine/operation';
import { getBalance } from './getBalance';
import { ping } from './ping';

export const account: Resource = {
	value: 'account',
	name: 'Account',
	description: 'Money that is left, and whether the service is there',
	operations: [getBalance, ping],
};
