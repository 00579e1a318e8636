import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';

/** A node that does nothing but what every node must do to use an expression: ask n8n for its value, item by item. */
export class Evaluate implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Evaluate',
		name: 'evaluate',
		group: ['transform'],
		version: 1,
		description: 'Evaluates a parameter for every item',
		defaults: { name: 'Evaluate' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
	};

	async execute(this: IExecuteFunctions) {
		const count = this.getInputData().length;
		for (let index = 0; index < count; index++) this.getNodeParameter('value', index);
		return [[{ json: { count } }]];
	}
}
