import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';
import { parseTemplate } from '../../../core/recipients/placeholders';

/**
 * Removes the {{ }} parts of an expression: they contain code, not placeholders. Not with a regular expression, because that would
 * search the rest of the text again for every `{{` that isn't closed.
 */
const withoutCode = (text: string) => {
	if (!text.startsWith('=')) return text;
	const pieces = text.slice(1).split('}}');
	const last = pieces.pop() ?? '';
	const kept = pieces.map((piece) => {
		const start = piece.indexOf('{{');
		return start < 0 ? `${piece}}}` : piece.slice(0, start);
	});
	return kept.join('') + last;
};

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
