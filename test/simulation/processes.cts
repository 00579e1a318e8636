import { createRequire } from 'node:module';
import path from 'node:path';
import type { INodeType } from 'n8n-workflow';

const load = createRequire(__filename);
const root = path.join(__dirname, '..', '..');
const ownCode = ['core', 'nodes', 'vendor'].map((folder) => path.join(root, folder) + path.sep);

export type NodeName = 'BulkMessaging' | 'BulkMessagingPartner';

/** The nodes as one n8n process has them, with the memories of their modules. */
type N8nProcess = Record<NodeName, INodeType>;

const loadNode = (name: NodeName): INodeType => {
	const file = path.join(root, 'nodes', name, `${name}.node.ts`);
	const loaded = load(file) as Record<NodeName, new () => INodeType>;
	return new loaded[name]();
};

const loadNodes = (): N8nProcess => ({
	BulkMessaging: loadNode('BulkMessaging'),
	BulkMessagingPartner: loadNode('BulkMessagingPartner'),
});

/** Loads the package's modules again, as another process would. Jest has its own way for this. */
const startProcess = (): N8nProcess => {
	if (typeof jest !== 'undefined') {
		let nodes: N8nProcess | undefined;
		jest.isolateModules(() => {
			nodes = loadNodes();
		});
		return nodes as unknown as N8nProcess;
	}
	for (const file of Object.keys(load.cache)) {
		if (ownCode.some((folder) => file.startsWith(folder))) delete load.cache[file];
	}
	return loadNodes();
};

/**
 * Three n8n processes, as in queue mode: three copies of the package's modules, which share nothing. Runs in the same process
 * share what its modules remember, runs in two processes don't. All histories use the same three, because loading takes longer
 * than a history. What the modules remember belongs to an account, and every history has an account of its own.
 */
export const n8nProcesses: readonly [N8nProcess, N8nProcess, N8nProcess] = [
	startProcess(),
	startProcess(),
	startProcess(),
];
