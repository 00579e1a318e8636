import { documentLimits, findFileType } from '../../../core/contract/company';
import { partner } from '../../../core/contract/partner';
import { UnfitValueError } from '../../../core/engine/errors';
import { defineOperation, type Resource } from '../../../core/engine/operation';
import { companyId } from '../../shared/locators';

const getAll = defineOperation({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many documents',
	description: 'List the documents uploaded for a company',
	endpoint: partner.documentList,
	params: [companyId],
	request: ({ companyId: id }) => ({ path: { id } }),
});

const field = 'Input Binary Field';

const upload = defineOperation({
	value: 'upload',
	name: 'Upload',
	action: 'Upload document',
	done: { one: 'document uploaded', many: 'documents uploaded', id: 'id' },
	description:
		'Upload a document for a company (PDF, JPG or PNG, up to 10 MB), used to register sender names',
	endpoint: partner.documentUpload,
	params: [
		companyId,
		{
			displayName: 'Input Binary Field',
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			hint: 'The name of the input field that contains the file to upload',
		},
		{
			displayName: 'File Name',
			name: 'filename',
			type: 'string',
			default: '',
			placeholder: 'e.g. certificate.pdf',
			description: "Leave empty to keep the file's name",
		},
	],
	request: async (
		{ companyId: id, filename, binaryPropertyName: inputField },
		{ context: { helpers } },
		itemIndex,
	) => {
		const file = helpers.assertBinaryData(itemIndex, inputField);
		const bytes = await helpers.getBinaryDataBuffer(itemIndex, inputField);
		// The file name and the type set by other nodes may be wrong.
		const contentType = findFileType(bytes);
		if (contentType === undefined) {
			throw new UnfitValueError(
				field,
				`needs a PDF, JPG or PNG file, but "${inputField}" contains another type of file. The node checks the content, not the file name`,
			);
		}
		if (bytes.byteLength > documentLimits.maxBytes) {
			const megabytes = (bytes.byteLength / 1024 / 1024).toFixed(1);
			throw new UnfitValueError(
				field,
				`needs a file of at most 10 MB, but the file in "${inputField}" has ${megabytes} MB`,
			);
		}
		const name = filename || file.fileName || `document.${contentType.split('/')[1]}`;
		return { path: { id }, body: { file: { filename: name, contentType, bytes } } };
	},
});

export const document: Resource = {
	value: 'document',
	name: 'Document',
	description: "A file that proves a company's right to use a sender name",
	operations: [getAll, upload],
};
