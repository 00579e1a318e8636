// @ts-check
'use strict';

/** A node that does nothing but what every node must do to use an expression: ask n8n for its value, item by item. */
class Evaluate {
	description = {
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

	/** @this {import('n8n-workflow').IExecuteFunctions} */
	async execute() {
		const count = this.getInputData().length;
		for (let index = 0; index < count; index++) this.getNodeParameter('value', index);
		return [[{ json: { count } }]];
	}
}

module.exports = { Evaluate };
