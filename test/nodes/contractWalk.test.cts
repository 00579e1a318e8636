import { isDeepStrictEqual } from 'node:util';
import { withoutCode } from '../../core/contract/dispatchName';
import { destination } from '../contract/vocabulary.cts';
import { useSandbox, type Bench, type NodeResult, type Wire } from '../support/sandbox.cts';
import { nodes, operationsOf, type TestedNode } from './all.cts';
import { tabledFields, statedFields, type Case, type StatedField } from './contractValues.cts';
import { callsOf, namedFields, namedOperations, panelsOf, type Panel } from './panels.cts';

/*
 * Every value that the service's interface specification states for a request, or that a public reference shows, can be sent from
 * a panel, and no panel that has the field rejects it.
 */

/** What a body contains at a path, in any entry of the lists on the way. */
const valuesAt = (value: unknown, [step, ...rest]: readonly string[]): unknown[] => {
	if (step === undefined) return [value];
	if (Array.isArray(value)) return value.flatMap((entry) => valuesAt(entry, [step, ...rest]));
	return typeof value === 'object' && value !== null
		? valuesAt((value as Record<string, unknown>)[step], rest)
		: [];
};

const isCarriedBy =
	({ part, path }: StatedField, value: unknown) =>
	({ id, query = [], body }: Wire & { id?: string }): boolean => {
		if (part === 'path') return id === String(value);
		const isSame = (one: unknown) =>
			isDeepStrictEqual(typeof one === 'string' ? withoutCode(one) : one, value);
		if (part === 'body') return valuesAt(body, path).some(isSame);
		const sent = query.flatMap(([name, single]) => (name === path[0] ? [single] : []));
		return isDeepStrictEqual(sent, [value].flat().map(String));
	};

/** An error that does not come from an answer of the service. */
const ownError = ({ error }: NodeResult): string | undefined => {
	if (error === undefined || error.httpCode) return undefined;
	return /^The service (?:did not accept|rejected)/.test(error.message) ? undefined : error.message;
};

/** What keeps a panel from sending a stated value; `undefined` if it is sent exactly as stated. */
const problemWith = async (
	bench: Bench,
	node: TestedNode,
	field: StatedField,
	panel: Panel,
	one: Case,
): Promise<string | undefined> => {
	const { offered } = panel;
	if (offered && [one.value].flat().some((value) => !offered.includes(value))) {
		return 'is not in the list of the field';
	}
	bench.sandbox.reset('demo');
	await panel.seed?.(bench.sandbox);
	await one.seed?.(bench.sandbox);
	bench.forget();
	// The service's form has no plus. On the screen, a number in another country needs one.
	const isForeign = destination.good.includes(String(one.value)) && !/^7/.test(String(one.value));
	const typed =
		isForeign && panel.label !== 'Additional Fields (JSON)' ? `+${String(one.value)}` : one.value;
	const entered = panel.enter({ ...one, value: typed });
	const { parameters, input, credentials, onWire = one.value } = entered;
	const result = await bench.run(panel.operation, parameters, {
		...(input && { inputItems: [input] }),
		credentials: bench.credentials(credentials),
	});
	const problem = ownError(result);
	if (problem !== undefined) return problem;
	if (panel.isDry) return undefined;
	const calls = callsOf(node, field.endpoint, await bench.everything());
	if (calls.some(isCarriedBy(field, onWire))) return undefined;
	return `is not on the wire. ${result.error?.message ?? ''} ${JSON.stringify(calls).slice(0, 300)}`;
};

describe.each(nodes)('$name', (node) => {
	const bench = useSandbox(node.node);
	const own = Object.values(node.endpoints);
	const fields = statedFields
		.filter(({ endpoint }) => own.includes(endpoint))
		.map((field) => ({ field, panels: panelsOf(node, field) }));

	test('every member of a stated or published set of values is walked', () => {
		const lacking = fields.flatMap(({ field: { name, members, cases } }) => {
			const walked = cases.flatMap(({ value }) => value);
			return members.filter((one) => !walked.includes(one)).map((one) => `${name} ${String(one)}`);
		});
		expect(lacking).toEqual([]);
	});

	test('every stated or published field has values, and each of them a panel', () => {
		const lacking = fields.flatMap(({ field: { name, cases }, panels }) => {
			const sending = panels.filter(({ isDry }) => !isDry);
			if (cases.length === 0 || sending.length === 0) return [name];
			return cases
				.filter(({ value }) => sending.every(({ takes = () => true }) => !takes(value)))
				.map(({ value }) => `${name} ${JSON.stringify(value)}`);
		});
		expect(lacking).toEqual([]);
	});

	for (const { field, panels } of fields) {
		for (const panel of panels) {
			const { operation, label, isDry, takes = () => true } = panel;
			const verb = isDry ? 'accepts' : 'sends';
			test(`${field.name}: ${operation}: ${label}: ${verb} every value`, async () => {
				const problems: Array<[unknown, string]> = [];
				for (const one of field.cases.filter(({ value }) => takes(value))) {
					const problem = await problemWith(bench, node, field, panel, one);
					if (problem !== undefined) problems.push([one, problem]);
				}
				expect(problems).toEqual([]);
			});
		}
	}
});

test('every name in the tables exists', () => {
	const names = statedFields.map(({ name }) => name);
	expect([...tabledFields, ...namedFields].filter((name) => !names.includes(name))).toEqual([]);
	const operations = nodes.flatMap(operationsOf);
	expect(namedOperations.filter((name) => !operations.includes(name))).toEqual([]);
});
