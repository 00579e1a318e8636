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
	/** What stopped it. */
	error?: ExecutionError;
	/** Every run of every node, by the node's name. */
	runs: Record<string, NodeRun[]>;
	/** What a node gave out, all its runs together. */
	items(node: string, output?: number): Item[];
}

/** As n8n's REST API gives it: `data` is empty while nothing has been stored. */
export type StoredExecution = ExecutionSummary & { data: string };

interface ResultData {
	error?: ExecutionError;
	runData?: Record<string, NodeRun[]>;
}

/** n8n stores what an execution did in the format of its own dependency `flatted`. */
function readResult(host: string, data: string): ResultData {
	// A module that only the installed n8n has, so its types are not known here.
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
