import type { IExecuteFunctions } from 'n8n-workflow';
import { findFileType } from '../../core/contract/fileType';
import type { Param } from '../../core/engine/params';

/** Where a file comes from, in every operation that sends one. */
export const binaryPropertyName = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	hint: 'The name of the input field that holds the file to upload',
} as const satisfies Param;

/** Stops with n8n's own words if the item has no file there. Nothing is read. */
export const requireInputFile = (
	{ helpers }: IExecuteFunctions,
	itemIndex: number,
	field: string,
) => helpers.assertBinaryData(itemIndex, field);

/** The file of an item. Its type is found from the content: names and what other nodes say may be wrong. */
export const readInputFile = async (
	context: IExecuteFunctions,
	itemIndex: number,
	field: string,
) => {
	const { fileName, mimeType } = requireInputFile(context, itemIndex, field);
	const bytes = await context.helpers.getBinaryDataBuffer(itemIndex, field);
	return { fileName, mimeType, bytes, foundType: findFileType(bytes) };
};
