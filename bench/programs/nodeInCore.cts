/** One of our nodes in n8n's own engine and nothing else of n8n: what it costs without the editor, the database and other executions. */
import path from 'node:path';
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IExecuteFunctions,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import { rowsUpTo } from '../support/recipients.cts';
import { runNode } from '../../test/support/n8n.cts';
import { measure, type Measured } from './measured.cts';
import { type Outcome, printOutcome } from './task.cts';

/** What it is told, as JSON in its only argument. */
export interface NodeTask {
	/** The installed package. */
	packageFolder: string;
	node: 'BulkMessaging' | 'BulkMessagingPartner';
	parameters: INodeParameters;
	credential: ICredentialDataDecryptedObject;
	/** How many input items, one run after another. The first ones are for warming up, if whoever asks wants that. */
	sizes: number[];
}

const {
	packageFolder,
	node: nodeName,
	parameters,
	credential,
	sizes,
} = JSON.parse(process.argv[2] ?? '') as NodeTask;
const load = <Loaded,>(file: string, name: string) => {
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	const loaded = require(path.join(packageFolder, 'dist', file)) as Record<
		string,
		new () => Loaded
	>;
	return new loaded[name]();
};

const credentialType = load<ICredentialType>(
	`credentials/${nodeName}Api.credentials.js`,
	`${nodeName}Api`,
);

async function measureOne(size: number): Promise<Measured> {
	const node = load<INodeType>(`nodes/${nodeName}/${nodeName}.node.js`, nodeName);
	let measured: Measured | undefined;
	const { execute } = node;
	node.execute = async function (this: IExecuteFunctions) {
		let output: Awaited<ReturnType<NonNullable<typeof execute>>> = [];
		// From here on it is the node's: what the engine needs to get there and what it does with the result is not.
		measured = await measure(async () => {
			output = (await execute?.call(this)) ?? [];
		});
		return output;
	};
	const { error } = await runNode({
		node,
		parameters,
		items: rowsUpTo(size),
		credentials: { [credentialType.name]: credential },
		credentialTypes: [credentialType],
	});
	if (error) throw error;
	if (!measured) throw new Error('The node did not run.');
	return measured;
}

async function main() {
	const outcome: Outcome = [];
	for (const size of sizes) outcome.push(await measureOne(size));
	printOutcome(outcome);
}

void main();
