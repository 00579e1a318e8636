// Loads a community package as n8n does, after n8n-workflow, and says what that took: `node loadPackage.cjs <folder>`.
'use strict';

const path = require('node:path');

require('n8n-workflow');
const folder = process.argv[2];
const { n8n } = require(path.join(folder, 'package.json'));
globalThis.gc();
const before = process.memoryUsage();
const started = performance.now();
const kept = [...(n8n.nodes ?? []), ...(n8n.credentials ?? [])].map((file) => {
	const exported = require(path.join(folder, file));
	const Type = Object.values(exported)[0];
	return new Type();
});
const ms = performance.now() - started;
globalThis.gc();
const after = process.memoryUsage();
console.log(
	JSON.stringify({ ms, heapKb: (after.heapUsed - before.heapUsed) / 1024, types: kept.length }),
);
