import type { WorkflowNode } from '../../../host/n8n/workflow.cts';
import type { Workflow } from '../support/n8n.cts';

export const triggerNode = 'n8n-nodes-bulk-messaging.bulkMessagingTrigger';
export const login = 'callback';
export const password = 'callback-password';
export const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;

/** With login and password in it, as the other nodes give it to the service. */
export const withLogin = (url: string) => url.replace('http://', `http://${login}:${password}@`);

const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });

/** The trigger, called "Trigger", with the node behind it. Its address is `<id>/fast` or `<id>/confirmed`. */
export function triggered(
	id: string,
	next: Pick<WorkflowNode, 'name' | 'type' | 'typeVersion' | 'parameters'>,
	parameters: Record<string, unknown> = {},
): Workflow {
	return {
		id,
		name: id,
		nodes: [
			{
				id: `${id}-trigger`,
				name: 'Trigger',
				type: triggerNode,
				typeVersion: 2,
				position: [0, 0],
				webhookId: id,
				parameters,
				credentials: {
					bulkMessagingCallbackApi: { id: 'sandboxCallbackApi', name: 'Sandbox: callbacks' },
				},
			},
			{ id: `${id}-next`, position: [240, 0], ...next },
		],
		connections: { Trigger: to(next.name) },
		settings: { executionOrder: 'v1' },
	};
}

export const nothing = {
	name: 'Next',
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	parameters: {},
};

const condition = (name: string) => ({
	keyName: name,
	condition: 'eq',
	keyValue: `={{ $json.${name} }}`,
});

/** Keeps one row per message and event, however often it is told. */
export const upsertInto = (dataTableId: string) => ({
	name: 'Upsert',
	type: 'n8n-nodes-base.dataTable',
	typeVersion: 1,
	parameters: {
		resource: 'row',
		operation: 'upsert',
		dataTableId: { __rl: true, mode: 'id', value: dataTableId },
		matchType: 'allConditions',
		filters: { conditions: [condition('messageUuid'), condition('event')] },
		columns: {
			mappingMode: 'defineBelow',
			value: { messageUuid: '={{ $json.messageUuid }}', event: '={{ $json.event }}' },
		},
		options: {},
	},
});
