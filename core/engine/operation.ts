import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { z } from '../../vendor/zod';
import type { Endpoint, ReplyOf, RequestOf, ResultOf } from '../contract/endpoint';
import type { Param, ValueOf, ValuesOf } from './params';
import type { Reader } from './read';

/** What an operation gets to process one item or all of them. */
export interface Run<Values> {
	context: IExecuteFunctions;
	items: INodeExecutionData[];
	/** All parameters of one item. */
	values(itemIndex: number): Values;
	/** Reads only some parameters, for operations that read very many items. */
	reader<Ps extends readonly Param[]>(params: Ps): Reader<ValuesOf<Ps>>;
	/** Reads a single parameter, or a value inside it, for operations that read it for every recipient. */
	readerOf<P extends Param>(param: P, ...path: string[]): Reader<ValueOf<P>>;
	/** Throws the error, or returns the error item if the node continues on fail. */
	failed(items: number | readonly number[], error: unknown): INodeExecutionData;
	/** The item for a response that doesn't confirm the request; the user gets a hint about it. */
	unconfirmed(itemIndex: number, answer: unknown): IDataObject;
}

/** What repeating an operation would do: nothing, the same without harm, or something twice. */
export type Effect = 'reads' | 'repeatable' | 'once';

interface Described {
	/** Stored in workflows: never change it. */
	value: string;
	name: string;
	action: string;
	description: string;
	/** What the operation returns, if it isn't the endpoint's unchanged response. */
	output?: z.ZodTypeAny;
	/** The main call of an operation without a single endpoint. */
	restsOn?: Endpoint;
}

/** Checks the values of one item before the first item is carried out, and throws if they are wrong. */
type Check<Values> = (values: Values, run: Run<Values>, itemIndex: number) => Promise<void> | void;

interface SimpleDraft<E extends Endpoint, Ps extends readonly Param[], R extends RequestOf<E>>
	extends Described {
	endpoint: E;
	params: Ps;
	request: (values: ValuesOf<Ps>, run: Run<ValuesOf<Ps>>, itemIndex: number) => R | Promise<R>;
	/** Turns the response into items; by default a list becomes one item per entry. */
	toItems?: (reply: ResultOf<E>, values: ValuesOf<Ps>) => IDataObject[];
	/** Whether the response confirms the request. By default, any response of the known shape does. */
	confirms?: (reply: ReplyOf<E>) => boolean;
	/** Set if it can't be derived from the endpoint's method and `repeatable`. */
	effect?: Effect;
	/** Sets the reason for a rejected call as the error's title, if another call than the rejected one shows it. */
	explain?: (error: unknown, request: R, run: Run<ValuesOf<Ps>>) => Promise<unknown>;
	/** Items with the same value here are carried out once, and the result is linked to all of them. */
	onceFor?: (values: ValuesOf<Ps>) => string | number;
	/** How many items are sent at a time. One, unless their order doesn't matter. */
	concurrency?: number;
}

/** An operation that needs more than one call per item. */
interface StepsDraft<Ps extends readonly Param[]> extends Described {
	endpoint?: undefined;
	params: Ps;
	effect: Effect | ((values: ValuesOf<Ps>) => Effect);
	check?: Check<ValuesOf<Ps>>;
	/** Items with the same value here are carried out once, and the result is linked to all of them. */
	onceFor?: (values: ValuesOf<Ps>) => string | number;
	each: (values: ValuesOf<Ps>, run: Run<ValuesOf<Ps>>, itemIndex: number) => Promise<IDataObject[]>;
}

interface CustomDraft<Ps extends readonly Param[]> extends Described {
	endpoint?: undefined;
	params: Ps;
	/** Default: `once`. */
	effect?: Effect;
	/** Processes all items at once. Every returned item names the input items it comes from. */
	execute: (run: Run<ValuesOf<Ps>>) => Promise<INodeExecutionData[]>;
}

type Member<Shape, Key> = Shape extends unknown
	? Key extends keyof Shape
		? Shape[Key]
		: never
	: never;
type KeyOf<Shape> = Shape extends unknown ? keyof Shape : never;
type ObjectIn<Shape> = Extract<NonNullable<Shape>, object>;

/** The names in `Actual`, at any depth, that `Shape` doesn't have. */
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

/** Finds misspelled names in what a callback returns, because TypeScript doesn't check them there. */
type NothingExtra<Shape, Actual> = [Extra<Shape, Actual>] extends [never]
	? unknown
	: { request: { thereIsNoSuchField: Extra<Shape, Actual> } };

/** An operation without its specific types, as the engine, the tests and the documentation use it. */
export type Operation = Described & { params: readonly Param[] } & (
		| {
				endpoint: Endpoint;
				request: (values: unknown, run: unknown, itemIndex: number) => unknown;
				toItems?: (reply: unknown, values: unknown) => IDataObject[];
				confirms?: (reply: unknown) => boolean;
				effect?: Effect;
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
 * Declares an operation. The parameters are plain literals; the types of their values, of the request and of the response come
 * from them and from the endpoint, so that a wrong body field doesn't compile.
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
	// The overloads have checked the draft, so its type parameters are no longer needed.
	return draft as Operation;
}

export interface Resource {
	value: string;
	name: string;
	description?: string;
	operations: readonly Operation[];
}
