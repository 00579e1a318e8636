import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { coerce, UnfitValueError } from './coerce';
import type { Param } from './params';
import { parseReference, resolveReference } from './reference';

interface Read {
	(itemIndex: number): unknown;
	/** The same for every item. */
	isConstant?: boolean;
}

/** Parameters as a function of the item. */
export interface Reader<Values> {
	(itemIndex: number): Values;
	/** No parameter depends on the item: one reading serves all. */
	isConstant: boolean;
}
type Leaf = { constant: unknown } | { path: Array<string | number> };
type Tree = Leaf | { entries: Array<[string, Tree]>; isArray: boolean };

const isExpression = (value: unknown): value is string =>
	typeof value === 'string' && value.startsWith('=');

const containsExpression = (value: unknown): boolean => {
	if (isExpression(value)) return true;
	return (
		typeof value === 'object' && value !== null && Object.values(value).some(containsExpression)
	);
};

/** A raw parameter as constants and plain references; nothing when it holds any other expression. */
const toTree = (raw: unknown): Tree | undefined => {
	if (isExpression(raw)) {
		const path = parseReference(raw);
		return path && { path };
	}
	if (!containsExpression(raw)) return { constant: raw };
	const entries: Array<[string, Tree]> = [];
	for (const [key, value] of Object.entries(raw as object)) {
		const tree = toTree(value);
		if (tree === undefined) return undefined;
		entries.push([key, tree]);
	}
	return { entries, isArray: Array.isArray(raw) };
};

const notHere = Symbol('left to the expression engine');

const evaluate = (tree: Tree, json: unknown): unknown => {
	if ('constant' in tree) return tree.constant;
	if ('path' in tree) {
		const resolved = resolveReference(json, tree.path);
		return resolved.found ? resolved.value : notHere;
	}
	const pairs: Array<[string, unknown]> = [];
	for (const [key, inner] of tree.entries) {
		const value = evaluate(inner, json);
		if (value === notHere) return notHere;
		pairs.push([key, value]);
	}
	return tree.isArray ? pairs.map(([, value]) => value) : Object.fromEntries(pairs);
};

/** n8n gives a locator as `{mode, value}`; only modes without a pattern to extract can be read without its help. */
const locatorValue = (value: unknown, { modes = [] }: Param): unknown => {
	if (typeof value !== 'object' || value === null || !('__rl' in value)) return notHere;
	const { mode, value: inner } = value as { mode?: unknown; value?: unknown };
	const description = modes.find(({ name }) => name === mode);
	return description === undefined || description.extractValue !== undefined ? notHere : inner;
};

/**
 * How to read one parameter, decided once: a constant is read once, a plain reference from the item itself, and only what
 * is left goes through n8n's expression engine, which costs about a hundred times as much.
 */
const reader = (context: IExecuteFunctions, items: INodeExecutionData[], param: Param): Read => {
	const options = param.type === 'resourceLocator' ? { extractValue: true } : {};
	const fit = (value: unknown) => coerce(value, param, context.getTimezone());
	const ask: Read = (itemIndex) =>
		fit(context.getNodeParameter(param.name, itemIndex, param.default, options));
	const raw = context.getNode().parameters[param.name];
	if (!containsExpression(raw)) {
		let known: { value: unknown } | undefined;
		const read: Read = (itemIndex) => (known ??= { value: ask(itemIndex) }).value;
		return Object.assign(read, { isConstant: true });
	}
	const tree = toTree(raw);
	if (tree === undefined) return ask;
	return (itemIndex) => {
		const direct = evaluate(tree, items[itemIndex]?.json);
		const value =
			param.type === 'resourceLocator' && direct !== notHere ? locatorValue(direct, param) : direct;
		return value === notHere ? ask(itemIndex) : fit(value);
	};
};

const isMissing = (value: unknown) =>
	value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** The parameters of an operation as a function of the item. */
export const readParameters = (
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	params: readonly Param[],
): Reader<Record<string, unknown>> => {
	const readers = params
		.filter(({ type }) => type !== 'notice')
		.map((param) => ({
			param,
			read: reader(context, items, param),
			// n8n fills in what is shown and leaves out what is not: a field nobody sees cannot be asked for.
			isRequired: param.required === true && param.name in context.getNode().parameters,
		}));
	const readAll = (itemIndex: number) => {
		const values: Record<string, unknown> = {};
		for (const { param, read, isRequired } of readers) {
			const value = read(itemIndex);
			if (isRequired && isMissing(value)) {
				throw new UnfitValueError(param.displayName, 'is empty. It is required');
			}
			values[param.name] = value;
		}
		return values;
	};
	return Object.assign(readAll, {
		isConstant: readers.every(({ read }) => read.isConstant === true),
	});
};
