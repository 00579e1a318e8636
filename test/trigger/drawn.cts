import { NodeHelpers, Workflow, type INodeParameters } from 'n8n-workflow';
import { BulkMessagingTrigger } from '../../nodes/BulkMessagingTrigger/BulkMessagingTrigger.node';

/** The trigger as the editor draws it: the names of its outputs, and its subtitle. */
export const drawn = (parameters: INodeParameters) => {
	const trigger = new BulkMessagingTrigger();
	const { description } = trigger;
	const node = {
		id: '1',
		name: 'Trigger',
		type: 'trigger',
		typeVersion: 2,
		position: [0, 0] as [number, number],
		parameters,
	};
	const nodeTypes = {
		getByName: () => trigger,
		getByNameAndVersion: () => trigger,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const outputs = NodeHelpers.getNodeOutputs(workflow, workflow.nodes.Trigger, description);
	return {
		outputs: outputs.map((output) =>
			typeof output === 'string' ? output : (output.displayName ?? output.type),
		),
		subtitle: workflow.expression.getSimpleParameterValue(
			node,
			description.subtitle,
			'internal',
			{},
		),
	};
};
