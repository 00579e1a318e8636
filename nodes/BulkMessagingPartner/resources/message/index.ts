import type { Resource } from '../../../../core/engine/operation';
import { getAll } from './getAll';

export const message: Resource = {
	value: 'message',
	name: 'Message',
	description: 'One message in a dispatch',
	operations: [getAll],
};
