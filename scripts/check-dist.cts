// Runs before packing: dist must be built, and may require only n8n-workflow, crypto and its own files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { n8n } from '../package.json';

const root = join(__dirname, '..');
const dist = join(root, 'dist');
const allowed = new Set(['n8n-workflow', 'crypto']);

function fail(message: string): never {
	console.error(message);
	process.exit(1);
}

if (!existsSync(dist)) fail('There is no dist folder. Run "npm run build" first.');

const required = /\b(?:require|import)\(\s*["'`]([^"'`]+)["'`]\s*\)/g;
const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
	name.endsWith('.js'),
);
const wrong = files.flatMap((name) =>
	[...readFileSync(join(dist, name), 'utf8').matchAll(required)]
		.map(([, target]) => target)
		.filter((target) => !target.startsWith('.') && !allowed.has(target))
		.map((target) => `dist/${name} requires "${target}"`),
);
if (wrong.length > 0) {
	fail(`${wrong.join('\n')}\nBundle it through vendor/, or do without it.`);
}
const missing = [...n8n.nodes, ...n8n.credentials].filter((path) => !existsSync(join(root, path)));
if (missing.length > 0) fail(`Missing: ${missing.join(', ')}. Run "npm run build" again.`);
// Not on standard output, which "npm pack --json" uses for its result.
console.error(`dist: ${files.length} files, none requires more than ${[...allowed].join(', ')}`);
