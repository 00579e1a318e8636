import type { Param } from '../../../core/engine/params';

export const companyId = {
	displayName: 'Company',
	name: 'companyId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	validateType: 'number',
	description: 'The client company to work with',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a company…',
			typeOptions: { searchListMethod: 'searchCompanies', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 1042',
		},
	],
} as const satisfies Param;

/** For calls that don't need the company: it only fills the list below it. */
export const companyForList = {
	...companyId,
	displayName: 'Company (for the List Below)',
	required: false,
	description: 'Only used to fill the list below. You can leave it empty if you enter an ID there.',
} as const satisfies Param;

export const senderId = {
	displayName: 'Sender Name',
	name: 'id',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	validateType: 'number',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a sender name…',
			typeOptions: { searchListMethod: 'searchSenders', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 315',
		},
	],
} as const satisfies Param;

const dispatchLocator = {
	displayName: 'Dispatch',
	type: 'resourceLocator',
	// The dispatch that an earlier node created or sent. Not `$json.id`, because CRM records have an `id` too.
	default: { __rl: true, mode: 'id', value: '={{ $json.dispatchId }}' },
	required: true,
	validateType: 'number',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a dispatch…',
			typeOptions: { searchListMethod: 'searchDispatches', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 90210',
		},
	],
} as const;

/** In a path the service calls it `id`. */
export const dispatchInPath = { ...dispatchLocator, name: 'id' } as const satisfies Param;
/** In a query it is `dispatchId`. */
export const dispatchId = { ...dispatchLocator, name: 'dispatchId' } as const satisfies Param;
