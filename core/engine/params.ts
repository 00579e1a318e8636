import type { INodeProperties } from 'n8n-workflow';

type DeepReadonly<T> = T extends (...args: never[]) => unknown
	? T
	: T extends object
		? { readonly [K in keyof T]: DeepReadonly<T[K]> }
		: T;

type Published = DeepReadonly<INodeProperties>;
type PublishedOption = NonNullable<Published['options']>[number];
export type ListedChoice = Extract<PublishedOption, { readonly value: unknown }>;
export type FieldGroup = Omit<Extract<PublishedOption, { readonly values: unknown }>, 'values'> & {
	readonly values: readonly Param[];
};

/**
 * An n8n parameter as a plain literal. Fields that n8n doesn't know tell the engine how to read the value, and are removed before
 * the parameter is passed to n8n.
 */
export type Param = Omit<Published, 'options'> & {
	/** The choices of a list, the fields of a collection, or the groups of fields in a fixed collection. */
	readonly options?: ReadonlyArray<ListedChoice | Param | FieldGroup>;
	/**
	 * What to do with a field that is added but empty. By default numbers and booleans are rejected, everything else is left out.
	 * `keep` is for text that may be empty.
	 */
	readonly whenEmpty?: 'refuse' | 'leaveOut' | 'keep';
	/** For numbers that only this node checks: the limits of `typeOptions` also apply to the result of an expression. */
	readonly enforceRange?: true;
};

/** Optional text is `undefined` if it is left out. */
type TextOf<P> = P extends { required: true } | { whenEmpty: 'refuse' | 'keep' }
	? string
	: string | undefined;

/** The type of the IDs in a list that is loaded from the service. */
type IdOf<P> = P extends { validateType: 'number' } ? number : string;

type ChoiceOf<P> = P extends { options: ReadonlyArray<infer Option> }
	? Option extends { readonly value: infer Value }
		? Value
		: never
	: unknown;

type FieldsOf<P> = P extends { options: infer Fields extends readonly Param[] }
	? Partial<ValuesOf<Fields>>
	: unknown;

type GroupOf<P, G> = G extends { readonly values: infer Fields extends readonly Param[] }
	? P extends { typeOptions: { multipleValues: true } }
		? Array<ValuesOf<Fields>>
		: ValuesOf<Fields>
	: never;
type GroupsOf<P> = P extends { options: ReadonlyArray<infer G> }
	? { [One in Extract<G, FieldGroup> as One['name']]?: GroupOf<P, One> }
	: unknown;

/** The type of a parameter's value, by the parameter's type. */
interface ValueByType<P> {
	string: TextOf<P>;
	dateTime: TextOf<P>;
	number: number;
	boolean: boolean;
	options: P extends { allowArbitraryValues: true } ? string : ChoiceOf<P>;
	multiOptions: P extends { typeOptions: { loadOptionsMethod: string } }
		? Array<IdOf<P>>
		: Array<ChoiceOf<P>>;
	resourceLocator: IdOf<P>;
	collection: FieldsOf<P>;
	fixedCollection: GroupsOf<P>;
}

/** A parameter's value for one item. */
export type ValueOf<P extends Param> = P extends { type: infer Type extends keyof ValueByType<P> }
	? ValueByType<P>[Type]
	: unknown;

/** The values of an operation's parameters for one item, inferred from their literals. */
export type ValuesOf<Ps extends readonly Param[]> = {
	[P in Ps[number] as P['type'] extends 'notice' ? never : P['name']]: ValueOf<P>;
};

/** The label on the screen for a field of the API. Parameters have the same names as the API's fields. */
export const displayNameOf = (params: readonly Param[], wireName: string): string | undefined => {
	for (const param of params) {
		if (param.name === wireName) return param.displayName;
		const nested = (param.options ?? []).flatMap((option): readonly Param[] => {
			if ('values' in option) return option.values;
			return 'type' in option ? [option] : [];
		});
		const inside = displayNameOf(nested, wireName);
		if (inside !== undefined) return inside;
	}
	return undefined;
};
