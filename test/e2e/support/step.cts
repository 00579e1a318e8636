import type { Item } from './n8n.cts';
import type { OpenSandbox } from './openSandbox.cts';
import { messagingNode, partnerNode } from './workflows.cts';

/** What a step has done, to look at when the whole run is over. */
interface Done {
	json: Array<Record<string, unknown>>;
	items: Item[];
	/** What the service holds at the end. */
	store: OpenSandbox['store'];
	/** What another step gave out. */
	of: (name: string) => Array<Record<string, unknown>>;
}

/** One node of the workflow. */
export interface Step {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	/** The node it is connected to; by default the one before it in the list. */
	after?: string;
	executeOnce?: boolean;
	/** `resource.operation`, for the nodes this is about. */
	operation?: string;
	check?: (done: Done) => void;
}

type Placing = Pick<Step, 'after' | 'executeOnce'>;

/** An operation of one of our nodes. */
const stepOf =
	(type: string) =>
	(
		operation: string,
		name: string,
		parameters: Record<string, unknown>,
		check: (done: Done) => void,
		placing: Placing = {},
	): Step => {
		const [resource, value] = operation.split('.');
		return {
			name,
			type,
			typeVersion: 1,
			parameters: { resource, operation: value, ...parameters },
			operation,
			check,
			...placing,
		};
	};

export const partnerStep = stepOf(partnerNode);
export const messagingStep = stepOf(messagingNode);

/** Edit Fields. */
export const fields = (name: string, content: unknown, placing: Placing = {}): Step => ({
	name,
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'raw',
		jsonOutput: typeof content === 'string' ? content : JSON.stringify(content),
		options: {},
	},
	...placing,
});

/** Split Out: an item for each entry of a list. */
export const splitOut = (name: string, field: string): Step => ({
	name,
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: field, options: {} },
});

/** Convert to File: from base64 in a field to a file. */
export const toFile = (name: string, field: string, fileName: string, target: string): Step => ({
	name,
	type: 'n8n-nodes-base.convertToFile',
	typeVersion: 1.1,
	parameters: {
		operation: 'toBinary',
		sourceProperty: field,
		binaryPropertyName: target,
		options: { fileName },
	},
});

/** A resource locator as the editor stores a choice from its list. */
export const fromList = (value: number | string, cachedResultName: string) => ({
	__rl: true,
	mode: 'list',
	value,
	cachedResultName,
});

/** A resource locator by ID, with an expression. */
export const byExpression = (expression: string) => ({
	__rl: true,
	mode: 'id',
	value: `={{ ${expression} }}`,
});

/** Which input items an output item says it comes from. */
export const linksOf = ({ pairedItem }: Item): unknown[] =>
	[pairedItem].flat().map((link) => (link as { item?: unknown } | undefined)?.item);
