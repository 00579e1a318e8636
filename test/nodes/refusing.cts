import type { IDataObject } from 'n8n-workflow';
import type { Operation, Resource } from '../../core/engine/operation';
import { effectOf } from '../../core/engine/run';
import type { Bench } from '../support/sandbox.cts';
import { withField } from './plain.cts';
import type { Row } from './row.cts';

/** Operation, field, a value that does not fit, and how the message begins. */
export type Refusal = [operation: string, field: string, value: unknown, message: string];

interface Refusing {
	bench: Bench;
	resources: readonly Resource[];
	plainRow: (operation: string) => Row;
	refusals: Refusal[];
	/** Values that the editor does not let pass, but an expression may give. */
	fromExpressions: Refusal[];
	/** What fits a field that the plain use leaves out: one that is added must have a value. */
	fitting: Record<string, unknown>;
}

/** A collection is not given by one expression: its fields are. */
const isField = ([, , value]: Refusal) => typeof value !== 'object' || Array.isArray(value);

const fieldAt = (parameters: unknown, path: string): unknown =>
	path
		.split('.')
		.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], parameters);

const findIn = (resources: readonly Resource[], name: string): Operation => {
	const [resource, value] = name.split('.');
	const found = resources
		.find((one) => one.value === resource)
		?.operations.find((one) => one.value === value);
	if (found === undefined) throw new Error(`There is no ${name}`);
	return found;
};

/** An operation that reads everything first says that nothing was sent, one that goes by items that nothing was done. */
const nothingBy = (operation: Operation) =>
	'execute' in operation ? 'Nothing was sent.' : 'Nothing was done.';

/** What does not fit is refused before anything is sent, and named as the screen names it. */
export const describeRefusals = ({
	bench,
	resources,
	plainRow,
	refusals,
	fromExpressions,
	fitting,
}: Refusing): void => {
	describe('before anything is sent', () => {
		test.each(refusals)('%s refuses %s = %j', async (operation, field, value, message) => {
			const { parameters, seed } = plainRow(operation);
			await seed?.(bench.sandbox);
			const { error } = await bench.run(operation, withField(parameters, field, value));
			expect(error?.message.slice(0, message.length)).toBe(message);
			expect(error?.description).toBe(nothingBy(findIn(resources, operation)));
			expect(error?.context?.item).toBe(1);
			expect(await bench.everything()).toEqual([]);
		});
	});

	describe('by an expression, for the second item', () => {
		test.each([...refusals.filter(isField), ...fromExpressions])(
			'%s refuses %s = %j',
			async (operation, field, value, message) => {
				const { parameters, seed } = plainRow(operation);
				await seed?.(bench.sandbox);
				const first = fieldAt(parameters, field) ?? fitting[field];
				const items = [{ value: first }, { value }] as IDataObject[];
				const expression = '={{ $json.value }}';
				// Dispatches of one name are one dispatch, whose values come from its first item.
				const apart = operation === 'dispatch.create' ? { name: '=Dispatch {{ $itemIndex }}' } : {};
				const changed = withField({ ...parameters, ...apart }, field, expression);
				const { error } = await bench.run(operation, changed, { items });
				const declared = findIn(resources, operation);
				if (!('execute' in declared) && effectOf(declared) !== 'reads') {
					expect(error?.message).toBe(`1 ${declared.done?.one}, 1 not: item 2`);
					const id = declared.done?.id;
					const created = id === undefined ? '' : ` (${id} ${String(error?.context?.ids)})`;
					expect(error?.description).toContain(`Done: item 1${created}. Item 2: ${message}`);
					expect(error?.context).toMatchObject({ done: [0], failedItems: [1] });
					return;
				}
				// It stops the others in one request.
				if (operation === 'message.stop') {
					expect(error?.message).toBe('1 stop request accepted, 1 not: item 2');
					expect(error?.description).toContain(`Item 2: ${message}`);
					return;
				}
				expect(error?.message.slice(0, message.length)).toBe(message);
				expect(error?.context?.item).toBe(2);
				expect(error?.description).toBe(`Item 2: ${nothingBy(declared)}`);
				expect(await bench.everything()).toEqual([]);
			},
		);
	});
};
