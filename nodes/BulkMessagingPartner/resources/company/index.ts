import type { Resource } from '../../../../core/engine/operation';
import { create } from './create';

export const company: Resource = {
	value: 'company',
	name: 'Company',
	description: 'A client of the partner, with its own senders, dispatches and budget',
	operations: [create],
};
