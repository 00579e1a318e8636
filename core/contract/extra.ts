type Member<Shape, Key> = Shape extends unknown
	? Key extends keyof Shape
		? Shape[Key]
		: never
	: never;
type KeyOf<Shape> = Shape extends unknown ? keyof Shape : never;
type ObjectIn<Shape> = Extract<NonNullable<Shape>, object>;

/** The names in `Actual`, at any depth, that `Shape` doesn't have. */
export type Extra<Shape, Actual> = Actual extends ArrayBufferView
	? never
	: Actual extends readonly (infer Entry)[]
		? Extra<Extract<ObjectIn<Shape>, readonly unknown[]>[number], Entry>
		: Actual extends object
			? [ObjectIn<Shape>] extends [never]
				? never
				: {
						[Key in keyof Actual]-?: Key extends KeyOf<ObjectIn<Shape>>
							? Extra<Member<ObjectIn<Shape>, Key>, NonNullable<Actual[Key]>>
							: Key;
					}[keyof Actual]
			: never;
