// n8n allows no runtime dependencies: what the package uses of other people's work is bundled into dist/vendor.
// Names and structure stay as they are, so that n8n's scanner and a curious reader see what is in there; only the white space
// goes, which is a tenth of the tarball. The licences stand on top.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
import phoneMetadata from './phone-metadata.cjs';

const root = join(import.meta.dirname, '..');
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

for (const file of readdirSync(join(root, 'vendor')).filter((name) => name.endsWith('.ts'))) {
	const options = {
		entryPoints: [join(root, 'vendor', file)],
		outfile: join(root, 'dist', 'vendor', file.replace(/\.ts$/, '.js')),
		bundle: true,
		platform: 'node',
		target: 'node20',
		format: 'cjs',
		legalComments: 'none',
		minifyWhitespace: true,
		metafile: true,
		plugins: [leanPhoneMetadata],
		absWorkingDir: root,
	};
	const { metafile } = await build({ ...options, write: false });
	const packages = [...new Set(Object.keys(metafile.inputs).map(packageOf).filter(Boolean))];
	await build({ ...options, banner: { js: packages.map(licenceOf).join('\n') } });
	const size = Math.round(statSync(options.outfile).size / 1024);
	console.log(`dist/vendor/${file.replace(/\.ts$/, '.js')}: ${packages.join(', ')}, ${size} KB`);
}
