import type { IDataObject } from 'n8n-workflow';
import type { Bench } from '../support/sandbox.cts';
import { withField } from './plain.cts';
import type { Row } from './row.cts';

/** Operation, field, a value that does not fit, and how the message begins. */
export type Refusal = [operation: string, field: string, value: unknown, message: string];

interface Refusing {
	bench: Bench;
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

/** What does not fit is refused before anything is sent, and named as the screen names it. */
export const describeRefusals = ({
	bench,
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
			expect(error?.description).toBe('Nothing was sent.');
			expect(error?.context?.item).toBe(1);
			expect(await bench.everything()).toEqual([]);
		});
	});

	describe('by an expression, for the second item, before the first is carried out', () => {
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
				expect(error?.message.slice(0, message.length)).toBe(message);
				expect(error?.context?.item).toBe(2);
				expect(error?.description).toBe('Item 2: Nothing was sent.');
				expect(await bench.everything()).toEqual([]);
			},
		);
	});
};
