import type { Resource } from '../../../../core/engine/operation';
import { addMessages } from './addMessages';
import { get, getAll } from './get';
import { start, stop } from './startStop';

export const dispatch: Resource = {
	value: 'dispatch',
	name: 'Dispatch',
	description:
		'A campaign: one text sent to a list of phone numbers. Create it on the website, or with Bulk Messaging Partner.',
	operations: [getAll, get, addMessages, start, stop],
};
