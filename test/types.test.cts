import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '..');
const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) =>
	ts.sys.readFile(path),
) as {
	config: { compilerOptions: object };
};
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);

/** The operation of a test, with `body` as the body it sends. */
const operation = (body: string) => `
	import { partner } from './core/contract/partner';
	import { defineOperation } from './core/engine/operation';
	export const create = defineOperation({
		value: 'create', name: 'Create', action: 'Create company', description: 'Create',
		endpoint: partner.companyCreate,
		params: [
			{ displayName: 'Name', name: 'name', type: 'string', default: '', required: true },
			{ displayName: 'INN', name: 'counteragentInn', type: 'string', default: '', required: true },
			{ displayName: 'Type', name: 'counteragentType', type: 'options', default: 'LEGAL',
				options: [{ name: 'Legal', value: 'LEGAL' }] },
			{ displayName: 'Budget', name: 'budget', type: 'number', default: 0 },
		],
		request: (values) => ({ body: ${body} }),
	});`;

const company =
	'{ name: values.name, counteragentType: values.counteragentType, counteragentInn: values.counteragentInn }';

/** Whether each body compiles, all checked in one program. */
const compile = (bodies: string[]) => {
	const sources = new Map(
		bodies.map((body, index) => [join(root, `operation-${index}.ts`), operation(body)]),
	);
	const host = ts.createCompilerHost(options);
	const readFile = host.readFile.bind(host);
	const fileExists = host.fileExists.bind(host);
	const getSourceFile = host.getSourceFile.bind(host);
	host.readFile = (path) => sources.get(path) ?? readFile(path);
	host.fileExists = (path) => sources.has(path) || fileExists(path);
	host.getSourceFile = (path, language) => {
		const source = sources.get(path);
		return source === undefined
			? getSourceFile(path, language)
			: ts.createSourceFile(path, source, language);
	};
	const program = ts.createProgram([...sources.keys()], { ...options, noEmit: true }, host);
	return [...sources.keys()].map((path) =>
		ts
			.getPreEmitDiagnostics(program, program.getSourceFile(path))
			.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
	);
};

test('an operation with a wrong body does not compile', () => {
	const [right, unknownField, wrongType, missing, unknownNested, wrongValue] = compile([
		`{ company: ${company}, budget: values.budget }`,
		`{ company: ${company}, budgett: values.budget }`,
		`{ company: ${company}, budget: values.name }`,
		'{ budget: values.budget }',
		`{ company: { ...${company}, kpp: '1' }, budget: values.budget }`,
		`{ company: ${company}, budget: values.bugdet }`,
	]);
	expect(right).toEqual([]);
	expect(unknownField?.join()).toContain('thereIsNoSuchField: "budgett"');
	expect(wrongType?.join()).toContain("'string' is not assignable to type 'number");
	expect(missing?.join()).toContain("'company' is missing");
	expect(unknownNested?.join()).toContain('thereIsNoSuchField: "kpp"');
	expect(wrongValue?.join()).toContain("'bugdet' does not exist");
});
