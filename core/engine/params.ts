import type { INodeProperties } from 'n8n-workflow';

type DeepReadonly<T> = T extends (...args: never[]) => unknown
	? T
	: T extends object
		? { readonly [K in keyof T]: DeepReadonly<T[K]> }
		: T;

type Published = DeepReadonly<INodeProperties>;
type PublishedOption = NonNullable<Published['options']>[number];
type PublishedGroup = Extract<PublishedOption, { readonly values: unknown }>;

/**
 * An n8n parameter as a plain literal. What n8n does not know tells the engine how to read the value, and is taken out before
 * n8n gets it.
 */
export type Param = Omit<Published, 'options'> & {
	readonly options?: ReadonlyArray<
		| Extract<PublishedOption, { readonly value: unknown }>
		| Param
		| (Omit<PublishedGroup, 'values'> & { readonly values: readonly Param[] })
	>;
	/**
	 * What an added field without a value means. Numbers and booleans are rejected, everything else is left out. `keep` is for
	 * texts that may be empty.
	 */
	readonly whenEmpty?: 'refuse' | 'leaveOut' | 'keep';
	/** For numbers that only this node checks: the limits of `typeOptions` also apply to what an expression gives. */
	readonly enforceRange?: true;
	/** For a time at which something is to begin: one in the past gets a warning. */
	readonly whenPast?: 'hint';
};

type OptionValue<O> = O extends { readonly value: infer V } ? V : never;
type Group<G> = G extends { readonly values: infer V extends readonly Param[] }
	? ValuesOf<V>
	: never;
type NameOf<G> = G extends { readonly name: infer N extends string } ? N : never;

/** What a parameter gives for one item. */
export type ValueOf<P extends Param> = P extends { type: 'string' | 'dateTime' }
	? P extends { required: true } | { whenEmpty: 'refuse' | 'keep' }
		? string
		: string | undefined
	: P extends { type: 'number' }
		? number
		: P extends { type: 'boolean' }
			? boolean
			: P extends { type: 'options'; allowArbitraryValues: true }
				? string
				: P extends { type: 'options'; options: readonly (infer O)[] }
					? OptionValue<O>
					: P extends { type: 'multiOptions'; typeOptions: { loadOptionsMethod: string } }
						? P extends { validateType: 'number' }
							? number[]
							: string[]
						: P extends { type: 'multiOptions'; options: readonly (infer O)[] }
							? Array<OptionValue<O>>
							: P extends { type: 'resourceLocator'; validateType: 'number' }
								? number
								: P extends { type: 'resourceLocator' }
									? string
									: P extends { type: 'collection'; options: infer I extends readonly Param[] }
										? Partial<ValuesOf<I>>
										: P extends {
													type: 'fixedCollection';
													typeOptions: { multipleValues: true };
													options: readonly (infer G)[];
											  }
											? { [One in G as NameOf<One>]?: Array<Group<One>> }
											: P extends { type: 'fixedCollection'; options: readonly (infer G)[] }
												? { [One in G as NameOf<One>]?: Group<One> }
												: unknown;

/** What the parameters of an operation give for one item, inferred from their literals. */
export type ValuesOf<Ps extends readonly Param[]> = {
	[P in Ps[number] as P['type'] extends 'notice' ? never : P['name']]: ValueOf<P>;
};

const nested = (param: Param): readonly Param[] => {
	if (param.type === 'collection') return (param.options ?? []) as readonly Param[];
	if (param.type !== 'fixedCollection') return [];
	// A fixed collection's options are groups, and each group holds parameters.
	return (param.options ?? []).flatMap(
		(group) => ('values' in group ? group.values : []) as Param[],
	);
};

/** The name on the screen for a field on the wire: parameters are named exactly as their wire fields. */
export const displayNameOf = (params: readonly Param[], wireName: string): string | undefined => {
	for (const param of params) {
		if (param.name === wireName) return param.displayName;
		const inside = displayNameOf(nested(param), wireName);
		if (inside !== undefined) return inside;
	}
	return undefined;
};
