import { NodeHelpers, type INodeParameters } from 'n8n-workflow';
import { BulkMessagingTrigger } from '../../nodes/BulkMessagingTrigger/BulkMessagingTrigger.node';
import { onCanvas } from '../support/canvas.cts';

/** The trigger as the editor draws it: the names of its outputs, and its subtitle. */
export const drawn = (parameters: INodeParameters) => {
	const trigger = new BulkMessagingTrigger();
	const { workflow, subtitle } = onCanvas(trigger, parameters, 2);
	const outputs = NodeHelpers.getNodeOutputs(workflow, workflow.nodes.Drawn, trigger.description);
	return {
		outputs: outputs.map((output) =>
			typeof output === 'string' ? output : (output.displayName ?? output.type),
		),
		subtitle,
	};
};
