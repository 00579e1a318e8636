import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { z } from '../../vendor/zod';
import type { Endpoint, ReplyOf, RequestOf, ResultOf } from '../contract/endpoint';
import type { Param, ValueOf, ValuesOf } from './params';
import type { Reader } from './read';

/** What an operation is given to work on one item or on all of them. */
export interface Run<Values> {
	context: IExecuteFunctions;
	items: INodeExecutionData[];
	/** The parameters of one item, read as cheaply as they can be. */
	values(itemIndex: number): Values;
	/** Some of the parameters, for operations that read them for very many items. */
	reader<Ps extends readonly Param[]>(params: Ps): Reader<ValuesOf<Ps>>;
	/** One of them by itself, or what lies in it, for what is read for every single recipient. */
	readerOf<P extends Param>(param: P, ...path: string[]): Reader<ValueOf<P>>;
	/** Turns a failure into what leaves the node: throws it, or gives the error item of continueOnFail. */
	failed(items: number | readonly number[], error: unknown): INodeExecutionData;
	/** The item for an answer that does not confirm what was asked for; the user gets a hint about it. */
	unconfirmed(itemIndex: number, answer: unknown): IDataObject;
}

/** What carrying an operation out again would do: nothing, the same once more without harm, or something twice. */
export type Effect = 'reads' | 'repeatable' | 'once';

interface Described {
	/** Published: workflows store it. Never change it. */
	value: string;
	name: string;
	action: string;
	description: string;
	/** What the operation returns, where it is not the endpoint's reply as it is. */
	output?: z.ZodTypeAny;
	/** The call it stands on, where it has no single endpoint. */
	restsOn?: Endpoint;
}

/** Looks at the values of one item before the first item is carried out, and throws if they are wrong. */
type Check<Values> = (values: Values, run: Run<Values>, itemIndex: number) => Promise<void> | void;

interface SimpleDraft<E extends Endpoint, Ps extends readonly Param[], R extends RequestOf<E>>
	extends Described {
	endpoint: E;
	params: Ps;
	request: (values: ValuesOf<Ps>, run: Run<ValuesOf<Ps>>, itemIndex: number) => R | Promise<R>;
	/** From the reply to items; by default a list becomes one item per entry. */
	toItems?: (reply: ResultOf<E>, values: ValuesOf<Ps>) => IDataObject[];
	/** Whether the reply says that what was asked for is done. Without it, any reply of the known shape does. */
	confirms?: (reply: ReplyOf<E>) => boolean;
	/** Where the endpoint's method and `repeatable` do not tell. */
	effect?: Effect;
	/**
	 * For a call that may not be repeated blindly and whose outcome is unknown: looks whether it was carried out, and
	 * gives its reply then. Nothing means that it was not, and it is sent again.
	 */
	lookUp?: (request: R, run: Run<ValuesOf<Ps>>) => Promise<ReplyOf<E> | undefined>;
	/** Gives a rejected call its reason as the title, where something else than the answer shows it. */
	explain?: (error: unknown, request: R, run: Run<ValuesOf<Ps>>) => Promise<unknown>;
	/** Items with the same value here are one: it is carried out once, and the result is linked to all of them. */
	onceFor?: (values: ValuesOf<Ps>) => string | number;
	/** How many items are sent at a time. One, unless the order of effects does not matter. */
	concurrency?: number;
}

/** An operation that takes more than one call for an item. */
interface StepsDraft<Ps extends readonly Param[]> extends Described {
	endpoint?: undefined;
	params: Ps;
	effect: Effect | ((values: ValuesOf<Ps>) => Effect);
	check?: Check<ValuesOf<Ps>>;
	/** Items with the same value here are one: it is carried out once, and the result is linked to all of them. */
	onceFor?: (values: ValuesOf<Ps>) => string | number;
	each: (values: ValuesOf<Ps>, run: Run<ValuesOf<Ps>>, itemIndex: number) => Promise<IDataObject[]>;
}

interface CustomDraft<Ps extends readonly Param[]> extends Described {
	endpoint?: undefined;
	params: Ps;
	/** `once` unless it says otherwise. */
	effect?: Effect;
	/** All items at once. Every returned item says which input items it comes from. */
	execute: (run: Run<ValuesOf<Ps>>) => Promise<INodeExecutionData[]>;
}

type Member<Shape, Key> = Shape extends unknown
	? Key extends keyof Shape
		? Shape[Key]
		: never
	: never;
type KeyOf<Shape> = Shape extends unknown ? keyof Shape : never;
type ObjectIn<Shape> = Extract<NonNullable<Shape>, object>;

/** The names in `Actual`, at any depth, that `Shape` does not have. */
type Extra<Shape, Actual> = Actual extends ArrayBufferView
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

/** TypeScript does not look for misspelt names in what a callback returns; this does. */
type NothingExtra<Shape, Actual> = [Extra<Shape, Actual>] extends [never]
	? unknown
	: { request: { thereIsNoSuchField: Extra<Shape, Actual> } };

/** An operation with its types forgotten: what the engine, the tests and the documentation walk over. */
export type Operation = Described & { params: readonly Param[] } & (
		| {
				endpoint: Endpoint;
				request: (values: unknown, run: unknown, itemIndex: number) => unknown;
				toItems?: (reply: unknown, values: unknown) => IDataObject[];
				confirms?: (reply: unknown) => boolean;
				effect?: Effect;
				lookUp?: (request: unknown, run: unknown) => Promise<unknown>;
				explain?: (error: unknown, request: unknown, run: unknown) => Promise<unknown>;
				onceFor?: (values: unknown) => string | number;
				concurrency?: number;
		  }
		| {
				endpoint?: undefined;
				effect: Effect | ((values: unknown) => Effect);
				check?: (values: unknown, run: unknown, itemIndex: number) => Promise<void> | void;
				onceFor?: (values: unknown) => string | number;
				each: (values: unknown, run: unknown, itemIndex: number) => Promise<IDataObject[]>;
		  }
		| {
				endpoint?: undefined;
				effect?: Effect;
				execute: (run: Run<unknown>) => Promise<INodeExecutionData[]>;
		  }
	);

/**
 * One operation, declared once. The parameters are plain literals; their values, the request and the reply are typed from
 * them and from the endpoint, so a wrong body field does not compile.
 */
export function defineOperation<
	const Ps extends readonly Param[],
	E extends Endpoint,
	R extends RequestOf<E>,
>(draft: SimpleDraft<E, Ps, R> & NothingExtra<RequestOf<E>, R>): Operation;
export function defineOperation<const Ps extends readonly Param[]>(
	draft: StepsDraft<Ps>,
): Operation;
export function defineOperation<const Ps extends readonly Param[]>(
	draft: CustomDraft<Ps>,
): Operation;
export function defineOperation(draft: unknown): Operation {
	// The overloads have checked the draft; from here on its type parameters would only be in the way.
	return draft as Operation;
}

export interface Resource {
	value: string;
	name: string;
	description?: string;
	operations: readonly Operation[];
}
