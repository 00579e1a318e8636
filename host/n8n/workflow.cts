export interface Item {
	json: Record<string, unknown>;
	binary?: Record<string, unknown>;
	pairedItem?: unknown;
}

export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	webhookId?: string;
	disabled?: boolean;
}

export interface Workflow {
	id: string;
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	/** The items that a node outputs in a manual run instead of executing. */
	pinData?: Record<string, Item[]>;
}

export interface StoredWorkflow extends Workflow {
	versionId: string;
	activeVersionId: string | null;
	isArchived?: boolean;
}

/** A workflow's content, without the fields that n8n adds. */
export function contentOf({
	name,
	nodes,
	connections,
	settings = {},
	pinData = {},
}: Omit<Workflow, 'id'>) {
	return { name, nodes, connections, settings, pinData };
}
