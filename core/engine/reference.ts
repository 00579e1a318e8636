import { isSafeObjectProperty } from 'n8n-workflow';

type Step = string | number;

const whole =
	/^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\[\s*(?:"[^"\\\n]*"|'[^'\\\n]*'|\d{1,9})\s*\])+)\s*\}\}$/;
const single = /\.([A-Za-z_]\w*)|\[\s*(?:"([^"]*)"|'([^']*)'|(\d+))\s*\]/g;
/** The engine folds white space, also inside of quotes: only single plain spaces mean the same to both. */
const oddSpace = /\s\s|[^\S ]/;

/** A prototype's member, or a name that the engine refuses, is the engine's affair. */
const isPlainName = (step: Step) =>
	typeof step === 'number' || (!(step in Object.prototype) && isSafeObjectProperty(step));

/**
 * The path of a plain reference to a field of the item, such as `={{ $json.phone }}` or `={{ $json["Phone Number"] }}`;
 * nothing for any other expression.
 */
export const parseReference = (expression: string): Step[] | undefined => {
	const path = whole.exec(expression)?.[1];
	if (path === undefined || oddSpace.test(path)) return undefined;
	const steps = [...path.matchAll(single)].map(([, dotted, double, quoted, index]) =>
		index === undefined ? (dotted ?? double ?? quoted ?? '') : Number(index),
	);
	return steps.every(isPlainName) ? steps : undefined;
};

/** Everything between the braces of a template; a single one that fails to close leaves `{{` behind. */
const inBraces = /\{\{((?:[^{}"']|"[^"\\\n]*"|'[^'\\\n]*')*)\}\}/g;
/** Nothing but members and methods of what is the same for all items, with literal arguments. */
const sameForAll =
	/^(?:\s|[().,+]|"[^"]*"|'[^']*'|\d|(?<=\.)[A-Za-z]\w*|\$(?:now|today|workflow|execution)(?=\.))*$/;

/**
 * Whether an expression gives the same value for every item, such as `={{ $workflow.name }} {{ $now.toFormat("yyyy-MM-dd") }}`.
 * It is evaluated once then: for many items that saves minutes, and a run that lasts past midnight keeps one date.
 */
export const isSameForAllItems = (expression: string): boolean => {
	const inside = [...expression.matchAll(inBraces)].map(([, code = '']) => code);
	const outside = expression.replace(inBraces, '');
	return !outside.includes('{{') && inside.every((code) => sameForAll.test(code));
};

/** What is not to be found in the item itself, but may be by the engine. */
export const notHere = Symbol('left to the expression engine');

const isPlainObject = (value: unknown): value is Record<string, unknown> => {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === Object.prototype || prototype === null;
};

/**
 * Reads a reference from the item itself. Only where the result is certainly the expression engine's: own fields of plain
 * objects and own entries of arrays, and nothing for a field that the object at the end of the path does not have.
 * Anything else (`length`, a path that breaks off) is left to the engine.
 */
export const resolveReference = (json: unknown, path: readonly Step[]): unknown => {
	let value = json;
	// Counted: this runs for every field of every item.
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
