import { z } from '../../vendor/zod';

/*
 * How well each part of the contract is known. Everything that isn't marked here is stated in the provider's interface; tests
 * compare it with a transcript. Everything else may be wrong, so it never makes a node reject a value, and the credential can change
 * the paths that have a `pathSetting`.
 */

/** From certain to uncertain. */
export const levels = ['stated', 'published', 'assumed'] as const;
export type Level = (typeof levels)[number];

/** Where the parts that aren't stated come from. */
export const sources = {
	page: { level: 'published', why: 'A public reference of a very similar API shows it.' },
	client: {
		level: 'published',
		why: 'Public programs that use a very similar API send or read it.',
	},
	guess: { level: 'assumed', why: 'Nothing public shows it. It is our best guess.' },
} as const satisfies Record<string, { level: Level; why: string }>;
export type SourceName = keyof typeof sources;

export const levelOf = (source: SourceName | undefined): Level =>
	source === undefined ? 'stated' : sources[source].level;

/** The same schema, marked as coming from this source. */
const marked = <Schema extends z.ZodTypeAny>(source: SourceName, schema: Schema): Schema =>
	// `describe` returns a copy, so our own additions are kept, such as the known values of an open set.
	Object.assign(schema.describe(source), 'known' in schema && { known: schema.known });

/** Marks all fields of a group as coming from this source. */
export const from = <Shape extends z.ZodRawShape>(source: SourceName, shape: Shape): Shape =>
	Object.fromEntries(
		Object.entries(shape).map(([name, schema]) => [name, marked(source, schema)]),
		// The names and types stay the same.
	) as Shape;

/** Where a field comes from; `undefined` if the interface states it. Only `from` describes schemas. */
export const sourceOf = ({ description }: z.ZodTypeAny): SourceName | undefined =>
	description as SourceName | undefined;

/** The fields of an object. For a list or a wrapped schema, those of the object inside. */
export const shapeOf = (schema: z.ZodTypeAny | undefined): z.ZodRawShape => {
	if (schema instanceof z.ZodObject) return schema.shape as z.ZodRawShape;
	if (schema instanceof z.ZodArray) return shapeOf(schema.element as z.ZodTypeAny);
	if (schema instanceof z.ZodEffects) return shapeOf(schema.innerType() as z.ZodTypeAny);
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
		return shapeOf(schema.unwrap() as z.ZodTypeAny);
	}
	if (schema instanceof z.ZodUnion) return shapeOf((schema.options as z.ZodTypeAny[])[0]);
	return {};
};
