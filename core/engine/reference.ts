import { isSafeObjectProperty } from 'n8n-workflow';

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
export const parseReference = (expression: string): Step[] | undefined => {
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
export const isSameForAllItems = (expression: string): boolean => {
	const inside = [...expression.matchAll(inBraces)].map(([, code = '']) => code);
	const outside = expression.replace(inBraces, '');
	return !outside.includes('{{') && inside.every((code) => sameForAll.test(code));
};

/** The value isn't in the item itself; the expression engine has to resolve it. */
export const notHere = Symbol('left to the expression engine');

export const isPlainObject = (value: unknown): value is Record<string, unknown> => {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === Object.prototype || prototype === null;
};

/**
 * Reads a reference directly from the item, if the expression engine certainly returns the same: own fields of plain objects, own
 * entries of arrays, and `undefined` for a missing field at the end of the path. Anything else (`length`, a path that breaks off)
 * is left to the engine.
 */
export const resolveReference = (json: unknown, path: readonly Step[]): unknown => {
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
