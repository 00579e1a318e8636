import type { IExecuteFunctions } from 'n8n-workflow';
import { findFileType } from '../../core/contract/fileType';
import type { Param } from '../../core/engine/params';

/** Used by every operation that sends a file. */
export const binaryPropertyName = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: 'data',
	required: true,
	hint: 'The name of the input field that contains the file to upload',
} as const satisfies Param;

/** Throws n8n's own error if the item has no file in this field. Doesn't read the file. */
export const requireInputFile = (
	{ helpers }: IExecuteFunctions,
	itemIndex: number,
	field: string,
) => helpers.assertBinaryData(itemIndex, field);

/** Reads an item's file. Its type is detected from the content, because the file name and the type set by other nodes may be wrong. */
export const readInputFile = async (
	context: IExecuteFunctions,
	itemIndex: number,
	field: string,
) => {
	const { fileName, mimeType } = requireInputFile(context, itemIndex, field);
	const bytes = await context.helpers.getBinaryDataBuffer(itemIndex, field);
	return { fileName, mimeType, bytes, foundType: findFileType(bytes) };
};
