import type { Param } from '../../core/engine/params';

/** Lets the user search a list or enter an ID. */
export const listOrId = (
	listPlaceholder: string,
	searchListMethod: string,
	idPlaceholder: string,
) =>
	({
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: listPlaceholder,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: idPlaceholder },
		],
	}) as const;

export const companyId = {
	displayName: 'Company',
	name: 'companyId',
	required: true,
	validateType: 'number',
	description: 'The client company to work with',
	...listOrId('Select a company…', 'searchCompanies', 'e.g. 1042'),
} as const satisfies Param;

/** For calls that don't need the company: it only fills the list below it. */
export const companyForList = {
	...companyId,
	displayName: 'Company (Optional)',
	required: false,
	description: 'Only needed to choose the entry below from a list',
} as const satisfies Param;

/** In a path the service calls it `id`. */
export const dispatchInPath = {
	displayName: 'Dispatch',
	name: 'id',
	required: true,
	validateType: 'number',
	...listOrId('Select a dispatch…', 'searchDispatches', 'e.g. {{ $json.dispatchId }}'),
} as const satisfies Param;
/** In a query it is `dispatchId`. */
export const dispatchId = { ...dispatchInPath, name: 'dispatchId' } as const satisfies Param;
