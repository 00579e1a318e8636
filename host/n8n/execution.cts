import { createRequire } from 'node:module';
import path from 'node:path';
import type { Item } from './workflow.cts';

export interface ExecutionSummary {
	id: string;
	status: string;
	mode: string;
	workflowId: string;
}

interface ExecutionError {
	message: string;
	description?: string;
}

export interface NodeRun {
	executionStatus: string;
	error?: ExecutionError;
	data?: { main?: Array<Item[] | null> };
}

export interface Execution extends ExecutionSummary {
	/** The error that stopped it. */
	error?: ExecutionError;
	/** Every run of every node, by the node's name. */
	runs: Record<string, NodeRun[]>;
	/** A node's output items, from all its runs. */
	items(node: string, output?: number): Item[];
}

/** As n8n's REST API returns it: `data` is empty until n8n has stored results. */
export type StoredExecution = ExecutionSummary & { data: string };

interface ResultData {
	error?: ExecutionError;
	runData?: Record<string, NodeRun[]>;
}

/** n8n stores an execution's results in the format of its dependency `flatted`. */
function readResult(host: string, data: string): ResultData {
	// Only the installed n8n has this module, so its types are not known here.
	const flatted = createRequire(path.join(host, 'package.json'))('flatted') as {
		parse(text: string): { resultData?: ResultData } | undefined;
	};
	return flatted.parse(data || '[{}]')?.resultData ?? {};
}

/** `host` is the folder of the installed n8n. */
export function readExecution(stored: StoredExecution, host: string): Execution {
	const { error, runData: runs = {} } = readResult(host, stored.data);
	return {
		id: String(stored.id),
		status: stored.status,
		mode: stored.mode,
		workflowId: stored.workflowId,
		error,
		runs,
		items: (node, output = 0) =>
			(runs[node] ?? []).flatMap((run) => run.data?.main?.[output] ?? []),
	};
}
