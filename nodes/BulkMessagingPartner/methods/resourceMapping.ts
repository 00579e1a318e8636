import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { findPlaceholders } from '../../../core/recipients/placeholders';

/** The placeholders of the text, as fields to map. */
export const resourceMapping = {
	async getPlaceholders(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const text = this.getCurrentNodeParameter('text');
		return {
			fields: findPlaceholders(String(text ?? '')).map((name) => ({
				id: name,
				displayName: `{${name}}`,
				required: false,
				defaultMatch: false,
				display: true,
				type: 'string',
			})),
		};
	},
};
