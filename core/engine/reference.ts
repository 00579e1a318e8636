import { isSafeObjectProperty } from 'n8n-workflow';

type Step = string | number;

const whole =
	/^=\{\{\s*\$json((?:\.[A-Za-z_]\w*|\[\s*(?:"[^"\\\n]*"|'[^'\\\n]*'|\d{1,9})\s*\])+)\s*\}\}$/;
const single = /\.([A-Za-z_]\w*)|\[\s*(?:"([^"]*)"|'([^']*)'|(\d+))\s*\]/g;
/** The engine folds white space, also inside of quotes: only single plain spaces mean the same to both. */
const oddSpace = /\s\s|[^\S ]/;

/**
 * The path of a plain reference to a field of the item, such as `={{ $json.phone }}` or `={{ $json["Phone Number"] }}`;
 * nothing for any other expression.
 */
export const parseReference = (expression: string): Step[] | undefined => {
	const path = whole.exec(expression)?.[1];
	if (path === undefined || oddSpace.test(path)) return undefined;
	return [...path.matchAll(single)].map(([, dotted, double, quoted, index]) =>
		index === undefined ? (dotted ?? double ?? quoted ?? '') : Number(index),
	);
};

export type Resolved = { found: true; value: unknown } | { found: false };

const isPlainObject = (value: unknown): value is Record<string, unknown> => {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === Object.prototype || prototype === null;
};

/**
 * Reads a reference from the item itself. Only where the result is certainly the expression engine's: own fields of plain
 * objects and own entries of arrays. Anything else (a missing field, `length`, a prototype's member, a name the
 * engine refuses, a date) is left to
 * the engine.
 */
export const resolveReference = (json: unknown, path: readonly Step[]): Resolved => {
	let value = json;
	for (const step of path) {
		const isOwn =
			typeof step === 'number'
				? Array.isArray(value) && step < value.length
				: isPlainObject(value) &&
					Object.hasOwn(value, step) &&
					!(step in Object.prototype) &&
					isSafeObjectProperty(step);
		if (!isOwn) return { found: false };
		value = (value as Record<Step, unknown>)[step];
	}
	return value === undefined ? { found: false } : { found: true, value };
};
