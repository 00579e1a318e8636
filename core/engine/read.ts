import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isSafeObjectProperty } from 'n8n-workflow';
import { isRecord, textsIn } from '../json';
import { coerce } from './coerce';
import { UnfitValueError, valueRequired } from './errors';
import type { Param, ValueOf, ValuesOf } from './params';
import { isEmpty } from '../value';

/** Reads a parameter, or several of them. How is decided once, before the first item. */
export interface Reader<Value> {
	/** The value for one item. */
	at(itemIndex: number): Value;
	/** The value doesn't depend on the item, so it is read once for all. */
	isConstant: boolean;
	/** The value contains no expression, so it is the same in every run. */
	isFixed: boolean;
}

type Step = string | number;

const whole =
	/^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\[\s*(?:"[^"\\\n]*"|'[^'\\\n]*'|\d{1,9})\s*\])+)\s*\}\}$/;
const single = /\.([A-Za-z_]\w*)|\[\s*(?:"([^"]*)"|'([^']*)'|(\d+))\s*\]/g;
/** n8n's expression engine collapses white space, even inside quotes, so only single plain spaces are read the same here. */
const oddSpace = /\s\s|[^\S ]/;

/** Members of a prototype and names that the expression engine rejects are left to the engine. */
const isPlainName = (step: Step) =>
	typeof step === 'number' || (!(step in Object.prototype) && isSafeObjectProperty(step));

/**
 * The path of a plain reference to a field of the item, such as `={{ $json.phone }}` or `={{ $json["Phone Number"] }}`;
 * `undefined` for any other expression.
 */
const parseReference = (expression: string): Step[] | undefined => {
	const path = whole.exec(expression)?.[1];
	if (path === undefined || oddSpace.test(path)) return undefined;
	const steps = [...path.matchAll(single)].map(([, dotted, double, quoted, index]) =>
		index === undefined ? (dotted ?? double ?? quoted ?? '') : Number(index),
	);
	return steps.every(isPlainName) ? steps : undefined;
};

/** The code between `{{` and `}}`. If one isn't closed, a `{{` remains outside of the matches. */
const inBraces = /\{\{((?:[^{}"']|"[^"\\\n]*"|'[^'\\\n]*')*)\}\}/g;
/**
 * Only members and methods of objects that are the same for all items, with literal arguments. A name ends where its letters and
 * digits end: otherwise each digit could belong to the name or be a number, and the time would double with every name.
 */
const sameForAll =
	/^(?:\s|[().,+]|"[^"]*"|'[^']*'|\d|(?<=\.)[A-Za-z]\w*(?!\w)|\$(?:now|today|workflow|execution)(?=\.))*$/;

/**
 * Whether an expression has the same value for every item, such as `={{ $workflow.name }} {{ $now.toFormat("yyyy-MM-dd") }}`.
 * Then it is evaluated once, which saves minutes for many items and keeps one date in a run that lasts past midnight.
 */
const isSameForAllItems = (expression: string): boolean => {
	const inside = [...expression.matchAll(inBraces)].map(([, code = '']) => code);
	const outside = expression.replace(inBraces, '');
	return !outside.includes('{{') && inside.every((code) => sameForAll.test(code));
};

/** The value isn't in the item itself; the expression engine has to resolve it. */
const notHere = Symbol('left to the expression engine');

const isPlainObject = (value: unknown): value is Record<string, unknown> => {
	if (!isRecord(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === Object.prototype || prototype === null;
};

/**
 * Reads a reference directly from the item, if the expression engine certainly returns the same: own fields of plain objects, own
 * entries of arrays, and `undefined` for a missing field at the end of the path. Anything else (`length`, a path that breaks off)
 * is left to the engine.
 */
const resolveReference = (json: unknown, path: readonly Step[]): unknown => {
	let value = json;
	// A counted loop, because this runs for every field of every item.
	for (let index = 0; index < path.length; index++) {
		const step = path[index] as Step;
		if (typeof step === 'number') {
			if (!Array.isArray(value) || step >= value.length) return notHere;
		} else {
			if (!isPlainObject(value)) return notHere;
			const isLast = index === path.length - 1;
			if (!isLast && !Object.hasOwn(value, step)) return notHere;
		}
		value = (value as Record<Step, unknown>)[step];
	}
	return value;
};

const isExpression = (value: unknown): value is string =>
	typeof value === 'string' && value.startsWith('=');

const containsExpression = (raw: unknown) => textsIn(raw).some(isExpression);

const dependsOnItem = (raw: unknown) =>
	textsIn(raw).some((text) => isExpression(text) && !isSameForAllItems(text));

/** Reads a raw parameter of constants and plain references from an item; `undefined` if it contains any other expression. */
const toDirect = (raw: unknown): ((json: unknown) => unknown) | undefined => {
	if (isExpression(raw)) {
		const path = parseReference(raw);
		return path && ((json) => resolveReference(json, path));
	}
	if (!containsExpression(raw)) return () => raw;
	const dynamic: Array<[string, (json: unknown) => unknown]> = [];
	for (const [key, value] of Object.entries(raw as object)) {
		if (!containsExpression(value)) continue;
		const direct = toDirect(value);
		if (direct === undefined) return undefined;
		dynamic.push([key, direct]);
	}
	return (json) => {
		// A copy of the whole object keeps the order of keys, and copies a key called `__proto__` as a plain field.
		const result = (
			Array.isArray(raw) ? [...(raw as unknown[])] : { ...(raw as object) }
		) as Record<string, unknown>;
		for (const [key, direct] of dynamic) {
			const value = direct(json);
			if (value === notHere) return notHere;
			result[key] = value;
		}
		return result;
	};
};

/** n8n stores a locator as `{mode, value}`. Modes with a pattern to extract are left to n8n. */
const locatorValue = (value: unknown, { modes = [] }: Param): unknown => {
	if (!isRecord(value) || !('__rl' in value)) return notHere;
	const mode = modes.find(({ name }) => name === value.mode);
	return mode === undefined || mode.extractValue !== undefined ? notHere : value.value;
};

const ownField = (whole: unknown, name: string): unknown =>
	typeof whole === 'object' && whole !== null && Object.hasOwn(whole, name)
		? (whole as Record<string, unknown>)[name]
		: undefined;

/**
 * Decides once how to read a parameter, or its value at `path`: a constant is read once, a plain reference directly from the item,
 * and only the rest through n8n's expression engine, which costs about a hundred times as much. Doesn't check whether the
 * parameter is required.
 */
export const readParameter = <P extends Param, Path extends string[]>(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	param: P,
	path: Path,
): Reader<Path extends [] ? ValueOf<P> : unknown> => {
	const isLocator = param.type === 'resourceLocator';
	// `coerce` checks the value. n8n's own check would search the parameters of all operations for every item.
	const options = { skipValidation: true, ...(isLocator && { extractValue: true }) };
	const zone = context.getTimezone();
	const pick = (whole: unknown) => path.reduce(ownField, whole);
	const ask = (itemIndex: number) => {
		const given = context.getNodeParameter(param.name, itemIndex, param.default, options);
		return pick(coerce(given, param, zone));
	};
	const raw = pick(context.getNode().parameters[param.name]);
	const isConstant = !dependsOnItem(raw);
	const direct = isConstant ? undefined : toDirect(raw);
	let known: { value: unknown } | undefined;
	const read = (itemIndex: number) => {
		if (isConstant) return (known ??= { value: ask(itemIndex) }).value;
		const found = direct === undefined ? notHere : direct(items[itemIndex]?.json);
		const value = isLocator && found !== notHere ? locatorValue(found, param) : found;
		if (value === notHere) return ask(itemIndex);
		if (path.length === 0) return coerce(value, param, zone);
		// A field of a collection is converted like the whole collection.
		return param.type === 'collection' && path.length === 1
			? pick(coerce({ [String(path[0])]: value }, param, zone))
			: value;
	};
	// `coerce` has converted the value to the type that `ValueOf` infers from the parameter.
	const at = read as (itemIndex: number) => Path extends [] ? ValueOf<P> : unknown;
	return { at, isConstant, isFixed: !containsExpression(raw) };
};

const isMissing = (value: unknown) =>
	isEmpty(value) || (Array.isArray(value) && value.length === 0);

/** Whether a parameter is shown with these values of its siblings. */
const isShown = ({ displayOptions }: Param, values: Readonly<Record<string, unknown>>): boolean => {
	const matches = ([name, wanted]: [string, unknown]) =>
		Array.isArray(wanted) && wanted.includes(values[name]);
	const { show = {}, hide = {} } = displayOptions ?? {};
	return Object.entries(show).every(matches) && !Object.entries(hide).some(matches);
};

/** Reads the parameters of an operation for an item. Two parameters with the same name are one value with two labels. */
export const readParameters = <Ps extends readonly Param[]>(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	params: Ps,
): Reader<ValuesOf<Ps>> => {
	const isFirst = ({ name }: Param, index: number) =>
		params.findIndex((one) => one.name === name) === index;
	const readers = params
		.filter((param, index) => param.type !== 'notice' && isFirst(param, index))
		.map((param) => ({
			param,
			read: readParameter(context, items, param, []),
			// n8n stores only the parameters that are shown, and the user can't fill in a hidden one.
			isRequired: param.required === true && param.name in context.getNode().parameters,
		}));
	const isConstant = readers.every(({ read }) => read.isConstant);
	let constant: ValuesOf<Ps> | undefined;
	const readAll = (itemIndex: number) => {
		if (constant !== undefined) return constant;
		const values: Record<string, unknown> = {};
		for (const { param, read, isRequired } of readers) {
			const value = read.at(itemIndex);
			if (isRequired && isMissing(value)) {
				const shown = params.find((one) => one.name === param.name && isShown(one, values));
				throw new UnfitValueError((shown ?? param).displayName, valueRequired);
			}
			values[param.name] = value;
		}
		// `coerce` has converted each value to the type that `ValuesOf` infers from its parameter.
		const typed = values as ValuesOf<Ps>;
		if (isConstant) constant = typed;
		return typed;
	};
	return { at: readAll, isConstant, isFixed: readers.every(({ read }) => read.isFixed) };
};
