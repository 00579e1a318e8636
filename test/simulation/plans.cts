import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import type { Outcome } from './node.cts';
import type { NodeName } from './processes.cts';

/** One run of a node: an execution of a workflow, with all its tries. */
export interface RunPlan {
	name: string;
	process: 0 | 1 | 2;
	node: NodeName;
	/** A node made for a test, instead of the real one. */
	fake?: INodeType;
	parameters: INodeParameters;
	/** The input of each call. Only an agent's tool and a loop have more than one call in one run. */
	calls: Array<{ items: IDataObject[]; parameters?: INodeParameters }>;
	/** In a loop, each call is a run of the node with data of its own, and the first one that fails is the last. */
	isLoop?: boolean;
	/** When it begins, in milliseconds after the history's beginning or after the end of the run it follows. */
	startsAfterMs: number;
	follows?: string;
	/** n8n's setting Retry On Fail. */
	tries: number;
	continuesOnFail: boolean;
	/** Counted from its beginning; `undefined` if it isn't killed. */
	killedAfterMs?: number;
}

/** A run and what became of it. */
export interface PlayedRun {
	plan: RunPlan;
	beganAt: number;
	isKilled: boolean;
	/** `undefined` if it was killed, or never ended. */
	endedAt?: number;
	/** The outcome of the last try of each call: the only one that a user sees. */
	outcomes: Array<Outcome & { tries: number }>;
}

export interface Problem {
	kind: string;
	text: string;
}
