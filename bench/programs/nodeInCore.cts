/** Our node in n8n's own engine and nothing else of n8n: what it costs without the editor, the database and other executions. */
import path from 'node:path';
import type { ICredentialType, IExecuteFunctions, INodeType } from 'n8n-workflow';
import { rowsUpTo } from '../support/recipients.cts';
import { createDispatch } from '../support/createDispatch.cts';
import { runNode } from '../../test/support/n8n.cts';
import { measure, type Measured } from './measured.cts';
import { type Outcome, printOutcome, readTask } from './task.cts';

const { url, credentials, packageFolder, sizes } = readTask();
const load = <Loaded,>(file: string, name: string) => {
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	const loaded = require(path.join(packageFolder, 'dist', file)) as Record<
		string,
		new () => Loaded
	>;
	return new loaded[name]();
};

const credential = load<ICredentialType>(
	'credentials/BulkMessagingPartnerApi.credentials.js',
	'BulkMessagingPartnerApi',
);

async function measureOne(size: number): Promise<Measured> {
	const node = load<INodeType>(
		'nodes/BulkMessagingPartner/BulkMessagingPartner.node.js',
		'BulkMessagingPartner',
	);
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
		parameters: createDispatch,
		items: rowsUpTo(size),
		credentials: { [credential.name]: { baseUrl: url, ...credentials } },
		credentialTypes: [credential],
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
