import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { coerce } from './coerce';
import { UnfitValueError } from './errors';
import type { Param } from './params';
import { perRun } from './perRun';
import { isSameForAllItems, notHere, parseReference, resolveReference } from './reference';
import { addHint } from './hints';

/** Which fields of a run were warned about: once is enough for ten thousand items. */
const pastFields = perRun(() => new Set<string>());

const hintAtPast = (context: IExecuteFunctions) => (displayName: string) => {
	const known = pastFields(context);
	if (known.has(displayName)) return;
	known.add(displayName);
	addHint(context, `"${displayName}" is in the past. The service may send at once.`);
};

/** A parameter, or several of them, as a function of the item. */
export interface Reader<Value> {
	(itemIndex: number): Value;
	/** Nothing of it depends on the item: one reading serves all. */
	isConstant: boolean;
	/** It holds no expression at all: the next run reads the same. */
	isFixed: boolean;
	/** Nothing of it needs the expression engine: reading it again costs next to nothing and gives the same. */
	isDirect: boolean;
}

const isExpression = (value: unknown): value is string =>
	typeof value === 'string' && value.startsWith('=');

const containsExpression = (
	value: unknown,
	isWanted: (expression: string) => boolean = () => true,
): boolean => {
	if (isExpression(value)) return isWanted(value);
	return (
		typeof value === 'object' &&
		value !== null &&
		Object.values(value).some((inner) => containsExpression(inner, isWanted))
	);
};

const dependsOnItem = (raw: unknown) =>
	containsExpression(raw, (expression) => !isSameForAllItems(expression));

/** A raw parameter of constants and plain references as a function of the item; nothing when it holds any other expression. */
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
		// A copy, so that every key is there and in its place: a key called `__proto__` is one like any other then.
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

/** n8n gives a locator as `{mode, value}`; only modes without a pattern to extract can be read without its help. */
const locatorValue = (value: unknown, { modes = [] }: Param): unknown => {
	if (typeof value !== 'object' || value === null || !('__rl' in value)) return notHere;
	const { mode, value: inner } = value as { mode?: unknown; value?: unknown };
	const description = modes.find(({ name }) => name === mode);
	return description === undefined || description.extractValue !== undefined ? notHere : inner;
};

const ownField = (whole: unknown, name: string): unknown =>
	typeof whole === 'object' && whole !== null && Object.hasOwn(whole, name)
		? (whole as Record<string, unknown>)[name]
		: undefined;

/**
 * How to read one parameter, or what lies in it at `path`, decided once: a constant is read once, a plain reference from the item
 * itself, and only what is left goes through n8n's expression engine, which costs about a hundred times as much. Whether it
 * is required is not asked.
 */
export const readParameter = (
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	param: Param,
	path: readonly string[] = [],
): Reader<unknown> => {
	const isLocator = param.type === 'resourceLocator';
	// `coerce` checks the value; n8n would look for its description among those of all operations, item by item.
	const options = { skipValidation: true, ...(isLocator && { extractValue: true }) };
	const zone = context.getTimezone();
	const onPast = hintAtPast(context);
	const fit = (value: unknown) => coerce(value, param, zone, onPast);
	const pick = (whole: unknown) => path.reduce(ownField, whole);
	const ask = (itemIndex: number) =>
		pick(fit(context.getNodeParameter(param.name, itemIndex, param.default, options)));
	const raw = pick(context.getNode().parameters[param.name]);
	if (!dependsOnItem(raw)) {
		let known: { value: unknown } | undefined;
		const readOnce = (itemIndex: number) => (known ??= { value: ask(itemIndex) }).value;
		const isFixed = !containsExpression(raw);
		return Object.assign(readOnce, { isConstant: true, isFixed, isDirect: true });
	}
	const direct = toDirect(raw);
	if (direct === undefined)
		return Object.assign(ask, { isConstant: false, isFixed: false, isDirect: false });
	const read = (itemIndex: number) => {
		const found = direct(items[itemIndex]?.json);
		const value = isLocator && found !== notHere ? locatorValue(found, param) : found;
		if (value === notHere) return ask(itemIndex);
		return path.length === 0 ? fit(value) : value;
	};
	return Object.assign(read, { isConstant: false, isFixed: false, isDirect: true });
};

const isMissing = (value: unknown) =>
	value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether a parameter is on the screen with these values, as far as its siblings decide. */
const isShown = ({ displayOptions }: Param, values: Readonly<Record<string, unknown>>): boolean => {
	const matches = ([name, wanted]: [string, unknown]) =>
		Array.isArray(wanted) && wanted.includes(values[name]);
	const { show = {}, hide = {} } = displayOptions ?? {};
	return Object.entries(show).every(matches) && !Object.entries(hide).some(matches);
};

/** The parameters of an operation as a function of the item. Two of one name are one value with two labels. */
export const readParameters = (
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	params: readonly Param[],
): Reader<Record<string, unknown>> => {
	const labelOf = ({ name, displayName }: Param, values: Record<string, unknown>) =>
		params.find((param) => param.name === name && isShown(param, values))?.displayName ??
		displayName;
	const readers = params
		.filter(
			({ type, name }, index) =>
				type !== 'notice' && params.findIndex((one) => one.name === name) === index,
		)
		.map((param) => ({
			param,
			read: readParameter(context, items, param),
			// n8n fills in what is shown and leaves out what is not: a field nobody sees cannot be asked for.
			isRequired: param.required === true && param.name in context.getNode().parameters,
		}));
	const readAll = (itemIndex: number) => {
		const values: Record<string, unknown> = {};
		for (const { param, read, isRequired } of readers) {
			const value = read(itemIndex);
			if (isRequired && isMissing(value)) {
				throw new UnfitValueError(labelOf(param, values), 'is empty. It is required');
			}
			values[param.name] = value;
		}
		return values;
	};
	const isConstant = readers.every(({ read }) => read.isConstant);
	const isFixed = readers.every(({ read }) => read.isFixed);
	const isDirect = readers.every(({ read }) => read.isDirect);
	let known: Record<string, unknown> | undefined;
	const readOnce = (itemIndex: number) => (known ??= readAll(itemIndex));
	return Object.assign(isConstant ? readOnce : readAll, { isConstant, isFixed, isDirect });
};
