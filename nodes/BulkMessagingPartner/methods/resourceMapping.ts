import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { parseTemplate } from '../../../core/recipients/placeholders';

/** Removes the {{ }} parts of an expression: they contain code, not placeholders. */
const withoutCode = (text: string) =>
	text.startsWith('=') ? text.slice(1).replace(/\{\{.*?\}\}/gs, '') : text;

/** The placeholders in the text, as fields to map. */
export const resourceMapping = {
	async getPlaceholders(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const text = this.getCurrentNodeParameter('text');
		return {
			fields: parseTemplate(withoutCode(String(text ?? ''))).names.map((name) => ({
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
