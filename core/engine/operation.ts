import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { z } from '../../vendor/zod';
import type { Endpoint, ReplyOf, RequestOf, ResultOf } from '../contract/endpoint';
import type { Extra } from '../contract/extra';
import type { FailedItem, NodeError } from './errors';
import type { Param, ValueOf, ValuesOf } from './params';
import type { Reader } from './read';

/**
 * `reads`: changes nothing. `repeatable`: a second call has no further effect. `once`: a second call would, for example, send
 * again.
 */
export type Effect = 'reads' | 'repeatable' | 'once';

/** What an operation gets to process one item or all of them. */
export interface Run<Values> {
	context: IExecuteFunctions;
	items: INodeExecutionData[];
	/** What repeating the operation would do. */
	effect: Effect;
	/** All parameters of one item. */
	values(itemIndex: number): Values;
	/** Reads only some parameters, for operations that read very many items. */
	reader<Ps extends readonly Param[]>(params: Ps): Reader<ValuesOf<Ps>>;
	/** Reads a single parameter, or a value inside it, for operations that read it for every recipient. */
	readerOf<P extends Param, Path extends string[]>(
		param: P,
		...path: Path
	): Reader<Path extends [] ? ValueOf<P> : unknown>;
	/** The error as the user sees it. */
	errorOf(error: unknown, itemIndex?: number, about?: FailedItem): NodeError;
	/** Throws the error, or returns the error item if the node continues on fail. */
	failed(items: number | readonly number[], error: unknown): INodeExecutionData;
}

/** What the operation does to an item, as in `1 number blocked` and `27 numbers blocked`. */
export interface DoneWords {
	readonly one: string;
	readonly many: string;
	/** The output field with the ID of what the operation creates. */
	readonly id?: string;
	/** What to say if no item was carried out, if it isn't `Nothing was done.` */
	readonly none?: string;
	/** What happens to an item that is carried out again, if it isn't done twice. */
	readonly again?: string;
}

interface Described {
	/** Stored in workflows: never change it. */
	value: string;
	name: string;
	action: string;
	description: string;
	/** What the operation returns, if it isn't the endpoint's unchanged response. */
	output?: z.ZodTypeAny;
	/** What it does to an item, for reports about many items. */
	done?: DoneWords;
	/** The main call of an operation without a single endpoint. */
	restsOn?: Endpoint;
	/** By default, it is derived from the endpoint's method and `repeatable`; without an endpoint, it is `once`. */
	effect?: Effect;
}

interface ItemDraft<Values> extends Described {
	/** Items with the same value here are carried out once, and the result is linked to all of them. */
	onceFor?: (values: Values) => string | number;
	/** How many items are carried out at a time. One, unless their order doesn't matter. */
	concurrency?: number;
}

/** An operation that is a single call. */
interface SimpleDraft<E extends Endpoint, Values, R> extends ItemDraft<Values> {
	endpoint: E;
	request: (values: Values, run: Run<Values>, itemIndex: number) => R | Promise<R>;
	/** Turns the response into items; by default a list becomes one item per entry. */
	toItems?: (reply: ResultOf<E>, values: Values) => IDataObject[];
	/** Whether the response confirms the request. By default, any response of the known shape does. */
	confirms?: (reply: ReplyOf<E>) => boolean;
}

/** An operation that needs more than one call per item. */
interface StepsDraft<Values> extends ItemDraft<Values> {
	endpoint?: undefined;
	effect: Effect;
	/** Checks the values of one item before the first item is carried out, and throws if they are wrong. */
	check?: (values: Values, run: Run<Values>, itemIndex: number) => Promise<void> | void;
	each: (values: Values, run: Run<Values>, itemIndex: number) => Promise<IDataObject[]>;
}

/** An operation that processes all items at once. */
interface CustomDraft<Values> extends Described {
	endpoint?: undefined;
	/** Every returned item names the input items it comes from. */
	execute: (run: Run<Values>) => Promise<INodeExecutionData[]>;
}

/** Finds misspelled names in what a callback returns, because TypeScript doesn't check them there. */
type NothingExtra<Shape, Actual> = [Extra<Shape, Actual>] extends [never]
	? unknown
	: { request: { thereIsNoSuchField: Extra<Shape, Actual> } };

export type ItemValues = Record<string, unknown>;

/** An operation without its specific types, as the engine, the tests and the documentation use it. */
export type Operation = { params: readonly Param[] } & (
	| SimpleDraft<Endpoint, ItemValues, RequestOf<Endpoint>>
	| StepsDraft<ItemValues>
	| CustomDraft<ItemValues>
);

/**
 * Declares an operation. The parameters are plain literals; the types of their values, of the request and of the response come
 * from them and from the endpoint, so that a wrong body field doesn't compile.
 */
export function defineOperation<
	const Ps extends readonly Param[],
	E extends Endpoint,
	R extends RequestOf<E>,
>(
	draft: { params: Ps } & SimpleDraft<E, ValuesOf<Ps>, R> & NothingExtra<RequestOf<E>, R>,
): Operation;
export function defineOperation<const Ps extends readonly Param[]>(
	draft: { params: Ps } & (StepsDraft<ValuesOf<Ps>> | CustomDraft<ValuesOf<Ps>>),
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
