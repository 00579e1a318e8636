// n8n allows no runtime dependencies, so third-party code is bundled into dist/vendor. The package's own code becomes one file:
// two hundred small ones would slow down every start of n8n and make the tarball a tenth larger. White space and syntax are
// minified, which saves a fifth of the tarball. In our own code names stay, so that n8n's scanner and readers can understand it. The
// licenses are at the top of each file in dist/vendor.
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { n8n } from '../package.json';
import phoneMetadata from './phone-metadata.cts';

const root = join(__dirname, '..');
const dist = join(root, 'dist');

// Every package on npm has both fields.
const manifestIn = (folder: string) =>
	JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		name: string;
		version: string;
	};

const folderOf = (name: string): string => {
	let folder = dirname(require.resolve(name));
	while (!readdirSync(folder).includes('package.json') || manifestIn(folder).name !== name) {
		folder = dirname(folder);
	}
	return folder;
};

const licenseOf = (name: string): string => {
	const folder = folderOf(name);
	const { version } = manifestIn(folder);
	// Some packages have more than one license, for example a separate one for data.
	const text = readdirSync(folder)
		.filter((entry) => /^licen[cs]e/i.test(entry))
		.map((file) => readFileSync(join(folder, file), 'utf8').trim().replaceAll('*/', '* /'))
		.join('\n\n');
	return `/*!\nBundled: ${name} ${version}\n\n${text}\n*/`;
};

const leanPhoneMetadata: Plugin = {
	name: 'lean phone metadata',
	setup: ({ onLoad }) =>
		onLoad({ filter: /metadata\.mobile\.json(\.js)?$/ }, () => ({
			contents: JSON.stringify(phoneMetadata),
			loader: 'json',
		})),
};

/** The library's files for current engines, which lack the helpers for older ones. */
const modernPhone: Plugin = {
	name: 'modern phone',
	setup: ({ onLoad }) =>
		onLoad({ filter: /libphonenumber-js\/es6\/.*\.js$/ }, ({ path }) => ({
			contents: readFileSync(path.replace('/es6/', '/es6-modern/'), 'utf8'),
		})),
};

const vendorApart: Plugin = {
	name: 'vendor apart',
	setup: ({ onResolve }) =>
		onResolve({ filter: /\/vendor\/\w+$/ }, ({ path }) => ({
			path: `./vendor/${basename(path)}.js`,
			external: true,
		})),
};

const packageOf = (path: string) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];

const common = {
	bundle: true,
	platform: 'node',
	target: 'node20',
	format: 'cjs',
	legalComments: 'none',
	minifyWhitespace: true,
	minifySyntax: true,
	absWorkingDir: root,
} satisfies BuildOptions;

const report = (file: string, what: string) => {
	const size = Math.round(statSync(join(dist, file)).size / 1024);
	console.log(`dist/${file}: ${what}, ${size} KB`);
};

async function bundleVendor(source: string) {
	const file = join('vendor', source.replace(/\.ts$/, '.js'));
	const options = {
		...common,
		entryPoints: [join(root, 'vendor', source)],
		outfile: join(dist, file),
		metafile: true,
		minifyIdentifiers: true,
		plugins: [leanPhoneMetadata, modernPhone],
	} satisfies BuildOptions;
	const { metafile } = await build({ ...options, write: false });
	const named = Object.keys(metafile.inputs).map(packageOf);
	const packages = [...new Set(named.filter((name) => name !== undefined))];
	await build({ ...options, banner: { js: packages.map(licenseOf).join('\n') } });
	report(file, packages.join(', '));
}

const removeWhiteSpace = (file: string) =>
	writeFileSync(file, JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))));

async function bundleOwn() {
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
		plugins: [vendorApart],
	});
	for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
		const isOwn = file.endsWith('.js') && file !== 'package.js' && !file.startsWith('vendor');
		if (isOwn) rmSync(join(dist, file));
		if (file.endsWith('.json')) removeWhiteSpace(join(dist, file));
	}
	for (const { file, name } of entries) {
		const back = relative(dirname(file), 'package.js');
		writeFileSync(
			join(dist, file),
			`'use strict';\nexports.${name} = require('${back.startsWith('.') ? back : `./${back}`}').${name};\n`,
		);
	}
	// Its files are in the bundle now.
	rmSync(join(dist, 'core'), { recursive: true, force: true });
	report('package.js', `${n8n.nodes.length} nodes, ${n8n.credentials.length} credentials`);
}

async function main() {
	const sources = readdirSync(join(root, 'vendor')).filter((name) => name.endsWith('.ts'));
	for (const source of sources) await bundleVendor(source);
	await bundleOwn();
}

void main();
