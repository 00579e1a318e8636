import type { Resource } from '../../../../core/engine/operation';
import { add } from './add';
import { remove } from './remove';

export const blacklist: Resource = {
	value: 'blacklist',
	name: 'Blacklist',
	description: 'Phone numbers that must get no messages of a company',
	operations: [add, remove],
};
