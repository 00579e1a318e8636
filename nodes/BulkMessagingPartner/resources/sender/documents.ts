import type { Param } from '../../../../core/engine/params';

const documentId = {
	displayName: 'Document',
	name: 'documentId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a document…',
			typeOptions: { searchListMethod: 'searchDocuments', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 9b2d0c4e-6a1f-4a53-9d3e-2f6f6a0f7c11',
		},
	],
} as const satisfies Param;

export const documentIds = {
	displayName: 'Documents',
	name: 'documentIds',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Document',
	default: {},
	description: 'Documents already uploaded for the company',
	options: [{ displayName: 'Document', name: 'document', values: [documentId] }],
} as const satisfies Param;

/** The IDs to send; `undefined` if no document was added, so that an update leaves the documents unchanged. */
export const toDocumentIds = (documents?: {
	document?: ReadonlyArray<{ documentId?: string }>;
}): string[] | undefined => {
	const ids = documents?.document?.flatMap(({ documentId: id }) => id ?? []) ?? [];
	return ids.length > 0 ? ids : undefined;
};
