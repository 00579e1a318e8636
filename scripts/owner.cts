// Writes what only the owner knows, from owner.json, to every file that shows it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Owner {
	/** Shown as the author on npm and as the holder of the license. */
	name: string;
	email: string;
	/** On GitHub: `account/repository`. */
	repository: string;
}

// The test and the release script check the values.
function readOwner(root: string) {
	const file = join(root, 'owner.json');
	if (!existsSync(file)) {
		console.error('owner.json is missing. Create it with "name", "email" and "repository".');
		process.exit(1);
	}
	return JSON.parse(readFileSync(file, 'utf8')) as Owner;
}

/** The files of a checkout that show the owner, as they should be. */
export function filesWithOwner(root: string) {
	const { name, email, repository } = readOwner(root);
	const url = `https://github.com/${repository}`;
	const linked = (text: string) =>
		text.replace(/https:\/\/github\.com\/[\w.-]+\/[\w.-]+?(?=(\.git)?["'#)]|\/issues)/g, url);
	const inFolder = (folder: string, ending: string) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith(ending))
			.map((file) => join(folder, file));
	const change: Record<string, (text: string) => string> = {
		'package.json': (text) =>
			linked(text)
				.replace(
					/("author": \{\s*"name": )"(?:[^"\\]|\\.)*"/,
					(_, start) => start + JSON.stringify(name),
				)
				.replace(/("email": )"(?:[^"\\]|\\.)*"/, (_, start) => start + JSON.stringify(email)),
		'LICENSE.md': (text) =>
			text.replace(/^(Copyright \(c\) \d+) .*$/m, (_, year) => `${year} ${name}`),
	};
	const files = [
		...Object.keys(change),
		'README.md',
		...inFolder('credentials', '.credentials.ts'),
		...inFolder('nodes', '.node.json'),
	];
	return files.map((file) => {
		const text = readFileSync(join(root, file), 'utf8');
		return { file, text, wanted: (change[file] ?? linked)(text) };
	});
}

/** What the owner still has to do before a release. */
export function ownerProblems(root: string, packageName: string) {
	const { name, email, repository } = readOwner(root);
	const isNeutral = {
		name: name.trim() === '' || name.startsWith(packageName),
		email: !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email) || email.endsWith('.example'),
		repository:
			!/^[\w.-]+\/[\w.-]+$/.test(repository) || repository === `${packageName}/${packageName}`,
	};
	const outdated = filesWithOwner(root).filter(({ text, wanted }) => text !== wanted);
	return [
		...Object.entries(isNeutral)
			.filter(([, neutral]) => neutral)
			.map(([field]) => `owner.json: fill in "${field}".`),
		...outdated.map(({ file }) => `${file} shows another owner. Run "npm run owner".`),
	];
}

if (require.main === module) {
	const root = join(__dirname, '..');
	const files = filesWithOwner(root);
	for (const { file, wanted } of files) writeFileSync(join(root, file), wanted);
	// Values of another length can change the line breaks.
	const paths = ['owner.json', ...files.map(({ file }) => file)];
	execFileSync(join(root, 'node_modules', '.bin', 'prettier'), ['--write', ...paths], {
		cwd: root,
	});
}
