// n8n allows no runtime dependencies: what the package uses of other people's work is bundled into dist/vendor.
// Its own code becomes one file: two hundred small ones cost n8n time at every start, and a tenth of the tarball.
// Names stay as they are, so that n8n's scanner and a curious reader see what is in there; only white space and what is longer
// than it need be goes, which is a fifth of the tarball. The licences stand on top.
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
import phoneMetadata from './phone-metadata.cjs';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const require = createRequire(import.meta.url);

const folderOf = (name) => {
	let folder = dirname(require.resolve(name));
	while (!readdirSync(folder).includes('package.json') || !isPackage(folder, name)) {
		folder = dirname(folder);
	}
	return folder;
};
const isPackage = (folder, name) =>
	JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name === name;

const licenceOf = (name) => {
	const folder = folderOf(name);
	const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	// Some packages have more than one: data of another origin comes under its own.
	const text = readdirSync(folder)
		.filter((entry) => /^licen[cs]e/i.test(entry))
		.map((file) => readFileSync(join(folder, file), 'utf8').trim().replaceAll('*/', '* /'))
		.join('\n\n');
	return `/*!\nBundled: ${name} ${version}\n\n${text}\n*/`;
};

const leanPhoneMetadata = {
	name: 'lean phone metadata',
	setup: ({ onLoad }) =>
		onLoad({ filter: /metadata\.mobile\.json(\.js)?$/ }, () => ({
			contents: JSON.stringify(phoneMetadata),
			loader: 'json',
		})),
};

const packageOf = (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];

const common = {
	bundle: true,
	platform: 'node',
	target: 'node20',
	format: 'cjs',
	legalComments: 'none',
	minifyWhitespace: true,
	minifySyntax: true,
	absWorkingDir: root,
};

const report = (file, what) => {
	const size = Math.round(statSync(join(dist, file)).size / 1024);
	console.log(`dist/${file}: ${what}, ${size} KB`);
};

for (const source of readdirSync(join(root, 'vendor')).filter((name) => name.endsWith('.ts'))) {
	const file = join('vendor', source.replace(/\.ts$/, '.js'));
	const options = {
		...common,
		entryPoints: [join(root, 'vendor', source)],
		outfile: join(dist, file),
		metafile: true,
		plugins: [leanPhoneMetadata],
	};
	const { metafile } = await build({ ...options, write: false });
	const packages = [...new Set(Object.keys(metafile.inputs).map(packageOf).filter(Boolean))];
	await build({ ...options, banner: { js: packages.map(licenceOf).join('\n') } });
	report(file, packages.join(', '));
}

const { n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** What n8n loads: `dist/nodes/Name/Name.node.js`, which exports a class of that name. */
const entries = [...n8n.nodes, ...n8n.credentials].map((file) => ({
	file: file.replace(/^dist\//, ''),
	name: basename(file).split('.')[0],
}));
await build({
	...common,
	stdin: {
		contents: entries
			.map(({ file, name }) => `export { ${name} } from './${file.replace(/\.js$/, '')}';`)
			.join('\n'),
		resolveDir: root,
		loader: 'ts',
	},
	outfile: join(dist, 'package.js'),
	external: ['n8n-workflow'],
	plugins: [
		{
			name: 'vendor apart',
			setup: ({ onResolve }) =>
				onResolve({ filter: /\/vendor\/\w+$/ }, ({ path }) => ({
					path: `./vendor/${basename(path)}.js`,
					external: true,
				})),
		},
	],
});
for (const file of readdirSync(dist, { recursive: true })) {
	const isOwn = file.endsWith('.js') && file !== 'package.js' && !file.startsWith('vendor');
	if (isOwn) rmSync(join(dist, file));
}
for (const { file, name } of entries) {
	const back = relative(dirname(file), 'package.js');
	writeFileSync(
		join(dist, file),
		`'use strict';\nexports.${name} = require('${back.startsWith('.') ? back : `./${back}`}').${name};\n`,
	);
}
// Folders that held nothing but what is in the bundle now.
rmSync(join(dist, 'core'), { recursive: true, force: true });
report('package.js', `${n8n.nodes.length} nodes, ${n8n.credentials.length} credentials`);
