import type { Resource } from '../../../../core/engine/operation';
import { getAll } from './getAll';
import { upload } from './upload';

export const document: Resource = {
	value: 'document',
	name: 'Document',
	description: "A file that proves a company's right to use a sender name",
	operations: [getAll, upload],
};
