import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { BulkMessagingTrigger } from '../../nodes/BulkMessagingTrigger/BulkMessagingTrigger.node';
import { nodes } from './all.cts';

/* What a person sees of a panel before they touch anything. */

const mostRows = 11;
const mostWords = 120;

const chosen = new Set(['resource', 'operation']);

/** The rows of a panel with its defaults, without 'Resource' and 'Operation'. */
const rowsOf = (description: INodeTypeDescription, parameters: INodeParameters) => {
	const values = NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		null,
		description,
	);
	return description.properties.filter(
		(property) =>
			!chosen.has(property.name) &&
			property.type !== 'hidden' &&
			NodeHelpers.displayParameter(values ?? {}, property, null, description),
	);
};

/** The words of the tooltip, or of the notice. */
const wordsIn = ({ type, displayName, description = '' }: INodeProperties): number => {
	const text = type === 'notice' ? displayName : description;
	return text
		.replace(/<[^>]+>/g, ' ')
		.split(/\s+/)
		.filter((word) => word !== '').length;
};

const panels = nodes.flatMap(({ node: { description }, resources, name }) =>
	resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value: operation }) => ({
			name: `${name} › ${resource}: ${operation}`,
			rows: rowsOf(description, { resource, operation }),
		})),
	),
);
const { description: ofTrigger } = new BulkMessagingTrigger();
const all = [...panels, { name: 'Bulk Messaging Trigger', rows: rowsOf(ofTrigger, {}) }];

test.each(all)('$name has few rows and few words', ({ rows }) => {
	const words = rows.reduce((sum, row) => sum + wordsIn(row), 0);
	const shown = rows.map((row) => `${row.displayName} (${wordsIn(row)})`);
	expect({ rows: rows.length, words, shown }).toEqual({
		rows: Math.min(rows.length, mostRows),
		words: Math.min(words, mostWords),
		shown,
	});
});
