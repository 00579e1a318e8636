import { Workflow, type INodeParameters, type INodeType } from 'n8n-workflow';

/** A node as the editor's canvas has it, for what n8n computes from its description. */
export const onCanvas = (type: INodeType, parameters: INodeParameters, typeVersion = 1) => {
	const node = {
		id: '1',
		name: 'Drawn',
		type: 'drawn',
		typeVersion,
		position: [0, 0] as [number, number],
		parameters,
	};
	const nodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const { subtitle } = type.description;
	return {
		workflow,
		/** The text below the node. */
		subtitle: workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {}),
	};
};
