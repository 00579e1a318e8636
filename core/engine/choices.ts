import { UnfitValueError } from './errors';
import type { Param } from './params';
import { toNumber, toText } from './scalars';

type Choice = string | number | boolean;

/** How many options an error lists: a list of countries would be too long to read. */
const mostNamed = 12;

const toKey = (text: string) => text.trim().toLowerCase();

interface Listed {
	/** The stored values. */
	values: ReadonlySet<unknown>;
	/** By value and by label, in lower case. */
	byName: ReadonlyMap<string, Choice>;
}

const readOptions = ({ options = [] }: Param): Listed => {
	const offered = options.filter((option) => 'value' in option);
	const byName = new Map<string, Choice>();
	for (const { name, value } of offered) byName.set(toKey(name), value);
	// Values come last, so that a text that is both a label and the value of another option is read as the value.
	for (const { value } of offered) byName.set(toKey(String(value)), value);
	return { values: new Set(offered.map(({ value }) => value)), byName };
};

/** The usual case, without reading all names. */
const hasValue = ({ options = [] }: Param, value: unknown): boolean =>
	options.some((option) => 'value' in option && option.value === value);

/** Whether the list has an option with an empty value, such as "Not Set". */
export const offersEmpty = (param: Param): boolean => hasValue(param, '');

const rejectChoice = (text: string, { displayName }: Param, { values }: Listed): never => {
	const offered = [...values].map(String).filter((one) => one !== '');
	const some = offered.slice(0, mostNamed).join(', ');
	const others = offered.length > mostNamed ? ' or another option from the list' : '';
	throw new UnfitValueError(
		displayName,
		`must be one of ${some}${others}, but is ${JSON.stringify(text)}`,
	);
};

/** The value of an option. An expression may return its value or label in any case, with spaces around it. */
export const toChoice = (value: unknown, param: Param): Choice => {
	if (param.options === undefined) return toText(value, param);
	if (hasValue(param, value)) return value as Choice;
	const listed = readOptions(param);
	const text = toText(value, param);
	const found = listed.byName.get(toKey(text));
	if (found !== undefined) return found;
	// The service may have values that aren't listed. It writes them in upper case.
	return param.allowArbitraryValues === true
		? text.trim().toUpperCase()
		: rejectChoice(text, param, listed);
};

/** A number from a list. Whether it is valid is checked against the contract, whose error is shorter than a list of 24 hours. */
const toListedNumber = (value: unknown, param: Param): unknown =>
	(typeof value === 'string' ? readOptions(param).byName.get(toKey(value)) : undefined) ??
	toNumber(value, param);

const toList = (value: unknown): unknown[] => {
	if (Array.isArray(value)) return value as unknown[];
	// An expression may return "MTS, TELE2" instead of a list.
	if (typeof value !== 'string') return [value];
	return value
		.split(',')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
};

export const toChoices = (value: unknown, param: Param): unknown[] =>
	toList(value).map((entry) =>
		param.validateType === 'number' ? toListedNumber(entry, param) : toChoice(entry, param),
	);
