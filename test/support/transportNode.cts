import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { ServiceError } from '../../core/transport/outcome';
import type { Problem } from '../../core/transport/types';
import { runNode, type Credentials, type NodeResult, type NodeRun } from './n8n.cts';

export type Call = (context: IExecuteFunctions) => Promise<unknown>;

let isBefore29 = false;

/**
 * Before 2.9, n8n took any object in `ignoreHttpStatusErrors` for true: it returned a 401 instead of throwing it, and never
 * renewed the token. Of an error it kept only the message.
 */
export const actLikeN8nBefore29 = (on: boolean): void => {
	isBefore29 = on;
};

const returnEveryStatus = ({ helpers }: IExecuteFunctions): void => {
	const { httpRequestWithAuthentication } = helpers;
	helpers.httpRequestWithAuthentication = async function (type, options, more) {
		const request = { ...options, ignoreHttpStatusErrors: Boolean(options.ignoreHttpStatusErrors) };
		try {
			// As n8n returns it.
			return (await httpRequestWithAuthentication.call(this, type, request, more)) as unknown;
		} catch (error) {
			// It wraps the error without its cause.
			throw new Error(error instanceof Error ? error.message : String(error));
		}
	};
};

/** A node whose execution is one callback, which gets what n8n gives to every node. */
const transportNode = (call: Call): INodeType => {
	const description: INodeTypeDescription = {
		displayName: 'Transport',
		name: 'transport',
		group: ['transform'],
		version: 1,
		description: 'Calls the transport',
		defaults: { name: 'Transport' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: ['bulkMessagingPartnerApi', 'bulkMessagingApi'].map((name) => ({ name })),
		properties: [],
	};
	async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		if (isBefore29) returnEveryStatus(this);
		return [[{ json: { reply: (await call(this)) as string } }]];
	}
	return { description, execute };
};

/** What a caller of the transport learns about a call that failed. */
interface Failure {
	name: string;
	message: string;
	description?: string;
	outcome?: string;
	problem: Problem;
}

export interface Attempted {
	reply?: unknown;
	failure?: Failure;
	/** Everything n8n keeps of the execution, as text. */
	record: string;
	result: NodeResult;
}

const toFailure = (error: unknown): Failure => {
	if (!(error instanceof Error)) throw new Error(`not an Error was thrown: ${String(error)}`);
	const { name, message } = error;
	if (error instanceof ServiceError) {
		const { description, outcome, problem } = error;
		return { name, message, description, outcome, problem };
	}
	const { description } = error as Error & { description?: string };
	return { name, message, description, problem: {} };
};

/** Runs one callback in a node of a real execution and tells what it returned or how it failed. */
export const attempt = async (
	credentials: Credentials,
	call: Call,
	onStart?: NodeRun['onStart'],
): Promise<Attempted> => {
	let outcome: Pick<Attempted, 'reply' | 'failure'> = {};
	const node = transportNode(async (context) => {
		try {
			outcome = { reply: await call(context) };
		} catch (error) {
			outcome = { failure: toFailure(error) };
		}
		return outcome;
	});
	const result = await runNode({ node, credentials, onStart });
	return { ...outcome, record: JSON.stringify([result.run, result.error, outcome]), result };
};
