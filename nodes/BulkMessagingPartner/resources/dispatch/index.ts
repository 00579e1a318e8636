import type { Resource } from '../../../../core/engine/operation';
import { addMessages } from './addMessages';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { start } from './start';
import { stop } from './stop';

export const dispatch: Resource = {
	value: 'dispatch',
	name: 'Dispatch',
	description: 'A bulk send of a text to a list of phone numbers',
	operations: [addMessages, create, get, getAll, start, stop],
};
