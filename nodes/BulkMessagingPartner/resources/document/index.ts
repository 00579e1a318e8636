import type { Resource } from '../../../../core/engine/operation';
import { getAll } from './getAll';
import { upload } from './upload';

export const document: Resource = {
	value: 'document',
	name: 'Document',
	description: 'A file that proves the right of a company to a sender name',
	operations: [getAll, upload],
};
