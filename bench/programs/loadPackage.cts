/**
 * Loads a community package as n8n does, after n8n-workflow, and says what that took: `node loadPackage.cts <folder>`.
 *
 * Node 24 runs this file as it is, because tsx would have a hand in everything that is loaded. Node only removes types;
 * `import` is not translated, hence `getBuiltinModule`.
 */
const { createRequire } = process.getBuiltinModule('node:module');
const path = process.getBuiltinModule('node:path');

/** What it prints, as JSON. */
export interface Loaded {
	ms: number;
	heapKb: number;
	/** How many nodes and credentials. */
	types: number;
}

if (!globalThis.gc) throw new Error('The program needs --expose-gc.');
const load = createRequire(__filename);
load('n8n-workflow');
const [folder] = process.argv.slice(2);
// As n8n wants it of every community package.
const { n8n } = load(path.join(folder, 'package.json')) as {
	n8n: { nodes?: string[]; credentials?: string[] };
};
globalThis.gc();
const before = process.memoryUsage();
const started = performance.now();
const kept = [...(n8n.nodes ?? []), ...(n8n.credentials ?? [])].map((file) => {
	// Each of these files exports one class.
	const exported = load(path.join(folder, file)) as Record<string, new () => object>;
	const Type = Object.values(exported)[0];
	return new Type();
});
const ms = performance.now() - started;
globalThis.gc();
const after = process.memoryUsage();
const loaded: Loaded = {
	ms,
	heapKb: (after.heapUsed - before.heapUsed) / 1024,
	types: kept.length,
};
console.log(JSON.stringify(loaded));
