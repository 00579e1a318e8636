import type { Resource } from '../../../../core/engine/operation';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { update } from './update';

export const company: Resource = {
	value: 'company',
	name: 'Company',
	description: 'A client company with its own sender names, dispatches and budget',
	operations: [create, get, getAll, update],
};
