import { documentLimits } from '../../../../core/contract/company';
import { partner } from '../../../../core/contract/partner';
import { UnfitValueError } from '../../../../core/engine/errors';
import { defineOperation } from '../../../../core/engine/operation';
import { findFileType } from '../../../../core/contract/fileType';
import { companyId } from '../../shared/locators';

const field = 'Input Binary Field';

export const upload = defineOperation({
	value: 'upload',
	name: 'Upload',
	action: 'Upload document',
	description:
		'Upload a document of a company (PDF, JPG or PNG, up to 10 MB) for registering sender names',
	endpoint: partner.documentUpload,
	params: [
		companyId,
		{
			displayName: field,
			name: 'binaryPropertyName',
			type: 'string',
			default: 'data',
			required: true,
			hint: 'The name of the input field that holds the file to upload',
		},
		{
			displayName: 'File Name',
			name: 'filename',
			type: 'string',
			default: '',
			placeholder: 'e.g. certificate.pdf',
			description: 'Leave empty to keep the name the file has',
		},
	],
	request: async ({ companyId: id, binaryPropertyName, filename }, { context }, itemIndex) => {
		const binary = context.helpers.assertBinaryData(itemIndex, binaryPropertyName);
		const bytes = await context.helpers.getBinaryDataBuffer(itemIndex, binaryPropertyName);
		const contentType = findFileType(bytes);
		if (contentType === undefined) {
			throw new UnfitValueError(
				field,
				`"${binaryPropertyName}" holds no PDF, JPG or PNG. What counts is the content, not the name of the file`,
			);
		}
		if (bytes.byteLength > documentLimits.maxBytes) {
			const megabytes = (bytes.byteLength / 1024 / 1024).toFixed(1);
			throw new UnfitValueError(
				field,
				`"${binaryPropertyName}" holds a file of ${megabytes} MB, and the service takes at most 10 MB`,
			);
		}
		const name = filename || binary.fileName || `document.${contentType.split('/')[1]}`;
		return { path: { id }, body: { file: { filename: name, contentType, bytes } } };
	},
});
