import type { Credential, Workflow } from './n8n.cts';

export const partnerNode = 'n8n-nodes-bulk-messaging.bulkMessagingPartner';
export const messagingNode = 'n8n-nodes-bulk-messaging.bulkMessaging';

/** How a node names a credential. */
export function credentialOf({ id, name, type }: Credential) {
	return { [type]: { id, name } };
}

interface ActionNode {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
}

/** A workflow of two nodes: a manual start called "Start" and the node in question. */
export function manualWorkflow(id: string, node: ActionNode): Workflow {
	return {
		id,
		name: id,
		nodes: [
			{
				id: `${id}-start`,
				name: 'Start',
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{ id: `${id}-action`, typeVersion: 1, position: [240, 0], ...node },
		],
		connections: { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}
