import type { Resource } from '../../../../core/engine/operation';
import { add } from './add';
import { remove } from './remove';

export const blacklist: Resource = {
	value: 'blacklist',
	name: 'Blacklist',
	description: "Phone numbers that must not get a company's messages",
	operations: [add, remove],
};
