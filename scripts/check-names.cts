// One word, one meaning: two files of the shipped code must not use the same name for different things.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Operations and resources are named like the values in users' workflows, so `get` and `message` occur more than once. */
function isNamedByTheScreen({ initializer, type }: ts.VariableDeclaration, source: ts.SourceFile) {
	const isOperation =
		initializer !== undefined &&
		ts.isCallExpression(initializer) &&
		initializer.expression.getText(source) === 'defineOperation';
	return isOperation || type?.getText(source) === 'Resource';
}

function declaredNames(statement: ts.Statement, source: ts.SourceFile): string[] {
	if (ts.isVariableStatement(statement)) {
		const { declarations } = statement.declarationList;
		return declarations.flatMap((one) =>
			ts.isIdentifier(one.name) && !isNamedByTheScreen(one, source) ? [one.name.text] : [],
		);
	}
	const isNamed =
		ts.isFunctionDeclaration(statement) ||
		ts.isClassDeclaration(statement) ||
		ts.isInterfaceDeclaration(statement) ||
		ts.isTypeAliasDeclaration(statement) ||
		ts.isEnumDeclaration(statement);
	return isNamed && statement.name ? [statement.name.text] : [];
}

const filesOf = new Map<string, Set<string>>();
const root = path.join(__dirname, '..');
for (const file of globSync('{core,nodes,credentials,vendor}/**/*.ts', { cwd: root })) {
	const source = ts.createSourceFile(
		file,
		readFileSync(path.join(root, file), 'utf8'),
		ts.ScriptTarget.Latest,
	);
	for (const name of source.statements.flatMap((one) => declaredNames(one, source))) {
		filesOf.set(name, (filesOf.get(name) ?? new Set()).add(file));
	}
}

const shared = [...filesOf].filter(([, files]) => files.size > 1);
for (const [name, files] of shared) {
	console.error(`${name} is declared in each of these files. Give each of them its own name:`);
	for (const file of files) console.error(`  ${file}`);
}
console.log(`Names: ${filesOf.size}, with more than one meaning: ${shared.length}`);
process.exitCode = shared.length > 0 ? 1 : 0;
