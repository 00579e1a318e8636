import type { Resource } from '../../../../core/engine/operation';
import { addMessages } from './addMessages';
import { create } from './create';
import { get, getAll } from './get';
import { getReport } from './getReport';
import { preview } from './preview';
import { send } from './send';
import { start, stop } from './startStop';
import { waitForCompletion } from './waitForCompletion';

export const dispatch: Resource = {
	value: 'dispatch',
	name: 'Dispatch',
	description: 'A campaign: one text sent to a list of phone numbers',
	operations: [
		send,
		preview,
		create,
		addMessages,
		start,
		stop,
		waitForCompletion,
		getReport,
		get,
		getAll,
	],
};
